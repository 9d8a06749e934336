#include "tauhat/offline/friction/constant_speed_report.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tauhat/offline/friction/axis_inputs.hpp"
#include "tauhat/offline/friction/friction_report.hpp"
#include "tauhat/offline/friction/regression_report.hpp"
#include "tauhat/offline/friction/study_record.hpp"
#include "tauhat/offline/report/series.hpp"
#include "tauhat/offline/report/verdict.hpp"

namespace tauhat {
namespace {

// Of the friction: a line that misses less is good enough, as in the regression.
constexpr double kNegligible = 0.015;

void add(std::string name, double value, const UncertaintyBudget& budget, std::string unit, Report& report) {
  Result& result = report.results.emplace_back(with_interval(std::move(name), value, budget.total(), std::move(unit)));
  result.budget = budget;
  if (std::abs(value) < k95 * budget.total())
    report.diagnostics.push_back(below_noise(
        result.name, "within the noise: not told from zero; record more sections, longer or with less noise"));
}

void diagnose_line(const char* side, const FrictionLine& line, const StudyAxis& axis, Report& report) {
  const LineTest& test = line.test;
  if (!test.scatters()) return;
  const std::string force = unit_of(axis, "N m");
  const std::string off =
      fmt::format("friction.{}: at {:.3g} {} the friction lies {:.3g} {} off the line, {:.2g} % of it", side,
                  test.off_at, unit_of(axis, "rad/s"), std::abs(test.largest_off), force, 100.0 * test.share_off);
  if (line.bends()) {
    report.diagnostics.push_back(
        {"law.misfit", Severity::error,
         fmt::format(
             "{}, and not by chance: the points bend. A parabola through them meets standstill at {:.4g} {}, the "
             "line at {:.4g} {}; neither is the Coulomb friction. Use method = \"two-step\", which looks for a "
             "law that bends.",
             off, test.coulomb_of_curve, force, line.coulomb, force)});
    return;
  }
  const bool matters = test.share_off > kNegligible;
  report.diagnostics.push_back(
      {"law.misfit", matters ? Severity::warning : Severity::info,
       fmt::format(
           "{}, more than its noise. The intervals are {:.2g} times as wide for it. Friction that remembers or depends "
           "on the position scatters so; record each speed several times, in both directions.",
           off, test.widened)});
}

// The numbers of a curve in this order.
enum Number { mean_coulomb, positive_coulomb, positive_viscous, negative_coulomb, negative_viscous };

Numbers numbers_of(const SpeedCurve& curve) {
  return {curve.mean_coulomb().value, curve.positive.coulomb, curve.positive.viscous, curve.negative.coulomb,
          curve.negative.viscous};
}

// For its bands: the lines' deviations hold what the study knows only so well.
SpeedCurve with_inputs(SpeedCurve curve, const InputShifts& inputs) {
  const auto widen = [&](FrictionLine& line, Number coulomb, Number viscous) {
    line.coulomb_std = std::hypot(line.coulomb_std, inputs.deviation(coulomb));
    line.viscous_std = std::hypot(line.viscous_std, inputs.deviation(viscous));
    line.covariance += inputs.covariance(coulomb, viscous);
  };
  widen(curve.positive, positive_coulomb, positive_viscous);
  widen(curve.negative, negative_coulomb, negative_viscous);
  return curve;
}

void add_mean_level(const SpeedCurve& curve, const InputShifts& inputs, const StudyAxis& axis, Report& report) {
  const CoulombLevel mean = curve.mean_coulomb();
  add("friction.coulomb", mean.value, {.noise = mean.std, .inputs = inputs.deviation(mean_coulomb)},
      unit_of(axis, "N m"), report);
  report.results.back().note = "mean of both directions";
  report.diagnostics.push_back(
      {"law.not_separable", Severity::warning,
       fmt::format("friction.coulomb.positive, friction.coulomb.negative and friction.offset cannot be told apart: a "
                   "constant force acts like friction that is larger one way than the other. The mean of both "
                   "directions, friction.coulomb, is told. For each by itself give friction.offset in [drive], 0 "
                   "where no constant force acts{}.",
                   axis.constant_speed.turns ? ", and gravity.sine and gravity.cosine where they are known" : "")});
}

void add_line(const char* side, const FrictionLine& line, double coulomb_inputs, double viscous_inputs,
              const SpeedCurve& curve, const StudyAxis& axis, Report& report) {
  if (!line.separable) {
    report.diagnostics.push_back(
        {"law.not_separable", Severity::error, fmt::format("friction.{}: {}", side, line.why)});
    return;
  }
  if (curve.offset_is_given)
    add(fmt::format("friction.coulomb.{}", side), line.coulomb, {.noise = line.coulomb_std, .inputs = coulomb_inputs},
        unit_of(axis, "N m"), report);
  add(fmt::format("friction.viscous.{}", side), line.viscous, {.noise = line.viscous_std, .inputs = viscous_inputs},
      unit_of(axis, "N m s/rad"), report);
  diagnose_line(side, line, axis, report);
}

}  // namespace

void answer_by_constant_speed(const Study& study, const Log& log, Report& report) {
  const StudyAxis& axis = *study.axis;
  const AxisRecord record = record_of(study, log);
  const auto curve_of = [&](const AxisInputs& with) {
    ConstantSpeedOptions options = with.axis.constant_speed;
    if (options.mass > 0.0) options.mass = with.axis.axis.mass;
    AxisRecord rest = without_known_force(record, with, options.cut_off);
    if (with.axis.regression.held_force) rest.force = centred(rest.force);
    return friction_curve(rest, options);
  };
  const SpeedCurve curve = curve_of({axis});
  const std::vector<AxisInputs> deviating = deviating_inputs(study);
  const InputShifts inputs(numbers_of(curve), deviating.size(),
                           [&](std::size_t i) { return numbers_of(curve_of(deviating[i])); });
  if (curve.positive.separable && curve.negative.separable && !curve.offset_is_given)
    add_mean_level(curve, inputs, axis, report);
  add_line("positive", curve.positive, inputs.deviation(positive_coulomb), inputs.deviation(positive_viscous), curve,
           axis, report);
  add_line("negative", curve.negative, inputs.deviation(negative_coulomb), inputs.deviation(negative_viscous), curve,
           axis, report);
  report.headline = fmt::format("The friction curve of the axis at {} speeds.", curve.points.size());
  report.sections = constant_speed_sections(with_inputs(curve, inputs), axis);
  for (auto& assumption : constant_speed_assumptions(curve, record, axis))
    report.assumptions.push_back(std::move(assumption));
}

}  // namespace tauhat
