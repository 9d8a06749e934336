#include "tauhat/offline/friction/regression_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tauhat {
namespace {

// Of the force's root mean square. A positioning stage of the laboratory with a good model is off by 1.2 % (EMPS), a
// Stribeck bump of 30 % makes 1.9 %.
constexpr double kNegligible = 0.015;

double share_of_force(const ModelTest& test, const RegressionFit& fit) {
  double squares = 0.0;
  for (const double force : fit.force) squares += force * force;
  return std::abs(test.largest_band_mean) / std::sqrt(squares / static_cast<double>(fit.force.size()));
}

// The tail of a distribution that is known only about: its order of magnitude.
std::string p_value_text(double p) { return p < 1e-12 ? "< 1e-12" : fmt::format("= {:.1g}", p); }

std::string place_of(const ModelTest& test, const StudyAxis& axis) {
  switch (test.bands_of) {
    case BandsOf::speed:
      return fmt::format("near {:.3g} {}", test.at, unit_of(axis, "rad/s"));
    case BandsOf::position:
      return fmt::format("near {:.3g} {}", test.at, unit_of(axis, "rad"));
    case BandsOf::acceleration:
      return fmt::format("while it {} by {:.3g} {}", test.at > 0.0 ? "speeds up" : "slows down", std::abs(test.at),
                         unit_of(axis, "rad/s^2"));
  }
  return {};
}

std::string advice_for(const ModelTest& test, const StudyAxis& axis) {
  const RegressionOptions& options = axis.regression;
  switch (test.bands_of) {
    case BandsOf::speed:
      return options.friction == FrictionShape::symmetric
                 ? "Try friction = \"asymmetric\"; where that does not help, method = \"two-step\" with this mass "
                   "looks "
                   "for a law that bends"
                 : "method = \"two-step\" with this mass looks for a law that bends";
    case BandsOf::position:
      return !axis.slides && !options.gravity
                 ? "Try gravity = true"
                 : "Something depends on the position: look at guides and cables, or fit a part of the stroke";
    case BandsOf::acceleration:
      return options.torque_dependent ? "Check the filter (cut_off) and the timing of the force (held_force)"
                                      : "Try torque_dependent = true; else check the timing of the force (held_force)";
  }
  return {};
}

std::string filter_of(double cut_off, const AxisRecord& record) {
  if (cut_off <= 0.0) return "none";
  return fmt::format("zero-phase Butterworth of order {} at {:g} Hz, on the {}", kMotionFilterOrder, cut_off,
                     record.velocity.empty() ? "position" : "position and the velocity");
}

std::string standstill_text(const RegressionFit& fit, const StudyAxis& axis) {
  return fmt::format(
      "below {:.3g} {}, {}; {} of {} samples are left out", fit.standstill, unit_of(axis, "rad/s"),
      axis.regression.standstill > 0.0 ? "from the study" : "by the highest speed and the noise of the velocity",
      fit.standstill_samples, fit.samples + fit.standstill_samples);
}

std::string model_of(const RegressionOptions& options) {
  std::string text = options.friction == FrictionShape::symmetric ? "viscous, Coulomb and a constant force"
                                                                  : "viscous and Coulomb, for each direction, which "
                                                                    "a constant force is in";
  if (options.torque_dependent) text += ", and a part that grows with the load";
  return text;
}

std::string weights_of(const RegressionOptions& options) {
  return options.weighted ? "by the residual in three bands of speed for each direction" : "all samples alike";
}

std::string gravity_text(const StudyAxis& axis) {
  if (axis.regression.gravity) return "sine and cosine of the position";
  if (axis.axis.gravity_sine != 0.0 || axis.axis.gravity_cosine != 0.0) return "as given, taken from the force";
  return "none, or constant";
}

std::string gravity_of(const SpeedCurve& curve, const StudyAxis& axis) {
  const Gravity& g = curve.gravity;
  const std::string unit = unit_of(axis, "N m");
  const ConstantSpeedOptions& options = axis.constant_speed;
  const char* source = options.gravity  ? "from the study"
                       : options.offset ? "the constant from the study, the rest from both directions"
                                        : "from both directions, as if their friction were alike";
  if (g.sine == 0.0 && g.cosine == 0.0) return fmt::format("offset {:.4g} {}, {}", g.offset, unit, source);
  return fmt::format("{:.4g} sin(q) + {:.4g} cos(q) + {:.4g} {}, {}", g.sine, g.cosine, g.offset, unit, source);
}

std::string line_text(const SpeedCurve& curve) {
  const auto is_tested = [](const FrictionLine& line) { return !line.separable || line.test.speeds > 2; };
  return is_tested(curve.positive) && is_tested(curve.negative)
             ? "Coulomb and viscous friction; whether the points bend was tested"
             : "Coulomb and viscous friction; two speeds lie on a line whatever the friction does between them";
}

}  // namespace

std::optional<Diagnostic> misfit_diagnostic(const RegressionFit& fit, const StudyAxis& axis) {
  const ModelTest* worst = fit.worst_misfit();
  if (!worst) return {};
  const double share = share_of_force(*worst, fit);
  const bool matters = std::any_of(fit.model_tests.begin(), fit.model_tests.end(), [&](const ModelTest& test) {
    return test.fails() && share_of_force(test, fit) >= kNegligible;
  });
  const std::string seen = fmt::format(
      "The model is off by {:.3g} {} {}, {:.2g} % of the force, and not by chance (p {}). The "
      "intervals were widened as if it were off by up to as much everywhere.",
      std::abs(worst->largest_band_mean), unit_of(axis, "N m"), place_of(*worst, axis), 100.0 * share,
      p_value_text(worst->p_value));
  if (!matters) return Diagnostic{"law.misfit", Severity::info, seen};
  return Diagnostic{"law.misfit", Severity::warning, fmt::format("{} {}.", seen, advice_for(*worst, axis))};
}

Diagnostic below_noise(const std::string& name, const std::string& why) {
  const bool is_friction = name.starts_with("friction.") && name != "friction.offset";
  return {"friction.below_noise", is_friction ? Severity::warning : Severity::info, fmt::format("{}: {}.", name, why)};
}

std::vector<Section> model_test_sections(const RegressionFit& fit, const StudyAxis& axis) {
  constexpr std::array<const char*, 3> kNames{"speed", "position", "acceleration"};
  const std::string force = unit_of(axis, "N m");
  Table table{
      "Means of the residual", {"bands of", "p", fmt::format("largest mean [{}]", force), "of the force", "where"}, {}};
  for (const ModelTest& test : fit.model_tests) {
    table.rows.push_back({kNames[static_cast<std::size_t>(test.bands_of)],
                          test.degrees > 0.0 ? fmt::format("{:.2g}", test.p_value) : "not tested",
                          fmt::format("{:.3g}", test.largest_band_mean),
                          fmt::format("{:.2g} %", 100.0 * share_of_force(test, fit)), place_of(test, axis)});
  }
  if (table.rows.empty()) return {};
  return {{"Does the model hold",
           fmt::format("Where it does, the residual is zero on average in every band. A p below {:g} is not chance.",
                       ModelTest::kSignificant),
           {},
           {std::move(table)}}};
}

Assumptions regression_assumptions(const RegressionFit& fit, const AxisRecord& record, const StudyAxis& axis) {
  const RegressionOptions& options = axis.regression;
  return {
      {"filter of the motion", filter_of(options.cut_off, record)},
      {"decimation", fmt::format("by {}, to {:.4g} samples a second", options.decimation,
                                 1.0 / (record.period * options.decimation))},
      {"left out at each end", fmt::format("{:g} s", options.trimmed)},
      {"standstill", standstill_text(fit, axis)},
      {"friction", model_of(options)},
      {"gravity", gravity_text(axis)},
      {"force", options.held_force ? "held from each sample to the next" : "sampled together with the position"},
      {"weights", weights_of(options)},
      {"effective samples", fmt::format("{:.0f} of {}: what is left is correlated in time, and the intervals heed it",
                                        fit.effective_samples, fit.samples)}};
}

Assumptions constant_speed_assumptions(const SpeedCurve& curve, const AxisRecord& record, const StudyAxis& axis) {
  const ConstantSpeedOptions& options = axis.constant_speed;
  std::size_t samples = 0, sections = 0;
  for (const SpeedPoint& point : curve.points) samples += point.samples, sections += point.sections;
  return {
      {"filter of the motion", filter_of(options.cut_off, record)},
      {"left out at each end", fmt::format("{:g} s", options.trimmed)},
      {"constant speed",
       fmt::format("sections of {:g} s and longer: {} of them, with {:.0f} % of the record", options.shortest_section,
                   sections, 100.0 * static_cast<double>(samples) / static_cast<double>(record.force.size()))},
      {"one speed", fmt::format("sections whose speeds differ by less than {:g} %", 100.0 * kSameSpeed)},
      {"removed from the force", gravity_of(curve, axis)},
      {"line", line_text(curve)},
      {"force",
       fmt::format("its mean over each section{}",
                   options.mass > 0.0 ? ", less what still accelerates the mass" : ": mass and timing hardly matter")}};
}

}  // namespace tauhat
