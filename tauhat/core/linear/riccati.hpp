// Stationary Kalman filters: the algebraic Riccati equations by structured doubling (Chu, Fan, Lin and Wang 2004,
// 2005).
//   continuous:  A P + P A^T - P G P + Q = 0                            G = C^T R^-1 C
//   discrete:    P = A P (I + G P)^-1 A^T + Q
// P is the solution with a stable filter. Each doubling squares what is left of the transient: ten to fifteen do. The
// pair (A, C) must be detectable and (A, Q) stabilisable; where they are not, the doubling does not settle, or settles
// elsewhere: who asks looks at `residual` and at the filter's poles.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "tauhat/core/linear/solve.hpp"

namespace tauhat {

template <class T, int N>
struct Riccati {
  Matrix<T, N> covariance = cleared<Matrix<T, N>>();
  T residual = T(0);  // of the equation, over the largest of its terms
  bool converged = false;
};

namespace riccati_detail {

// What the next doubling can still add to a variance, as a share of it: the step is A^T H W^-1 A <= A^T H A, and
// H <= N diag(H). Independent of the states' units.
template <class T, int N>
T remaining_share(const Matrix<T, N>& a, const Matrix<T, N>& h) noexcept {
  const Vector<T, N> variances = h.diagonal();
  return static_cast<T>(a.rows()) * (a.cwiseAbs2().transpose() * variances).cwiseQuotient(variances).maxCoeff();
}

// x = lim H_k,   with W = I + G H:
//   A+ = A W^-1 A,   G+ = G + A W^-1 G A^T,   H+ = H + A^T H W^-1 A
template <class T, int N>
Riccati<T, N> doubled(Matrix<T, N> a, Matrix<T, N> g, Matrix<T, N> h) noexcept {
  constexpr int kMostDoublings = 60;
  const T settled = std::numeric_limits<T>::epsilon() * T(10);
  Riccati<T, N> result;
  for (int k = 0; k < kMostDoublings; ++k) {
    const Matrix<T, N> w = identity_like<T, N>(a) + g * h;
    Matrix<T, N, kTogether<N, N>> both(a.rows(), 2 * a.rows());
    both << a, g;
    both = solve<T, N, kTogether<N, N>>(w, both);
    const Matrix<T, N> by_a = both.template leftCols<N>(a.rows()), by_g = both.template rightCols<N>(a.rows());
    const Matrix<T, N> step = a.transpose() * h * by_a;
    g += a * by_g * a.transpose();
    a = a * by_a;
    h += step;
    h = (h + h.transpose()) / T(2), g = (g + g.transpose()) / T(2);
    const T size = h.norm();
    if (!std::isfinite(size)) return result;
    if (step.norm() <= settled * size || remaining_share<T, N>(a, h) <= settled) {
      result.converged = true;
      break;
    }
  }
  result.covariance = h;
  return result;
}

template <class T, int N>
T shift_for(const Matrix<T, N>& a) {
  // Any positive number serves, but for the poles themselves: a factor that no model has.
  return T(a.norm() / std::sqrt(static_cast<T>(a.rows()))) * T(1.37) + T(1);
}

template <class T, int N, int M>
Matrix<T, N> information(const Matrix<T, M, N>& c, const Vector<T, M>& variances) {
  return c.transpose() * variances.cwiseInverse().asDiagonal() * c;
}

}  // namespace riccati_detail

// Of x' = A x + w, y = C x + v, with the spectral densities Q of w and diag(R) of v.
template <class T, int N, int M>
Riccati<T, N> solve_continuous_riccati(const Matrix<T, N>& a, const Matrix<T, M, N>& c, const Matrix<T, N>& q,
                                       const Vector<T, M>& r) noexcept {
  const Matrix<T, N> g = riccati_detail::information(c, r), identity = identity_like<T, N>(a);
  // Cayley's transform with a shift near the middle of the filter's rates; that of a pole it must not be.
  const T shift = riccati_detail::shift_for(a);
  const Matrix<T, N> left = a.transpose() - shift * identity;
  const Matrix<T, N> left_inverse = inverse<T, N>(left), seen = left_inverse * g;
  const Matrix<T, N> w_inverse = inverse<T, N>(left.transpose() + q * seen);
  Riccati<T, N> result =
      riccati_detail::doubled<T, N>(identity + T(2) * shift * w_inverse.transpose(), T(2) * shift * seen * w_inverse,
                                    T(2) * shift * w_inverse * q * left_inverse);
  const Matrix<T, N>& p = result.covariance;
  const Matrix<T, N> drift = a * p, gain = p * g * p;
  const T largest = std::max({T(drift.norm()), T(gain.norm()), T(q.norm())});
  result.residual = (drift + drift.transpose() - gain + q).norm() / largest;
  return result;
}

// Of x+ = A x + w, y = C x + v, with the covariances Q of w and diag(R) of v: P is x(k+1|k)'s.
template <class T, int N, int M>
Riccati<T, N> solve_discrete_riccati(const Matrix<T, N>& a, const Matrix<T, M, N>& c, const Matrix<T, N>& q,
                                     const Vector<T, M>& r) noexcept {
  const Matrix<T, N> g = riccati_detail::information(c, r);
  Riccati<T, N> result = riccati_detail::doubled<T, N>(a.transpose(), g, q);
  const Matrix<T, N>& p = result.covariance;
  const Matrix<T, N> next = a * p * solve<T, N, N>(identity_like<T, N>(a) + g * p, a.transpose()) + q;
  result.residual = (next - p).norm() / p.norm();
  return result;
}

// Stationary gain of the continuous filter x' = A x + K (y - C x).
template <class T, int N, int M>
Matrix<T, N, M> continuous_gain(const Riccati<T, N>& riccati, const Matrix<T, M, N>& c, const Vector<T, M>& r) {
  return riccati.covariance * c.transpose() * r.cwiseInverse().asDiagonal();
}

}  // namespace tauhat
