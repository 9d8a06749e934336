// Sums over the rows of a regression that say all that a fit needs, however long the record was:
//   gram = sum y y^T,   product = sum y tau,   square = sum tau^2,   for each joint by itself
// Joints are weighed against each other afterwards, without the rows. They are kept for batches of consecutive times:
// how much the batches differ tells how certain a fit is, correlated noise included (long_run_covariance.hpp).
#pragma once

#include <Eigen/Dense>

#include <optional>
#include <vector>

#include "tauhat/offline/robot/motion_rows.hpp"

namespace tauhat {

struct TorqueSums {
  Eigen::MatrixXd gram;     // of the base parameters that the joint's torque depends on
  Eigen::VectorXd product;  // of the same
  double square = 0.0, rows = 0.0;

  TorqueSums& operator+=(const TorqueSums& other);
};

// Rows that a fit leaves far off count less (Huber 1981): by limit / |residual| where it is above limit.
struct HuberWeights {
  Eigen::VectorXd values;  // base parameters of the fit before
  Eigen::VectorXd limit;   // N m, of each joint
};

// One item for each joint.
using JointSums = std::vector<TorqueSums>;

struct RowSums {
  std::vector<JointSums> batches;
  std::vector<std::vector<int>> of_joint;  // which base parameters each joint's torque depends on
  int parameters = 0;

  int joints() const noexcept { return static_cast<int>(of_joint.size()); }
  JointSums total() const;
};

// At most so many batches of a record.
inline constexpr std::size_t kMostBatches = 256;

// Every so many rows of a source, as they are; filled while they are summed.
struct RowSample {
  std::size_t stride = 1;
  std::vector<Eigen::MatrixXd> regressor;  // as MotionRows has it
  Eigen::MatrixXd torque;

  RowSample(const MotionRowSource& source, std::size_t every);
};

RowSums sum_rows(const MotionRowSource& source, const std::optional<HuberWeights>& weights = {},
                 RowSample* sample = nullptr);

// Of several records.
RowSums joined(std::vector<RowSums> parts);

}  // namespace tauhat
