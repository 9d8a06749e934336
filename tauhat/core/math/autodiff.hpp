// Automatic differentiation of models: Eigen's forward mode with a fixed number of directions, no heap.
#pragma once

#include <Eigen/Core>
#include <unsupported/Eigen/AutoDiff>

#include <cmath>
#include <type_traits>

namespace tauhat {

// A value that carries its derivative in N directions.
template <class T, int N>
using Dual = Eigen::AutoDiffScalar<Eigen::Matrix<T, N, 1>>;

// A number of the formula itself, such as 2/pi, in the model's scalar type.
template <class T>
T constant(double value) {
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(value);
  } else {
    return T(static_cast<typename T::Scalar>(value));
  }
}

// The number without derivatives.
template <class T>
constexpr const T& plain(const T& value) noexcept {
  return value;
}
template <class Derivative>
const auto& plain(const Eigen::AutoDiffScalar<Derivative>& value) noexcept {
  return value.value();
}

// Seeds x with the directions first, first + 1, ...: afterwards derivatives() holds d(.)/dx.
template <class D, class X>
Eigen::Matrix<D, X::RowsAtCompileTime, 1> seeded(const X& x, int first = 0) {
  Eigen::Matrix<D, X::RowsAtCompileTime, 1> dual;
  for (int i = 0; i < x.size(); ++i) {
    dual[i].value() = x[i];
    dual[i].derivatives().setZero();
    dual[i].derivatives()[first + i] = 1;
  }
  return dual;
}

}  // namespace tauhat

namespace Eigen {

// Eigen differentiates atan2 but not atan.
template <class Derivative>
auto atan(const AutoDiffScalar<Derivative>& x) {
  using T = typename internal::traits<typename internal::remove_all<Derivative>::type>::Scalar;
  using std::atan;
  using Result = AutoDiffScalar<typename internal::remove_all<Derivative>::type::PlainObject>;
  return Result(atan(x.value()), (x.derivatives() * (T(1) / (T(1) + x.value() * x.value()))).eval());
}

}  // namespace Eigen
