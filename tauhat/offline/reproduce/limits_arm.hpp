// A six-axis arm that moves exactly as it is told, for the grids of a robot's parameters and of its force: torques by
// inverse dynamics of what is true, sensors that spoil what they show.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "tauhat/offline/log/log.hpp"
#include "tauhat/offline/robot/joint_sines.hpp"
#include "tauhat/offline/robot/robot_spec.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat::limits {

using ArmMotion = std::function<ReferencePoint<Eigen::Dynamic>(double time)>;

// What a joint meets beside its model: `load` is what its gear transmits, friction left out.
struct JointInstant {
  int joint;
  double time, position, velocity, acceleration, load;
};

struct HostileArm {
  RobotSpec truth;
  double duration = 10.0, period = 2e-3;                                                        // s
  std::function<double(const JointInstant&)> beside = [](const JointInstant&) { return 0.0; };  // N m
  double bristle = 0.0;          // rad: friction needs so much of a way to turn over
  double torque_gain = 1.0;      // of the log's, over what acts
  double gain_of_third = 1.0;    // the same of joint 3 alone
  double offset_of_third = 0.0;  // N m
  double torque_late = 0.0;      // s
  double compliance = 0.0;       // rad/(N m): the encoders sit at the motors
  double position_noise = 2e-5, torque_noise = 0.3, noise_memory = 0.0;  // rad, N m, s
  double resolution = 0.0, torque_resolution = 0.0;                      // rad, N m
  double jitter = 0.0, dropout = 0.0;                                    // of a period; share of the samples
  double saturation = 0.0;  // share of each joint's largest torque, cut off
};

// The study's arm, a TX40.
RobotSpec limits_arm();
// With joint 3 farther from joint 2 by this share, or mounted askew by this angle in rad.
void lengthen(RobotSpec& arm, double share);
void tilt(RobotSpec& arm, double angle);

// A study with position and torque of each joint.
Study arm_study(const RobotSpec& arm);

// One that tells its parameters apart, of a period of 10 s; found at the first call.
ArmMotion exciting_motion();

// `force`: of the environment at the study's frame, in world axes, over each sample.
Log arm_log(const HostileArm& arm, const ArmMotion& motion, std::uint64_t seed,
            const std::vector<Eigen::Vector3d>& force = {});

}  // namespace tauhat::limits
