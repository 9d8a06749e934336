// Any registered friction law behind one type, so that offline code instantiates each drive once instead of once per
// law. The core keeps its laws static; this is their only run-time face.
#pragma once

#include <string_view>

#include "tauhat/core/friction/coulomb_atan.hpp"
#include "tauhat/core/friction/coulomb_tanh.hpp"
#include "tauhat/core/friction/stribeck.hpp"

namespace tauhat {

enum class FrictionKind { coulomb_atan, coulomb_tanh, stribeck };

template <class T>
struct AnyFriction {
  using Scalar = T;
  static constexpr std::string_view kName = "any";
  FrictionKind kind = FrictionKind::coulomb_atan;
  CoulombAtan<T> coulomb_atan;
  CoulombTanh<T> coulomb_tanh;
  Stribeck<T> stribeck;

  template <class S>
  AnyFriction<S> cast() const {
    return {kind, coulomb_atan.template cast<S>(), coulomb_tanh.template cast<S>(), stribeck.template cast<S>()};
  }

  // Calls `use` with the law that is in force.
  template <class Self, class Use>
  static decltype(auto) with_law(Self& self, Use&& use) {
    switch (self.kind) {
      case FrictionKind::coulomb_tanh:
        return use(self.coulomb_tanh);
      case FrictionKind::stribeck:
        return use(self.stribeck);
      case FrictionKind::coulomb_atan:
        break;
    }
    return use(self.coulomb_atan);
  }

  T torque(const T& velocity) const {
    return with_law(*this, [&](const auto& law) { return law.torque(velocity); });
  }
  TorqueAndSlope<T> torque_and_slope(const T& velocity) const {
    return with_law(*this, [&](const auto& law) { return law.torque_and_slope(velocity); });
  }
  T steepest_slope() const {
    return with_law(*this, [](const auto& law) { return law.steepest_slope(); });
  }

  template <class Self, class Visitor>
  static void visit_parameters(Self& self, Visitor&& visit, std::string_view group = "friction") {
    with_law(self, [&](auto& law) { law.visit_parameters(law, visit, group); });
  }
};

}  // namespace tauhat
