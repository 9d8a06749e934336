#include "tauhat/offline/joint/displacement_report.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/identify/input_spread.hpp"
#include "tauhat/offline/joint/clock_diagnostics.hpp"
#include "tauhat/offline/joint/joint_results.hpp"
#include "tauhat/offline/joint/travel_response.hpp"
#include "tauhat/offline/report/series.hpp"

namespace tauhat {
namespace {

// `gain`: torque that acts over torque as logged. What the rotor and its friction take is not multiplied by it.
DisplacementRecord both_encoders(const Timeline& timeline, const ElasticJoint<double>& joint, double gain = 1.0) {
  return displacement_record({find_sensor(timeline, "motor.position")->value,
                              find_sensor(timeline, "load.position")->value, scaled(timeline.inputs[0], gain)},
                             {joint.ratio, joint.motor_inertia, joint.motor_viscous}, timeline.median_interval());
}

DisplacementPrior prior_of(const JointSpec& spec) {
  return {.lag = spec.joint.damping / spec.joint.stiffness, .share = teeth_of(spec).share};
}

struct FitsOff {
  std::vector<std::vector<DisplacementFit>> by_inputs;  // both sides of what the study knows only so well
  std::vector<DisplacementFit> by_teeth;
};

FitsOff fits_off(const Study& study, const Timeline& timeline, const DisplacementRecord& record) {
  FitsOff off;
  for (const UncertainParameter& parameter : uncertain_inputs(study)) {
    off.by_inputs.emplace_back();
    for (const Study& other : with_input_off(study, parameter))
      off.by_inputs.back().push_back(fit_displacement(
          both_encoders(timeline, other.joint->joint, other.joint->torque_gain), study.source, prior_of(*other.joint)));
  }
  const TeethFriction teeth = teeth_of(*study.joint);
  DisplacementPrior prior = prior_of(*study.joint);
  for (const double by : {-teeth.std, teeth.std}) {
    prior.share = teeth.share + by;
    if (by != 0.0) off.by_teeth.push_back(fit_displacement(record, study.source, prior));
  }
  return off;
}

// What the study knows only so well, and teeth, make of a number: the larger of both sides.
UncertaintyBudget budget_of(const FitsOff& off, bool teeth_are_given, const DisplacementFit& fit,
                            const std::function<FittedNumber(const DisplacementFit&)>& number) {
  const FittedNumber found = number(fit);
  const auto largest = [&](const std::vector<DisplacementFit>& fits) {
    double most = 0.0;
    for (const DisplacementFit& other : fits) most = std::max(most, std::abs(number(other).value - found.value));
    return most;
  };
  double square = 0.0;
  for (const auto& sides : off.by_inputs) square += std::pow(largest(sides), 2);
  const double by_teeth = largest(off.by_teeth);
  return {.noise = found.std,
          .inputs = std::hypot(std::sqrt(square), teeth_are_given ? by_teeth : 0.0),
          .model = teeth_are_given ? 0.0 : by_teeth};
}

}  // namespace

void add_displacement(const Study& study, const Timeline& timeline, Report& report) {
  if (!find_sensor(timeline, "load.position")) return;
  const DisplacementRecord record = both_encoders(timeline, study.joint->joint);
  const DisplacementFit fit = fit_displacement(record, study.source, prior_of(*study.joint));
  const FitsOff off = fits_off(study, timeline, record);
  const bool teeth_are_given = teeth_of(*study.joint).is_given;
  if (fit.has_stiffness()) {
    const auto budget = budget_of(off, teeth_are_given, fit, [](const auto& each) { return each.stiffness(); });
    add_result("transmission.stiffness", fit.stiffness().value, "N m/rad", budget, 0.0,
               "by both encoders, under the torque of the motion", report);
  } else {
    report.diagnostics.push_back({"excitation.torque_too_small", Severity::warning,
                                  "The torque moves the joint less than what else moves it: its stiffness is not told. "
                                  "Record a motion with gravity or acceleration in both directions."});
  }
  const auto budget = budget_of(off, teeth_are_given, fit, [](const auto& each) { return each.skew; });
  add_result("load.position.skew", fit.skew.value, "s", budget, kAnything,
             "positive: load.position comes later than motor.position", report);
  if (fit.has_skew(record.period))
    report.diagnostics.push_back(clock_skew("load.position", "motor.position", {fit.skew.value, budget.total()}));
  Section section{"Motor and load", "", {}, {}};
  Plot plot{.title = "Displacement",
            .x_label = "time [s]",
            .y_label = "mrad",
            .caption = "Motor over ratio minus load, and what torque, skew and friction explain of it."};
  plot.series = {line("measured", timeline.time, scaled(record.displacement(), 1e3))};
  if (fit.fitted.size() == timeline.size())
    plot.series.push_back(line("fitted", timeline.time, scaled(fit.fitted, 1e3)));
  section.plots.push_back(std::move(plot));
  report.sections.push_back(std::move(section));
}

std::optional<DisplacementFit> compare_encoders(const Study& study, const Timeline& timeline) {
  if (!find_sensor(timeline, "load.position")) return std::nullopt;
  try {
    return fit_displacement(both_encoders(timeline, study.joint->joint), study.source, prior_of(*study.joint));
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace tauhat
