#include "tauhat/offline/simulate/simulated_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "tauhat/core/models/axis_with_friction.hpp"
#include "tauhat/core/models/with_bristles.hpp"
#include "tauhat/offline/error.hpp"
#include "tauhat/offline/joint/axes_simulation.hpp"
#include "tauhat/offline/joint/joint_model.hpp"
#include "tauhat/offline/joint/moving_axis.hpp"
#include "tauhat/offline/simulate/powertrain_log.hpp"
#include "tauhat/offline/simulate/sampled_wheels.hpp"

namespace tauhat {
namespace {

// What the study's sensors are, in their order: wheels, or none where they are sampled.
std::vector<PulseSpec> wheels_of(const Study& study) {
  std::vector<PulseSpec> wheels;
  for (const StudyChannel& channel : study.channels)
    if (channel.spec.signal != input_signal(study)) wheels.push_back(channel.spec.pulses.value_or(PulseSpec{}));
  return wheels;
}

std::vector<OutputInfo> named(std::span<const Signal> signals) {
  std::vector<OutputInfo> outputs;
  for (const Signal& signal : signals) outputs.push_back({std::string(signal.name), std::string(signal.unit)});
  return outputs;
}

// The pulses of wheels, where a study of sampled sensors has some.
SimulatedStudy with_wheels(const Study& study, SimulatedStudy simulated, std::uint64_t seed) {
  const std::vector<PulseSpec> wheels = wheels_of(study);
  if (std::all_of(wheels.begin(), wheels.end(), [](const PulseSpec& wheel) { return wheel.teeth == 0; }))
    return simulated;
  simulated.pulses.resize(wheels.size());
  for (std::size_t i = 0; i < wheels.size(); ++i) {
    const Sensor& sensor = study.simulation->sensors[i];
    if (wheels[i].teeth > 0)
      simulated.pulses[i] = passages(draw_wheel(wheels[i], sensor.tooth_error, seed, i), simulated.data,
                                     simulated.outputs, sensor.output);
  }
  return simulated;
}

SimulatedStudy simulate_axis(const Study& study, std::uint64_t seed, const std::function<void(double)>& progress) {
  const StudyAxis& axis = *study.axis;
  if (!axis.law)
    throw Error(ExitCode::wrong_use,
                fmt::format("{}: drive.friction.law is missing: simulate needs the friction's law", study.source));
  if (const auto* law = std::get_if<AnyFriction<double>>(&*axis.law);
      law && law->kind != FrictionKind::viscous && !(law->smoothing_width() > 0.0))
    throw Error(ExitCode::wrong_use, fmt::format("{}: drive.friction.width must be positive for simulate: it cannot "
                                                 "integrate a jump (lugre sticks, too)",
                                                 study.source));
  const auto simulate_model = [&](const auto& model) {
    SimulationSpec spec = *study.simulation;
    spec.start.resize(static_cast<std::size_t>(model.kStates), 0.0);
    return simulate(truth_of(model), spec, seed, progress);
  };
  auto data = std::visit(
      [&](const auto& law) {
        using Law = std::decay_t<decltype(law)>;
        if constexpr (std::is_same_v<Law, Dahl<double>>) {
          return simulate_model(AxisWithFriction<double, Dahl>{axis.axis, law});
        } else if constexpr (std::is_same_v<Law, LuGre<double>>) {
          return simulate_model(AxisWithFriction<double, LuGre>{axis.axis, law});
        } else if constexpr (std::is_same_v<Law, MaxwellSlip<double>>) {
          return simulate_model(AxisWithFriction<double, MaxwellSlipOfFour>{axis.axis, law});
        } else {
          return simulate_model(AxisWithFriction<double, AnyFriction>{axis.axis, law});
        }
      },
      *axis.law);
  return with_wheels(study, {std::move(data), named(Axis<double>::kOutputs), {}}, seed);
}

SimulatedStudy simulate_wheels(const Study& study, std::uint64_t seed, const std::function<void(double)>& progress) {
  auto simulated = simulate_powertrain(*study.powertrain, *study.simulation, wheels_of(study), seed, progress);
  return {std::move(simulated.rows), named(std::span(kGapSignals).first(mode_output + 1)), std::move(simulated.pulses)};
}

SimulatedStudy simulate_joint(const Study& study, std::uint64_t seed, const std::function<void(double)>& progress) {
  const JointSpec& spec = *study.joint;
  const ElasticAxis<double> axis = axis_in_study(spec);
  const Truth truth = spec.pose
                          ? truth_of(MovingAxis{axis, *spec.pose, spec.pose_motion.centre, spec.pose_motion.frequency})
                          : truth_of(axis);
  return with_wheels(study, {simulate(truth, *study.simulation, seed, progress), named(truth.outputs), {}}, seed);
}

SimulatedStudy simulate_several(const Study& study, std::uint64_t seed, const std::function<void(double)>& progress) {
  SimulatedAxes axes = simulate_axes(*study.elastic_axes, *study.simulation, seed, progress);
  return {std::move(axes.data), std::move(axes.outputs), {}};
}

SimulatedStudy simulate_arm(const Study& study, std::uint64_t seed, const std::function<void(double)>& progress) {
  SimulatedRobot robot = simulate_robot(*study.robot, *study.robot_simulation, study.source, seed, progress);
  SimulatedStudy simulated;
  for (std::size_t i = 0; i < robot.truth.size(); ++i)
    simulated.outputs.push_back({robot.truth_names[i], robot.truth_units[i]});
  simulated.data.time = std::move(robot.time);
  simulated.data.sensors = std::move(robot.sensors), simulated.data.truth = std::move(robot.truth);
  return simulated;
}

// The drive with the study's bristles, if it has any.
template <class M>
Truth truth_with(const M& drive, const std::optional<AnyBristles>& bristles) {
  if (!bristles) return truth_of(drive);
  return std::visit(
      [&]<template <class> class Friction>(const Friction<double>& law) {
        return truth_of(WithBristles<M, Friction>{drive, law});
      },
      *bristles);
}

}  // namespace

SimulatedStudy simulate_study(const Study& study, std::uint64_t seed, const std::function<void(double)>& progress) {
  if (study.axis) return simulate_axis(study, seed, progress);
  if (study.powertrain) return simulate_wheels(study, seed, progress);
  if (study.joint) return simulate_joint(study, seed, progress);
  if (study.elastic_axes) return simulate_several(study, seed, progress);
  if (study.robot) return simulate_arm(study, seed, progress);
  if (!study.law)
    throw Error(
        ExitCode::wrong_use,
        fmt::format("{}: drive.transmission.law is missing: simulate needs the transmission's law", study.source));
  auto data = std::visit(
      [&]<template <class> class Law>(const Law<double>& law) {
        const DriveWithLaw<double, AnyFriction, Law> drive{study.drive, law};
        return simulate(truth_with(drive, study.bristles), *study.simulation, seed, progress);
      },
      *study.law);
  return with_wheels(study, {std::move(data), named(Drive::kOutputs), {}}, seed);
}

}  // namespace tauhat
