#include "tauhat/offline/robot/hypothesis.hpp"

namespace tauhat {
namespace {

void multiply(const Eigen::MatrixXd& map, std::vector<std::vector<double>>& series) {
  if (series.empty() || map.isIdentity(0.0)) return;
  Eigen::VectorXd now(map.cols());
  for (std::size_t k = 0; k < series.front().size(); ++k) {
    for (std::size_t j = 0; j < series.size(); ++j) now[static_cast<Eigen::Index>(j)] = series[j][k];
    now = (map * now).eval();
    for (std::size_t j = 0; j < series.size(); ++j) series[j][k] = now[static_cast<Eigen::Index>(j)];
  }
}

}  // namespace

RobotRecord multiplied(RobotRecord record, const Hypothesis& hypothesis) {
  multiply(hypothesis.position, record.position), multiply(hypothesis.position, record.velocity);
  multiply(hypothesis.torque, record.torque);
  return record;
}

Hypothesis scaled(Hypothesis hypothesis, const RobotSpec& robot, const MotorSides& sides, int joint, double of_position,
                  double of_torque) {
  const Eigen::MatrixXd coupling = robot.robot.transmission().coupling();
  const auto factors = [&](double factor) {
    Eigen::VectorXd all = Eigen::VectorXd::Ones(robot.count());
    all[joint] = factor;
    return Eigen::MatrixXd(all.asDiagonal());
  };
  const auto j = static_cast<std::size_t>(joint);
  const Eigen::MatrixXd position = factors(of_position), torque = factors(of_torque);
  hypothesis.position = (sides.position[j] ? coupling.inverse() * position * coupling : position) * hypothesis.position;
  hypothesis.torque =
      (sides.torque[j] ? coupling.transpose() * torque * coupling.transpose().inverse() : torque) * hypothesis.torque;
  return hypothesis;
}

Hypothesis with_sign(const Hypothesis& hypothesis, const RobotSpec& robot, const MotorSides& sides, int joint,
                     WrongSign sign) {
  return scaled(hypothesis, robot, sides, joint, sign != WrongSign::torque ? -1.0 : 1.0,
                sign != WrongSign::position ? -1.0 : 1.0);
}

Hypothesis with_factor(const Hypothesis& hypothesis, const RobotSpec& robot, const MotorSides& sides, int joint,
                       double factor) {
  const auto j = static_cast<std::size_t>(joint);
  return scaled(hypothesis, robot, sides, joint, sides.position[j] ? factor : 1.0,
                sides.torque[j] ? 1.0 / factor : 1.0);
}

}  // namespace tauhat
