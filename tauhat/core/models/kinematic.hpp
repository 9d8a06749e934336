// A position that moves with an acceleration that wanders: nothing is assumed of the drive behind it.
//   th' = w,  w' = a,  a' = white noise of density jerk
#pragma once

#include <array>

#include "tauhat/core/math/discretise.hpp"
#include "tauhat/core/model.hpp"

namespace tauhat {

template <class T>
struct Kinematic {
  using Scalar = T;
  template <class S>
  using Rebind = Kinematic<S>;
  enum State { position, velocity, acceleration, kStates };
  static constexpr int kInputs = 0;
  static constexpr std::array<Signal, kStates> kOutputs{
      {{"position", "rad"}, {"velocity", "rad/s"}, {"acceleration", "rad/s^2"}}};

  T jerk = T(1);  // spectral density of the jerk, rad^2/s^5

  template <class S>
  Rebind<S> cast() const {
    return {static_cast<S>(jerk)};
  }
  Vector<T, kStates> derivative(const Vector<T, kStates>& x, const Vector<T, 0>&) const {
    return {x[velocity], x[acceleration], T(0)};
  }
  T output(int index, const Vector<T, kStates>& x, const Vector<T, 0>&) const { return x[index]; }
  static constexpr int output_state(int index) noexcept { return index; }
  Vector<T, kStates> spectral_density() const { return {T(0), T(0), jerk}; }
  T fastest_rate() const { return T(0); }

  struct Step {
    Vector<T, kStates> mean;
    Discrete<T, kStates> step;
  };
  Step step(const Vector<T, kStates>& x, const Vector<T, 0>&, T dt) const noexcept {
    Step next;
    auto& f = next.step.transition;
    f.diagonal().setOnes();
    f(0, 1) = f(1, 2) = dt;
    f(0, 2) = dt * dt / T(2);
    // integral of g g^T, g = (s^2 / 2, s, 1)
    auto& q = next.step.noise;
    q(2, 2) = jerk * dt;
    q(1, 2) = q(2, 1) = q(2, 2) * dt / T(2);
    q(1, 1) = q(2, 2) * dt * dt / T(3);
    q(0, 2) = q(2, 0) = q(2, 2) * dt * dt / T(6);
    q(0, 1) = q(1, 0) = q(0, 2) * dt * constant<T>(0.75);
    q(0, 0) = q(0, 1) * dt * constant<T>(0.4);
    next.mean = f.template topRows<kStates>() * x;
    return next;
  }
};

}  // namespace tauhat
