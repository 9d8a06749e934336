#include "tauhat/offline/robot/predicted_deviations.hpp"

#include <cmath>
#include <limits>

namespace tauhat {

Eigen::VectorXd predicted_deviations(const FourierTrajectory& trajectory, const TorqueColumns& columns,
                                     const BaseParameters& base, const Eigen::VectorXd& torque_std, double rate) {
  // A Fourier series is told by these; what is recorded between them adds as much as they do.
  constexpr int kSamples = 1000;
  const double recorded = rate * trajectory.period / kSamples;
  Eigen::MatrixXd information = Eigen::MatrixXd::Zero(base.count(), base.count());
  TorqueRows rows;
  for (int k = 0; k < kSamples; ++k) {
    const JointMotion at = trajectory.at(trajectory.period * k / kSamples);
    columns.fill(at.position, at.velocity, at.acceleration, rows);
    const Eigen::MatrixXd weighed = torque_std.cwiseInverse().asDiagonal() * rows(Eigen::all, base.columns);
    information.selfadjointView<Eigen::Lower>().rankUpdate(weighed.transpose(), recorded);
  }
  // Columns differ by orders of magnitude: scaled to a unit diagonal before they are inverted.
  const Eigen::VectorXd diagonal = information.diagonal();
  const Eigen::VectorXd scale = (diagonal.array() > 0.0).select(diagonal.cwiseSqrt().cwiseInverse(), 1.0);
  const Eigen::MatrixXd full = information.selfadjointView<Eigen::Lower>();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(scale.asDiagonal() * full * scale.asDiagonal());
  constexpr double kRounding = 1e-12;
  if (!(solver.eigenvalues()[0] > kRounding))
    return Eigen::VectorXd::Constant(base.count(), std::numeric_limits<double>::infinity());
  const Eigen::MatrixXd inverse =
      solver.eigenvectors() * solver.eigenvalues().cwiseInverse().asDiagonal() * solver.eigenvectors().transpose();
  return inverse.diagonal().cwiseSqrt().cwiseProduct(scale);
}

}  // namespace tauhat
