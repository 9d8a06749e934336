// A truth for a filter to find: the model itself, its noise drawn on steps much shorter than the filter's.
#pragma once

#include <cmath>

#include "support/random.hpp"
#include "tauhat/core/model.hpp"

namespace tauhat {

// From t to t + dt in `substeps` steps of Heun's method with the noise of each step drawn (strong order one,
// the noise being additive).
template <class M>
StateOf<M> advance_truth(const M& model, StateOf<M> x, const InputOf<M>& u, double dt, int substeps, Draw& draw) {
  const double h = dt / substeps;
  const StateOf<M> spread = (model.spectral_density() * h).cwiseSqrt();
  for (int i = 0; i < substeps; ++i) {
    const StateOf<M> kick = spread.cwiseProduct(draw.matrix<double, M::kStates>());
    const StateOf<M> k1 = model.derivative(x, u);
    const StateOf<M> k2 = model.derivative(x + h * k1 + kick, u);
    x += h / 2.0 * (k1 + k2) + kick;
  }
  return x;
}

// Normalised estimation error squared: kStates on average when the filter knows how well it knows.
template <int N>
double nees(const Gaussian<double, N>& belief, const Vector<double, N>& truth) {
  const Vector<double, N> scale = belief.covariance().diagonal().cwiseSqrt().cwiseInverse();
  const Matrix<double, N> correlation = scale.asDiagonal() * belief.covariance() * scale.asDiagonal();
  const Vector<double, N> error = scale.cwiseProduct(truth - belief.mean);
  return error.dot(correlation.ldlt().solve(error));
}

}  // namespace tauhat
