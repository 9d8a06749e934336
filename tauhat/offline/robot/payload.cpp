#include "tauhat/offline/robot/payload.hpp"

#include <algorithm>
#include <cmath>

#include "tauhat/core/robot/link_inertia.hpp"

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

// Of those, the inertial ones. Friction is another each day: each record has its own.
std::vector<int> of_bodies(const TorqueColumns& columns, const BaseParameters& base, const std::vector<int>& all) {
  std::vector<int> bodies;
  for (const int k : all)
    if (base.columns[static_cast<std::size_t>(k)] < columns.inertial()) bodies.push_back(k);
  return bodies;
}

// Of the parameters `told`, fitted together with all that are determined, if the noise of all rows were white.
MatrixXd white_covariance(const RobotFit& fit, const std::vector<int>& determined, const std::vector<int>& told) {
  const MatrixXd gram = fit.sums.gram(determined, determined);
  const VectorXd scale = gram.diagonal().cwiseSqrt().cwiseInverse();
  const MatrixXd scaled = scale.asDiagonal() * gram * scale.asDiagonal();
  const MatrixXd inverse = Eigen::LLT<MatrixXd>(scaled).solve(MatrixXd::Identity(gram.rows(), gram.cols()));
  MatrixXd covariance = MatrixXd::Zero(fit.sums.gram.rows(), fit.sums.gram.cols());
  covariance(determined, determined) = scale.asDiagonal() * inverse * scale.asDiagonal();
  return covariance(told, told);
}

// m, c, I about c: the standard parameters of a link in the frame, placed there.
VectorXd said(const VectorXd& parameters, const Placement<double>& frame) {
  const Placement<double> back{frame.rotation.transpose(), -(frame.rotation.transpose() * frame.translation)};
  const Vector<double, kInertialParameters> standard = parameters;
  const LinkInertia<double> body = LinkInertia<double>::from_parameters(standard).placed(back);
  const Vector<double, 3> centre = body.first_moment / body.mass;
  const Matrix<double, 3> i = body.placed({Matrix<double, 3>::Identity(), -centre}).moment;
  VectorXd all(kInertialParameters);
  all << body.mass, centre, i(0, 0), i(0, 1), i(0, 2), i(1, 1), i(1, 2), i(2, 2);
  return all;
}

std::string name_without_number(std::string name) {
  while (!name.empty() && name.back() >= '0' && name.back() <= '9') name.pop_back();
  return name;
}

}  // namespace

PayloadFit identify_payload(const TorqueColumns& columns, const BaseParameters& base, const RobotFit& empty,
                            const RobotFit& loaded, int link, const Eigen::MatrixXd& by_gains) {
  constexpr double kShortest = 1e-6;  // of a direction's length, relative: shorter, it is none
  constexpr double kLost = 0.01;      // of a parameter's square
  const std::vector<int> determined = told_by_both(empty, loaded), told = of_bodies(columns, base, determined);
  const VectorXd difference = (loaded.base.values - empty.base.values)(told);
  const MatrixXd covariance = (loaded.base.covariance + empty.base.covariance)(told, told);
  const Index first = kInertialParameters * link;
  const MatrixXd grouping = base.grouping.middleCols(first, kInertialParameters)(told, Eigen::all);
  // Whitened as by white noise, and its columns scaled to unit length. To weigh by the covariance of the records' own
  // noise would promise too much: that is an estimate, and weights that follow its errors seem better than they are.
  const Eigen::LLT<MatrixXd> root(white_covariance(empty, determined, told) +
                                  white_covariance(loaded, determined, told));
  const VectorXd seen = root.matrixL().solve(difference);
  MatrixXd by_payload = root.matrixL().solve(grouping);
  const VectorXd length = by_payload.colwise().norm().cwiseMax(1e-300).transpose();
  by_payload *= length.cwiseInverse().asDiagonal();
  const Eigen::SelfAdjointEigenSolver<MatrixXd> spectrum(by_payload.transpose() * by_payload);
  const VectorXd& squares = spectrum.eigenvalues();
  VectorXd inverse = VectorXd::Zero(kInertialParameters), lost = inverse;
  for (Index i = 0; i < kInertialParameters; ++i) {
    const bool is_told = squares[i] > kShortest * kShortest * squares[kInertialParameters - 1];
    if (is_told)
      inverse[i] = 1.0 / squares[i];
    else
      lost += spectrum.eigenvectors().col(i).cwiseAbs2();
  }
  const MatrixXd directions = length.cwiseInverse().asDiagonal() * spectrum.eigenvectors();
  const MatrixXd estimator =
      directions * inverse.asDiagonal() * directions.transpose() * length.asDiagonal() * by_payload.transpose();
  const VectorXd values = estimator * seen;
  // Of the differences, whitened.
  const MatrixXd half = root.matrixL().solve(covariance);
  const MatrixXd noise = root.matrixL().solve(half.transpose());
  PayloadFit fit;
  const MatrixXd unexplained =
      MatrixXd::Identity(seen.size(), seen.size()) - by_payload * length.asDiagonal() * estimator;
  fit.misfit = (unexplained * seen).squaredNorm() / (unexplained * noise * unexplained.transpose()).trace();
  fit.noise = estimator * noise * estimator.transpose();
  fit.inputs = MatrixXd::Zero(kInertialParameters, kInertialParameters);
  if (by_gains.size() > 0) {
    const MatrixXd moved = by_gains(told, Eigen::all), shifts = estimator * root.matrixL().solve(moved);
    fit.inputs = shifts * shifts.transpose();
  }
  const MatrixXd all = fit.covariance();
  for (Index i = 0; i < kInertialParameters; ++i) {
    const int column = static_cast<int>(first + i);
    fit.parameters.push_back({name_without_number(columns.name(column)), std::string(columns.unit(column)), values[i],
                              std::sqrt(all(i, i)), lost[i] <= kLost});
  }
  return fit;
}

// What else changed between the records is as large in the payload as in what it leaves.
MatrixXd PayloadFit::covariance() const { return std::max(1.0, misfit) * noise + inputs; }

PayloadBody body_of(const PayloadFit& fit, const Placement<double>& frame) {
  VectorXd standard(kInertialParameters);
  for (Index i = 0; i < kInertialParameters; ++i) standard[i] = fit.parameters[static_cast<std::size_t>(i)].value;
  PayloadBody body{.values = said(standard, frame), .deviations = {}, .by_noise = {}, .by_inputs = {}};
  // To first order; the differences are central, as small as the round-off allows.
  MatrixXd slope(kInertialParameters, kInertialParameters);
  for (Index k = 0; k < kInertialParameters; ++k) {
    const double step = 1e-5 * std::max(std::abs(standard[k]), 1e-3);
    const VectorXd aside = step * VectorXd::Unit(kInertialParameters, k);
    slope.col(k) = (said(standard + aside, frame) - said(standard - aside, frame)) / (2.0 * step);
  }
  const auto deviations = [&](const MatrixXd& covariance) -> VectorXd {
    return (slope * covariance * slope.transpose()).diagonal().cwiseMax(0.0).cwiseSqrt();
  };
  body.deviations = deviations(fit.covariance());
  body.by_noise = deviations(fit.noise), body.by_inputs = deviations(fit.inputs);
  const Vector<double, kInertialParameters> own = standard;
  body.can_exist = Eigen::LLT<Matrix<double, 4>>(LinkInertia<double>::from_parameters(own).pseudo_inertia()).info() ==
                   Eigen::Success;
  return body;
}

}  // namespace tauhat
