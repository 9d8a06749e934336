// The gain of an observer with several outputs, such that A - L C has given poles. There are many: taken is one with
// eigenvectors as orthogonal as they can be, so that errors of the model move the poles least (Kautsky, Nichols and Van
// Dooren 1985, method 0). For the dual F = (A - I)^T, G = C^T = [U0 U1] [Z; 0] in balanced scales:
//   an eigenvector of the pole p lies in S = ker U1^T (F - (p - 1) I), of as many dimensions as there are outputs;
//   each in turn becomes the projection to its S of the direction that all others leave free, until none gains;
//   F - G K = X (P - I) X^-1   gives   K = Z^-1 U0^T (F - X (P - I) X^-1),  L = K^T
// Of a complex pair the second is the first's conjugate, throughout.
#pragma once

#include <vector>

#include "tauhat/core/linear/observability.hpp"
#include "tauhat/core/linear/placement.hpp"
#include "tauhat/core/linear/solve.hpp"

namespace tauhat {

namespace robust_placement_detail {

// x without what lies in the directions of the first `count` columns; twice, so that rounding leaves nothing of it.
template <class Basis, class X>
void remove_directions(const Basis& basis, int count, X&& x) noexcept {
  for (int pass = 0; pass < 2; ++pass)
    for (int k = 0; k < count; ++k) x -= basis.col(k) * basis.col(k).dot(x);
}

// Orthonormal directions that no column of `taken` has a part in, by Gram and Schmidt's process. (Eigen's
// decompositions take a quarter of a minute to compile for complex matrices of any size.)
template <class Complex, int N, int Taken, int Free>
Matrix<Complex, N, Free> free_directions(const Matrix<Complex, N, Taken>& taken, int free) noexcept {
  using Real = typename Eigen::NumTraits<Complex>::Real;
  const int states = rows_of(taken);
  Matrix<Complex, N> basis = Matrix<Complex, N>::Zero(states, states);
  int count = 0;
  const auto add = [&](const Vector<Complex, N>& direction, Real least) {
    Vector<Complex, N> left = direction;
    remove_directions(basis, count, left);
    const Real length = left.norm();
    if (length > least && count < states) basis.col(count++) = left / length;
  };
  for (int j = 0; j < columns_of(taken); ++j)
    add(taken.col(j), std::numeric_limits<Real>::epsilon() * taken.col(j).norm() * Real(states));
  Matrix<Complex, N, Free> found = Matrix<Complex, N, Free>::Zero(states, free);
  for (int k = 0; k < free; ++k) {  // of the axes that which has most of itself left
    int axis = 0;
    basis.rowwise().squaredNorm().minCoeff(&axis);
    const int before = count;
    add(Vector<Complex, N>::Unit(states, axis), Real(0));
    if (count > before) found.col(k) = basis.col(before);
  }
  return found;
}

template <class T, int N, int Outputs>
class Eigenvectors {
 public:
  using Complex = std::complex<T>;
  using Square = Matrix<Complex, N>;
  using Space = Matrix<Complex, N, Outputs>;
  static constexpr int kHidden = kWithout<N, Outputs>;

  // `hidden` is U1: what no output can turn.
  Eigenvectors(const Matrix<T, N>& dynamics, const Matrix<T, N, kHidden>& hidden, const Poles<T, N>& poles) noexcept
      : poles_(poles), states_(rows_of(poles)), partner_(Vector<int, N>::Zero(states_)) {
    if constexpr (N == Eigen::Dynamic) space_.resize(static_cast<std::size_t>(states_));
    find_partners();
    const Square identity = Square::Identity(states_, states_);
    for (int j = 0; j < states_; ++j) {
      const Square shifted = dynamics.template cast<Complex>() - (poles[j] - T(1)) * identity;
      const Matrix<Complex, N, kHidden> taken = shifted.adjoint().lazyProduct(hidden.template cast<Complex>());
      space_[static_cast<std::size_t>(j)] =
          free_directions<Complex, N, kHidden, Outputs>(taken, states_ - columns_of(hidden));
    }
    begin();
  }

  // Real, but for rounding.
  Matrix<T, N> closed_loop() const noexcept {
    const Square turned = best_ * (poles_.array() - Complex(1)).matrix().asDiagonal();
    return turned.lazyProduct(best_inverse_).real();
  }
  T condition() const noexcept { return best_.norm() * best_inverse_.norm(); }

  void improve() noexcept {
    constexpr int kMostSweeps = 30;
    for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
      for (int j = 0; j < states_; ++j) {
        if (poles_[j].imag() >= T(0)) turn(j);
      }
      inverse_ = inverse<Complex, N>(x_);  // the updates' rounding does not add up
      const T before = best_inverse_.norm(), now = inverse_.norm();
      if (!(now < before)) break;
      best_ = x_, best_inverse_ = inverse_;
      if (now > before * T(0.999)) break;
    }
  }

 private:
  // Of equal pairs each has its own second.
  void find_partners() noexcept {
    for (int j = 0; j < states_; ++j) partner_[j] = j;
    for (int j = 0; j < states_; ++j) {
      if (!(poles_[j].imag() > T(0))) continue;
      int nearest = -1;
      for (int k = 0; k < states_; ++k) {
        if (!(poles_[k].imag() < T(0)) || partner_[k] != k) continue;
        const auto distance = [&](int i) { return std::abs(poles_[i] - std::conj(poles_[j])); };
        if (nearest < 0 || distance(k) < distance(nearest)) nearest = k;
      }
      partner_[j] = nearest, partner_[nearest] = j;
    }
  }

  // Any vectors of the spaces that do not depend on each other: those near different axes.
  void begin() noexcept {
    x_ = Square::Zero(states_, states_);
    for (int j = 0; j < states_; ++j) {
      if (poles_[j].imag() < T(0)) continue;
      Vector<Complex, N> towards = Vector<Complex, N>::Constant(states_, T(0.1));
      towards[j] = T(1);
      set(j, projected(j, towards));
    }
    inverse_ = inverse<Complex, N>(x_);
    best_ = x_, best_inverse_ = inverse_;
  }

  Vector<Complex, N> projected(int j, const Vector<Complex, N>& y) const noexcept {
    const Space& space = space_[static_cast<std::size_t>(j)];
    return (space * (space.adjoint() * y)).normalized();
  }
  void set(int j, const Vector<Complex, N>& x) noexcept {
    x_.col(j) = x;
    if (const int other = partner_[j]; other != j) x_.col(other) = x.conjugate();
  }

  // Row j of X^-1 is orthogonal to all columns of X but j.
  void turn(int j) noexcept {
    const Vector<Complex, N> x = projected(j, inverse_.row(j).adjoint());
    if (!x.allFinite()) return;
    replace(j, x);
    if (const int other = partner_[j]; other != j) replace(other, x.conjugate());
  }
  // A column of X and, after Sherman and Morrison, its inverse.
  void replace(int j, const Vector<Complex, N>& x) noexcept {
    const Vector<Complex, N> along = inverse_ * (x - x_.col(j));
    const Complex pivot = Complex(1) + along[j];
    if (!(std::abs(pivot) > std::numeric_limits<T>::epsilon())) return;
    const Matrix<Complex, 1, N> row = inverse_.row(j) / pivot;
    inverse_ -= along * row;
    x_.col(j) = x;
  }

  using Spaces = std::conditional_t<N == Eigen::Dynamic, std::vector<Space>,
                                    std::array<Space, static_cast<std::size_t>(std::max(N, 1))>>;

  Poles<T, N> poles_;
  int states_;
  Vector<int, N> partner_;
  Spaces space_;
  Square x_, inverse_, best_, best_inverse_;
};

}  // namespace robust_placement_detail

template <class T, int N, int Outputs>
PolePlacement<T, N, Outputs> place_poles_robustly(const Matrix<T, N>& a, const Matrix<T, Outputs, N>& c,
                                                  const Poles<T, N>& poles) noexcept {
  static_assert(N == Eigen::Dynamic || (Outputs > 1 && Outputs < N),
                "one output: place_poles(); as many as states: L = (A - P) C^-1");
  const int states = rows_of(a), outputs = rows_of(c);
  const T rounding = T(100 * states) * std::numeric_limits<T>::epsilon();
  PolePlacement<T, N, Outputs> result;
  result.poles = check_poles<T, N>(poles);
  if (!result.poles.fine()) return result.with(PlacementStatus::poles_at_fault);
  if (!a.allFinite() || !c.allFinite()) return result.with(PlacementStatus::model_not_finite);
  if (multiplicity<T, N>(poles, rounding) > outputs) return result.with(PlacementStatus::repeated_too_often);

  const Matrix<T, N> change = a - identity_like<T, N>(a);
  const Vector<T, N> scales = balancing_scales<T, N>(change);
  const Matrix<T, N> dynamics = scaled<T, N>(change, scales).transpose();
  Matrix<T, N, Outputs> z = (c * scales.asDiagonal()).transpose();
  const T size = z.norm();
  Matrix<T, N> u = identity_like<T, N>(a);
  for (int k = 0; k < outputs; ++k) {
    const Reflection<T, N> reflection = reflection_onto<T, N>(z.col(k), k);
    reflection.from_left(z);
    reflection.from_right(u);
    if (!(std::abs(z(k, k)) > rounding * size)) return result.with(PlacementStatus::outputs_dependent);
  }
  if (!test_observability<T, N, Outputs>(a, c, T(1)).passed) return result.with(PlacementStatus::not_observable);

  robust_placement_detail::Eigenvectors<T, N, Outputs> vectors(
      dynamics, u.template rightCols<kWithout<N, Outputs>>(states - outputs), poles);
  vectors.improve();
  result.condition = vectors.condition();
  const Matrix<T, Outputs, N> turned =
      u.template leftCols<Outputs>(outputs).transpose() * (dynamics - vectors.closed_loop());
  const Matrix<T, Outputs, N> dual = solve<T, Outputs, N>(z.template topRows<Outputs>(outputs), turned);
  result.gain = scales.asDiagonal() * dual.transpose();
  return checked_placement<T, N, Outputs>(a, c, poles, result);
}

}  // namespace tauhat
