// Solid friction that falls with speed as a hyperbola: slower at speed than the exponential law.
//   tau_f(w) = (coulomb + excess / (1 + decay |w|)) sign(w) + viscous * w
// The sign is tanh(w / width), or hard where the width is 0.
#pragma once

#include <cmath>
#include <string_view>

#include "tauhat/core/friction/friction_law.hpp"
#include "tauhat/core/math/autodiff.hpp"
#include "tauhat/core/parameter.hpp"

namespace tauhat {

template <class T>
struct Hyperbolic {
  using Scalar = T;
  static constexpr std::string_view kName = "hyperbolic";
  static constexpr bool kOdd = true;
  T coulomb = T(0), excess = T(0), decay = T(10), viscous = T(0), width = T(0);

  template <class S>
  Hyperbolic<S> cast() const {
    return with_scalar<Hyperbolic<S>>(*this);
  }

  T torque(const T& velocity) const {
    return (coulomb + excess * remaining(velocity)) * smooth_sign(velocity, width).value + viscous * velocity;
  }

  TorqueAndSlope<T> torque_and_slope(const T& velocity) const {
    using std::abs;
    const T share = remaining(velocity), level = coulomb + excess * share;
    const SignAndSlope<T> sign = smooth_sign(velocity, width);
    const T slope = level * sign.slope - decay * excess * share * share * abs(sign.value);
    return {level * sign.value + viscous * velocity, slope + viscous};
  }

  // Smoothed, the falling part is the smaller one: decay |w| / (1 + decay |w|)^2 <= 1/4. A jump is not counted.
  T steepest_slope() const {
    return width > T(0) ? T((coulomb + excess) / width + viscous) : T(decay * excess + viscous);
  }

  template <class Self, class Visitor>
  static void visit_parameters(Self& self, Visitor&& visit, std::string_view group = "friction") {
    visit_weakening_parameters(self, visit, group);
  }

 private:
  T remaining(const T& velocity) const {
    using std::abs;
    const T speed = abs(velocity);
    return T(1) / (T(1) + decay * speed);
  }
};

}  // namespace tauhat
