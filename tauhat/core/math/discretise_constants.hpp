// Exact discretisation of a model whose last states are constants, as parameters that are estimated along are:
//   x' = A x + B c + w,   c' = 0:    x(h) = E x + F B c,   E = exp(A h),   F = integral_0^h exp(A s) ds
// E and F stand in the first rows of the exponential of [A I; 0 0] h: small products, where those of all states would
// be of zeros. The noise is that of the moving states alone. Constants that drift are left to discretise().
#pragma once

#include "tauhat/core/math/discretise.hpp"

namespace tauhat {

template <int Moving, class T, int N>
Discrete<T, N> discretise_with_constants(const Matrix<T, N>& a, const Vector<T, N>& q, T interval) noexcept {
  constexpr int kConstant = N - Moving;
  if constexpr (kConstant == 0) {
    return discretise<T, N>(a, q, interval);
  } else {
    if ((q.template tail<kConstant>().array() != T(0)).any()) return discretise<T, N>(a, q, interval);
    Matrix<T, 2 * Moving> with_integral = Matrix<T, 2 * Moving>::Zero();
    with_integral.template topLeftCorner<Moving, Moving>() = a.template topLeftCorner<Moving, Moving>();
    with_integral.template topRightCorner<Moving, Moving>().setIdentity();
    const Matrix<T, 2 * Moving> held = transition_over<T, 2 * Moving>(with_integral, interval);
    const Matrix<T, Moving> moving = a.template topLeftCorner<Moving, Moving>();
    const Discrete<T, Moving> alone = discretise<T, Moving>(moving, q.template head<Moving>(), interval);
    Discrete<T, N> result;
    result.transition.diagonal().setOnes();
    result.transition.template topLeftCorner<Moving, Moving>() = held.template topLeftCorner<Moving, Moving>();
    result.transition.template block<Moving, kConstant>(0, Moving) =
        held.template topRightCorner<Moving, Moving>() * a.template topRightCorner<Moving, kConstant>();
    result.noise.template topLeftCorner<Moving, Moving>() = alone.noise.template topRows<Moving>();
    return result;
  }
}

}  // namespace tauhat
