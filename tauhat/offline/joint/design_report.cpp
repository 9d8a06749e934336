#include "tauhat/offline/joint/design_report.hpp"

#include <fmt/format.h>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/identify/online.hpp"
#include "tauhat/offline/joint/joint_bode.hpp"
#include "tauhat/offline/joint/joint_estimator.hpp"
#include "tauhat/offline/joint/joint_model.hpp"
#include "tauhat/offline/joint/joint_response.hpp"
#include "tauhat/offline/joint/pose_stability.hpp"
#include "tauhat/offline/joint/resonances.hpp"
#include "tauhat/offline/report/series.hpp"

namespace tauhat {
namespace {

// Which noise a gain comes from, and by which reading of it.
std::string origin_of(const ObserverSpec& observer, const ObserverDesign& design) {
  if (observer.kind == ObserverSpec::Kind::luenberger) return "Poles as the study says.";
  return fmt::format("Stationary Kalman gain; {}. Residual of its Riccati equation {:.1e}.",
                     observer.covariance_root.empty() ? "noise torques by spectral density, integrated over a sample"
                                                      : "Q = G G^T as covariance of one sample",
                     design.residual);
}

// Of a state, per rad of the motor's position.
std::string unit_of_gain(const std::string& state) {
  if (state.ends_with("position")) return "1";
  return state.ends_with("velocity") ? "1/s" : "N m/rad";
}

void add_design(const JointSpec& spec, const ObserverSpec& observer, double period, double variance, Report& report) {
  const ObserverDesign design = design_of(spec, observer, period, variance);
  Section section{
      observer.name, fmt::format("{} Spectral radius {:.9g}.", origin_of(observer, design), design.radius), {}, {}};
  Table gains{"gain L", {"state", "gain"}, {}}, poles{"poles of the error", {"frequency [Hz]", "damping"}, {}};
  for (std::size_t i = 0; i < design.gain.size(); ++i) {
    gains.rows.push_back({design.states[i], fmt::format("{:.9g}", design.gain[i])});
    report.results.push_back({.name = fmt::format("{}.gain.{}", observer.name, design.states[i]),
                              .value = design.gain[i],
                              .unit = unit_of_gain(design.states[i])});
  }
  for (const auto& [frequency, damping] : design.poles)
    poles.rows.push_back({fmt::format("{:.5g}", frequency), fmt::format("{:.4g}", damping)});
  section.tables = {std::move(gains), std::move(poles)};
  report.sections.push_back(std::move(section));
}

std::string sentence_of(const PoseStability& found, std::size_t every) {
  if (!found.at_rest()) return fmt::format("Not stable: at a pose of {:.4g} rad its error grows.", found.worst_pose);
  if (!found.at_random()) return "Stable at rest in every pose; under poses that change at random its error may grow.";
  return fmt::format(
      "Stable at rest in every pose, and under poses that change at random every {} samples; for poses "
      "in any order stability is {}.",
      every, found.in_any_order() ? "proven by one quadratic form" : "not proven");
}

void add_stability(const JointSpec& spec, double period, double variance, Report& report) {
  Section section{
      "Over the poses",
      fmt::format("From {:.4g} to {:.4g} rad; the model follows every {} samples, the gain {}.", spec.pose->lowest(),
                  spec.pose->highest(), spec.pose->every, spec.pose->solves_gain ? "with it" : "stays"),
      {},
      {}};
  Plot plot{.title = "Spectral radius over the pose",
            .x_label = "pose [rad]",
            .y_label = "1",
            .caption = "Of the observer's error, per sample. It must stay below one."};
  Table table{"stability", {"observer", "", "largest radius", "mean-square radius"}, {}};
  for (const ObserverSpec& observer : spec.observers) {
    using Kind = ObserverSpec::Kind;
    if (observer.kind != Kind::luenberger && observer.kind != Kind::kalman) continue;
    const PoseStability found = pose_stability(spec, observer, period, variance);
    const std::string sentence = sentence_of(found, spec.pose->every);
    plot.series.push_back(line(observer.name, found.pose, found.radius));
    table.rows.push_back({observer.name, sentence, fmt::format("{:.7g}", found.worst_radius),
                          fmt::format("{:.4g}", found.mean_square_radius)});
    report.results.push_back({.name = observer.name + ".pose.radius", .value = found.worst_radius, .unit = "1"});
    report.results.push_back(
        {.name = observer.name + ".pose.mean_square_radius", .value = found.mean_square_radius, .unit = "1"});
    if (!found.at_rest() || !found.at_random())
      report.diagnostics.push_back(
          {"pose.not_stable", Severity::error, fmt::format("observer \"{}\": {}", observer.name, sentence)});
  }
  section.plots.push_back(std::move(plot));
  section.tables.push_back(std::move(table));
  report.sections.push_back(std::move(section));
}

}  // namespace

double required_period(const Study& study) {
  const double period = observer_period(study, 0.0);
  if (!(period > 0.0))
    throw Error(ExitCode::wrong_use, fmt::format("{}: needs period in [estimator], or the log's rate", study.source));
  return period;
}

Report design_report(const Study& study) {
  if (!study.joint || study.joint->observers.empty())
    throw Error(ExitCode::wrong_use, fmt::format("{}: has no [[observer]] to describe", study.source));
  const JointSpec& spec = *study.joint;
  const double period = required_period(study);
  const StudyChannel* position = study.find_channel("motor.position");
  const double std = position ? position->std.value_or(1e-6) : 1e-6;
  Report report;
  report.title = fmt::format("Observers of {}", study.source);
  report.headline =
      fmt::format("Sampled every {:.6g} us. x+ = A x + B u + L (y - C x), y the motor's position.", 1e6 * period);
  const ElasticJoint<double> joint = axis_in_study(spec).joint;
  Table table = add_resonances({poles_of(joint), zeros_of(joint)}, report);
  report.sections.push_back({"Resonances", "By the study's parameters.", {}, {std::move(table)}});
  for (const ObserverSpec& observer : spec.observers) {
    using Kind = ObserverSpec::Kind;
    if (observer.kind == Kind::bristle_kalman || observer.kind == Kind::virtual_sensor) {
      // The one's gain follows the motion, the other has none; both must be possible.
      make_joint_estimator(spec, observer, period, std * std);
      continue;
    }
    add_design(spec, observer, period, std * std, report);
    // Around it; refused where it cannot be.
    if (observer.disturbance_observer) make_joint_estimator(spec, observer, period, std * std);
  }
  if (spec.pose) add_stability(spec, period, std * std, report);
  Section responses{
      "Responses", "Of the axis, of its links behind the motor, and of what each observer leaves.", {}, {}};
  for (Plot& plot : bode_plots("Motor torque to motor position", "rad/(N m)", {plant_curve("study", joint, period)}))
    responses.plots.push_back(std::move(plot));
  for (Plot& plot : bode_plots("Motor velocity over the ratio to link velocity: the virtual sensor", "1",
                               {virtual_sensor_curve("study", joint, period)}))
    responses.plots.push_back(std::move(plot));
  for (Plot& plot : error_plots(spec, period, std * std)) responses.plots.push_back(std::move(plot));
  report.sections.push_back(std::move(responses));
  return report;
}

}  // namespace tauhat
