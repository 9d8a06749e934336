#include "tauhat/offline/robot/robot_simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numbers>

#include "tauhat/core/robot/mass_matrix.hpp"
#include "tauhat/offline/error.hpp"
#include "tauhat/offline/robot/controlled_arm.hpp"
#include "tauhat/offline/robot/joint_trajectory.hpp"
#include "tauhat/offline/robot/measured_side.hpp"
#include "tauhat/offline/simulate/random.hpp"
#include "tauhat/offline/simulate/sensors.hpp"

namespace tauhat {
namespace {

using Arm = ControlledArm<Eigen::Dynamic>;
using Sample = ArmSample<Eigen::Dynamic>;

constexpr double kLongestStep = 50e-6;  // s, of the integration
constexpr double kLowestRate = 500.0;   // Hz: the controller samples as the log does

// One encoder, as the controller reads it in the loop: the noise and the steps that read_sensor() gives its channel.
struct Encoder {
  double std, resolution;
  Random noise;

  double read(double value) {
    value += std * noise.normal();
    return resolution > 0.0 ? resolution * std::round(value / resolution) : value;
  }
};

struct Encoders {
  std::vector<Encoder> each;
  JointMap measured, joints;  // by the joints, and back

  JointValues operator()(const JointValues& position) {
    JointValues readings = mapped(measured, position);
    for (Eigen::Index i = 0; i < readings.size(); ++i)
      readings[i] = each[static_cast<std::size_t>(i)].read(readings[i]);
    return mapped(joints, readings);
  }
};

std::shared_ptr<Encoders> encoders_of(const RobotSpec& robot, const RobotSimulation& simulation, std::uint64_t seed) {
  auto encoders = std::make_shared<Encoders>();
  std::vector<bool> at_motor;
  for (const RobotJoint& joint : robot.joints) {
    const std::string at_joint = joint.name + ".position", motor = joint.name + ".motor.position";
    for (std::size_t i = 0; i < simulation.sensors.size(); ++i) {
      const Sensor& sensor = simulation.sensors[i];
      if (sensor.output != at_joint && sensor.output != motor) continue;
      encoders->each.push_back({sensor.std, sensor.resolution, Random(seed, "sensor noise", i)});
      at_motor.push_back(sensor.output == motor);
    }
  }
  encoders->measured = measured_by_joints(robot, at_motor);
  encoders->joints = encoders->measured.inverse();
  return encoders;
}

// A controller whose joints, each alone with its inertia, swing at some 9 Hz, well damped.
void choose_gains(const RobotSimulation& simulation, const std::string& source, Arm& arm) {
  constexpr double kRate = 55.0, kDamping = 0.8;  // rad/s, 1
  const auto mass = mass_matrix(arm.robot, arm.reference(0.0).position);
  if (!MassFactor<double, Eigen::Dynamic>(mass).is_positive())
    throw Error(ExitCode::wrong_use, fmt::format("{}: [robot] cannot be simulated: its mass matrix is not positive; "
                                                 "give every link its inertia",
                                                 source));
  arm.position_gain =
      simulation.position_gain.size() > 0 ? simulation.position_gain : JointValues(kRate * kRate * mass.diagonal());
  arm.velocity_gain = simulation.velocity_gain.size() > 0 ? simulation.velocity_gain
                                                          : JointValues(2.0 * kDamping * kRate * mass.diagonal());
}

// The motion, and how long it lasts.
double set_motion(const RobotSpec& robot, const RobotSimulation& simulation, const std::string& source, Arm& arm) {
  if (simulation.trajectory.empty()) {
    arm.reference = [&simulation](double time) { return simulation.motion.at(time); };
    return simulation.duration;
  }
  const auto trajectory = std::make_shared<const JointTrajectory>(simulation.trajectory, robot);
  arm.reference = [trajectory](double time) { return trajectory->at(time); };
  constexpr double kRounding = 1e-9;  // s
  if (simulation.duration > trajectory->duration() + simulation.period + kRounding)
    throw Error(ExitCode::wrong_use,
                fmt::format("{}: simulate.duration = {:g} s: the trajectory {} ends after {:g} s", source,
                            simulation.duration, simulation.trajectory, trajectory->duration()));
  return simulation.duration > 0.0 ? simulation.duration : trajectory->duration();
}

// All that a sensor could measure and all that is true, by name.
class Series {
 public:
  Series(const RobotSpec& robot, bool with_force) : robot_(robot) {
    for (int i = 0; i < robot.count(); ++i) {
      const std::string& joint = robot.joints[static_cast<std::size_t>(i)].name;
      for (const char* quantity : {"position", "velocity", "torque", "external_torque"})
        truth_.push_back(fmt::format("{}.{}", joint, quantity));
      for (const char* unit : {"rad", "rad/s", "N m", "N m"}) units_.push_back(joint_unit(robot, i, unit));
    }
    if (!with_force) return;
    for (const Signal& signal : kWrenchSignals) truth_.emplace_back(signal.name), units_.emplace_back(signal.unit);
  }

  void add(const Arm& arm, const Sample& at) {
    const auto& transmission = robot_.robot.transmission();
    const JointValues external = external_torque(arm.robot, pose_of(arm.robot, at.position),
                                                 {arm.frame, {at.wrench.head<3>(), at.wrench.tail<3>()}, arm.axes});
    add_joints("position", at.position);
    add_joints("velocity", at.velocity);
    add_joints("torque", at.torque);
    add_joints("external_torque", external);
    add_joints("motor.position", transmission.motor_motion(at.position));
    add_joints("motor.velocity", transmission.motor_motion(at.velocity));
    const JointValues at_output = JointMap(transmission.coupling().transpose().inverse()).lazyProduct(at.torque);
    add_joints("motor.torque", at_output.cwiseQuotient(transmission.ratio()));
    for (int axis = 0; axis < 6; ++axis)
      all_[std::string(kWrenchSignals[static_cast<std::size_t>(axis)].name)].push_back(at.wrench[axis]);
  }

  const std::vector<double>& operator[](const std::string& name) const { return all_.at(name); }
  const std::vector<std::string>& truth() const noexcept { return truth_; }
  const std::vector<std::string>& units() const noexcept { return units_; }

 private:
  void add_joints(const char* quantity, const JointValues& values) {
    for (int i = 0; i < robot_.count(); ++i)
      all_[fmt::format("{}.{}", robot_.joints[static_cast<std::size_t>(i)].name, quantity)].push_back(values[i]);
  }

  const RobotSpec& robot_;
  std::map<std::string, std::vector<double>> all_;
  std::vector<std::string> truth_, units_;
};

}  // namespace

double ForceEvent::at(double time) const noexcept {
  if (time < from || time >= to) return 0.0;
  switch (kind) {
    case Kind::ramp:
      return level * std::min((time - from) / rise, 1.0);
    case Kind::sine:
      return level * std::sin(2.0 * std::numbers::pi * frequency * (time - from));
    default:
      return level;
  }
}

JointSines<Eigen::Dynamic> motion_within_limits(const RobotSpec& robot) {
  // Of the limits; and where a joint has none. No two joints repeat each other.
  constexpr double kRange = 0.85, kSpeed = 0.75, kAngle = 0.5, kLength = 0.1;  // 1, 1, rad, m
  constexpr double kFrequency[] = {0.23, 0.31, 0.37, 0.29, 0.41, 0.33, 0.27, 0.35};
  constexpr double kPhase[] = {0.3, 1.1, 2.0, 0.7, 1.7, 2.6, 0.5, 1.4};
  const int n = robot.count();
  JointSines<Eigen::Dynamic> motion{JointValues::Zero(n), JointValues(n), JointValues(n), JointValues(n)};
  for (int i = 0; i < n; ++i) {
    const JointLimits& limits = robot.joints[static_cast<std::size_t>(i)].limits;
    motion.rate[i] = 2.0 * std::numbers::pi * kFrequency[i];
    motion.phase[i] = kPhase[i];
    double reach = robot.robot.joint(i).is_revolute() ? kAngle : kLength;
    if (std::isfinite(limits.lower) && std::isfinite(limits.upper)) {
      motion.middle[i] = (limits.lower + limits.upper) / 2.0;
      reach = std::min(reach, kRange * (limits.upper - limits.lower) / 2.0 / JointSines<Eigen::Dynamic>::bound(0));
    }
    reach = std::min(reach, kSpeed * limits.velocity / (motion.rate[i] * JointSines<Eigen::Dynamic>::bound(1)));
    motion.amplitude[i] = std::min(
        reach, kSpeed * limits.acceleration / (motion.rate[i] * motion.rate[i] * JointSines<Eigen::Dynamic>::bound(2)));
  }
  return motion;
}

SimulatedRobot simulate_robot(const RobotSpec& robot, const RobotSimulation& simulation, const std::string& source,
                              std::uint64_t seed, const std::function<void(double)>& progress) {
  if (simulation.period > 1.0 / kLowestRate)
    throw Error(ExitCode::wrong_use, fmt::format("{}: simulate.rate = {:g} Hz: must be at least {:g} Hz, since the "
                                                 "robot's controller samples with it",
                                                 source, 1.0 / simulation.period, kLowestRate));
  Arm arm;
  arm.robot = robot.robot, arm.friction = friction_of(robot);
  const double duration = set_motion(robot, simulation, source, arm);
  choose_gains(simulation, source, arm);
  if (const NamedFrame* frame = robot.find_frame(simulation.frame))
    arm.frame = {FrameName(frame->name), frame->link, frame->placement};
  arm.axes = robot.force.axes;
  arm.wrench = [&](double time) {
    Vector<double, 6> wrench = Vector<double, 6>::Zero();
    for (const ForceEvent& event : simulation.forces) wrench[event.axis] += event.at(time);
    return wrench;
  };
  arm.encoders = [encoders = encoders_of(robot, simulation, seed)](const JointValues& q) { return (*encoders)(q); };
  arm.period = simulation.period;
  arm.substeps = static_cast<int>(std::ceil(simulation.period / kLongestStep - 1e-9));

  const auto samples = static_cast<std::size_t>(std::lround(duration / simulation.period)) + 1;
  SimulatedRobot result;
  Series series(robot, !simulation.frame.empty());
  run_arm(arm, samples, [&](std::size_t k, const Sample& at) {
    if (!at.torque.allFinite())
      throw Error(ExitCode::wrong_use, fmt::format("{}: the simulated robot runs away after {:g} s; lower the "
                                                   "controller's gains, or look for an inertia that is too small",
                                                   source, static_cast<double>(k) * simulation.period));
    result.time.push_back(static_cast<double>(k) * simulation.period);
    series.add(arm, at);
    if (progress && k % 1024 == 0) progress(static_cast<double>(k) / static_cast<double>(samples));
    return true;
  });
  for (std::size_t i = 0; i < simulation.sensors.size(); ++i) {
    const Sensor& sensor = simulation.sensors[i];
    result.sensors.push_back(late_readings(sensor, i, simulation.period, seed, series[sensor.output]));
  }
  result.truth_names = series.truth(), result.truth_units = series.units();
  for (const std::string& name : result.truth_names) result.truth.push_back(series[name]);
  return result;
}

}  // namespace tauhat
