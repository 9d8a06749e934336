// Solid friction that falls exponentially with speed (Shimizu et al., f = theta1 exp(-theta2 |v|) + theta3).
//   tau_f(w) = (coulomb + excess exp(-decay |w|)) sign(w) + viscous * w
// The sign is tanh(w / width), or hard where the width is 0.
#pragma once

#include <cmath>
#include <string_view>

#include "tauhat/core/friction/friction_law.hpp"
#include "tauhat/core/math/autodiff.hpp"
#include "tauhat/core/parameter.hpp"

namespace tauhat {

template <class T>
struct Exponential {
  using Scalar = T;
  static constexpr std::string_view kName = "exponential";
  static constexpr bool kOdd = true;
  T coulomb = T(0), excess = T(0), decay = T(10), viscous = T(0), width = T(0);

  template <class S>
  Exponential<S> cast() const {
    return with_scalar<Exponential<S>>(*this);
  }

  T torque(const T& velocity) const {
    return (coulomb + excess_at(velocity)) * smooth_sign(velocity, width).value + viscous * velocity;
  }

  TorqueAndSlope<T> torque_and_slope(const T& velocity) const {
    using std::abs;
    const T left = excess_at(velocity);
    const SignAndSlope<T> sign = smooth_sign(velocity, width);
    const T slope = (coulomb + left) * sign.slope - decay * left * abs(sign.value);
    return {(coulomb + left) * sign.value + viscous * velocity, slope + viscous};
  }

  // Smoothed, the falling part is the smaller one: decay |w| exp(-decay |w|) <= 1/e. A jump is not counted.
  T steepest_slope() const {
    return width > T(0) ? T((coulomb + excess) / width + viscous) : T(decay * excess + viscous);
  }

  template <class Self, class Visitor>
  static void visit_parameters(Self& self, Visitor&& visit, std::string_view group = "friction") {
    visit_weakening_parameters(self, visit, group);
  }

 private:
  T excess_at(const T& velocity) const {
    using std::abs, std::exp;
    const T speed = abs(velocity);
    return excess * exp(T(-decay * speed));
  }
};

}  // namespace tauhat
