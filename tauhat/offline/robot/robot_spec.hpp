// What a study says of a robot: its joints, bodies and frames, wherever they came from, and how its logs are prepared.
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tauhat/core/robot/joint_friction.hpp"
#include "tauhat/core/robot/robot.hpp"
#include "tauhat/core/signal.hpp"
#include "tauhat/offline/robot/motion_rows.hpp"
#include "tauhat/offline/robot/robot_regression.hpp"

namespace tauhat {

// Units of a revolute joint: rad, rad/s, rad/s^2, N m; of a prismatic one m and N. Infinite where nobody says.
struct JointLimits {
  static constexpr double kNone = std::numeric_limits<double>::infinity();
  double lower = -kNone, upper = kNone, velocity = kNone, acceleration = kNone, torque = kNone;
};

// Viscous and Coulomb friction and a constant torque, at the output side: N m s/rad, N m, N m. The asymmetry, N m
// s/rad, is what the viscous friction is larger by forwards, and smaller by backwards. A law whose level falls with
// speed has an excess at standstill, N m, and a decay, s/rad; one with a memory a reach, rad. The load's is friction
// per torque passed on.
struct FrictionOfJoint {
  double viscous = 0.0, coulomb = 0.0, offset = 0.0, asymmetry = 0.0, excess = 0.0, decay = kUsualDecay;
  double reach = 0.0, load = 0.0;
};

struct RobotJoint {
  std::string name;
  std::string link;  // that moves with it
  JointLimits limits;
  FrictionOfJoint friction;
  double residual = 0.0;  // N m: rms of the torque that the identified model leaves unexplained
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
};

// A force and a moment, axis by axis, wherever they are named.
inline constexpr std::array<Signal, 6> kWrenchSignals{{{"force.x", "N"},
                                                       {"force.y", "N"},
                                                       {"force.z", "N"},
                                                       {"moment.x", "N m"},
                                                       {"moment.y", "N m"},
                                                       {"moment.z", "N m"}}};

// When the estimated force is called contact.
struct ContactSpec {
  std::optional<double> threshold;  // N; empty: from a log without contact
  double false_alarm_rate = 1e-3;   // of the samples of such a log
};

// The force that is asked for, of the environment on the robot, and who is to estimate it.
struct ForceSpec {
  enum class Kind { ekf, momentum_observer, disturbance_filter };

  std::string frame;
  WrenchAxes axes = WrenchAxes::world;
  bool with_moment = false;  // 6-D
  Kind kind = Kind::ekf;
  double walk = 20.0, moment_walk = 2.0;    // N/sqrt(s), N m/sqrt(s); 0: constant
  bool walk_by_likelihood = false;          // of the record; `walk` is where the search begins
  double start = 10.0, moment_start = 1.0;  // N, N m: standard deviations beforehand
  double gain = 60.0;                       // 1/s, of the momentum observer
  std::optional<double> velocity_cut_off;   // Hz, of both observers; empty: their own
  double period = 0.0;                      // s, of both observers; 0: the log's
  double rate = 0.0;                        // Hz, that a log is interpolated to; 0: as it is
  ContactSpec contact;
};

// What an exciting motion may do, beside the joints' limits.
struct ExciteSpec {
  double margin = 0.1;           // share of every limit that is left free
  std::optional<double> height;  // m, above which all joints and frames stay
  double period = 10.0;          // s
  int harmonics = 5, evaluations = 960;
  double rate = 1000.0;  // Hz, of the trajectory that is written
  bool from_rest = true;
};

struct RobotSpec : RobotDescription {
  std::string urdf;              // the file; empty: a table of the study
  bool torque_sensors = false;   // behind the gears: they do not see the rotors; else the motors' torques
  bool torques_sampled = false;  // of the row's instant; else held from there to the next row
  ForceSpec force;
  ExciteSpec excite;
  double rate = 0.0;       // Hz, that logs are interpolated to; 0: their own
  MotionRowOptions rows;   // how they become rows of a regression
  double held_back = 0.0;  // share of a log, its end, that validates a fit to the rest
  TorqueTerms terms;       // what is fitted; its width of friction also is the model's
  RobotRegressionOptions regression{JointWeights::by_residual, 3};
  bool robust = false;        // rows far off count less
  double penalty = 1.0;       // of the distance from what is known beforehand, in rows of the regression
  std::string payload_frame;  // in which a payload is told; empty: that of the last link

  int count() const noexcept { return robot.joints(); }
  // Null where there is none of this name.
  const NamedFrame* find_frame(std::string_view name) const noexcept;
};

JointFriction<double, Eigen::Dynamic> friction_of(const RobotSpec& robot);

// "joint_2" -> 1; -1 where there is none.
int joint_index(const RobotDescription& description, std::string_view name) noexcept;

// Units of a joint's position, velocity, acceleration and torque; `rotary` is that of a revolute joint.
std::string joint_unit(const RobotDescription& description, int joint, std::string_view rotary);

// The bodies whose inertia is missing or impossible.
std::vector<InertiaFault> inertia_faults(const RobotDescription& description);

// "its frames are a, b, c": ends a sentence about an unknown frame.
std::string frame_hint(const RobotDescription& description, std::string_view unknown);

}  // namespace tauhat
