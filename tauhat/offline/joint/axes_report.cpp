#include "tauhat/offline/joint/axes_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/joint/axes_design.hpp"
#include "tauhat/offline/joint/design_report.hpp"

namespace tauhat {
namespace {

std::string origin_of(const AxesSpec& spec, const AxesObserver& observer, const AxesDesign& design) {
  const std::string whose = fmt::format(
      "{}{}", observer.coupled ? "" : " of each axis alone",
      spec.robot ? fmt::format(" at the study's pose, the model follows every {} samples", spec.every) : "");
  if (observer.kind == AxesObserver::Kind::luenberger)
    return fmt::format(
        "Poles as the study says{}. Of all gains with these poles that whose poles errors of the model move least: the "
        "condition of its eigenvectors is {:.3g}. Spectral radius {:.9g}.",
        whose, design.condition, design.radius);
  return fmt::format(
      "Stationary Kalman gain{}; noise torques by spectral density, integrated over a sample. Residual of its "
      "Riccati equation {:.1e}. Spectral radius {:.9g}.",
      whose, design.residual, design.radius);
}

void add_design(const AxesSpec& spec, const AxesObserver& observer, const AxesDesign& design, Report& report) {
  Section section{observer.name, origin_of(spec, observer, design), {}, {}};
  Table gains{"gain L, a column for each motor", {"state"}, {}};
  gains.columns.insert(gains.columns.end(), spec.names.begin(), spec.names.end());
  for (std::size_t i = 0; i < design.states.size(); ++i) {
    gains.rows.push_back({design.states[i]});
    for (std::size_t motor = 0; motor < spec.count(); ++motor) {
      const double gain = design.gain(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(motor));
      gains.rows.back().push_back(fmt::format("{:.9g}", gain));
      report.results.push_back(
          {.name = fmt::format("{}.gain.{}.by.{}", observer.name, design.states[i], spec.names[motor]),
           .value = gain,
           .unit = "1"});
    }
  }
  Table poles{"poles of the error", {"frequency [Hz]", "damping"}, {}};
  for (const auto& [frequency, damping] : design.poles)
    poles.rows.push_back({fmt::format("{:.5g}", frequency), fmt::format("{:.4g}", damping)});
  section.tables = {std::move(gains), std::move(poles)};
  report.sections.push_back(std::move(section));
}

}  // namespace

Report axes_design_report(const Study& study) {
  if (study.elastic_axes->observers.empty())
    throw Error(ExitCode::wrong_use, fmt::format("{}: has no [[observer]] to describe", study.source));
  const AxesSpec& spec = *study.elastic_axes;
  const double period = required_period(study);
  std::vector<double> variances;
  for (std::size_t axis = 0; axis < spec.count(); ++axis) {
    const StudyChannel* position = study.find_channel(spec.signal(axis, axis_motor_position));
    variances.push_back(std::pow(position ? position->std.value_or(1e-6) : 1e-6, 2));
  }
  Report report;
  report.title = fmt::format("Observers of {}", study.source);
  report.headline =
      fmt::format("Sampled every {:.6g} us. x+ = A x + B u + L (y - C x), y the motors' positions.", 1e6 * period);
  for (const AxesObserver& observer : spec.observers)
    add_design(spec, observer, design_of(spec, observer, period, variances), report);
  return report;
}

}  // namespace tauhat
