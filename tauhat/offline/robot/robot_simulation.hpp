// A robot's log with known truth: it follows a motion under a controller, something pushes it, and sensors at its
// joints or motors record it (controlled_arm.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tauhat/offline/robot/joint_sines.hpp"
#include "tauhat/offline/robot/robot_spec.hpp"
#include "tauhat/offline/simulate/simulate.hpp"

namespace tauhat {

// One [[simulate.force]]: what the environment does along one axis, from one time until another.
struct ForceEvent {
  enum class Kind { step, ramp, sine };
  Kind kind = Kind::step;
  int axis = 0;  // of kWrenchSignals
  double from = 0.0, to = 0.0;
  double level = 0.0;      // N, N m: of a step, at the end of a ramp, or a sine's amplitude
  double rise = 0.0;       // s, of a ramp, which then stays
  double frequency = 0.0;  // Hz, of a sine that begins at zero

  double at(double time) const noexcept;
};

struct RobotSimulation {
  double duration = 0.0;   // s; 0: that of the trajectory
  double period = 1e-3;    // s
  std::string trajectory;  // a file of `excite`; empty: the sines
  JointSines<Eigen::Dynamic> motion;
  JointValues position_gain, velocity_gain;  // of the controller; empty: by the inertias
  std::string frame;                         // where it is pushed; empty: nowhere
  std::vector<ForceEvent> forces;            // in the axes of the study's force
  std::vector<Sensor> sensors;               // one for each channel
};

// Two sines for each joint that stay within its limits.
JointSines<Eigen::Dynamic> motion_within_limits(const RobotSpec& robot);

struct SimulatedRobot {
  std::vector<double> time;
  std::vector<std::vector<double>> sensors;  // NaN: dropped
  std::vector<std::string> truth_names, truth_units;
  std::vector<std::vector<double>> truth;  // SI, at the joints
};

// Same seed, same bytes. `source` begins the sentences of its Errors.
SimulatedRobot simulate_robot(const RobotSpec& robot, const RobotSimulation& simulation, const std::string& source,
                              std::uint64_t seed, const std::function<void(double)>& progress = {});

}  // namespace tauhat
