// What a friction law offers: the torque against motion. A law is a value inside a model, and there are three kinds:
//   without memory   tau = torque(v), with its slope                                                  FrictionLaw
//   with memory      tau = torque(v, z), z' = memory_rate(v, z): how far the contact is bent FrictionWithMemory under
//   load       tau = torque(v, load), load the torque that the contact passes on                DependsOnLoad
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

template <class L>
concept FrictionLaw = requires(const L law, const typename L::Scalar velocity) {
  { law.torque(velocity) } -> std::convertible_to<typename L::Scalar>;
  { law.torque_and_slope(velocity) } -> std::convertible_to<TorqueAndSlope<typename L::Scalar>>;
  { law.steepest_slope() } -> std::convertible_to<typename L::Scalar>;  // bound, for the choice of sub-steps
  { L::kName } -> std::convertible_to<std::string_view>;
  { L::kOdd } -> std::convertible_to<bool>;
};

template <class L>
concept FrictionWithMemory = (L::kMemory > 0) && requires(const L law, const typename L::Scalar velocity,
                                                          const Vector<typename L::Scalar, L::kMemory> z) {
  { law.torque(velocity, z) } -> std::convertible_to<typename L::Scalar>;
  { law.memory_rate(velocity, z) } -> std::convertible_to<Vector<typename L::Scalar, L::kMemory>>;
  { law.fastest_memory_rate(velocity) } -> std::convertible_to<typename L::Scalar>;  // bound up to this speed, in 1/s
  { law.steady_torque(velocity) } -> std::convertible_to<typename L::Scalar>;        // after long at this velocity
  { law.stored_energy(z) } -> std::convertible_to<typename L::Scalar>;
  { L::kName } -> std::convertible_to<std::string_view>;
  { L::kOdd } -> std::convertible_to<bool>;
};

template <class L>
concept DependsOnLoad = requires(const L law, const typename L::Scalar velocity, const typename L::Scalar load) {
  { law.torque(velocity, load) } -> std::convertible_to<typename L::Scalar>;
  { law.torque_and_slope(velocity, load) } -> std::convertible_to<TorqueAndSlope<typename L::Scalar>>;
};

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
