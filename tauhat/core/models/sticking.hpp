// Stick and slip after Karnopp (1985): an axis whose speed has come down to nothing, and which the force on it cannot
// break loose, stands still; its friction is then the force that it holds, and says nothing of the law's parameters.
//   stick:  |v| < standstill  and  F(-0) < net force < F(+0):   v = 0,  friction = net force,  parameters as they are
//   slip:   the model's own motion
// No law is exact around standstill, where bristles bend and a reversal falls between two samples: slower than `slow`
// the acceleration has a noise of its own, so that what happens there does not pass for the law's. An axis that sticks
// is slow, too: a sign that is not quite hard lets it creep.
// M is an AxisWithFriction, or one whose parameters are estimated along.
#pragma once

#include <limits>

#include "tauhat/core/filters/propagate.hpp"
#include "tauhat/core/math/discretise_constants.hpp"
#include "tauhat/core/model.hpp"
#include "tauhat/core/models/axis.hpp"

namespace tauhat {

template <Model M>
struct Sticking {
  using Scalar = typename M::Scalar;
  using T = Scalar;
  template <class S>
  using Rebind = Sticking<typename M::template Rebind<S>>;

  static constexpr int kStates = M::kStates, kInputs = M::kInputs;
  static constexpr int kConstantStates = [] {
    if constexpr (requires { M::kConstantStates; }) return static_cast<int>(M::kConstantStates);
    return 0;
  }();
  static constexpr auto kOutputs = M::kOutputs;
  enum { position, velocity };

  M model;
  T standstill = constant<T>(1e-3);  // rad/s
  T slow = T(0), slow_noise = T(0);  // rad/s, and a spectral density of the velocity's derivative

  template <class S>
  Rebind<S> cast() const {
    return {model.template cast<S>(), static_cast<S>(standstill), static_cast<S>(slow), static_cast<S>(slow_noise)};
  }

  bool sticks(const StateOf<Sticking>& x, const InputOf<Sticking>& u) const {
    if (!(x[velocity] < standstill && -x[velocity] < standstill)) return false;
    const auto axis = body_at(x);
    const T net = axis.axis.net_force(x[position], u[0]);
    constexpr double kBarelyMoving = 1e-30;
    return net < axis.friction.torque(constant<T>(kBarelyMoving)) &&
           net > axis.friction.torque(constant<T>(-kBarelyMoving));
  }

  // Mean, transition and noise of a step, as the filter asks for them.
  struct Step {
    StateOf<Sticking> mean;
    Discrete<T, kStates> step;
  };
  Step step(const StateOf<Sticking>& x, const InputOf<Sticking>& u, T dt) const noexcept {
    if (!sticks(x, u)) {
      Step moved = slip(x, u, dt);
      if (is_slow(x[velocity]) || is_slow(moved.mean[velocity]) || x[velocity] * moved.mean[velocity] < T(0))
        add_slow_noise(moved.step.noise, dt);
      return moved;
    }
    Step held{x, {}};
    held.mean[velocity] = T(0);
    held.step.transition.diagonal().setOnes();
    held.step.transition(velocity, velocity) = T(0);
    held.step.noise(velocity, velocity) = model.spectral_density()[velocity] * dt;
    if (slow > T(0)) add_slow_noise(held.step.noise, dt);
    return held;
  }

  StateOf<Sticking> derivative(const StateOf<Sticking>& x, const InputOf<Sticking>& u) const {
    return model.derivative(x, u);
  }
  T output(int index, const StateOf<Sticking>& x, const InputOf<Sticking>& u) const {
    if (index == Axis<T>::friction_output && sticks(x, u)) return body_at(x).axis.net_force(x[position], u[0]);
    return model.output(index, x, u);
  }
  int output_state(int index) const noexcept { return Axis<T>::output_state(index); }
  StateOf<Sticking> spectral_density() const { return model.spectral_density(); }
  T fastest_rate() const { return model.fastest_rate(); }

  template <class Self, class Visitor>
  static void visit_parameters(Self& self, Visitor&& visit) {
    M::visit_parameters(self.model, visit);
  }

 private:
  // As propagate() does it, but with sub-steps only where the sign of the velocity is at work: that is what makes a law
  // steep, and a hard one infinitely so.
  Step slip(const StateOf<Sticking>& x, const InputOf<Sticking>& u, T dt) const noexcept {
    const auto body = body_at(x);
    Matrix<T, kStates> jacobian = Matrix<T, kStates>::Zero();
    StateOf<Sticking> mean = x;
    const bool goes_on = advance(body, u, dt, mean, jacobian);
    const int substeps = substeps_for(model, x, u, dt);
    if (substeps > 1 && !(goes_on && is_straight_between(x[velocity], mean[velocity], body, dt))) {
      jacobian.setZero();
      mean = x;
      for (int i = 0; i < substeps; ++i) advance(body, u, dt / static_cast<T>(substeps), mean, jacobian);
      jacobian /= static_cast<T>(substeps);
    }
    return {mean,
            discretise_with_constants<kStates - kConstantStates, T, kStates>(jacobian, model.spectral_density(), dt)};
  }

  // One step of Runge and Kutta, as runge_kutta_step() does it. Parameters stay what they are: `body` has them. Returns
  // whether all that it looked at goes the same way.
  template <class Body>
  bool advance(const Body& body, const InputOf<Sticking>& u, T h, StateOf<Sticking>& x,
               Matrix<T, kStates>& jacobian) const {
    using Moving = StateOf<Body>;
    const Moving at = x.template head<Body::kStates>();
    const Moving k1 = body.derivative(at, u), first = at + h / T(2) * k1;
    const Moving k2 = body.derivative(first, u);
    StateOf<Sticking> middle = x;
    middle.template head<Body::kStates>() += h / T(2) * k2;
    const auto there = linearise(model, middle, u);
    const Moving k3 = there.derivative.template head<Body::kStates>(), last = at + h * k3;
    const Moving k4 = body.derivative(last, u);
    jacobian += there.by_state;
    x.template head<Body::kStates>() += h / T(6) * (k1 + T(2) * (k2 + k3) + k4);
    const auto goes_on = [&](const T& speed) { return speed * at[velocity] > T(0); };
    return goes_on(first[velocity]) && goes_on(middle[velocity]) && goes_on(last[velocity]) && goes_on(x[velocity]);
  }

  // Whether friction hardly changes its slope on the way: the change moves the speed at the end by
  // less than a hundredth of what it is off by at the start, and one step of Runge and Kutta is all that it takes.
  template <class Body>
  static bool is_straight_between(const T& from, const T& to, const Body& body, T dt) noexcept {
    constexpr double kStraight = 0.01;
    using std::abs;
    const T before = body.friction.torque_and_slope(from).slope, after = body.friction.torque_and_slope(to).slope;
    return abs(after - before) * dt / body.axis.mass < constant<T>(kStraight) &&
           body.axis.fastest_rate(T(abs(before))) * dt < constant<T>(propagate_detail::kRateTimesSubstep);
  }

  bool is_slow(const T& speed) const { return speed < slow && -speed < slow; }

  // A white acceleration over a step:  E[v^2] = q dt,  E[x v] = q dt^2 / 2,  E[x^2] = q dt^3 / 3
  template <class Noise>
  void add_slow_noise(Noise& noise, T dt) const {
    const T variance = slow_noise * dt;
    noise(velocity, velocity) += variance;
    noise(position, velocity) += variance * dt / T(2);
    noise(velocity, position) += variance * dt / T(2);
    noise(position, position) += variance * dt * dt / T(3);
  }

  auto body_at(const StateOf<Sticking>& x) const {
    if constexpr (requires { model.model_at(x); }) {
      return model.model_at(x);
    } else {
      return model;
    }
  }
};

}  // namespace tauhat
