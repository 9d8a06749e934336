// A robot's parameters from records of its motion, as its study asks for them: base parameters by regression, and from
// them and what is known beforehand those of bodies that can exist.
#pragma once

#include <string>
#include <vector>

#include "tauhat/offline/robot/consistent_parameters.hpp"
#include "tauhat/offline/robot/robot_prior.hpp"
#include "tauhat/offline/robot/robot_regression.hpp"
#include "tauhat/offline/robot/robot_spec.hpp"

namespace tauhat {

// "elbow.Izz", "elbow.friction.coulomb": what a column's result is called.
std::string column_result_name(const RobotSpec& robot, const TorqueColumns& columns, int column);

class RobotIdentification {
 public:
  // Refers to its argument.
  explicit RobotIdentification(const RobotSpec& robot);

  const RobotSpec& robot() const noexcept { return robot_; }
  const TorqueColumns& columns() const noexcept { return columns_; }
  const BaseParameters& base() const noexcept { return base_; }

  // Of a base parameter: that of the column which stands for it.
  std::string result_name(int parameter) const;
  std::string_view unit(int parameter) const;

  MotionRowSource rows(const RobotRecord& record) const { return {record, columns_, base_, robot_.rows}; }
  RobotFit fit(const std::vector<RobotRecord>& records) const;
  // The same, and of each record some rows, of all together at most so many.
  RobotFit fit(const std::vector<RobotRecord>& records, std::size_t most_rows, std::vector<RowSample>& samples) const;
  ConsistentFit consistent(const RobotFit& fit, const RobotPrior& prior) const;

  // The study's robot with these standard parameters.
  RobotSpec with_parameters(const Eigen::VectorXd& parameters) const;

 private:
  const RobotSpec& robot_;
  TorqueColumns columns_;
  BaseParameters base_;
};

// The torque that other base parameters leave, over that of the fit, which leaves the least.
double torque_left(const RobotFit& fit, const Eigen::VectorXd& values);

}  // namespace tauhat
