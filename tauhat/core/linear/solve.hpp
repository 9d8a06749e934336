// W^-1 B by elimination with the largest pivot of each column, on whole columns of fixed size. (Eigen's solver for
// matrices is made for large ones: it brings an allocator along, which firmware has not.)
#pragma once

#include <cmath>

#include "tauhat/core/linear/sizes.hpp"

namespace tauhat {

// Not finite where W is singular.
template <class T, int N, int Columns>
Matrix<T, N, Columns> solve(Matrix<T, N> w, Matrix<T, N, Columns> b) noexcept {
  using std::abs;
  const int size = rows_of(w), columns = columns_of(b);
  for (int k = 0; k < size; ++k) {
    int pivot = k;
    for (int i = k + 1; i < size; ++i) {
      if (abs(w(i, k)) > abs(w(pivot, k))) pivot = i;
    }
    if (pivot != k) w.row(k).swap(w.row(pivot)), b.row(k).swap(b.row(pivot));
    Vector<T, N> below = w.col(k) / w(k, k);
    for (int i = 0; i <= k; ++i) below[i] = T(0);
    for (int j = k + 1; j < size; ++j) w.col(j) -= below * w(k, j);
    for (int j = 0; j < columns; ++j) b.col(j) -= below * b(k, j);
  }
  Matrix<T, N, Columns> solution(size, columns);
  for (int k = size - 1; k >= 0; --k) {
    const T by_pivot = T(1) / w(k, k);
    Vector<T, N> above = w.col(k);
    for (int i = k; i < size; ++i) above[i] = T(0);
    for (int j = 0; j < columns; ++j) {
      solution(k, j) = b(k, j) * by_pivot;
      b.col(j) -= above * solution(k, j);
    }
  }
  return solution;
}

template <class T, int N>
Matrix<T, N> inverse(const Matrix<T, N>& w) noexcept {
  return solve<T, N, N>(w, identity_like<T, N>(w));
}

}  // namespace tauhat
