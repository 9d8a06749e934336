#include "tauhat/offline/robot/column_noise.hpp"

#include <algorithm>
#include <cmath>

#include "tauhat/offline/identify/prepare.hpp"
#include "tauhat/offline/simulate/random.hpp"

namespace tauhat {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// So much of a record is enough for the mean of a square.
constexpr std::size_t kMostRows = 1000, kSeed = 1;

RobotRecord first_part(const RobotRecord& record, std::size_t samples) {
  const auto end = static_cast<std::ptrdiff_t>(std::min(samples, record.samples()));
  const auto first = [end](const std::vector<std::vector<double>>& series) {
    std::vector<std::vector<double>> all;
    for (const std::vector<double>& each : series) all.emplace_back(each.begin(), each.begin() + end);
    return all;
  };
  return {record.source, record.period, first(record.position), first(record.velocity), first(record.torque)};
}

// With as much noise again in the motion.
RobotRecord noisier(const RobotRecord& record) {
  RobotRecord noisy = record;
  std::uint64_t number = 0;
  for (auto* series : {&noisy.position, &noisy.velocity}) {
    for (std::vector<double>& each : *series) {
      const double deviation = noise_from_differences(each);
      Random random(kSeed, "column noise", number++);
      for (double& value : each) value += deviation * random.normal();
    }
  }
  return noisy;
}

// sum dY^T dY / s^2 over all rows of a record, from those of its first part.
MatrixXd column_noise(const RobotIdentification& identification, const VectorXd& scale, const RobotRecord& whole) {
  const MotionRowOptions& options = identification.robot().rows;
  const auto decimation = static_cast<std::size_t>(options.decimation);
  const auto trimmed = static_cast<std::size_t>(std::ceil(options.trim() / whole.period));
  const RobotRecord record = first_part(whole, 2 * trimmed + kMostRows * decimation), other = noisier(record);
  const MotionRowSource source = identification.rows(record), noisy = identification.rows(other);
  const std::size_t count = std::min(source.size(), kMostRows);
  const MotionRows rows = source.rows(0, count), changed = noisy.rows(0, count);
  const int parameters = identification.base().count();
  MatrixXd sum = MatrixXd::Zero(parameters, parameters);
  for (std::size_t j = 0; j < rows.regressor.size(); ++j) {
    const std::vector<int>& own = identification.base().of_joint[j];
    const MatrixXd change = (changed.regressor[j] - rows.regressor[j]) / scale[static_cast<Index>(j)];
    sum(own, own) += change.transpose() * change;
  }
  return static_cast<double>(identification.rows(whole).size()) / static_cast<double>(count) * sum;
}

// N m, that each joint's rows were divided by: of a fit that was reweighed until nothing changed, its residual.
VectorXd scale_of(const RobotIdentification& identification, const RobotFit& fit) {
  const bool is_weighed = identification.robot().regression.weights == JointWeights::by_residual;
  return is_weighed ? fit.residual_rms : VectorXd::Ones(fit.residual_rms.size());
}

// (H - N)^-1 N beta_found of the parameters that are determined; the others stay. Where the noise is all that the
// motion has in some direction, H^-1 N beta_found, which is less.
VectorXd shift_by(const RobotFit& fit, const MatrixXd& noise) {
  std::vector<int> told;
  for (int k = 0; k < static_cast<int>(noise.rows()); ++k)
    if (fit.is_determined(k)) told.push_back(k);
  const MatrixXd gram = fit.sums.gram(told, told), of_noise = noise(told, told);
  const VectorXd unit = gram.diagonal().cwiseSqrt().cwiseInverse();
  const auto scaled = [&](const MatrixXd& matrix) { return MatrixXd(unit.asDiagonal() * matrix * unit.asDiagonal()); };
  Eigen::LLT<MatrixXd> factor(scaled(gram - of_noise));
  if (factor.info() != Eigen::Success) factor.compute(scaled(gram));
  const VectorXd product = of_noise * fit.base.values(told);
  VectorXd shift = VectorXd::Zero(noise.rows());
  shift(told) = unit.cwiseProduct(factor.solve(unit.cwiseProduct(product)));
  return shift.cwiseAbs();
}

}  // namespace

VectorXd shift_by_column_noise(const RobotIdentification& identification, const RobotFit& fit,
                               const std::vector<RobotRecord>& records) {
  const int parameters = identification.base().count();
  MatrixXd noise = MatrixXd::Zero(parameters, parameters);
  const VectorXd scale = scale_of(identification, fit);
  for (const RobotRecord& record : records) noise += column_noise(identification, scale, record);
  return shift_by(fit, noise);
}

}  // namespace tauhat
