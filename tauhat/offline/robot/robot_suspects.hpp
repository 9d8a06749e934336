// What else could explain a robot's torques? A suspect is one thing that the regression lacks or has wrong: the scale,
// the delay or the zero of a joint's torque, friction of another shape, an elastic joint, a frame that sits elsewhere.
// Each is one more column c of the regression, tried beside the base parameters (a score test):
//   r = c - Y H^-1 Y^T W c,   a = r W e / r W r,   z = r W e / std of that sum,   shift of beta = -a H^-1 Y^T W c
// with e what the fit leaves. The std is that of correlated noise (long_run_covariance.hpp), of what is left once the
// suspect is taken out, and z what a normal number of the same probability would be.
#pragma once

#include <Eigen/Dense>

#include <string>
#include <vector>

#include "tauhat/offline/robot/robot_identification.hpp"

namespace tauhat {

struct RobotSuspect {
  std::string name, unit;  // "joint3.torque.gain", "1"
  int joint = 0;
  double value = 0.0;     // none of them is in the model
  double change = 0.0;    // by how much another value would explain the torques better
  double z = 0.0;         // that, in standard deviations of noise
  Eigen::VectorXd shift;  // of each base parameter, were it so
};

// Of long records only some thousand rows are looked at, which the fit has kept of each.
inline constexpr std::size_t kSuspectRows = 3000;

// Most suspicious first.
std::vector<RobotSuspect> find_robot_suspects(const RobotIdentification& identification,
                                              const std::vector<RobotRecord>& records,
                                              const std::vector<RowSample>& samples);

// How far those that noise hardly explains would move each base parameter: of each joint the most, and all joints
// together as independent causes.
Eigen::VectorXd shift_by_suspects(const std::vector<RobotSuspect>& suspects, int parameters);

// Torques whose gains the study knows only so well.
struct UncertainGains {
  Eigen::MatrixXd joints_by_measured;  // the joints' torques by those that were measured
  Eigen::VectorXd std;                 // of the gain of each measured one, relative
};
// By how much each would move the base parameters, one column each, were it wrong by its standard deviation.
Eigen::MatrixXd shifts_by_gains(const RobotIdentification& identification, const std::vector<RobotRecord>& records,
                                const std::vector<RowSample>& samples, const UncertainGains& gains);

}  // namespace tauhat
