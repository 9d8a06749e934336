#include "tauhat/offline/friction/study_record.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/friction/axis_inputs.hpp"
#include "tauhat/offline/identify/prepare.hpp"

namespace tauhat {
namespace {

void require_even_rate(const Timeline& timeline, double period, const std::string& source) {
  for (std::size_t k = 0; k + 1 < timeline.size(); ++k) {
    if (std::abs(timeline.interval(k) - period) > 0.01 * period)
      throw Error(ExitCode::unusable_data,
                  fmt::format("{}: the samples are not evenly spaced ({:.6g} s after t = {:.6g} s, usually {:.6g} s); "
                              "regression needs an even rate. Use method = \"two-step\", or resample the log",
                              source, timeline.interval(k), timeline.time[k], period));
  }
}

std::vector<double> integrated(const std::vector<double>& velocity, double period) {
  std::vector<double> position(velocity.size(), 0.0);
  for (std::size_t k = 1; k < velocity.size(); ++k)
    position[k] = position[k - 1] + 0.5 * period * (velocity[k - 1] + velocity[k]);
  return position;
}

StudyAxis with_deviation(StudyAxis axis, const UncertainParameter& parameter) {
  axis.axis = with_deviation(axis.axis, parameter);
  const Axis<double>& known = axis.axis;
  ConstantSpeedOptions& options = axis.constant_speed;
  if (options.gravity) options.gravity = Gravity{known.gravity_sine, known.gravity_cosine, known.offset};
  if (options.offset) options.offset = known.offset;
  return axis;
}

// What the study gives of the axis, and neither is found by its method nor taken away by the method itself.
Axis<double> known_beside(const StudyAxis& axis) {
  Axis<double> known = axis.axis;
  if (axis.method != StudyAxis::Method::constant_speed) return known;
  if (axis.constant_speed.gravity) known.gravity_sine = known.gravity_cosine = known.offset = 0.0;
  if (axis.constant_speed.offset) known.offset = 0.0;
  return known;
}

}  // namespace

void require_position(const Study& study, const std::string& source) {
  const StudyAxis& axis = *study.axis;
  if (!position_matters(axis) || axis.start || study.find_channel("axis.position")) return;
  throw Error(
      ExitCode::unusable_data,
      fmt::format("{}: only the velocity was recorded, but gravity and springs depend on the position. Record "
                  "axis.position, too{}",
                  source,
                  axis.method == StudyAxis::Method::two_step
                      ? ", or say where the axis starts: [start] \"axis.position\" = { value = 0.5, std = 0.01 }"
                      : ""));
}

AxisRecord record_of(const Study& study, const Log& log) {
  AxisRecord record;
  record.source = log.source;
  std::vector<Diagnostic> ignored;
  const Timeline timeline = timeline_of(study, log, "axis.force", Axis<double>::kOutputs, ignored);
  record.period = timeline.median_interval();
  require_even_rate(timeline, record.period, log.source);
  record.force = timeline.inputs[0];
  for (const auto& sensor : timeline.sensors)
    (sensor.output == Axis<double>::position_output ? record.position : record.velocity) = sensor.value;
  require_position(study, log.source);
  if (record.position.empty()) record.position = integrated(record.velocity, record.period);
  return record;
}

std::vector<AxisInputs> deviating_inputs(const Study& study) {
  std::vector<AxisInputs> inputs;
  for (const UncertainParameter& parameter : study.axis->uncertain)
    inputs.push_back({with_deviation(*study.axis, parameter)});
  const StudyChannel* force = study.find_channel("axis.force");
  if (force && force->gain_std > 0.0) inputs.push_back({*study.axis, 1.0 + force->gain_std});
  return inputs;
}

AxisRecord without_known_force(AxisRecord record, const AxisInputs& inputs, double cut_off) {
  for (double& force : record.force) force *= inputs.force_gain;
  const Axis<double> known = known_beside(inputs.axis);
  const bool is_known = known.damping != 0.0 || known.stiffness != 0.0 || known.gravity_sine != 0.0 ||
                        known.gravity_cosine != 0.0 || known.offset != 0.0;
  if (!is_known) return record;
  // With the motion that the method itself will derive, so that its equation holds for what is left.
  const AxisMotion motion = differentiate_axis(record, cut_off, 0.0);
  std::vector<double> acts(record.force.size());
  for (std::size_t k = 0; k < acts.size(); ++k)
    acts[k] = known.damping * motion.velocity[k] - known.net_force(motion.position[k], 0.0);
  for (std::size_t k = 0; k < acts.size(); ++k) {
    // A held force is that of the middle of its interval.
    const std::size_t next = inputs.axis.regression.held_force && k + 1 < acts.size() ? k + 1 : k;
    record.force[k] -= 0.5 * (acts[k] + acts[next]);
  }
  return record;
}

}  // namespace tauhat
