// Reflections (Householder 1958), and the reduction of a matrix to upper Hessenberg form by them. On whole columns of
// fixed size, zeros included: for the few states of a drive that is quicker than to leave them out.
#pragma once

#include <cmath>

#include "tauhat/core/linear/sizes.hpp"

namespace tauhat {

// I - f v v^T
template <class T, int N>
struct Reflection {
  Vector<T, N> normal = cleared<Vector<T, N>>();
  T factor = T(0);

  template <int Columns>
  void from_left(Matrix<T, N, Columns>& a) const noexcept {
    const Matrix<T, 1, Columns> along = factor * (normal.transpose() * a);
    a.noalias() -= normal * along;
  }
  void from_right(Matrix<T, N>& a) const noexcept {
    const Vector<T, N> along = factor * (a * normal);
    a.noalias() -= along * normal.transpose();
  }
};

// Turns what x has from `first` on into its element `first`.
template <class T, int N>
Reflection<T, N> reflection_onto(const Vector<T, N>& x, int first) noexcept {
  Reflection<T, N> reflection;
  reflection.normal = x;
  reflection.normal.head(first).setZero();
  const T length = reflection.normal.norm();
  if (!(length > T(0))) return reflection;
  reflection.normal[first] += std::copysign(length, x[first]);
  reflection.factor = T(2) / reflection.normal.squaredNorm();
  return reflection;
}

// a <- Q^T a Q with zeros below the first subdiagonal, rotation <- rotation Q. Q leaves the first axis where it is.
template <class T, int N>
void reduce_to_hessenberg(Matrix<T, N>& a, Matrix<T, N>* rotation = nullptr) noexcept {
  const int states = rows_of(a);
  for (int k = 0; k + 2 < states; ++k) {
    const Reflection<T, N> reflection = reflection_onto<T, N>(a.col(k), k + 1);
    reflection.from_left(a);
    reflection.from_right(a);
    if (rotation != nullptr) reflection.from_right(*rotation);
    for (int i = k + 2; i < states; ++i) a(i, k) = T(0);
  }
}

}  // namespace tauhat
