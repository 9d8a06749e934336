// Fixed-size vectors and matrices, and the padded layout of covariances.
//
// A column of 5 or 7 doubles does not fill vector registers. Padded to a multiple of their width, with zeros, every
// column operation is a few whole registers, and no element is handled alone.
#pragma once

#include <Eigen/Core>

#include <algorithm>
#include <utility>

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

// Columns of a product that grow together: each column of `left` is read once for all of them, and their sums do not wait
// for each other.
inline constexpr int kColumnsTogether = 4;

// The side of the square tiles that transposition works with: a register's width.
template <class T, int N>
inline constexpr int kTile = std::min(padded_rows<T, N>(), std::is_floating_point_v<T> ? 32 / static_cast<int>(sizeof(T)) : N);

// product = left * right, column by column: each is a sum of whole columns of `left`.
template <int N, int First = 0, class Left, class Right, class Product>
inline void multiply_columns(const Left& left, const Right& right, Product& product) noexcept {
  constexpr int kCount = std::min(kColumnsTogether, N - First);
  Matrix<typename Left::Scalar, Left::RowsAtCompileTime, kCount> sum, odd;
#if defined(SPLIT) && NN==4
  for (int j = 0; j < kCount; ++j) {sum.col(j) = left.col(0) * right(0, First + j);  odd.col(j) = left.col(1) * right(1, First + j); }
  for (int k = 2; k < N; k+=2) {
    for (int j = 0; j < kCount; ++j) { sum.col(j) += left.col(k) * right(k, First + j);
     if(k+1<N) odd.col(j) += left.col(k+1) * right(k+1, First + j); }
  }
  product.template middleCols<kCount>(First) = sum+odd;
#else
  for (int j = 0; j < kCount; ++j) sum.col(j) = left.col(0) * right(0, First + j);
  for (int k = 1; k < N; ++k) {
    for (int j = 0; j < kCount; ++j) sum.col(j) += left.col(k) * right(k, First + j);
  }
  product.template middleCols<kCount>(First) = sum;
#endif
  if constexpr (First + kCount < N) multiply_columns<N, First + kCount>(left, right, product);
}

// product = left * right^T.
template <int N, class Left, class Right, class Product>
inline void multiply_columns_transposed(const Left& left, const Right& right, Product& product) noexcept {
  multiply_columns<N>(left, right.template topRows<N>().transpose(), product);
}

// sum += left * right^T where the result is known to be symmetric: only tiles on and below the diagonal.
template <int N, int First = 0, class T, int Rows>
inline void add_symmetric_product(const Eigen::Matrix<T, Rows, N>& left, const Eigen::Matrix<T, Rows, N>& right,
                                  Eigen::Matrix<T, Rows, N>& result) noexcept {
  constexpr int kCount = std::min(kColumnsTogether, N - First), kTop = First / kTile<T, N> * kTile<T, N>;
  Matrix<T, Rows - kTop, kCount> sum = result.template block<Rows - kTop, kCount>(kTop, First);
#if defined(SPLIT) && NN==4
  Matrix<T, Rows - kTop, kCount> odd;
  for (int j = 0; j < kCount; ++j) odd.col(j) = left.col(0).template tail<Rows - kTop>() * right(First + j, 0);
  for (int k = 1; k < N; k+=2) {
    for (int j = 0; j < kCount; ++j) { sum.col(j) += left.col(k).template tail<Rows - kTop>() * right(First + j, k);
     if(k+1<N) odd.col(j) += left.col(k+1).template tail<Rows - kTop>() * right(First + j, k+1); }
  }
  sum+=odd;
#else
  for (int k = 0; k < N; ++k) {
    for (int j = 0; j < kCount; ++j) sum.col(j) += left.col(k).template tail<Rows - kTop>() * right(First + j, k);
  }
#endif
  result.template block<Rows - kTop, kCount>(kTop, First) = sum;
  if constexpr (First + kCount < N) add_symmetric_product<N, First + kCount>(left, right, result);
}

// sum += left * right^T where the result is known to be symmetric: only tiles on and below the diagonal.
template <int N, int First = 0, class T, int Rows>
inline void add_symmetric_product2(const Eigen::Matrix<T, Rows, N>& left, const Eigen::Matrix<T, Rows, N>& right,
                                  Eigen::Matrix<T, Rows, N>& result) noexcept {
  constexpr int kCount = std::min(kColumnsTogether, N - First), kTop = First / kTile<T, N> * kTile<T, N>;
  Matrix<T, Rows - kTop, kCount> sum = result.template block<Rows - kTop, kCount>(kTop, First);
#if defined(SPLIT) && NN==4
  Matrix<T, Rows - kTop, kCount> odd;
  for (int j = 0; j < kCount; ++j) odd.col(j) = left.col(0).template tail<Rows - kTop>() * right(0, First + j);
  for (int k = 1; k < N; k+=2) {
    for (int j = 0; j < kCount; ++j) { sum.col(j) += left.col(k).template tail<Rows - kTop>() * right(k, First + j);
     if(k+1<N) odd.col(j) += left.col(k+1).template tail<Rows - kTop>() * right(k+1, First + j); }
  }
  sum+=odd;
#else
  for (int k = 0; k < N; ++k) {
    for (int j = 0; j < kCount; ++j) sum.col(j) += left.col(k).template tail<Rows - kTop>() * right(k, First + j);
  }
#endif
  result.template block<Rows - kTop, kCount>(kTop, First) = sum;
  if constexpr (First + kCount < N) add_symmetric_product2<N, First + kCount>(left, right, result);
}

// p -= a b^T + c a^T.
template <int N, int First = 0, class T, int Rows>
inline void subtract_lower(const Eigen::Matrix<T, Rows, 1>& a, const Eigen::Matrix<T, Rows, 1>& b, const Eigen::Matrix<T, Rows, 1>& c, Eigen::Matrix<T, Rows, N>& p, int sel) noexcept {
  constexpr int kCount = std::min(kTile<T, N>, N - First), kLow = Rows - First;
  for (int j = First; j < First + kCount; ++j) {
    p.col(j).template tail<kLow>() -= a.template tail<kLow>() * p(sel,j) ;
    p.col(j).template tail<kLow>() -= c.template tail<kLow>() * a[j];
  }
  if constexpr (First + kCount < N) subtract_lower<N, First + kCount>(a, b, c, p, sel);
}

// One tile of the transpose. Element by element, each copy would go through memory alone, and the whole-column loads that
// follow would wait for it.
template <int N, class T, int Rows>
inline Matrix<T, kTile<T, N>> transposed_tile(const Eigen::Matrix<T, Rows, N>& p, int row, int column) noexcept {
  Matrix<T, kTile<T, N>> tile;
  for (int k = 0; k < kTile<T, N>; ++k) {
    if (column + k < N) {
      tile.col(k) = p.col(column + k).template segment<kTile<T, N>>(row);
    } else {
      tile.col(k).setZero();
    }
  }
  tile.transposeInPlace();
  return tile;
}

template <int N, class T, int Rows>
inline Eigen::Matrix<T, Rows, N> transposed(const Eigen::Matrix<T, Rows, N>& p) noexcept {
  Eigen::Matrix<T, Rows, N> result;
  for (int row = 0; row < Rows; row += kTile<T, N>) {
    for (int column = 0; column < N; column += kTile<T, N>) {
      const auto tile = transposed_tile<N>(p, row, column);
      for (int k = 0; k < std::min(kTile<T, N>, N - row); ++k) {
        result.col(row + k).template segment<kTile<T, N>>(column) = tile.col(k);
      }
    }
  }
  return result;
}

// The tiles above the diagonal become the transposes of those below; those on it, the mean of themselves and theirs.
template <int N, class T, int Rows>
inline void mirror_lower(Eigen::Matrix<T, Rows, N>& p) noexcept {
  for (int column = 0; column < N; column += kTile<T, N>) {
    for (int row = column; row < Rows; row += kTile<T, N>) {
      const auto tile = transposed_tile<N>(p, row, column);
      for (int k = 0; k < std::min(kTile<T, N>, N - row); ++k) {
        auto target = p.col(row + k).template segment<kTile<T, N>>(column);
        if (row == column) {
          target = (target + tile.col(k)) * T(0.5);
        } else {
          target = tile.col(k);
        }
      }
    }
  }
}

// The tiles above the diagonal become the transposes of those below; those on it, the mean of themselves and theirs.
template <int N, class T, int Rows>
inline void mirror_off(Eigen::Matrix<T, Rows, N>& p) noexcept {
  for (int column = 0; column < N; column += kTile<T, N>) {
    for (int row = column + kTile<T,N>; row < Rows; row += kTile<T, N>) {
      const auto tile = transposed_tile<N>(p, row, column);
      for (int k = 0; k < std::min(kTile<T, N>, N - row); ++k) {
        auto target = p.col(row + k).template segment<kTile<T, N>>(column);
          target = tile.col(k);
      }
    }
  }
}

}  // namespace tauhat
