#include "tauhat/offline/robot/payload.hpp"

#include <cmath>

namespace tauhat {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Parameters that both records tell.
std::vector<int> told_by_both(const RobotFit& a, const RobotFit& b) {
  std::vector<int> both;
  for (int k = 0; k < static_cast<int>(a.base.values.size()); ++k)
    if (a.is_determined(k) && b.is_determined(k)) both.push_back(k);
  return both;
}

std::string name_without_number(std::string name) {
  while (!name.empty() && name.back() >= '0' && name.back() <= '9') name.pop_back();
  return name;
}

}  // namespace

PayloadFit identify_payload(const TorqueColumns& columns, const BaseParameters& base, const RobotFit& empty,
                            const RobotFit& loaded, int link) {
  constexpr double kShortest = 1e-6;  // of a direction's length, relative: shorter, it is none
  constexpr double kLost = 0.01;      // of a parameter's square
  const std::vector<int> told = told_by_both(empty, loaded);
  const VectorXd difference = (loaded.base.values - empty.base.values)(told);
  const MatrixXd covariance = (loaded.base.covariance + empty.base.covariance)(told, told);
  const Index first = kInertialParameters * link;
  const MatrixXd grouping = base.grouping.middleCols(first, kInertialParameters)(told, Eigen::all);
  // Whitened, and its columns scaled to unit length.
  const Eigen::LLT<MatrixXd> root(covariance);
  const VectorXd seen = root.matrixL().solve(difference);
  MatrixXd by_payload = root.matrixL().solve(grouping);
  const VectorXd length = by_payload.colwise().norm().cwiseMax(1e-300).transpose();
  by_payload *= length.cwiseInverse().asDiagonal();
  const Eigen::SelfAdjointEigenSolver<MatrixXd> spectrum(by_payload.transpose() * by_payload);
  const VectorXd& squares = spectrum.eigenvalues();
  VectorXd inverse = VectorXd::Zero(kInertialParameters), lost = inverse;
  Index rank = 0;
  for (Index i = 0; i < kInertialParameters; ++i) {
    const bool is_told = squares[i] > kShortest * kShortest * squares[kInertialParameters - 1];
    if (is_told)
      inverse[i] = 1.0 / squares[i], ++rank;
    else
      lost += spectrum.eigenvectors().col(i).cwiseAbs2();
  }
  const MatrixXd directions = length.cwiseInverse().asDiagonal() * spectrum.eigenvectors();
  const MatrixXd covariance_of_payload = directions * inverse.asDiagonal() * directions.transpose();
  const VectorXd values = covariance_of_payload * (length.asDiagonal() * (by_payload.transpose() * seen));
  const VectorXd variances = covariance_of_payload.diagonal();
  PayloadFit fit;
  for (Index i = 0; i < kInertialParameters; ++i) {
    const int column = static_cast<int>(first + i);
    fit.parameters.push_back({name_without_number(columns.name(column)), std::string(columns.unit(column)), values[i],
                              std::sqrt(variances[i]), lost[i] <= kLost});
  }
  const VectorXd rest = seen - by_payload * (length.asDiagonal() * values);
  fit.misfit = rest.squaredNorm() / static_cast<double>(std::max<Index>(seen.size() - rank, 1));
  return fit;
}

}  // namespace tauhat
