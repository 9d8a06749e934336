// Any friction law that a drive may have behind one type, so that offline code instantiates each drive once instead of
// once per law. The core keeps its laws static; this is their only run-time face.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "tauhat/core/friction/asymmetric.hpp"
#include "tauhat/core/friction/coulomb_atan.hpp"
#include "tauhat/core/friction/coulomb_tanh.hpp"
#include "tauhat/core/friction/exponential.hpp"
#include "tauhat/core/friction/hyperbolic.hpp"
#include "tauhat/core/friction/load_dependent.hpp"
#include "tauhat/core/friction/stribeck.hpp"
#include "tauhat/core/friction/viscous.hpp"

namespace tauhat {

enum class FrictionKind {
  coulomb_atan,
  coulomb_tanh,
  stribeck,
  viscous,
  exponential,
  hyperbolic,
  asymmetric_coulomb,
  asymmetric_exponential,
  load_dependent
};

// In the order of FrictionKind.
inline constexpr std::array<std::string_view, 9> kFrictionNames{
    CoulombAtan<double>::kName,       CoulombTanh<double>::kName,           Stribeck<double>::kName,
    Viscous<double>::kName,           Exponential<double>::kName,           Hyperbolic<double>::kName,
    AsymmetricCoulomb<double>::kName, AsymmetricExponential<double>::kName, LoadDependentCoulomb<double>::kName};

inline std::vector<std::string> friction_names() { return {kFrictionNames.begin(), kFrictionNames.end()}; }

// The law of that name, which is one of friction_names().
inline FrictionKind friction_kind(std::string_view name) {
  const auto* const at = std::find(kFrictionNames.begin(), kFrictionNames.end(), name);
  return at == kFrictionNames.end() ? FrictionKind::coulomb_atan
                                    : static_cast<FrictionKind>(at - kFrictionNames.begin());
}

template <class T>
struct AnyFriction {
  using Scalar = T;
  static constexpr std::string_view kName = "any";
  static constexpr bool kOdd = false;  // some of them are not

  // A drive is integrated and linearised through standstill: there, laws with a hard sign start out smoothed, too.
  static Exponential<T> smoothed_exponential() { return {T(0), T(0), T(10), T(0), constant<T>(0.01)}; }

  FrictionKind kind = FrictionKind::coulomb_atan;
  CoulombAtan<T> coulomb_atan;
  CoulombTanh<T> coulomb_tanh;
  Stribeck<T> stribeck;
  Viscous<T> viscous;
  Exponential<T> exponential = smoothed_exponential();
  Hyperbolic<T> hyperbolic{T(0), T(0), T(10), T(0), constant<T>(0.01)};
  AsymmetricCoulomb<T> asymmetric_coulomb;
  AsymmetricExponential<T> asymmetric_exponential{smoothed_exponential(), smoothed_exponential()};
  LoadDependentCoulomb<T> load_dependent;

  // Only the law in force is carried over: filters change the scalar type in every step.
  template <class S>
  AnyFriction<S> cast() const {
    AnyFriction<S> to;
    to.kind = kind;
    switch (kind) {
      case FrictionKind::coulomb_atan:
        to.coulomb_atan = coulomb_atan.template cast<S>();
        break;
      case FrictionKind::coulomb_tanh:
        to.coulomb_tanh = coulomb_tanh.template cast<S>();
        break;
      case FrictionKind::stribeck:
        to.stribeck = stribeck.template cast<S>();
        break;
      case FrictionKind::viscous:
        to.viscous = viscous.template cast<S>();
        break;
      case FrictionKind::exponential:
        to.exponential = exponential.template cast<S>();
        break;
      case FrictionKind::hyperbolic:
        to.hyperbolic = hyperbolic.template cast<S>();
        break;
      case FrictionKind::asymmetric_coulomb:
        to.asymmetric_coulomb = asymmetric_coulomb.template cast<S>();
        break;
      case FrictionKind::asymmetric_exponential:
        to.asymmetric_exponential = asymmetric_exponential.template cast<S>();
        break;
      case FrictionKind::load_dependent:
        to.load_dependent = load_dependent.template cast<S>();
        break;
    }
    return to;
  }

  // Not inlined: nine laws in every caller, with every scalar type, would take the compiler minutes.
  [[gnu::noinline]] T torque(const T& velocity) const {
    return in_force(*this, [&](const auto& law) { return law.torque(velocity); });
  }
  [[gnu::noinline]] TorqueAndSlope<T> torque_and_slope(const T& velocity) const {
    return in_force(*this, [&](const auto& law) { return law.torque_and_slope(velocity); });
  }
  [[gnu::noinline]] T steepest_slope() const {
    return in_force(*this, [](const auto& law) { return law.steepest_slope(); });
  }

  // Under load, which only a law that depends on it feels.
  [[gnu::noinline]] T torque(const T& velocity, const T& load) const {
    return in_force(*this, [&](const auto& law) { return torque_under(law, velocity, load); });
  }
  [[gnu::noinline]] TorqueUnderLoad<T> torque_and_slope(const T& velocity, const T& load) const {
    return in_force(*this, [&](const auto& law) { return torque_and_slope_under(law, velocity, load); });
  }
  [[gnu::noinline]] T steepest_slope(const T& load) const {
    return in_force(*this, [&](const auto& law) { return steepest_slope_under(law, load); });
  }
  T steepest_by_load() const { return kind == FrictionKind::load_dependent ? load_dependent.steepest_by_load() : T(0); }

  // The speed over which the sign is smoothed, the wider of two directions; 0 where there is no sign, or a hard one.
  T smoothing_width() const {
    return in_force(*this, [](const auto& law) -> T {
      if constexpr (requires { law.width; }) {
        return law.width;
      } else if constexpr (requires { law.law.width; }) {
        return law.law.width;
      } else if constexpr (requires { law.positive.width; }) {
        return law.positive.width > law.negative.width ? law.positive.width : law.negative.width;
      } else {
        return T(0);
      }
    });
  }

  template <class Self, class Visitor>
  static void visit_parameters(Self& self, Visitor&& visit, std::string_view group = "friction") {
    in_force(self, [&](auto& law) { law.visit_parameters(law, visit, group); });
  }

 private:
  // Calls `use` with the law that is in force.
  template <class Self, class Use>
  static decltype(auto) in_force(Self& self, Use&& use) {
    switch (self.kind) {
      case FrictionKind::coulomb_tanh:
        return use(self.coulomb_tanh);
      case FrictionKind::stribeck:
        return use(self.stribeck);
      case FrictionKind::viscous:
        return use(self.viscous);
      case FrictionKind::exponential:
        return use(self.exponential);
      case FrictionKind::hyperbolic:
        return use(self.hyperbolic);
      case FrictionKind::asymmetric_coulomb:
        return use(self.asymmetric_coulomb);
      case FrictionKind::asymmetric_exponential:
        return use(self.asymmetric_exponential);
      case FrictionKind::load_dependent:
        return use(self.load_dependent);
      case FrictionKind::coulomb_atan:
        break;
    }
    return use(self.coulomb_atan);
  }
};

}  // namespace tauhat
