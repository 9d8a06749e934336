// Fixed-size vectors and matrices, and the padded layout of covariances.
//
// A column of 5 or 7 doubles does not fill vector registers. Padded to a multiple of their width, with zeros,
// every column operation is a few whole registers, and no element is handled alone.
#pragma once

#include <Eigen/Core>

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>

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

template <class T, int N, class M>
inline auto padded(const Eigen::MatrixBase<M>& matrix) noexcept {
  constexpr int kColumns = M::ColsAtCompileTime;
  PaddedMatrix<T, N, kColumns> result = PaddedMatrix<T, N, kColumns>::Zero();
  result.template topRows<N>() = matrix;
  return result;
}

// The side of the square tiles that a padded matrix is transposed by: what one register holds.
template <class T, int N>
inline constexpr int kTile =
    std::is_floating_point_v<T> ? std::min(padded_rows<T, N>(), 32 / static_cast<int>(sizeof(T))) : padded_rows<T, N>();

namespace matrix_detail {

// Columns First, First + 1, ... of start + left * c, from row Top down; c(k, j) are the coefficients.
// Four columns grow together: each column of `left` is read once for all of them, and their sums do not wait
// for each other. Where there are four columns only, each sum is split in two for the same reason.
template <int N, int First, int Count, int Top, class T, int Rows, class Start, class Coefficients>
inline void grow_columns(const Start& start, const Eigen::Matrix<T, Rows, N>& left, const Coefficients& c,
                         Eigen::Matrix<T, Rows, N>& result) noexcept {
  constexpr int kHeight = Rows - Top, kParts = N <= 4 ? std::min(2, N) : 1;
  std::array<Matrix<T, kHeight, Count>, kParts> sum;
  sum[0] = start.template block<kHeight, Count>(Top, First);
  if constexpr (kParts == 2) sum[1].setZero();
  for (int k = 0; k < N; ++k) {
    auto& part = sum[static_cast<std::size_t>(k % kParts)];
    for (int j = 0; j < Count; ++j) part.col(j) += left.col(k).template tail<kHeight>() * c(k, First + j);
  }
  if constexpr (kParts == 2) sum[0] += sum[1];
  result.template block<kHeight, Count>(Top, First) = sum[0];
}

// The first Columns columns of start + left * c.
template <int N, int Columns, int First = 0, class T, int Rows, class Start, class Coefficients>
inline void multiply_from(const Start& start, const Eigen::Matrix<T, Rows, N>& left, const Coefficients& c,
                          Eigen::Matrix<T, Rows, N>& result) noexcept {
  grow_columns<N, First, std::min(4, Columns - First), 0>(start, left, c, result);
  if constexpr (First + 4 < Columns) multiply_from<N, Columns, First + 4>(start, left, c, result);
}

// The same, tiles on and below the diagonal only.
template <int N, int Columns, int First = 0, class T, int Rows, class Start, class Coefficients>
inline void lower_from(const Start& start, const Eigen::Matrix<T, Rows, N>& left, const Coefficients& c,
                       Eigen::Matrix<T, Rows, N>& result) noexcept {
  constexpr int kTop = First / kTile<T, N> * kTile<T, N>;
  grow_columns<N, First, std::min(4, Columns - First), kTop>(start, left, c, result);
  if constexpr (First + 4 < Columns) lower_from<N, Columns, First + 4>(start, left, c, result);
}

// The tile at (row, column), transposed in registers. Element by element, each copy would go through memory
// alone, and the whole-column loads that follow would wait for it.
template <class T, int Rows, int N>
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

// The first `count` elements of one column, the others of another. As one selection between registers: columns that are
// stored in pieces could not be loaded whole for some time.
template <class T, int Side>
inline Vector<T, Side> joined(const Vector<T, Side>& head, const Vector<T, Side>& tail, int count) noexcept {
  Vector<T, Side> result;
#if defined(__GNUC__)
  if constexpr (std::is_floating_point_v<T>) {
    using Packet [[gnu::vector_size(sizeof(T) * Side)]] = T;
    Packet a, b;
    std::memcpy(&a, head.data(), sizeof a);
    std::memcpy(&b, tail.data(), sizeof b);
    decltype(a < b) from_head{};
    for (int i = 0; i < Side; ++i) from_head[i] = i < count ? -1 : 0;
    const Packet selected = from_head ? a : b;
    std::memcpy(result.data(), &selected, sizeof selected);
    return result;
  }
#endif
  for (int i = 0; i < Side; ++i) result[i] = i < count ? head[i] : tail[i];
  return result;
}

// start - a * b, by fused operations where the machine has them: whether the compiler fuses an expression depends on
// what else it does with the product, and two elements that are to be equal would not be.
template <class T, int Side>
inline Vector<T, Side> minus_product(const Vector<T, Side>& start, const Vector<T, Side>& a, T b) noexcept {
  if constexpr (std::is_floating_point_v<T>) {
    using namespace Eigen::internal;
    using Packet = typename find_best_packet<T, Side>::type;
    Vector<T, Side> result;
    for (int i = 0; i < Side; i += unpacket_traits<Packet>::size) {
      const Packet factor = pnegate(ploadu<Packet>(a.data() + i)), from = ploadu<Packet>(start.data() + i);
      pstoreu(result.data() + i, pmadd(factor, pset1<Packet>(b), from));
    }
    return result;
  } else {
    return start - a * b;
  }
}

// Rows from First on of column j of p - a b^T - c a^T, where that is symmetric: above the diagonal by the element below
// it, whose products are the same numbers in the other order.
template <int First, class T, int Rows, int N>
inline void subtract_from_column(const Vector<T, Rows>& a, const Vector<T, Rows>& b, const Vector<T, Rows>& c, int j,
                                 Eigen::Matrix<T, Rows, N>& p) noexcept {
  constexpr int kSide = kTile<T, N>;
  using Piece = Vector<T, kSide>;
  const auto piece = [](const auto& whole) { return Piece(whole.template segment<kSide>(First)); };
  const Piece before = piece(p.col(j));
  const Piece above = minus_product<T, kSide>(minus_product<T, kSide>(before, piece(b), a[j]), piece(a), c[j]);
  const Piece below = minus_product<T, kSide>(minus_product<T, kSide>(before, piece(a), b[j]), piece(c), a[j]);
  auto column = p.col(j).template segment<kSide>(First);
  if (j >= First + kSide) {
    column = above;
  } else if (j < First) {
    column = below;
  } else {
    column = joined<T, kSide>(above, below, j - First);
  }
  if constexpr (First + kSide < Rows) subtract_from_column<First + kSide>(a, b, c, j, p);
}

}  // namespace matrix_detail

// left * right.
template <class T, int Rows, int N>
inline Eigen::Matrix<T, Rows, N> multiply(const Eigen::Matrix<T, Rows, N>& left,
                                          const Eigen::Matrix<T, Rows, N>& right) noexcept {
  Eigen::Matrix<T, Rows, N> product;
  const auto elements = [&](int k, int j) { return right(k, j); };
  matrix_detail::multiply_from<N, N>(Eigen::Matrix<T, Rows, N>::Zero(), left, elements, product);
  return product;
}

// left * right + start.
template <class T, int Rows, int N>
inline Eigen::Matrix<T, Rows, N> multiply_add(const Eigen::Matrix<T, Rows, N>& left,
                                              const Eigen::Matrix<T, Rows, N>& right,
                                              const Eigen::Matrix<T, Rows, N>& start) noexcept {
  Eigen::Matrix<T, Rows, N> result;
  const auto elements = [&](int k, int j) { return right(k, j); };
  matrix_detail::multiply_from<N, N>(start, left, elements, result);
  return result;
}

template <class T, int Rows, int N>
inline Eigen::Matrix<T, Rows, N> transposed(const Eigen::Matrix<T, Rows, N>& p) noexcept {
  Eigen::Matrix<T, Rows, N> result;
  for (int row = 0; row < Rows; row += kTile<T, N>) {
    for (int column = 0; column < N; column += kTile<T, N>) {
      const auto tile = matrix_detail::transposed_tile(p, row, column);
      for (int k = 0; k < std::min(kTile<T, N>, N - row); ++k) {
        result.col(row + k).template segment<kTile<T, N>>(column) = tile.col(k);
      }
    }
  }
  return result;
}

// A symmetric matrix from its tiles on and below the diagonal, to the last bit: what stands above the diagonal is
// copied from below it.
template <class T, int Rows, int N>
inline void mirror_lower(const Eigen::Matrix<T, Rows, N>& lower, Eigen::Matrix<T, Rows, N>& p) noexcept {
  constexpr int kSide = kTile<T, N>;
  for (int column = 0; column < N; column += kSide) {
    for (int row = column; row < Rows; row += kSide) {
      const auto tile = matrix_detail::transposed_tile(lower, row, column);
      for (int k = 0; k < std::min(kSide, N - row); ++k) {
        auto above = p.col(row + k).template segment<kSide>(column);
        if (row == column) {
          above = matrix_detail::joined<T, kSide>(tile.col(k), lower.col(row + k).template segment<kSide>(column), k);
        } else {
          above = tile.col(k);
        }
      }
      if (row == column || &lower == &p) continue;
      for (int k = column; k < std::min(column + kSide, N); ++k) {
        p.col(k).template segment<kSide>(row) = lower.col(k).template segment<kSide>(row);
      }
    }
  }
}

// p -= a b^T + c a^T where p is symmetric, and the result known to be; it is, to the last bit.
template <class T, int Rows, int N>
inline void subtract_symmetric(const Vector<T, Rows>& a, const Vector<T, Rows>& b, const Vector<T, Rows>& c,
                               Eigen::Matrix<T, Rows, N>& p) noexcept {
  for (int j = 0; j < N; ++j) matrix_detail::subtract_from_column<0>(a, b, c, j, p);
}

namespace matrix_detail {

// start + c^T p c, p and start symmetric, with the coefficients c(k, j), of which the columns from Moving on
// are the identity's: (p c)^T c + start, tiles on and below the diagonal.
template <int Moving, class T, int Rows, int N, class Start, class Coefficients>
inline Eigen::Matrix<T, Rows, N> transformed(const Coefficients& c, const Start& start,
                                             const Eigen::Matrix<T, Rows, N>& p) noexcept {
  constexpr int kStill = N - Moving;
  Eigen::Matrix<T, Rows, N> product, lower;
  multiply_from<N, Moving>(Eigen::Matrix<T, Rows, N>::Zero(), p, c, product);
  if constexpr (kStill > 0) product.template rightCols<kStill>() = p.template rightCols<kStill>();
  const Eigen::Matrix<T, Rows, N> left = transposed(product);
  lower_from<N, Moving>(start, left, c, lower);
  if constexpr (kStill > 0) {
    lower.template rightCols<kStill>() = start.template rightCols<kStill>() + left.template rightCols<kStill>();
  }
  return lower;
}

}  // namespace matrix_detail

// f p f^T + start, p and start symmetric: its tiles on and below the diagonal. The rows of f from Moving on
// are the identity's: states that stay what they are. f is read by single elements, as a model has often just
// written it: loads of whole columns would wait until it is in the cache.
template <int Moving, class T, int Rows, int N>
inline Eigen::Matrix<T, Rows, N> lower_covariance(const Eigen::Matrix<T, Rows, N>& f,
                                                  const Eigen::Matrix<T, Rows, N>& p,
                                                  const Eigen::Matrix<T, Rows, N>& start) noexcept {
  return matrix_detail::transformed<Moving>([&](int k, int j) { return f(j, k); }, start, p);
}

// f^T p f, p symmetric: its tiles on and below the diagonal.
template <class T, int Rows, int N>
inline Eigen::Matrix<T, Rows, N> lower_information(const Eigen::Matrix<T, Rows, N>& f,
                                                   const Eigen::Matrix<T, Rows, N>& p) noexcept {
  const auto elements = [&](int k, int j) { return f(k, j); };
  return matrix_detail::transformed<N>(elements, Eigen::Matrix<T, Rows, N>::Zero(), p);
}

}  // namespace tauhat
