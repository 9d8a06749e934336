// A SCARA, whose spindle lifts and turns with nothing but its own inertia, and its logs at the motors.
#pragma once

#include "support/random.hpp"
#include "tauhat/offline/robot/measured_side.hpp"
#include "tauhat/offline/robot/simulated_record.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat {

inline RobotSpec scara_spec() {
  return *parse_study(R"([robot]
friction.width = "0.02 rad/s"
[[robot.joint]]
name = "shoulder"
inertia = { Ixx = 0.05, Iyy = 0.3, Izz = 0.3, mX = 1.3, m = 8 }
actuator_inertia = 0.4
friction = { viscous = 4, coulomb = 5 }
ratio = 80
[[robot.joint]]
name = "elbow"
a = 0.3
inertia = { Ixx = 0.03, Iyy = 0.15, Izz = 0.15, mX = 0.7, m = 5 }
actuator_inertia = 0.2
friction = { viscous = 2, coulomb = 3 }
ratio = 50
[[robot.joint]]
name = "spindle"
type = "prismatic"
a = 0.25
inertia = { Ixx = 0.01, Iyy = 0.01, Izz = 0.002, m = 3 }
actuator_inertia = 1.6
friction = { viscous = 20, coulomb = 8 }
ratio = 400
[[robot.joint]]
name = "wrist"
inertia = { Ixx = 0.001, Iyy = 0.001, Izz = 0.001, mX = 0.01, m = 0.5 }
actuator_inertia = 0.01
friction = { viscous = 0.1, coulomb = 0.3 }
ratio = 30
)",
                      "scara.toml")
              .robot;
}

inline const MotorSides kScaraMotors{std::vector<bool>(4, true), std::vector<bool>(4, true)};

// 10 s at 1 kHz of the joints: some rad, and some cm of the spindle.
inline RobotRecord scara_record(const RobotSpec& robot, std::uint64_t seed) {
  const TorqueColumns columns(robot.robot, robot.terms);
  constexpr int kHarmonics = 5;
  FourierTrajectory motion{10.0, Eigen::VectorXd::Zero(4), Eigen::MatrixXd(4, kHarmonics), {}};
  Draw draw(seed);
  for (double& value : motion.sine.reshaped()) value = draw.between(-1.0, 1.0);
  motion.sine.row(2) *= 0.1;
  motion.cosine = motion.sine.rowwise().reverse();
  return simulated_record(motion, columns, columns.parameters(robot.robot, friction_of(robot)), 10.0, 1e-3,
                          {1e-6, 0.05}, seed);
}

}  // namespace tauhat
