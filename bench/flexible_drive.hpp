// The benchmark's drive: motor and load joined by a spring and a damper, friction at the motor, stepped by
// forward Euler.
//   J_m w_m' = u - k (q_m - q_l) - c (w_m - w_l) - C tanh(w_m / width) - v w_m
//   J_l w_l' =     k (q_m - q_l) + c (w_m - w_l) - tau_l
// Four states, or seven where C, v and tau_l are unknown constants. Euler is what a textbook's example uses;
// it also keeps the step's own cost small, so that what is timed is the filter.
#pragma once

#include <cmath>

#include "tauhat/core/filters/propagate.hpp"
#include "tauhat/core/math/tangent.hpp"

namespace tauhat::bench {

// In step(), the core's tangent, as its friction laws have it, or the standard library's. The textbook always uses the
// standard one.
enum class Tangent { core, standard };

template <int States, Tangent Kind = Tangent::core>
struct FlexibleDrive {
  static_assert(States == 4 || States == 7);
  using Scalar = double;
  enum State { motor_position, motor_velocity, load_position, load_velocity, coulomb, viscous, load_torque };
  enum Output { motor_position_output, load_position_output };
  static constexpr int kStates = States, kInputs = 1, kConstantStates = States - 4;
  static constexpr int kSensors = States == 4 ? 1 : 2;  // the motor's position, then the load's
  static constexpr bool kUnknownFriction = States == 7;
  using X = Vector<double, States>;
  using U = Vector<double, 1>;

  double motor_inertia = 0.02, load_inertia = 0.1, stiffness = 100.0, damping = 0.2;
  double known_coulomb = 0.5, known_viscous = 0.02, width = 0.05;
  PaddedMatrix<double, States> noise = noise_of_one_step();

  static X start() {
    X x = X::Zero();
    if constexpr (kUnknownFriction) x.template tail<3>() << 0.4, 0.03, 0.1;
    return x;
  }
  static X start_variances() {
    X variances;
    variances.template head<4>() << 1e-4, 1e-2, 1e-4, 1e-2;
    if constexpr (kUnknownFriction) variances.template tail<3>() << 1e-2, 1e-3, 1e-1;
    return variances;
  }

  // As a textbook has it: four functions that know nothing of each other. (Inlined side by side, the compiler
  // would merge the two hyperbolic tangents; functions of a user's own file are not.)
  [[gnu::noinline]] X next(const X& x, const U& u, double dt) const {
    return advance(x, u, dt, std::tanh(x[motor_velocity] / width));
  }
  [[gnu::noinline]] Matrix<double, States> jacobian(const X& x, const U&, double dt) const {
    Matrix<double, States> f = Matrix<double, States>::Identity();
    fill_jacobian(x, dt, std::tanh(x[motor_velocity] / width), f);
    return f;
  }
  Vector<double, kSensors> outputs(const X& x) const {
    Vector<double, kSensors> y;
    for (int i = 0; i < kSensors; ++i) y[i] = x[output_state(i)];
    return y;
  }
  Matrix<double, kSensors, States> output_jacobian(const X&) const {
    Matrix<double, kSensors, States> h = Matrix<double, kSensors, States>::Zero();
    for (int i = 0; i < kSensors; ++i) h(i, output_state(i)) = 1.0;
    return h;
  }

  // As the core has it: mean and transition together, sharing the tangent; the constant noise is referred to,
  // not copied.
  struct Step {
    X mean;
    struct {
      PaddedMatrix<double, States> transition;
      const PaddedMatrix<double, States>& noise;
    } step;
  };
  Step step(const X& x, const U& u, double dt) const noexcept {
    const double sign = sign_of(x[motor_velocity] / width);
    Step result{advance(x, u, dt, sign), {{}, noise}};
    auto& f = result.step.transition;
    for (int j = 0; j < States; ++j) f.col(j).setZero();
    f.diagonal().setOnes();
    fill_jacobian(x, dt, sign, f);
    return result;
  }
  double output(int index, const X& x, const U&) const { return x[output_state(index)]; }
  OutputGradient<double, States, 1> output_gradient(int index, const X&, const U&) const {
    return {X::Unit(output_state(index)), U::Zero()};
  }
  int output_state(int index) const noexcept { return index == motor_position_output ? motor_position : load_position; }

 private:
  static double sign_of(double x) noexcept {
    if constexpr (Kind == Tangent::standard) return std::tanh(x);
    return hyperbolic_tangent(x);
  }

  static PaddedMatrix<double, States> noise_of_one_step() {
    PaddedMatrix<double, States> q = PaddedMatrix<double, States>::Zero();
    X variances;
    variances.template head<4>() << 1e-12, 1e-5, 1e-12, 1e-6;
    if constexpr (kUnknownFriction) variances.template tail<3>() << 1e-8, 1e-9, 1e-6;
    q.template topRows<States>().diagonal() = variances;
    return q;
  }

  X advance(const X& x, const U& u, double dt, double sign) const {
    double c = known_coulomb, v = known_viscous, load = 0.0;
    if constexpr (kUnknownFriction) c = x[coulomb], v = x[viscous], load = x[load_torque];
    const double passed_on =
        stiffness * (x[motor_position] - x[load_position]) + damping * (x[motor_velocity] - x[load_velocity]);
    X y = x;
    y[motor_position] += dt * x[motor_velocity];
    y[motor_velocity] += dt * (u[0] - passed_on - c * sign - v * x[motor_velocity]) / motor_inertia;
    y[load_position] += dt * x[load_velocity];
    y[load_velocity] += dt * (passed_on - load) / load_inertia;
    return y;
  }

  template <class F>
  void fill_jacobian(const X& x, double dt, double sign, F& f) const {
    double c = known_coulomb, v = known_viscous;
    if constexpr (kUnknownFriction) c = x[coulomb], v = x[viscous];
    const double motor = dt / motor_inertia, load = dt / load_inertia;
    f(motor_position, motor_velocity) = dt;
    f(motor_velocity, motor_position) = -motor * stiffness;
    f(motor_velocity, motor_velocity) = 1.0 - motor * (damping + c / width * (1.0 - sign * sign) + v);
    f(motor_velocity, load_position) = motor * stiffness;
    f(motor_velocity, load_velocity) = motor * damping;
    f(load_position, load_velocity) = dt;
    f(load_velocity, motor_position) = load * stiffness;
    f(load_velocity, motor_velocity) = load * damping;
    f(load_velocity, load_position) = -load * stiffness;
    f(load_velocity, load_velocity) = 1.0 - load * damping;
    if constexpr (kUnknownFriction) {
      f(motor_velocity, coulomb) = -motor * sign;
      f(motor_velocity, viscous) = -motor * x[motor_velocity];
      f(load_velocity, load_torque) = -load;
    }
  }
};

}  // namespace tauhat::bench
