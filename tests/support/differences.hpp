// How far two results are apart, and derivatives by differences.
#pragma once

#include <algorithm>
#include <cmath>

#include "tauhat/core/model.hpp"

namespace tauhat {

// The largest difference over the largest element of the reference.
template <class A, class B>
double relative_difference(const A& value, const B& reference) {
  const double largest = static_cast<double>(reference.cwiseAbs().maxCoeff());
  const double difference = static_cast<double>((value - reference).cwiseAbs().maxCoeff());
  return difference == 0.0 ? 0.0 : difference / largest;
}

// The same for covariances, element by element in units of the standard deviations: sees small states beside
// large ones.
template <class A, class B>
double scaled_difference(const A& value, const B& reference) {
  const Eigen::VectorXd scale = reference.diagonal().template cast<double>().cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXd difference = (value - reference).template cast<double>();
  return (scale.asDiagonal() * difference * scale.asDiagonal()).cwiseAbs().maxCoeff();
}

// The largest deviation of a mean from a reference, in standard deviations.
template <class A, class B, class P>
double deviation(const A& mean, const B& reference, const P& covariance) {
  return ((mean - reference).cwiseAbs().array() / covariance.diagonal().array().sqrt()).maxCoeff();
}

// Five-point central difference: the error is of order step^4.
template <class Function>
double central_difference(const Function& f, double x, double step) {
  return (8.0 * (f(x + step) - f(x - step)) - (f(x + 2.0 * step) - f(x - 2.0 * step))) / (12.0 * step);
}

// Jacobian of a vector function by central differences, column by column.
template <int Rows, class Function, int Columns>
Matrix<double, Rows, Columns> central_jacobian(const Function& f, const Vector<double, Columns>& x, double step) {
  Matrix<double, Rows, Columns> jacobian;
  for (int j = 0; j < Columns; ++j) {
    for (int i = 0; i < Rows; ++i) {
      const auto along = [&](double xj) {
        Vector<double, Columns> moved = x;
        moved[j] = xj;
        return static_cast<double>(f(moved)[i]);
      };
      jacobian(i, j) = central_difference(along, x[j], step);
    }
  }
  return jacobian;
}

}  // namespace tauhat
