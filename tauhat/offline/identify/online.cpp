#include "tauhat/offline/identify/online.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/friction/free_friction.hpp"
#include "tauhat/offline/friction/study_record.hpp"
#include "tauhat/offline/gap/swing.hpp"
#include "tauhat/offline/joint/axes_estimator.hpp"
#include "tauhat/offline/joint/joint_estimator.hpp"
#include "tauhat/offline/robot/force_estimator.hpp"
#include "tauhat/offline/robot/force_log.hpp"
#include "tauhat/offline/signal/cubic.hpp"

namespace tauhat {
namespace {

constexpr double kAnything = 1e4;            // variance of a state that is not known at all
constexpr double kWanderingTime = 0.01;      // s
constexpr std::size_t kLongestLag = 100000;  // samples

double square(double x) { return x * x; }

double unknown_variance(double input, double intensity) {
  return std::max(square(0.5 * input), kWanderingTime * square(intensity));
}

// One body's position and velocity, by where they stand among the outputs.
struct Body {
  int position, velocity;
};

// Starts a body from its sensors; what no sensor sees keeps its prior.
void start_body(const Body& body, const FirstRow& first, double* mean, double* variances) {
  const auto find = [&](int output) -> const Measurement<double>* {
    const auto found = std::find_if(first.sensors.begin(), first.sensors.end(),
                                    [output](const Measurement<double>& z) { return z.output == output; });
    return found == first.sensors.end() ? nullptr : &*found;
  };
  const Measurement<double>*position = find(body.position), *velocity = find(body.velocity);
  for (const auto* z : {position, velocity}) {
    if (!z) continue;
    const bool seen = std::isfinite(z->value);
    mean[z->output] = seen ? z->value : 0.0;
    variances[z->output] = seen ? std::max(z->variance, variances[z->output]) : kAnything;
  }
  if (position && !velocity) variances[body.velocity] = kAnything;
}

bool has_sensor(const FirstRow& first, int output) {
  return std::any_of(first.sensors.begin(), first.sensors.end(),
                     [output](const auto& z) { return z.output == output; });
}

TwoMassPrior start_from_first_row(const FirstRow& first, const Drive& drive, double intensity) {
  TwoMassPrior prior;
  start_body({Drive::motor_position, Drive::motor_velocity}, first, prior.mean, prior.variances);
  start_body({Drive::load_position, Drive::load_velocity}, first, prior.mean, prior.variances);
  const auto as_the_motor = [&](int load, int motor) {
    if (has_sensor(first, load)) return;
    prior.mean[load] = prior.mean[motor] / drive.ratio;
    prior.variances[load] = std::max(prior.variances[load], prior.variances[motor] / square(drive.ratio));
  };
  as_the_motor(Drive::load_position, Drive::motor_position);
  as_the_motor(Drive::load_velocity, Drive::motor_velocity);
  prior.variances[Drive::kStates] = unknown_variance(drive.ratio * first.inputs.front(), intensity);
  return prior;
}

std::unique_ptr<Estimator> make_axis_estimator(const StudyAxis& study, double intensity, const FirstRow& first) {
  BlindOptions options;
  options.intensity = intensity;
  if (study.start)
    options.start[0] = study.start->position, options.variances[0] = std::max(1e-12, square(study.start->std));
  start_body({Axis<double>::position, Axis<double>::velocity}, first, options.start, options.variances);
  options.variances[2] = unknown_variance(first.inputs.front(), intensity);
  // Motion that no force explains: a millionth of what friction's walk moves in a second. It keeps the filter awake.
  Axis<double> axis = study.axis;
  axis.noise[Axis<double>::velocity] = square(1e-6 * intensity / axis.mass);
  return make_friction_estimator(axis, options);
}

template <class Spec>
const auto& chosen_observer(const Study& study, const Spec& spec) {
  if (spec.observers.empty())
    throw Error(
        ExitCode::wrong_use,
        fmt::format("{}: [[observer]] is missing: it says who is to reconstruct the link's velocity", study.source));
  return spec.observers[spec.chosen];
}

std::unique_ptr<Estimator> make_chosen_observer(const Study& study, const FirstRow& first) {
  const JointSpec& spec = *study.joint;
  double variance = 0.0;
  for (const auto& z : first.sensors)
    if (z.output == joint_motor_position) variance = z.variance;
  return make_joint_estimator(spec, chosen_observer(study, spec), observer_period(study, first.period), variance);
}

std::unique_ptr<Estimator> make_chosen_axes_observer(const Study& study, const FirstRow& first) {
  const AxesSpec& spec = *study.elastic_axes;
  std::vector<double> variances(spec.count(), 0.0);
  for (const auto& z : first.sensors)
    if (kind_of_axes_signal(z.output) == axis_motor_position)
      variances[static_cast<std::size_t>(z.output / kAxisSignals)] = z.variance;
  return make_axes_estimator(spec, chosen_observer(study, spec), observer_period(study, first.period), variances);
}

int place_of(const std::vector<std::string>& names, const std::string& name) noexcept {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

std::vector<std::string> names_of(std::span<const Signal> signals) {
  std::vector<std::string> names;
  for (const Signal& signal : signals) names.emplace_back(signal.name);
  return names;
}

// Fixed gains belong to one period: torque and position must come together.
void require_one_period(const Timeline& timeline, const std::string& source) {
  const double period = timeline.median_interval();
  std::size_t others = 0;
  for (std::size_t k = 0; k + 1 < timeline.size(); ++k)
    others += std::abs(timeline.interval(k) - period) > 0.2 * period;
  constexpr double kTolerated = 0.02;  // gaps in a log
  if (static_cast<double>(others) > kTolerated * static_cast<double>(timeline.size()))
    throw Error(ExitCode::unusable_data,
                fmt::format("{}: {} of {} intervals are not {:.4g} ms: torque and position have different clocks, or "
                            "rows are missing; an observer needs both at every sample, so record them together",
                            source, others, timeline.size(), 1e3 * period));
}

bool is_reference(const Study& study, const std::string& signal) {
  if (study.elastic_axes) return is_axes_reference(kind_of_axes_signal(axes_signal(*study.elastic_axes, signal)));
  const int place = index_of(kJointChannelSignals, signal);
  return signal != "motor.torque" && place != joint_motor_position && !is_known_input(place);
}

// A channel with a delay begins and ends at another time than the others. Of an elastic joint, where torque and
// positions of all motors are known, so that whatever looks at them has no holes to go around.
Timeline where_motors_are_known(const Study& study, Timeline timeline) {
  if ((!study.joint && !study.elastic_axes) || has_one_clock(study)) return timeline;
  std::size_t first = 0, last = timeline.size();
  for (const auto& sensor : timeline.sensors) {
    if (is_reference(study, sensor.signal) || !sensor.signal.ends_with("motor.position")) continue;
    const auto is_known = [](double value) { return std::isfinite(value); };
    const auto begin = std::find_if(sensor.value.begin(), sensor.value.end(), is_known);
    const auto end = std::find_if(sensor.value.rbegin(), sensor.value.rend(), is_known);
    first = std::max(first, static_cast<std::size_t>(begin - sensor.value.begin()));
    last = std::min(last, static_cast<std::size_t>(sensor.value.rend() - end));
  }
  if (first >= last || (first == 0 && last == timeline.size())) return timeline;
  return timeline.part(first, last - first);
}

// No observer of a joint uses them, so that a clock or a delay of their own does not matter: they are looked up at the
// motor's instants.
std::vector<StudyChannel> references_apart(const Study& study, const Log& log) {
  std::vector<StudyChannel> apart;
  const Channel* motor = study.joint          ? log.find("motor.position")
                         : study.elastic_axes ? log.find(study.elastic_axes->signal(0, axis_motor_position))
                                              : nullptr;
  if (!motor) return apart;
  for (const StudyChannel& channel : study.channels) {
    const Channel* logged = log.find(channel.spec.signal);
    if (is_reference(study, channel.spec.signal) && logged && *logged->time != *motor->time) apart.push_back(channel);
  }
  return apart;
}

Study without(Study study, const std::vector<StudyChannel>& apart) {
  for (const StudyChannel& gone : apart)
    std::erase_if(study.channels, [&](const StudyChannel& channel) { return channel.spec.signal == gone.spec.signal; });
  return study;
}

void add_reference(const OnlineModel& model, const StudyChannel& channel, const Channel& logged, Timeline& timeline) {
  std::vector<double> time, value;
  for (std::size_t k = 0; k < logged.value.size(); ++k)
    if (std::isfinite(logged.value[k])) time.push_back((*logged.time)[k]), value.push_back(logged.value[k]);
  if (time.size() < 2) return;
  Timeline::Sensor sensor{channel.spec.signal, model.output(channel.spec.signal), given_variance(channel), {}};
  for (const double t : timeline.time)
    sensor.value.push_back(t < time.front() || t > time.back() ? std::nan("") : on_cubic(time, value, t).value);
  timeline.sensors.push_back(std::move(sensor));
}

// Channels are numbered as axes_signal() does.
OnlineModel axes_model(const AxesSpec& spec) {
  OnlineModel model{{}, "motor.disturbance", {}, 1.0};
  for (std::size_t axis = 0; axis < spec.count(); ++axis) {
    model.inputs.push_back(spec.signal(axis, axis_motor_torque));
    for (int k = 0; k < kAxisSignals; ++k) model.outputs.push_back(spec.signal(axis, static_cast<AxisSignal>(k)));
  }
  return model;
}

}  // namespace

double observer_period(const Study& study, double otherwise) {
  const double given = study.joint ? study.joint->period : study.elastic_axes->period;
  if (given > 0.0) return given;
  return study.time.rate > 0.0 ? 1.0 / study.time.rate : otherwise;
}

int OnlineModel::input(const std::string& signal) const noexcept { return place_of(inputs, signal); }
int OnlineModel::output(const std::string& signal) const noexcept { return place_of(outputs, signal); }

OnlineModel online_model(const Study& study) {
  if (study.powertrain)
    return {{"motor.command"},
            "load.torque",
            names_of(Powertrain<double>::kOutputs),
            std::sqrt(study.powertrain->drive.noise[Powertrain<double>::load_torque])};
  // Its noise is told in [[observer]].
  if (study.joint) return {{"motor.torque"}, "motor.disturbance", names_of(kJointChannelSignals), 1.0};
  if (study.elastic_axes) return axes_model(*study.elastic_axes);
  if (study.robot) {
    const ForceSpec& force = study.robot->force;
    return {torque_signals(study), "force", motion_signals(study),
            force.walk_by_likelihood ? std::nullopt : std::optional(force.walk)};
  }
  if (study.axis) return {{"axis.force"}, "friction.force", names_of(Axis<double>::kOutputs), study.axis->intensity};
  return {{"motor.torque"}, "transmission.torque", names_of(Drive::kOutputs), study.identification.intensity};
}

std::unique_ptr<Estimator> make_online_estimator(const Study& study, double intensity, const FirstRow& first) {
  if (study.axis) require_position(study, study.source);
  const auto make = [&] {
    if (study.powertrain) return make_gap_estimator(*study.powertrain);
    if (study.joint) return make_chosen_observer(study, first);
    if (study.elastic_axes) return make_chosen_axes_observer(study, first);
    if (study.robot) return make_force_estimator(study, first.period);
    if (study.axis) return make_axis_estimator(*study.axis, intensity, first);
    const auto& options = study.identification;
    const TwoMassPrior prior =
        study.start_is_given ? options.prior : start_from_first_row(first, study.drive, intensity);
    if (study.bristles) return make_torque_estimator(study.drive, *study.bristles, intensity, prior);
    return make_torque_estimator(study.drive, intensity, prior, options.estimated);
  };
  auto estimator = make();
  if (study.gate > 0.0) estimator->set_gate(study.gate);
  return estimator;
}

std::vector<OutputInfo> online_outputs(const Study& study, const Estimator& estimator) {
  std::vector<OutputInfo> outputs = estimator.outputs();
  if (study.axis)
    for (OutputInfo& output : outputs) output.unit = unit_of(*study.axis, output.unit);
  return outputs;
}

double given_variance(const StudyChannel& channel) { return square(std::max(channel.std.value_or(0.0), 1e-12)); }

Timeline online_timeline(const Study& study, const Log& log, std::vector<Diagnostic>& diagnostics) {
  const OnlineModel model = online_model(study);
  const std::vector<StudyChannel> apart = references_apart(study, log);
  Timeline timeline = timeline_of(without(study, apart), log, model.inputs, model.outputs, diagnostics);
  for (const StudyChannel& channel : apart) add_reference(model, channel, *log.find(channel.spec.signal), timeline);
  for (auto& sensor : timeline.sensors) {
    const StudyChannel& channel = *study.find_channel(sensor.signal);
    const bool is_known = (study.joint && is_known_input(sensor.output)) ||
                          (study.elastic_axes && kind_of_axes_signal(sensor.output) == axis_load_torque);
    if (!channel.std || is_known) continue;
    if (sensor.variance > given_variance(channel))
      diagnostics.push_back({"noise.quantised", Severity::warning,
                             fmt::format("{} is quantised: its noise is at least {:.3g}, not {:.3g} as the study says.",
                                         sensor.signal, std::sqrt(sensor.variance), *channel.std)});
    sensor.variance = given_variance(channel);
  }
  if (study.joint || study.elastic_axes || (study.robot && study.robot->force.kind != ForceSpec::Kind::ekf))
    require_one_period(timeline, log.source);
  require_studys_period(study, timeline.median_interval(), log.source);
  require_samples_of_swings(study, timeline.median_interval(), log.source);
  double from = timeline.time.front();
  for (const std::string& name : model.inputs) {
    const Channel& input = *log.find(name);
    const auto known = std::find_if(input.value.begin(), input.value.end(), [](double v) { return std::isfinite(v); });
    from = std::max(from, (*input.time)[static_cast<std::size_t>(known - input.value.begin())]);
  }
  const auto first = std::lower_bound(timeline.time.begin(), timeline.time.end(), from);
  if (first != timeline.time.begin())
    timeline = timeline.part(static_cast<std::size_t>(first - timeline.time.begin()), timeline.size());
  return where_motors_are_known(study, std::move(timeline));
}

FirstRow first_row(const Timeline& timeline) {
  FirstRow first{{}, {}, timeline.median_interval()};
  for (const auto& input : timeline.inputs) first.inputs.push_back(input.front());
  for (const auto& sensor : timeline.sensors)
    first.sensors.push_back({sensor.output, sensor.value.front(), sensor.variance});
  return first;
}

bool has_one_clock(const Study& study) {
  return std::all_of(study.channels.begin(), study.channels.end(), [&](const StudyChannel& channel) {
    return channel.spec.time_column.empty() && channel.spec.delay == study.channels.front().spec.delay &&
           (!channel.spec.pulses || channel.spec.column == study.time.column);
  });
}

bool lag_needs_period(const Study& study) { return study.lag && std::holds_alternative<double>(*study.lag); }

void require_studys_period(const Study& study, double found, const std::string& source) {
  constexpr double kAllowed = 0.02;  // of it, by clocks that are not the best
  const double given = study.joint ? study.joint->period : study.elastic_axes ? study.elastic_axes->period : 0.0;
  if (given > 0.0 && !(std::abs(given - found) <= kAllowed * given))
    throw Error(ExitCode::wrong_use,
                fmt::format("{}: estimator.period = {:.6g} ms, and the samples of {} are {:.6g} ms apart: a gain is of "
                            "one period; give the log's",
                            study.source, 1e3 * given, source, 1e3 * found));
}

void require_samples_of_swings(const Study& study, double interval, const std::string& source) {
  if (!study.powertrain) return;
  const double swing = swing_period(study.powertrain->drive);
  if (interval > 0.5 * swing)
    throw Error(ExitCode::unusable_data,
                fmt::format("{}: the samples are {:.4g} s apart, and the shaft swings once in {:.3g} s: what the gear "
                            "does between them is not seen; record at least ten in a swing, and check the unit of time",
                            source, interval, swing));
}

std::size_t lag_in_samples(const Study& study, double period) {
  if (!study.lag) return 0;
  if (const auto* samples = std::get_if<std::size_t>(&*study.lag)) return *samples;
  const double seconds = std::get<double>(*study.lag), samples = std::round(seconds / period);
  if (!(samples <= static_cast<double>(kLongestLag)))
    throw Error(ExitCode::wrong_use,
                fmt::format("{}: estimator.lag = {:g} s: is {:g} samples, {:g} s apart; at most {} can be",
                            study.source, seconds, samples, period, kLongestLag));
  if (samples < 1.0)
    throw Error(ExitCode::wrong_use,
                fmt::format("{}: estimator.lag = {:g} s: is less than a sample, {:g} s; give one or more, or no lag",
                            study.source, seconds, period));
  return static_cast<std::size_t>(samples);
}

double lag_period(const Study& study, const Timeline& timeline) {
  if (study.time.rate > 0.0) return 1.0 / study.time.rate;
  return has_one_clock(study) && timeline.size() > 1 ? timeline.interval(0) : timeline.median_interval();
}

void refuse_what_needs_a_record(const Study& study) {
  const OnlineModel model = online_model(study);
  std::vector<std::string> missing;
  if (!model.intensity)
    missing.push_back(study.robot ? "force_walk in [estimator]"
                                  : fmt::format("intensity of {} in [[unknown]]", model.unknown));
  for (const StudyChannel& channel : study.channels) {
    // The noise of a robot's torques is that of its filter's process.
    const bool is_noisy = study.robot || model.input(channel.spec.signal) < 0;
    if (is_noisy && !channel.std) missing.push_back(fmt::format("std of {} in [log.channels]", channel.spec.signal));
  }
  if ((study.joint || study.elastic_axes) && !(observer_period(study, 0.0) > 0.0))
    missing.emplace_back("period in [estimator]");
  if (study.robot && study.robot->force.kind != ForceSpec::Kind::ekf && !(force_period(study, 0.0) > 0.0))
    missing.emplace_back("period in [estimator]");
  if (!missing.empty())
    throw Error(
        ExitCode::wrong_use,
        fmt::format("{}: a stream cannot look ahead, so the study must give the {}; `tauhat identify` and `tauhat "
                    "estimate` print what they find in a record",
                    study.source, fmt::join(missing, ", the ")));
  if (!has_one_clock(study))
    throw Error(ExitCode::wrong_use,
                fmt::format("{}: a row of a stream is one instant, so all channels must share one clock and one delay "
                            "(time_column and delay in [log.channels]); `tauhat estimate` merges several",
                            study.source));
  if (study.time.column.empty() && !(study.time.rate > 0.0))
    throw Error(ExitCode::wrong_use,
                fmt::format("{}: [log] needs time = {{ column = ... }} or time = {{ rate = ... }}", study.source));
}

}  // namespace tauhat
