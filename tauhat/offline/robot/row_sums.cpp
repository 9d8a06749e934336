#include "tauhat/offline/robot/row_sums.hpp"

#include <algorithm>
#include <cmath>

#include "tauhat/offline/parallel.hpp"

namespace tauhat {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::size_t kStretch = 1500;  // rows that are expanded at once: some 20 MB of a six-axis robot

VectorXd huber_weights(const VectorXd& residual, double limit) {
  return residual.unaryExpr([limit](double e) { return std::abs(e) > limit ? limit / std::abs(e) : 1.0; });
}

TorqueSums sums_of(const MatrixXd& regressor, const VectorXd& torque, const VectorXd& weights) {
  const VectorXd root = weights.cwiseSqrt();
  const MatrixXd y = root.asDiagonal() * regressor;
  const VectorXd tau = root.cwiseProduct(torque);
  TorqueSums sums;
  sums.gram = MatrixXd::Zero(y.cols(), y.cols());
  sums.gram.selfadjointView<Eigen::Lower>().rankUpdate(y.transpose());
  sums.gram.triangularView<Eigen::StrictlyUpper>() = sums.gram.transpose();
  sums.product = y.transpose() * tau;
  sums.square = tau.squaredNorm();
  sums.rows = weights.sum();
  return sums;
}

JointSums batch_of(const MotionRows& rows, Index first, Index count, const std::vector<std::vector<int>>& of_joint,
                   const std::optional<HuberWeights>& weights) {
  JointSums batch;
  for (std::size_t j = 0; j < of_joint.size(); ++j) {
    const auto joint = static_cast<Index>(j);
    const MatrixXd regressor = rows.regressor[j].middleRows(first, count);
    const VectorXd torque = rows.torque.col(joint).segment(first, count);
    VectorXd weight = VectorXd::Ones(count);
    if (weights) {
      const VectorXd values = weights->values(of_joint[j]);
      weight = huber_weights(torque - regressor * values, weights->limit[joint]);
    }
    batch.push_back(sums_of(regressor, torque, weight));
  }
  return batch;
}

// Those of the stretch that are asked for.
void keep(const MotionRows& rows, RowSample& sample) {
  const auto stride = static_cast<Index>(sample.stride), first = static_cast<Index>(rows.first);
  for (Index kept = (first + stride - 1) / stride; kept * stride < first + rows.size(); ++kept) {
    const Index row = kept * stride - first;
    for (std::size_t j = 0; j < rows.regressor.size(); ++j) sample.regressor[j].row(kept) = rows.regressor[j].row(row);
    sample.torque.row(kept) = rows.torque.row(row);
  }
}

}  // namespace

RowSample::RowSample(const MotionRowSource& source, std::size_t every) : stride(every) {
  const auto rows = static_cast<Index>((source.size() - 1) / stride + 1);
  for (const std::vector<int>& own : source.base().of_joint)
    regressor.emplace_back(rows, static_cast<Index>(own.size()));
  torque.resize(rows, source.joints());
}

TorqueSums& TorqueSums::operator+=(const TorqueSums& other) {
  gram += other.gram;
  product += other.product;
  square += other.square;
  rows += other.rows;
  return *this;
}

JointSums RowSums::total() const {
  JointSums sum = batches.front();
  for (std::size_t b = 1; b < batches.size(); ++b)
    for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += batches[b][j];
  return sum;
}

RowSums sum_rows(const MotionRowSource& source, const std::optional<HuberWeights>& weights, RowSample* sample) {
  RowSums sums;
  sums.of_joint = source.base().of_joint;
  sums.parameters = source.base().count();
  const std::size_t length = (source.size() - 1) / kMostBatches + 1;
  sums.batches.resize((source.size() - 1) / length + 1);
  // A stretch holds whole batches, so that each batch is summed by one thread and in one order.
  const std::size_t together = std::max<std::size_t>(1, kStretch / length);
  const std::size_t stretches = (sums.batches.size() - 1) / together + 1;
  for_each_in_parallel(stretches, [&](std::size_t stretch) {
    const std::size_t begin = stretch * together, end = std::min(begin + together, sums.batches.size());
    const std::size_t first = begin * length, last = std::min(end * length, source.size());
    const MotionRows rows = source.rows(first, last - first);
    if (sample != nullptr) keep(rows, *sample);
    for (std::size_t b = begin; b < end; ++b) {
      const std::size_t at = b * length, count = std::min(length, source.size() - at);
      sums.batches[b] =
          batch_of(rows, static_cast<Index>(at - first), static_cast<Index>(count), sums.of_joint, weights);
    }
  });
  return sums;
}

RowSums joined(std::vector<RowSums> parts) {
  RowSums all = std::move(parts.front());
  for (std::size_t p = 1; p < parts.size(); ++p)
    all.batches.insert(all.batches.end(), parts[p].batches.begin(), parts[p].batches.end());
  return all;
}

}  // namespace tauhat
