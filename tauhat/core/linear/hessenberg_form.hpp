// A model with one output in the coordinates in which its observer can be read off: scales D, then a rotation Q, with
//   Q^T (D^-1 (A - I) D)^T Q = H, upper Hessenberg,    Q^T (C D)^T = c e_1
// (the dual of the controller Hessenberg form). The output is seen by the first coordinate, and each next one only by
// the one before it, through the subdiagonal b: the model is observable where c and no b are zero.
#pragma once

#include <algorithm>

#include "tauhat/core/linear/balance.hpp"
#include "tauhat/core/linear/hessenberg.hpp"

namespace tauhat {

template <class T, int N>
struct HessenbergForm {
  Vector<T, N> scales;    // the diagonal of D
  Matrix<T, N> rotation;  // Q
  Matrix<T, N> dynamics;  // H
  T output;               // c
  T weakest_link;         // the least |b| over the norm of H; zero where c is
};

template <class T, int N>
HessenbergForm<T, N> hessenberg_form(const Matrix<T, N>& a, const Matrix<T, 1, N>& c) noexcept {
  const Matrix<T, N> change = a - Matrix<T, N>::Identity();
  HessenbergForm<T, N> form;
  form.scales = balancing_scales<T, N>(change);
  const Vector<T, N> seen = form.scales.cwiseProduct(c.transpose());
  const Reflection<T, N> onto_first = reflection_onto<T, N>(seen, 0);
  form.output = onto_first.factor > T(0) ? -std::copysign(seen.norm(), seen[0]) : T(0);
  form.rotation.setIdentity();
  form.dynamics = scaled<T, N>(change, form.scales).transpose();
  onto_first.from_left(form.dynamics), onto_first.from_right(form.dynamics), onto_first.from_right(form.rotation);
  reduce_to_hessenberg<T, N>(form.dynamics, &form.rotation);
  const T norm = form.dynamics.norm();
  form.weakest_link = form.output != T(0) && norm > T(0) ? T(1) : T(0);
  for (int i = 0; i + 1 < N && form.weakest_link > T(0); ++i) {
    form.weakest_link = std::min(form.weakest_link, std::abs(form.dynamics(i + 1, i)) / norm);
  }
  return form;
}

}  // namespace tauhat
