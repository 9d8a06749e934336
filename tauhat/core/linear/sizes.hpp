// Sizes of a linear model's matrices. The number of states is a template argument where a loop's time counts. It may
// also be Eigen::Dynamic, a number known at run time: one compilation serves every size, and takes its matrices from
// the heap. Designs that run once, offline, use that.
#pragma once

#include "tauhat/core/math/matrix.hpp"

namespace tauhat {

// Of two parts side by side.
template <int First, int Second>
inline constexpr int kTogether = First == Eigen::Dynamic || Second == Eigen::Dynamic ? Eigen::Dynamic : First + Second;

// What a size leaves when a part is taken away.
template <int Whole, int Part>
inline constexpr int kWithout = Whole == Eigen::Dynamic || Part == Eigen::Dynamic ? Eigen::Dynamic : Whole - Part;

// Zeros, or nothing yet where the size is not known.
template <class M>
M cleared() noexcept {
  if constexpr (M::SizeAtCompileTime == Eigen::Dynamic) {
    return M();
  } else {
    return M::Zero();
  }
}

template <class T, int N>
Matrix<T, N> identity_like(const Matrix<T, N>& a) noexcept {
  return Matrix<T, N>::Identity(a.rows(), a.rows());
}

// Eigen counts by a wider integer.
template <class M>
int rows_of(const M& a) noexcept {
  return static_cast<int>(a.rows());
}
template <class M>
int columns_of(const M& a) noexcept {
  return static_cast<int>(a.cols());
}

}  // namespace tauhat
