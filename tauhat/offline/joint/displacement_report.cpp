#include "tauhat/offline/joint/displacement_report.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/identify/input_spread.hpp"
#include "tauhat/offline/joint/clock_diagnostics.hpp"
#include "tauhat/offline/joint/joint_results.hpp"
#include "tauhat/offline/report/series.hpp"

namespace tauhat {
namespace {

// `gain`: torque that acts over torque as logged. What the rotor and its friction take is not multiplied by it.
DisplacementRecord both_encoders(const Timeline& timeline, const ElasticJoint<double>& joint, double gain = 1.0) {
  return displacement_record({find_sensor(timeline, "motor.position")->value,
                              find_sensor(timeline, "load.position")->value, scaled(timeline.inputs[0], gain)},
                             {joint.ratio, joint.motor_inertia, joint.motor_viscous}, timeline.median_interval());
}

// By what the study knows only so well, the largest of both sides.
double deviation_by_inputs(const Study& study, const Timeline& timeline, double found,
                           const std::function<double(const DisplacementFit&)>& number) {
  double square = 0.0;
  for (const UncertainParameter& parameter : uncertain_inputs(study)) {
    double largest = 0.0;
    for (const Study& other : with_input_off(study, parameter)) {
      const DisplacementRecord record = both_encoders(timeline, other.joint->joint, other.joint->torque_gain);
      largest = std::max(largest, std::abs(number(fit_displacement(record, study.source)) - found));
    }
    square += largest * largest;
  }
  return std::sqrt(square);
}

}  // namespace

void add_displacement(const Study& study, const Timeline& timeline, Report& report) {
  if (!find_sensor(timeline, "load.position")) return;
  const DisplacementRecord record = both_encoders(timeline, study.joint->joint);
  const DisplacementFit fit = fit_displacement(record, study.source);
  if (fit.has_stiffness()) {
    const FittedNumber stiffness = fit.stiffness();
    const double inputs = deviation_by_inputs(study, timeline, stiffness.value,
                                              [](const DisplacementFit& other) { return other.stiffness().value; });
    add_result("transmission.stiffness", stiffness.value, "N m/rad", {.noise = stiffness.std, .inputs = inputs}, 0.0,
               "by both encoders, under the torque of the motion", report);
  } else {
    report.diagnostics.push_back({"excitation.torque_too_small", Severity::warning,
                                  "The torque moves the joint less than what else moves it: its stiffness is not told. "
                                  "Record a motion with gravity or acceleration in both directions."});
  }
  const double inputs = deviation_by_inputs(study, timeline, fit.skew.value,
                                            [](const DisplacementFit& other) { return other.skew.value; });
  add_result("load.position.skew", fit.skew.value, "s", {.noise = fit.skew.std, .inputs = inputs}, kAnything,
             "positive: load.position comes later than motor.position", report);
  if (fit.has_skew(record.period))
    report.diagnostics.push_back(clock_skew("load.position", "motor.position", fit.skew));
  Section section{"Motor and load", "", {}, {}};
  Plot plot{.title = "Displacement",
            .x_label = "time [s]",
            .y_label = "mrad",
            .caption = "Motor over ratio minus load, and what torque, skew and friction explain of it."};
  plot.series = {line("measured", timeline.time, scaled(record.displacement, 1e3))};
  if (fit.fitted.size() == timeline.size())
    plot.series.push_back(line("fitted", timeline.time, scaled(fit.fitted, 1e3)));
  section.plots.push_back(std::move(plot));
  report.sections.push_back(std::move(section));
}

std::optional<DisplacementFit> compare_encoders(const Study& study, const Timeline& timeline) {
  if (!find_sensor(timeline, "load.position")) return std::nullopt;
  try {
    return fit_displacement(both_encoders(timeline, study.joint->joint), study.source);
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace tauhat
