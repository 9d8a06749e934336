// A robot with friction that follows a Fourier series, and its record.
#pragma once

#include "support/robots.hpp"
#include "tauhat/offline/robot/simulated_record.hpp"

namespace tauhat {

struct MovedRobot {
  TorqueColumns columns;
  BaseParameters base;
  Eigen::VectorXd parameters;  // standard
  FourierTrajectory motion;

  Eigen::VectorXd truth() const { return base.grouping * parameters; }
  RobotRecord record(const RecordNoise& noise, std::uint64_t seed, double duration = 10.0) const {
    return simulated_record(motion, columns, parameters, duration, 1e-3, noise, seed);
  }
};

inline MovedRobot moved_robot(int joints, std::uint64_t seed = 3) {
  Draw draw(seed);
  Robot<double> robot = random_robot(draw, joints, Shape::chain);
  robot.transmission() = Transmission<double, Eigen::Dynamic>(joints);  // without its coupling
  TorqueColumns columns(robot);
  JointFriction<double, Eigen::Dynamic> friction(joints);
  for (int j = 0; j < joints; ++j) {
    friction.viscous[j] = draw.between(1.0, 3.0);
    friction.coulomb[j] = draw.between(2.0, 5.0);
  }
  const Eigen::VectorXd parameters = columns.parameters(robot, friction);
  FourierTrajectory motion{10.0, Eigen::VectorXd::Zero(joints), Eigen::MatrixXd(joints, 5), Eigen::MatrixXd(joints, 5)};
  for (double& value : motion.sine.reshaped()) value = draw.between(-1.0, 1.0);
  for (double& value : motion.cosine.reshaped()) value = draw.between(-1.0, 1.0);
  BaseParameters base = base_parameters(columns);
  return {std::move(columns), std::move(base), parameters, std::move(motion)};
}

}  // namespace tauhat
