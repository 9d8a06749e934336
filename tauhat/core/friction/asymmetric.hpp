// A law for each direction: preloaded seals, gears and screws resist one way more than the other.
//   tau_f(w) = positive.torque(w)  (w >= 0),   negative.torque(w)  (w < 0)
#pragma once

#include <array>
#include <string_view>
#include <type_traits>

#include "tauhat/core/friction/coulomb_tanh.hpp"
#include "tauhat/core/friction/exponential.hpp"
#include "tauhat/core/friction/friction_law.hpp"
#include "tauhat/core/parameter.hpp"

namespace tauhat {

// Groups of the two directions. They are literals, because views of them outlive the visit; a model that puts friction
// elsewhere adds its line.
struct DirectionGroups {
  std::string_view both, positive, negative;
};
inline constexpr std::array<DirectionGroups, 3> kDirectionGroups{
    {{"friction", "friction.positive", "friction.negative"},
     {"motor.friction", "motor.friction.positive", "motor.friction.negative"},
     {"load.friction", "load.friction.positive", "load.friction.negative"}}};

constexpr DirectionGroups direction_groups(std::string_view group) noexcept {
  for (const DirectionGroups& groups : kDirectionGroups) {
    if (groups.both == group) return groups;
  }
  return {group, "positive", "negative"};  // still two different names
}

template <class T, template <class> class Law>
struct Asymmetric {
  using Scalar = T;
  static constexpr std::string_view kName = std::is_same_v<Law<T>, CoulombTanh<T>>   ? "asymmetric-coulomb"
                                            : std::is_same_v<Law<T>, Exponential<T>> ? "asymmetric-exponential"
                                                                                     : "asymmetric";
  static constexpr bool kOdd = false;
  Law<T> positive, negative;

  template <class S>
  Asymmetric<S, Law> cast() const {
    return {positive.template cast<S>(), negative.template cast<S>()};
  }

  T torque(const T& velocity) const { return towards(velocity).torque(velocity); }
  TorqueAndSlope<T> torque_and_slope(const T& velocity) const { return towards(velocity).torque_and_slope(velocity); }
  T steepest_slope() const {
    const T up = positive.steepest_slope(), down = negative.steepest_slope();
    return up > down ? up : down;
  }

  template <class Self, class Visitor>
  static void visit_parameters(Self& self, Visitor&& visit, std::string_view group = "friction") {
    const DirectionGroups groups = direction_groups(group);
    Law<T>::visit_parameters(self.positive, visit, groups.positive);
    Law<T>::visit_parameters(self.negative, visit, groups.negative);
  }

 private:
  const Law<T>& towards(const T& velocity) const { return velocity < T(0) ? negative : positive; }
};

template <class T>
using AsymmetricCoulomb = Asymmetric<T, CoulombTanh>;

template <class T>
using AsymmetricExponential = Asymmetric<T, Exponential>;

}  // namespace tauhat
