#include "tauhat/offline/joint/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numbers>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/identify/online.hpp"
#include "tauhat/offline/joint/displacement_report.hpp"
#include "tauhat/offline/joint/joint_estimator.hpp"
#include "tauhat/offline/joint/joint_model.hpp"
#include "tauhat/offline/joint/naive_check.hpp"
#include "tauhat/offline/joint/sample_response.hpp"
#include "tauhat/offline/signal/cubic.hpp"

namespace tauhat {
namespace {

const Timeline::Sensor* find_sensor(const Timeline& timeline, const std::string& signal) {
  for (const auto& sensor : timeline.sensors)
    if (sensor.signal == signal) return &sensor;
  return nullptr;
}

// The load's encoder may come later than the motor's: at three milliseconds that would be all that is compared.
std::vector<double> without_skew(const Study& study, const Timeline& timeline, const std::vector<double>& position,
                                 ObserverComparison& comparison) {
  const auto fit = compare_encoders(study, timeline);
  if (!fit || !fit->has_skew(comparison.period)) return position;
  comparison.diagnostics.push_back(
      {"clock.skew", Severity::warning,
       fmt::format("load.position comes {:.2f} ms {} motor.position: for the comparison it was moved by as much. Give "
                   "it delay = \"{:.3g} ms\" in [log.channels].",
                   1e3 * std::abs(fit->skew.value), fit->skew.value > 0.0 ? "after" : "before",
                   1e3 * fit->skew.value)});
  std::vector<double> moved;
  for (const double t : timeline.time) moved.push_back(on_cubic(timeline.time, position, t + fit->skew.value).value);
  return moved;
}

// A velocity as it was measured; else that of the load's position, below what its encoder still resolves.
void take_reference(const Study& study, const Timeline& timeline, ObserverComparison& comparison) {
  if (const auto* velocity = find_sensor(timeline, "load.velocity")) {
    comparison.reference = velocity->value;
    comparison.reference_signal = "load.velocity";
  } else if (const auto* position = find_sensor(timeline, "load.position")) {
    comparison.reference =
        encoder_velocity(without_skew(study, timeline, without_holes(position->value), comparison), comparison.period);
    for (std::size_t k = 0; k < position->value.size(); ++k)
      if (!std::isfinite(position->value[k])) (*comparison.reference)[k] = std::nan("");
    comparison.reference_signal = "load.position, differentiated";
  }
}

// How it follows the study's axis, and damps it, whatever it believes itself.
void try_on_model(const ModelAxes& axis, const ObserverComparison& comparison, Estimator& estimator,
                  double sensor_variance, ObservedVelocity& row) {
  if (const auto response = sample_response(estimator, axis.axes[0].ratio, axis.period, sensor_variance))
    row.modelled = followed_swing(
        axis, 0, comparison.resonance,
        [&](std::complex<double> z, const Eigen::VectorXcd& positions) { return response->at(z) * positions[0]; });
  row.damping =
      damping_with(axis, comparison.trial, estimator, {{joint_motor_position}, {sensor_variance}, joint_load_velocity});
}

// By these parameters.
ObservedVelocity observed(const JointSpec& spec, const ModelAxes& axis, const ObserverSpec& observer,
                          const Timeline& timeline, ObserverComparison& comparison) {
  const auto* sensor = find_sensor(timeline, "motor.position");
  const auto estimator = make_joint_estimator(spec, observer, comparison.period, sensor->variance);
  const Replay replay = estimator->replay(timeline, {});
  ObservedVelocity row;
  row.observer = observer.name;
  if (comparison.rows.empty())  // what is said of the pose is the same for all of them
    for (Diagnostic& remark : estimator->remarks()) comparison.diagnostics.push_back(std::move(remark));
  for (Diagnostic& failed : diagnose_steps(replay.failed, timeline.size())) {
    failed.message = fmt::format("{}: {}", observer.name, failed.message);
    comparison.diagnostics.push_back(std::move(failed));
  }
  row.velocity = replay.filtered[joint_load_velocity].value;
  row.states = states_of(spec, observer);
  if (replay.corrections > 0) row.mean_nis = replay.mean_nis();
  row.cost = seconds_per_step(*estimator, timeline);
  const auto at_rest = make_joint_estimator(weightless(spec), observer, comparison.period, sensor->variance);
  try_on_model(axis, comparison, *at_rest, sensor->variance, row);
  return row;
}

// Of motor and link against each other, with the motor held: what a controller that is stiff feels.
double resonance_of(const ElasticJoint<double>& joint) {
  return std::sqrt(joint.stiffness / joint.load_inertia) / (2.0 * std::numbers::pi);
}

void take_responses(const Timeline& timeline, const std::vector<const Study*>& sets, ObserverComparison& comparison) {
  const double period = comparison.period;
  const auto& position = find_sensor(timeline, "motor.position")->value;
  if (auto measured = measured_curve("measured", timeline.inputs[0], position, period))
    comparison.plant.push_back(std::move(*measured));
  const auto motor = central_velocity(position, sets.front()->joint->joint.ratio, period);
  if (comparison.reference)
    if (auto measured = measured_curve("measured", motor, *comparison.reference, period))
      comparison.virtual_sensor.push_back(std::move(*measured));
  for (const Study* set : sets) {
    const ElasticJoint<double> joint = axis_in_study(*set->joint).joint;
    comparison.plant.push_back(plant_curve(set->source, joint, period));
    comparison.virtual_sensor.push_back(virtual_sensor_curve(set->source, joint, period));
  }
}

// Where the reference says it.
void say_where_naive_is_nearer(const std::vector<double>& motor_position, double ratio,
                               ObserverComparison& comparison) {
  if (!comparison.reference) return;
  const JudgedBy by{*comparison.reference,
                    static_cast<std::size_t>(std::ceil(QualityOptions{}.settling / comparison.period)),
                    comparison.period};
  std::vector<JudgedVelocity> observers;
  for (const ObservedVelocity& row : comparison.rows) {
    if (row.parameters.empty()) continue;  // the naive one
    const bool is_of_study = row.parameters == comparison.rows.front().parameters;
    observers.push_back({is_of_study ? row.observer : fmt::format("{} ({})", row.observer, row.parameters),
                         &row.velocity, row.quality.error->fit});
  }
  const NaiveVelocity naive = judge_naive(comparison.rows.back().velocity, motor_position, ratio, by);
  if (auto said = compare_with_naive(observers, naive, by)) comparison.diagnostics.push_back(std::move(*said));
}

void say_where_less_is_damped(ObserverComparison& comparison) {
  std::vector<TriedDamping> tried;
  for (const ObservedVelocity& row : comparison.rows) {
    if (row.parameters.empty() || !row.damping) continue;  // the naive one
    const bool is_of_study = row.parameters == comparison.rows.front().parameters;
    tried.push_back({is_of_study ? row.observer : fmt::format("{} ({})", row.observer, row.parameters), *row.damping});
  }
  if (auto said = damps_less(tried, comparison.trial)) comparison.diagnostics.push_back(std::move(*said));
}

}  // namespace

double seconds_per_step(Estimator& estimator, const Timeline& timeline) {
  using Clock = std::chrono::steady_clock;
  constexpr int kTimes = 3;  // the shortest: what else the machine did meanwhile is no cost of the observer
  double shortest = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kTimes; ++i) {
    const auto begin = Clock::now();
    estimator.replay(timeline, {.tracks = false});
    shortest = std::min(shortest, std::chrono::duration<double>(Clock::now() - begin).count());
  }
  return shortest / static_cast<double>(timeline.size());
}

ObserverComparison compare_observers(const Study& study, const std::vector<Study>& others, const Log& log,
                                     const std::function<void(const std::string&, double)>& progress) {
  const JointSpec& spec = *study.joint;
  if (spec.observers.empty())
    throw Error(ExitCode::wrong_use, fmt::format("{}: has no [[observer]] to compare", study.source));
  ObserverComparison comparison;
  comparison.diagnostics = log.diagnostics;
  if (const Channel* motor = log.find("motor.position"); motor && motor->constant)
    comparison.diagnostics.push_back({"excitation.no_motion", Severity::error,
                                      "The motor never moves: no observer can be told from another. Record the axis in "
                                      "motion."});
  const Timeline timeline = online_timeline(study, log, comparison.diagnostics);
  comparison.time = timeline.time;
  comparison.period = spec.period > 0.0 ? spec.period : timeline.median_interval();
  comparison.resonance = resonance_of(spec.joint);
  const ModelAxes axis = model_axes(weightless(spec), comparison.period);
  comparison.trial = plan_damping_trial(axis, 0);
  take_reference(study, timeline, comparison);
  const QualityOptions options{.resonance = comparison.resonance};
  const auto add = [&](ObservedVelocity row, const std::string& source) {
    row.parameters = source;
    row.quality = judge_velocity(row.velocity, comparison.reference ? &*comparison.reference : nullptr,
                                 comparison.period, options);
    comparison.rows.push_back(std::move(row));
  };
  std::vector<const Study*> sets{&study};
  for (const Study& other : others) sets.push_back(&other);
  comparison.sensor_variance = find_sensor(timeline, "motor.position")->variance;
  take_responses(timeline, sets, comparison);
  const std::size_t all = sets.size() * spec.observers.size();
  std::size_t done = 0;
  for (const Study* set : sets) {
    for (const ObserverSpec& observer : spec.observers) {
      if (progress) progress(observer.name, static_cast<double>(done++) / static_cast<double>(all));
      add(observed(*set->joint, axis, observer, timeline, comparison), set->source);
    }
  }
  ObservedVelocity naive;
  naive.observer = "naive";
  naive.velocity =
      central_velocity(find_sensor(timeline, "motor.position")->value, spec.joint.ratio, comparison.period);
  naive.modelled = followed_swing(axis, 0, comparison.resonance, naive_estimate(axis, 0));
  naive.damping = comparison.trial.without;  // the motor's velocity says nothing that its loop does not know
  add(std::move(naive), "");
  say_where_naive_is_nearer(find_sensor(timeline, "motor.position")->value, spec.joint.ratio, comparison);
  say_where_less_is_damped(comparison);
  return comparison;
}

}  // namespace tauhat
