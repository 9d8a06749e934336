// Generalised Maxwell slip: springs in parallel that begin to slide one after the other, and so remember where the
// motion turned (after Lampaert, Al-Bender and Swevers 2003; no mode variables, so that any integrator may step it).
//   tau_f = sum stiffness_i z_i + viscous w
//   yield_i(w) = level_i (1 + (breakaway_ratio - 1) exp(-(w / stribeck_velocity)^2)) / stiffness_i
//   z_i' = w                                              r_i <= 0, bent against the motion: sticks
//   z_i' = sign(w) ((1 - s) |w| + s a)                    r_i > 0,  r_i = sign(w) z_i / yield_i
//   s = min(r_i^4, 1) goes from sticking to slipping,   a = min(attraction yield_i (1 - r_i), |w|)
// A spring that slips is attracted to its Stribeck level, which makes friction lag behind the speed. It is never bent
// faster than the motion does: what is lost, sum |stiffness_i z_i| s (|w| - a) + viscous w^2, is not negative.
#pragma once

#include <array>
#include <cmath>
#include <string_view>

#include "tauhat/core/friction/friction_law.hpp"
#include "tauhat/core/math/autodiff.hpp"
#include "tauhat/core/math/matrix.hpp"
#include "tauhat/core/parameter.hpp"

namespace tauhat {

template <class T, int Elements = 4>
struct MaxwellSlip {
  static_assert(Elements >= 1 && Elements <= 8, "parameters are named up to _8");
  using Scalar = T;
  static constexpr std::string_view kName = "maxwell-slip";
  static constexpr bool kOdd = true;
  static constexpr int kMemory = Elements;
  using Memory = Vector<T, Elements>;

  // Equal levels of 1 N m together, the springs ever softer: they yield at 0.01, 0.02, 0.03, ... rad.
  Memory stiffness = Memory::NullaryExpr([](Eigen::Index i) { return constant<T>(100.0 / Elements / double(i + 1)); });
  Memory level = Memory::Constant(constant<T>(1.0 / Elements));
  T breakaway_ratio = T(1), stribeck_velocity = constant<T>(0.1), attraction = T(100), viscous = T(0);

  template <class S>
  MaxwellSlip<S, Elements> cast() const {
    return with_scalar<MaxwellSlip<S, Elements>>(*this);
  }

  T torque(const T& velocity, const Memory& z) const {
    T sum = viscous * velocity;
    for (int i = 0; i < Elements; ++i) sum += stiffness[i] * z[i];
    return sum;
  }

  Memory memory_rate(const T& velocity, const Memory& z) const {
    using std::abs;
    const T bump = bump_at(velocity), sign = smooth_sign(velocity, T(0)).value, speed = abs(velocity);
    Memory rate;
    for (int i = 0; i < Elements; ++i) {
      const T yield = level[i] * bump / stiffness[i], bent = sign * z[i] / yield;
      rate[i] = bent > T(0) ? T(sign * sliding_rate(speed, yield, bent)) : velocity;
    }
    return rate;
  }

  // The slope of r^4 is 4 at most.
  T fastest_memory_rate(const T& largest_speed) const {
    T fastest = T(0);
    for (int i = 0; i < Elements; ++i) {
      const T rate = T(4) * largest_speed * stiffness[i] / level[i];
      if (rate > fastest) fastest = rate;
    }
    return fastest + attraction;
  }

  T steady_torque(const T& velocity) const {
    T sum = T(0);
    for (int i = 0; i < Elements; ++i) sum += level[i];
    return sum * bump_at(velocity) * smooth_sign(velocity, T(0)).value + viscous * velocity;
  }

  Presliding<T> presliding() const { return {T(stiffness.sum()), viscous}; }
  T stored_energy(const Memory& z) const {
    T sum = T(0);
    for (int i = 0; i < Elements; ++i) sum += T(0.5) * stiffness[i] * z[i] * z[i];
    return sum;
  }

  template <class Self, class Visitor>
  static void visit_parameters(Self& self, Visitor&& visit, std::string_view group = "friction") {
    for (int i = 0; i < Elements; ++i) {
      const auto at = static_cast<std::size_t>(i);
      visit(ParameterInfo{group, kStiffnessNames[at], "N m/rad", Range::positive(), "of this spring"},
            self.stiffness[i]);
      visit(ParameterInfo{group, kLevelNames[at], "N m", Range::positive(), "at which this spring slides at speed"},
            self.level[i]);
    }
    visit(
        ParameterInfo{group, "breakaway_ratio", "1", Range{1.0, Range::kInfinity, true}, "level at standstill / speed"},
        self.breakaway_ratio);
    visit(ParameterInfo{group, "stribeck_velocity", "rad/s", Range::positive(), "width of the bump"},
          self.stribeck_velocity);
    visit(ParameterInfo{group, "attraction", "1/s", Range::positive(), "of a sliding spring to its level"},
          self.attraction);
    visit(ParameterInfo{group, "viscous", "N m s/rad", Range::not_negative(), "slope at speed"}, self.viscous);
  }

 private:
  static constexpr std::array<std::string_view, 8> kStiffnessNames{"stiffness_1", "stiffness_2", "stiffness_3",
                                                                   "stiffness_4", "stiffness_5", "stiffness_6",
                                                                   "stiffness_7", "stiffness_8"};
  static constexpr std::array<std::string_view, 8> kLevelNames{"level_1", "level_2", "level_3", "level_4",
                                                               "level_5", "level_6", "level_7", "level_8"};

  T bump_at(const T& velocity) const {
    using std::exp;
    const T ratio = velocity / stribeck_velocity;
    return T(1) + (breakaway_ratio - T(1)) * exp(T(-ratio * ratio));
  }

  T sliding_rate(const T& speed, const T& yield, const T& bent) const {
    const T square = bent * bent;
    const T slip = bent < T(1) ? T(square * square) : T(1);
    const T attracted = attraction * yield * (T(1) - bent);
    return (T(1) - slip) * speed + slip * (attracted < speed ? attracted : speed);
  }
};

// As an argument of models, which take laws with one parameter.
template <class T>
using MaxwellSlipOfFour = MaxwellSlip<T, 4>;

}  // namespace tauhat
