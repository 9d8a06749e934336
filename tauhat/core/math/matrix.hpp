// Fixed-size vectors and matrices, and the padded layout of covariances.
//
// A column of 5 or 7 doubles does not fill vector registers. Padded to a multiple of their width, with zeros, every
// column operation is a few whole registers, and no element is handled alone.
#pragma once

#include <Eigen/Core>

namespace tauhat {

template <class T, int N>
using Vector = Eigen::Matrix<T, N, 1>;

template <class T, int Rows, int Columns = Rows>
using Matrix = Eigen::Matrix<T, Rows, Columns>;

// Rows of a padded column: 4 or a multiple of what a 32-byte register holds; other scalars are not padded.
template <class T, int N>
constexpr int padded_rows() {
  if constexpr (!std::is_floating_point_v<T>) {
    return N;
  } else {
    constexpr int kRegister = 32 / static_cast<int>(sizeof(T));
    return N <= 4 ? 4 : (N + kRegister - 1) / kRegister * kRegister;
  }
}

// The upper N rows are the matrix, the rest are zeros.
template <class T, int N, int Columns = N>
using PaddedMatrix = Eigen::Matrix<T, padded_rows<T, N>(), Columns>;

template <class T, int N>
using PaddedVector = Eigen::Matrix<T, padded_rows<T, N>(), 1>;

// product = left * right, column by column: each is a sum of whole columns of `left`.
template <int N, class Left, class Right, class Product>
inline void multiply_columns(const Left& left, const Right& right, Product& product) noexcept {
  for (int j = 0; j < N; ++j) {
    auto column = (left.col(0) * right(0, j)).eval();
    for (int k = 1; k < N; ++k) column += left.col(k) * right(k, j);
    product.col(j) = column;
  }
}

// product = left * right^T.
template <int N, class Left, class Right, class Product>
inline void multiply_columns_transposed(const Left& left, const Right& right, Product& product) noexcept {
  for (int j = 0; j < N; ++j) {
    auto column = (left.col(0) * right(j, 0)).eval();
    for (int k = 1; k < N; ++k) column += left.col(k) * right(j, k);
    product.col(j) = column;
  }
}

}  // namespace tauhat
