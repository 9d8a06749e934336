// Is every mode of x+ = A x, y = C x seen in y (observable), or at least every one that does not decay (detectable)?
// The test of Popov, Belevitch and Hautus, as a distance rather than a rank (Eising 1984):
//   min over s of the least singular value of [A - I - s I; C],   sought from each eigenvalue of A - I on
// in balanced scales, the outputs as large as A - I. Where it vanishes its vector is a mode that no output shows: it is
// returned, with the state that takes part in it most.
#pragma once

#include "tauhat/core/linear/spectrum.hpp"

namespace tauhat {

template <class T, int N>
struct ModeTest {
  bool passed = true;
  T margin = std::numeric_limits<T>::infinity();  // the least distance, over the norm of A - I
  // Where the least distance is; where the test fails, the mode that is not seen:
  std::complex<T> pole = T(0);
  Mode<T> mode;
  int state = -1;
};

namespace observability_detail {

template <class T, int N, int Outputs>
class ModeSearch {
 public:
  using Complex = std::complex<T>;
  using Direction = Vector<Complex, N>;

  ModeSearch(const Matrix<T, N>& a, const Matrix<T, Outputs, N>& c) noexcept {
    const Matrix<T, N> change = a - identity_like<T, N>(a);
    const Vector<T, N> scales = balancing_scales<T, N>(change);
    dynamics_ = scaled<T, N>(change, scales);
    outputs_ = c * scales.asDiagonal();
    norm_ = std::max(dynamics_.norm(), std::numeric_limits<T>::min());
    for (Eigen::Index i = 0; i < c.rows(); ++i) {
      const T size = outputs_.row(i).norm();
      if (size > T(0)) outputs_.row(i) *= norm_ / size;
    }
    reduce_to_hessenberg<T, N>(hessenberg_ = dynamics_);
  }

  // Eigenvalues of A - I.
  Poles<T, N> starts() const noexcept { return spectrum_detail::FrancisIteration<T, N>(hessenberg_).eigenvalues(); }

  struct Nearest {
    Complex change;
    Direction direction;
    T distance;
  };
  // Each round takes the direction that is seen least, and the number by which A - I multiplies it.
  Nearest nearest(Complex start) const noexcept {
    constexpr int kRounds = 4;
    Nearest found{start, Direction::Constant(dynamics_.rows(), T(1)), T(0)};
    for (int round = 0; round < kRounds; ++round) {
      find_least(found);
      const Complex multiple = found.direction.dot(dynamics_ * found.direction);
      if (std::abs(multiple - found.change) <= std::numeric_limits<T>::epsilon() * norm_) break;
      found.change = multiple;
    }
    return found;
  }

 private:
  // Inverse iteration with R of [A - I - s I; C] = Q R, by Gram and Schmidt's modified process: its Q would not be
  // orthogonal, its R is as good as any.
  void find_least(Nearest& at) const noexcept {
    constexpr int kIterations = 4;
    using Pencil = Matrix<Complex, kTogether<N, Outputs>, N>;
    const int states = rows_of(dynamics_);
    Pencil q(states + outputs_.rows(), states);
    q.template topRows<N>(states) = dynamics_.template cast<Complex>();
    q.template topRows<N>(states).diagonal().array() -= at.change;
    q.template bottomRows<Outputs>(outputs_.rows()) = outputs_.template cast<Complex>();
    const Pencil pencil = q;
    Matrix<Complex, N> r = Matrix<Complex, N>::Zero(states, states);
    const T least = std::numeric_limits<T>::epsilon() * norm_ * T(1e-3);
    for (int j = 0; j < states; ++j) {
      const T length = q.col(j).norm();
      r(j, j) = std::max(length, least);
      q.col(j) /= r(j, j);
      for (int k = j + 1; k < states; ++k) {
        r(j, k) = q.col(j).dot(q.col(k));
        q.col(k) -= r(j, k) * q.col(j);
      }
    }
    for (int i = 0; i < kIterations; ++i) {
      solve(r, at.direction);
      at.direction.normalize();
    }
    at.distance = (pencil * at.direction).norm() / norm_;
  }

  // x <- R^-1 R^-H x
  static void solve(const Matrix<Complex, N>& r, Direction& x) noexcept {
    const int states = rows_of(r);
    for (int i = 0; i < states; ++i) {
      for (int k = 0; k < i; ++k) x[i] -= std::conj(r(k, i)) * x[k];
      x[i] /= std::conj(r(i, i));
    }
    x.normalize();
    for (int i = states - 1; i >= 0; --i) {
      for (int k = i + 1; k < states; ++k) x[i] -= r(i, k) * x[k];
      x[i] /= r(i, i);
    }
  }

  Matrix<T, N> dynamics_, hessenberg_;
  Matrix<T, Outputs, N> outputs_;
  T norm_;
};

// Over the modes with |z| >= least_radius, before and after the search has moved them.
template <class T, int N, int Outputs>
ModeTest<T, N> test_modes(const Matrix<T, N>& a, const Matrix<T, Outputs, N>& c, T period, T least_radius) noexcept {
  const T lost = T(1e3) * std::numeric_limits<T>::epsilon();
  // Eigenvalues that coincide are found with the root of the rounding only.
  const T found_within = T(10) * std::cbrt(std::numeric_limits<T>::epsilon());
  const ModeSearch<T, N, Outputs> search(a, c);
  ModeTest<T, N> test;
  for (const std::complex<T>& start : search.starts()) {
    if (start.imag() < T(0) || std::abs(T(1) + start) < least_radius - found_within) continue;
    const auto near = search.nearest(start);
    if (!(near.distance < test.margin)) continue;
    if (std::abs(T(1) + near.change) < least_radius - lost) continue;
    test.margin = near.distance;
    test.pole = T(1) + near.change;
    near.direction.cwiseAbs().maxCoeff(&test.state);
  }
  test.mode = mode_of<T>(test.pole, period);
  test.passed = test.margin > lost;
  return test;
}

}  // namespace observability_detail

template <class T, int N, int Outputs>
ModeTest<T, N> test_observability(const Matrix<T, N>& a, const Matrix<T, Outputs, N>& c, T period) noexcept {
  return observability_detail::test_modes<T, N, Outputs>(a, c, period, T(0));
}

template <class T, int N, int Outputs>
ModeTest<T, N> test_detectability(const Matrix<T, N>& a, const Matrix<T, Outputs, N>& c, T period) noexcept {
  return observability_detail::test_modes<T, N, Outputs>(a, c, period, T(1));
}

}  // namespace tauhat
