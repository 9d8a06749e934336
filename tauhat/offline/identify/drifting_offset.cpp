#include "tauhat/offline/identify/drifting_offset.hpp"

#include <algorithm>

namespace tauhat {

DriftingOffset::Place DriftingOffset::place(double t) const {
  if (knot_times.size() < 2) return {0, 0.0};
  const auto above = std::upper_bound(knot_times.begin() + 1, knot_times.end() - 1, t);
  const auto index = static_cast<std::size_t>(above - knot_times.begin()) - 1;
  const double fraction = (t - knot_times[index]) / (knot_times[index + 1] - knot_times[index]);
  return {index, std::clamp(fraction, 0.0, 1.0)};
}

double DriftingOffset::at(double t) const {
  const Place p = place(t);
  return p.fraction == 0.0 ? value[p.index] : (1.0 - p.fraction) * value[p.index] + p.fraction * value[p.index + 1];
}

BorderedSystem::BorderedSystem(std::size_t knots, int parameters) : knots_(knots), parameters_(parameters) { clear(); }

void BorderedSystem::clear() {
  const auto n = static_cast<Eigen::Index>(knots_);
  corner_.setZero(parameters_, parameters_);
  border_.setZero(n, parameters_);
  corner_rhs_.setZero(parameters_);
  knot_rhs_.setZero(n);
  diagonal_.setZero(n);
  off_diagonal_.setZero(n);
}

// By numbers: it is called for every sample of a cloud, and matrices of two or three columns cost more than they hold.
void BorderedSystem::add(const Eigen::VectorXd& gradient, double slope, DriftingOffset::Place place, double weight,
                         double residual) {
  const auto j = static_cast<Eigen::Index>(place.index);
  const double left = slope * (1.0 - place.fraction), right = slope * place.fraction;
  for (int p = 0; p < parameters_; ++p) {
    const double own = weight * gradient[p];
    for (int q = 0; q < parameters_; ++q) corner_(p, q) += own * gradient[q];
    corner_rhs_[p] += own * residual;
    border_(j, p) += own * left;
    if (right != 0.0) border_(j + 1, p) += own * right;
  }
  diagonal_[j] += weight * left * left;
  knot_rhs_[j] += weight * left * residual;
  if (right == 0.0) return;
  diagonal_[j + 1] += weight * right * right;
  off_diagonal_[j] += weight * left * right;
  knot_rhs_[j + 1] += weight * right * residual;
}

void BorderedSystem::add_prior(const DriftingOffset& offset) {
  // The first knot is only held to within radians; the steps have the variance that the filter's displacement gained.
  constexpr double kFirstKnotWeight = 1e-2;
  diagonal_[0] += kFirstKnotWeight;
  knot_rhs_[0] -= kFirstKnotWeight * offset.value[0];
  for (std::size_t i = 0; i + 1 < knots_; ++i) {
    const auto j = static_cast<Eigen::Index>(i);
    const double weight = 1.0 / offset.step_variance[i];
    const double step = offset.value[i + 1] - offset.value[i];
    diagonal_[j] += weight;
    diagonal_[j + 1] += weight;
    off_diagonal_[j] -= weight;
    knot_rhs_[j] += weight * step;
    knot_rhs_[j + 1] -= weight * step;
  }
}

void BorderedSystem::damp(double relative) {
  // A parameter that no sample sees (a gap wider than the motion) stays where it is.
  for (int p = 0; p < parameters_; ++p) {
    corner_(p, p) = corner_(p, p) > 0.0 ? corner_(p, p) * (1.0 + relative) : 1.0;
  }
}

bool BorderedSystem::solve(Eigen::VectorXd& parameter_step, std::vector<double>& knot_step) {
  // Thomas' algorithm on T for the border and the right side together.
  const auto n = static_cast<Eigen::Index>(knots_);
  Eigen::MatrixXd right(n, parameters_ + 1);
  right << border_, knot_rhs_;
  Eigen::VectorXd pivot = diagonal_;
  for (Eigen::Index i = 1; i < n; ++i) {
    const double factor = off_diagonal_[i - 1] / pivot[i - 1];
    pivot[i] -= factor * off_diagonal_[i - 1];
    right.row(i) -= factor * right.row(i - 1);
  }
  for (Eigen::Index i = n; i-- > 0;) {
    if (i + 1 < n) right.row(i) -= off_diagonal_[i] * right.row(i + 1);
    right.row(i) /= pivot[i];
  }
  solved_border_ = right.leftCols(parameters_);
  schur_ = corner_ - border_.transpose() * solved_border_;
  const Eigen::LDLT<Eigen::MatrixXd> factor(schur_);
  if (factor.info() != Eigen::Success || !factor.isPositive()) return false;
  parameter_step = factor.solve(corner_rhs_ - border_.transpose() * right.col(parameters_));
  const Eigen::VectorXd knots = right.col(parameters_) - solved_border_ * parameter_step;
  knot_step.assign(knots.data(), knots.data() + n);
  return parameter_step.allFinite() && knots.allFinite();
}

}  // namespace tauhat
