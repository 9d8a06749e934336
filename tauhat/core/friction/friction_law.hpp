// What a friction law offers: the torque against motion. A law is a value inside a model, and there are three kinds:
//   without memory   tau = torque(v), with its slope                                                  FrictionLaw
//   with memory      tau = torque(v, z), z' = memory_rate(v, z), z how far the contact is bent   FrictionWithMemory
//   under load       tau = torque(v, load), load the torque that the contact passes on           DependsOnLoad
// Each says by kOdd whether both directions are alike.
#pragma once

#include <concepts>
#include <string_view>

#include "tauhat/core/math/matrix.hpp"
#include "tauhat/core/math/tangent.hpp"
#include "tauhat/core/parameter.hpp"

namespace tauhat {

template <class T>
struct TorqueAndSlope {
  T torque, slope;
};

// Under load there are two slopes: by velocity and by the load.
template <class T>
struct TorqueUnderLoad {
  T torque, slope, by_load;
};

template <class L>
concept FrictionLaw = requires(const L law, const typename L::Scalar velocity) {
  { law.torque(velocity) } -> std::convertible_to<typename L::Scalar>;
  { law.torque_and_slope(velocity) } -> std::convertible_to<TorqueAndSlope<typename L::Scalar>>;
  { law.steepest_slope() } -> std::convertible_to<typename L::Scalar>;  // bound, for the choice of sub-steps
  { L::kName } -> std::convertible_to<std::string_view>;
  { L::kOdd } -> std::convertible_to<bool>;
};

// What a contact is before it slides: a spring and a damper to ground.
template <class T>
struct Presliding {
  T stiffness, damping;
};

template <class L>
concept FrictionWithMemory = (L::kMemory > 0) && requires(const L law, const typename L::Scalar velocity,
                                                          const Vector<typename L::Scalar, L::kMemory> z) {
  { law.torque(velocity, z) } -> std::convertible_to<typename L::Scalar>;
  { law.memory_rate(velocity, z) } -> std::convertible_to<Vector<typename L::Scalar, L::kMemory>>;
  { law.fastest_memory_rate(velocity) } -> std::convertible_to<typename L::Scalar>;  // bound up to this speed, in 1/s
  { law.steady_torque(velocity) } -> std::convertible_to<typename L::Scalar>;        // after long at this velocity
  { law.stored_energy(z) } -> std::convertible_to<typename L::Scalar>;
  { law.presliding() } -> std::convertible_to<Presliding<typename L::Scalar>>;
  { L::kName } -> std::convertible_to<std::string_view>;
  { L::kOdd } -> std::convertible_to<bool>;
};

template <class L>
concept DependsOnLoad = requires(const L law, const typename L::Scalar velocity, const typename L::Scalar load) {
  { law.torque(velocity, load) } -> std::convertible_to<typename L::Scalar>;
  { law.torque_and_slope(velocity, load) } -> std::convertible_to<TorqueUnderLoad<typename L::Scalar>>;
  { law.steepest_slope(load) } -> std::convertible_to<typename L::Scalar>;
  { law.steepest_by_load() } -> std::convertible_to<typename L::Scalar>;
};

// Any law without memory, asked under load: most do not feel it.
template <FrictionLaw L>
typename L::Scalar torque_under(const L& law, const typename L::Scalar& velocity, const typename L::Scalar& load) {
  if constexpr (DependsOnLoad<L>) {
    return law.torque(velocity, load);
  } else {
    return law.torque(velocity);
  }
}

template <FrictionLaw L>
TorqueUnderLoad<typename L::Scalar> torque_and_slope_under(const L& law, const typename L::Scalar& velocity,
                                                           const typename L::Scalar& load) {
  if constexpr (DependsOnLoad<L>) {
    return law.torque_and_slope(velocity, load);
  } else {
    const auto alone = law.torque_and_slope(velocity);
    return {alone.torque, alone.slope, typename L::Scalar(0)};
  }
}

template <FrictionLaw L>
typename L::Scalar steepest_slope_under(const L& law, const typename L::Scalar& load) {
  if constexpr (DependsOnLoad<L>) {
    return law.steepest_slope(load);
  } else {
    return law.steepest_slope();
  }
}

template <FrictionLaw L>
typename L::Scalar steepest_by_load(const L& law) {
  if constexpr (DependsOnLoad<L>) {
    return law.steepest_by_load();
  } else {
    return typename L::Scalar(0);
  }
}

// Bristles that would settle within a sample anyway need not be followed while they do: their rate is scaled down to
// `fastest`, in 1/s, which leaves where they settle as it is. Without, a stiff contact at speed takes thousands of
// sub-steps. 0: no limit.
template <FrictionWithMemory L>
Vector<typename L::Scalar, L::kMemory> limited_memory_rate(const L& law, const typename L::Scalar& velocity,
                                                           const Vector<typename L::Scalar, L::kMemory>& z,
                                                           const typename L::Scalar& fastest) {
  using T = typename L::Scalar;
  using std::abs;
  Vector<T, L::kMemory> rate = law.memory_rate(velocity, z);
  if (!(fastest > T(0))) return rate;
  const T own = law.fastest_memory_rate(T(abs(velocity)));
  if (own > fastest) rate *= T(fastest / own);
  return rate;
}

// Bound of the rate at which a body of this inertia moves on its bristles; without a limit, up to a speed of one.
template <FrictionWithMemory L>
typename L::Scalar fastest_on_bristles(const L& law, const typename L::Scalar& inertia,
                                       const typename L::Scalar& fastest) {
  using T = typename L::Scalar;
  using std::sqrt;
  const Presliding<T> bent = law.presliding();
  const T follow = fastest > T(0) ? fastest : law.fastest_memory_rate(T(1));
  const T swing = sqrt(T(bent.stiffness / inertia)), decay = bent.damping / inertia;
  const T body = swing > decay ? swing : decay;
  return body > follow ? body : follow;
}

template <class T>
struct SignAndSlope {
  T value, slope;
};

// tanh(v / width) and its slope. Without width it is the hard sign, zero at standstill: a jump is not a slope.
template <class T>
SignAndSlope<T> smooth_sign(const T& velocity, const T& width) {
  if (width == T(0)) return {velocity > T(0) ? T(1) : velocity < T(0) ? T(-1) : T(0), T(0)};
  const T value = hyperbolic_tangent(T(velocity / width));
  return {value, (T(1) - value * value) / width};
}

// The three parameters that every smoothed sliding law has.
template <class Self, class Visitor>
void visit_sliding_parameters(Self& self, Visitor&& visit, std::string_view group) {
  visit(ParameterInfo{group, "coulomb", "N m", Range::not_negative(), "level at speed"}, self.coulomb);
  visit(ParameterInfo{group, "viscous", "N m s/rad", Range::not_negative(), "slope at speed"}, self.viscous);
  visit(ParameterInfo{group, "width", "rad/s", Range::positive(), "speed over which the sign is smoothed"}, self.width);
}

// The five of a law whose level falls from coulomb + excess towards coulomb, and whose sign may be hard.
template <class Self, class Visitor>
void visit_weakening_parameters(Self& self, Visitor&& visit, std::string_view group) {
  visit(ParameterInfo{group, "coulomb", "N m", Range::not_negative(), "level at speed"}, self.coulomb);
  visit(ParameterInfo{group, "excess", "N m", Range::not_negative(), "at standstill, above the level at speed"},
        self.excess);
  visit(ParameterInfo{group, "decay", "s/rad", Range::not_negative(), "of the excess with speed"}, self.decay);
  visit(ParameterInfo{group, "viscous", "N m s/rad", Range::not_negative(), "slope at speed"}, self.viscous);
  visit(ParameterInfo{group, "width", "rad/s", Range::not_negative(), "speed over which the sign is smoothed; 0: hard"},
        self.width);
}

}  // namespace tauhat
