// Friction that grows with the torque passed on: teeth, worms and screws slide under the load they carry.
//   tau_f(w, load) = law.torque(w) + load_coefficient |load| sign(w)
// The sign is smoothed over the law's own width; it is hard for a law that has none.
#pragma once

#include <string_view>

#include "tauhat/core/friction/coulomb_tanh.hpp"
#include "tauhat/core/friction/friction_law.hpp"
#include "tauhat/core/parameter.hpp"

namespace tauhat {

template <class T, template <class> class Law>
struct LoadDependent {
  using Scalar = T;
  static constexpr std::string_view kName = "load-dependent";
  static constexpr bool kOdd = Law<T>::kOdd;
  Law<T> law;
  T load_coefficient = T(0);

  template <class S>
  LoadDependent<S, Law> cast() const {
    return {law.template cast<S>(), static_cast<S>(load_coefficient)};
  }

  T torque(const T& velocity) const { return law.torque(velocity); }
  T torque(const T& velocity, const T& load) const {
    return law.torque(velocity) + level(load) * smooth_sign(velocity, width()).value;
  }

  TorqueAndSlope<T> torque_and_slope(const T& velocity) const { return law.torque_and_slope(velocity); }
  TorqueUnderLoad<T> torque_and_slope(const T& velocity, const T& load) const {
    const TorqueAndSlope<T> unloaded = law.torque_and_slope(velocity);
    const SignAndSlope<T> sign = smooth_sign(velocity, width());
    const T mesh = level(load);
    return {unloaded.torque + mesh * sign.value, unloaded.slope + mesh * sign.slope,
            load_coefficient * side(load) * sign.value};
  }

  T steepest_slope() const { return law.steepest_slope(); }
  T steepest_slope(const T& load) const {
    return width() > T(0) ? T(law.steepest_slope() + level(load) / width()) : law.steepest_slope();
  }
  T steepest_by_load() const { return load_coefficient; }

  template <class Self, class Visitor>
  static void visit_parameters(Self& self, Visitor&& visit, std::string_view group = "friction") {
    Law<T>::visit_parameters(self.law, visit, group);
    visit(ParameterInfo{group, "load_coefficient", "1", Range::not_negative(), "friction per torque passed on"},
          self.load_coefficient);
  }

 private:
  // Without load neither flank is in contact: there, |load| has no slope.
  static T side(const T& load) { return smooth_sign(load, T(0)).value; }
  T level(const T& load) const { return load_coefficient * side(load) * load; }
  T width() const {
    if constexpr (requires { law.width; }) {
      return law.width;
    } else {
      return T(0);
    }
  }
};

template <class T>
using LoadDependentCoulomb = LoadDependent<T, CoulombTanh>;

}  // namespace tauhat
