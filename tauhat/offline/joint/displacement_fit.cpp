#include "tauhat/offline/joint/displacement_fit.hpp"

#include <fmt/format.h>
#include <Eigen/Dense>

#include <cmath>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/friction/long_run_covariance.hpp"
#include "tauhat/offline/signal/differentiate.hpp"
#include "tauhat/offline/signal/zero_phase.hpp"

namespace tauhat {
namespace {

enum Column { by_velocity, by_torque, constant_column, by_direction, kColumns };

struct Regression {
  Eigen::MatrixXd columns;
  Eigen::VectorXd displacement;
};

Regression regression_of(const DisplacementRecord& record) {
  double fastest = 0.0;
  for (const double w : record.velocity)
    if (std::isfinite(w)) fastest = std::max(fastest, std::abs(w));
  // Friction turns over within a hundredth of the speed range: a jump would make the noise of w a noise of the column.
  const double width = 0.01 * fastest;
  std::vector<std::size_t> used;
  for (std::size_t k = 0; k < record.displacement.size(); ++k)
    if (std::isfinite(record.displacement[k] + record.velocity[k] + record.torque[k])) used.push_back(k);
  Regression regression{Eigen::MatrixXd(static_cast<Eigen::Index>(used.size()), static_cast<int>(kColumns)),
                        Eigen::VectorXd(static_cast<Eigen::Index>(used.size()))};
  for (std::size_t row = 0; row < used.size(); ++row) {
    const auto i = static_cast<Eigen::Index>(row);
    const double w = record.velocity[used[row]];
    regression.columns.row(i) << w, record.torque[used[row]], 1.0, std::tanh(w / width);
    regression.displacement[i] = record.displacement[used[row]];
  }
  return regression;
}

}  // namespace

std::vector<double> in_motion_band(const std::vector<double>& values, double period) {
  constexpr double kMotionBand = 20.0;  // Hz
  if (2.0 * kMotionBand * period >= 0.8) return values;
  return filter_zero_phase(butterworth_low_pass(2, 2.0 * kMotionBand * period), values);
}

DisplacementRecord displacement_record(const JointRecord& given, const MotorSide& side, double period) {
  DisplacementRecord record;
  record.period = period;
  // The torque in the band of the acceleration that is taken from it: its own noise and ripple, which no displacement
  // follows, would make the joint look stiffer than it is.
  const std::vector<double> smooth = in_motion_band(given.motor, period), torque = in_motion_band(given.torque, period);
  const auto velocity = differentiate(smooth, period), acceleration = differentiate(velocity, period);
  for (std::size_t k = 0; k < given.motor.size(); ++k) {
    record.displacement.push_back(given.motor[k] / side.ratio - given.load[k]);
    record.velocity.push_back(velocity[k] / side.ratio);
    // What the rotor's own inertia and its viscous friction take does not reach the joint; the latter, which goes with
    // the velocity, would look like a skew.
    record.torque.push_back(side.ratio * (torque[k] - side.inertia * acceleration[k] - side.viscous * velocity[k]));
  }
  return record;
}

DisplacementFit fit_displacement(const DisplacementRecord& record, const std::string& source) {
  const Regression regression = regression_of(record);
  const Eigen::MatrixXd& x = regression.columns;
  const Eigen::VectorXd scale = x.colwise().norm().transpose();
  if (x.rows() < 10 * kColumns || !(scale.minCoeff() > 0.0))
    throw Error(ExitCode::unusable_data,
                fmt::format("{}: motor and load do not move enough to compare their positions; record a motion with "
                            "torque in both directions",
                            source));
  const Eigen::MatrixXd scaled = x * scale.cwiseInverse().asDiagonal();
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(scaled);
  const Eigen::VectorXd solution = qr.solve(regression.displacement);
  const Eigen::VectorXd residual = regression.displacement - scaled * solution;
  // Residuals of a mechanism follow each other: the scores' long-run covariance, between two inverses of X^T X.
  const Eigen::MatrixXd scores = sums_in_blocks(residual.asDiagonal() * scaled);
  const Eigen::MatrixXd inverse = (scaled.transpose() * scaled).inverse();
  const Eigen::MatrixXd covariance = inverse * long_run_covariance(scores) * inverse;
  const auto number = [&](Column column) {
    const double std = std::sqrt(std::max(covariance(column, column), 0.0));
    return FittedNumber{solution[column] / scale[column], std / scale[column]};
  };
  const auto n = static_cast<double>(x.rows());
  DisplacementFit fit;
  fit.skew = number(by_velocity), fit.compliance = number(by_torque);
  fit.offset = number(constant_column), fit.loss = number(by_direction);
  fit.residual = residual.norm() / std::sqrt(n);
  fit.spread = std::sqrt((regression.displacement.array() - regression.displacement.mean()).square().mean());
  const Eigen::VectorXd fitted = scaled * solution;
  fit.fitted.assign(fitted.data(), fitted.data() + fitted.size());
  return fit;
}

}  // namespace tauhat
