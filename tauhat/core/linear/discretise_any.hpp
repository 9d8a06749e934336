// exp(A h) and the noise of a step for models whose size is known at run time: the series and the doublings of
// math/discretise.hpp, whose padding needs the size.
#pragma once

#include "tauhat/core/linear/sizes.hpp"
#include "tauhat/core/math/discretise.hpp"

namespace tauhat {

template <class T>
struct DiscreteOfAnySize {
  Matrix<T, Eigen::Dynamic> transition, noise;
};

// q is a symmetric spectral density; without it there is no noise.
template <class T>
DiscreteOfAnySize<T> discretise_any(const Matrix<T, Eigen::Dynamic>& a, const Matrix<T, Eigen::Dynamic>* q,
                                    T interval) noexcept {
  using Any = Matrix<T, Eigen::Dynamic>;
  using discretise_detail::kInverseFactorial;
  constexpr int kDegree = static_cast<int>(3 * discretise_detail::kGroupsOfThree<T>) - 1;
  // |x| <= 1/4 on the short interval, by the largest row sum.
  const T norm = (a * interval).cwiseAbs().rowwise().sum().maxCoeff();
  const int exponent = norm > T(0) && std::isfinite(norm) ? std::ilogb(norm) + 1 : 0;
  const int doublings = std::clamp(2 + exponent, 0, discretise_detail::kMaxDoublings);
  const T step = std::ldexp(interval, -doublings);
  const Any x = a * step, identity = identity_like<T, Eigen::Dynamic>(a);
  DiscreteOfAnySize<T> result;
  // exp(x) = sum x^j / j!, by Horner's rule.
  result.transition = identity * kInverseFactorial<T>[kDegree];
  for (int j = kDegree - 1; j >= 0; --j)
    result.transition = (x * result.transition + identity * kInverseFactorial<T>[static_cast<std::size_t>(j)]).eval();
  if (q != nullptr) {  // Qd = sum_j h^(j+1)/(j+1)! L^j(q),   L(X) = A X + X A^T
    Any term = *q * step;
    result.noise = term;
    for (int j = 1; j <= discretise_detail::kNoiseOrder<T>; ++j) {
      const Any product = x * term;
      term = (product + product.transpose()) / static_cast<T>(j + 1);
      result.noise += term;
    }
  }
  for (int i = 0; i < doublings; ++i) {
    if (q != nullptr) {
      const Any moved = result.transition * result.noise * result.transition.transpose();
      result.noise += (moved + moved.transpose()) / T(2);
    }
    result.transition = (result.transition * result.transition).eval();
  }
  return result;
}

}  // namespace tauhat
