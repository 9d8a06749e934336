// The gain of an observer x+ = A x + B u + L (y - C x) with one output, such that A - L C has given poles.
//
// Ackermann's formula in Hessenberg coordinates (Datta 1987), with p the wanted polynomial of z - 1:
//   L^T = e_n^T p(H) / (c b_1 ... b_(n-1))
// taken as a row that is multiplied by one real factor of p after the other: neither a power of A, nor the
// coefficients of p, nor the observability matrix (its condition is 1e9 for six states, 8e14 for seven) is formed.
#pragma once

#include "tauhat/core/linear/hessenberg_form.hpp"
#include "tauhat/core/linear/placement.hpp"

namespace tauhat {

namespace pole_placement_detail {

// row <- row p(H), one real pole or one pair at a time, each divided by the links that it reaches through.
template <class T, int N>
Matrix<T, 1, N> polynomial_row(const HessenbergForm<T, N>& form, const Poles<T, N>& poles) noexcept {
  using Row = Matrix<T, 1, N>;
  Row row = Row::Unit(N - 1);
  int reached = N - 1;  // the row's first element that is not zero; the last factor reaches the output
  const auto divide = [&] {
    row /= reached > 0 ? form.dynamics(reached, reached - 1) : form.output;
    --reached;
  };
  for (int i = 0; i < N; ++i) {
    const std::complex<T> pole = poles[i] - T(1);
    if (pole.imag() < T(0)) continue;
    const Row once = row * form.dynamics;
    if (pole.imag() == T(0)) {
      row = once - pole.real() * row;
      divide();
    } else {  // (H^2 - 2 Re(p) H + |p|^2 I)
      const Row twice = once * form.dynamics;
      row = twice - T(2) * pole.real() * once + std::norm(pole) * row;
      divide(), divide();
    }
  }
  return row;
}

}  // namespace pole_placement_detail

template <class T, int N>
PolePlacement<T, N, 1> place_poles(const Matrix<T, N>& a, const Matrix<T, 1, N>& c, const Poles<T, N>& poles) noexcept {
  PolePlacement<T, N, 1> result;
  result.poles = check_poles<T, N>(poles);
  if (!result.poles.fine()) return result.with(PlacementStatus::poles_at_fault);
  if (!a.allFinite() || !c.allFinite()) return result.with(PlacementStatus::model_not_finite);
  const HessenbergForm<T, N> form = hessenberg_form<T, N>(a, c);
  if (!(form.weakest_link > T(N) * std::numeric_limits<T>::epsilon())) {
    return result.with(PlacementStatus::not_observable);
  }
  const Matrix<T, 1, N> row = pole_placement_detail::polynomial_row<T, N>(form, poles);
  result.gain = form.scales.asDiagonal() * (form.rotation * row.transpose());
  return checked_placement<T, N, 1>(a, c, poles, result);
}

}  // namespace tauhat
