// What a study says of a robot: its joints, bodies and frames, wherever they came from, and how its logs are prepared.
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "tauhat/core/robot/robot.hpp"

namespace tauhat {

// Units of a revolute joint: rad, rad/s, rad/s^2, N m; of a prismatic one m and N. Infinite where nobody says.
struct JointLimits {
  static constexpr double kNone = std::numeric_limits<double>::infinity();
  double lower = -kNone, upper = kNone, velocity = kNone, acceleration = kNone, torque = kNone;
};

// Viscous and Coulomb friction and a constant torque, at the output side: N m s/rad, N m, N m.
struct FrictionOfJoint {
  double viscous = 0.0, coulomb = 0.0, offset = 0.0;
};

struct RobotJoint {
  std::string name;
  std::string link;  // that moves with it
  JointLimits limits;
  FrictionOfJoint friction;
};

// A place on a link (kBase: the world) whose name may be of any length.
struct NamedFrame {
  std::string name;
  int link = kBase;
  Placement<double> placement;
};

// A body whose inertia somebody left out, or that cannot exist.
struct InertiaFault {
  std::string link, what;  // "link_3", "has no inertia"
};

// Joints and bodies as a URDF or a table of the study has them.
struct RobotDescription {
  Robot<double> robot;
  std::vector<RobotJoint> joints;
  std::vector<NamedFrame> frames;
  std::vector<InertiaFault> faults;
};

// How positions and torques of a log become rows of a regression (spec: filtered alike, edges dropped).
struct RobotFilter {
  double rate = 0.0;  // Hz, that the log is interpolated to; 0: the log's own
  double cut_off = 10.0;  // Hz, of the zero-phase Butterworth filter
  int order = 4;
  int decimation = 10;
  double trim = 3.0;  // periods of the cut-off, dropped at each end
};

// The force that is asked for: of the environment on the robot.
struct ForceSpec {
  std::string frame;
  WrenchAxes axes = WrenchAxes::world;
  bool with_moment = false;  // 6-D
};

struct RobotSpec : RobotDescription {
  double friction_width = 0.05;  // rad/s, of the tanh
  std::string urdf;              // the file; empty: a table of the study
  ForceSpec force;
  RobotFilter filter;

  int count() const noexcept { return robot.joints(); }
  // Base and joints have it, too; null where there is none.
  const NamedFrame* find_frame(std::string_view name) const noexcept;
};

// "joint_2" -> 1; -1 where there is none.
int joint_index(const RobotDescription& description, std::string_view name) noexcept;

// Units of a joint's position, velocity, acceleration and torque; `rotary` is that of a revolute joint.
std::string joint_unit(const RobotDescription& description, int joint, std::string_view rotary);

// Adds the bodies whose inertia is missing or impossible to the faults.
void note_inertia_faults(RobotDescription& description);

// "its frames are a, b, c": ends a sentence about an unknown frame.
std::string frame_hint(const RobotDescription& description, std::string_view unknown);

}  // namespace tauhat
