// Where in its gap a gear is, by two observers with stationary gains that take turns (Lagerberg and Egardt, eq. 39):
// one for contact, one for the gap. The cheapest of the gap's filters: no covariance. In contact the position in the
// gap is pinned: without, it leaves the limit with every correction and the modes chatter.
//   x' = A_mode x + B u + K_mode (y - C x),   y the two positions
// Where the samples are means over a period, so is the position that they are compared with:
//   y - C (M x + N u),   M = 1/dt integral e^(A t) dt,   N u the same of what the command adds
// Held against a position that moves on, a mean would lag by w_n dt^2 / 6 with the filter's rate w_n.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "tauhat/core/filters/gap_mode.hpp"
#include "tauhat/core/linear/hold.hpp"
#include "tauhat/core/linear/riccati.hpp"
#include "tauhat/core/linear/spectrum.hpp"
#include "tauhat/core/models/powertrain.hpp"

namespace tauhat {

// What a sample is: the position at the begin of a step, or its mean over the step.
enum class PositionSample { instant, mean };

// A state carried on for a part of a step, the gear kept between its limits.
template <class T>
StateOf<Powertrain<T>> kept_inside(const Powertrain<T>& drive, const StateOf<Powertrain<T>>& x, T command,
                                   T dt) noexcept {
  using P = Powertrain<T>;
  StateOf<P> next = drive.step(x, InputOf<P>(command), dt).mean;
  next[P::gap_position] = std::clamp(next[P::gap_position], next[P::lower_limit], next[P::upper_limit]);
  return next;
}

template <class T>
class SwitchingObserver {
 public:
  static constexpr int kStates = Powertrain<T>::gap_position + 1, kOutputs = 2;
  using State = Vector<T, kStates>;
  using Positions = Vector<T, kOutputs>;
  using Gain = Matrix<T, kStates, kOutputs>;

  // Densities of the state's noise, and of the two positions', as the stationary filter assumes them.
  struct Tuning {
    State noise;
    Positions sensors;
  };

  SwitchingObserver(const Powertrain<T>& drive, const Tuning& tuning, T dt, PositionSample sample) noexcept
      : drive_(drive), period_(dt) {
    for (const GapMode mode : {GapMode::gap, GapMode::upper}) {
      drive_.mode = mode;
      Phase& phase = mode == GapMode::gap ? gap_ : contact_;
      const Matrix<T, kStates> a = drive_.dynamics().template topLeftCorner<kStates, kStates>();
      phase.riccati = solve_continuous_riccati<T, kStates, kOutputs>(
          a, measured(), Matrix<T, kStates>(tuning.noise.asDiagonal()), tuning.sensors);
      Gain gain = continuous_gain<T, kStates, kOutputs>(phase.riccati, measured(), tuning.sensors);
      if (mode != GapMode::gap) gain.row(Powertrain<T>::gap_position).setZero();
      hold(a, gain, dt, sample, phase);
    }
    drive_.mode = GapMode::gap;
  }

  bool usable() const noexcept { return contact_.riccati.converged && gap_.riccati.converged; }
  State state() const noexcept { return x_.template head<kStates>(); }
  const StateOf<Powertrain<T>>& whole_state() const noexcept { return x_; }  // with the limits
  StateOf<Powertrain<T>> ahead(T command, T dt) const noexcept { return kept_inside(drive_, x_, command, dt); }
  const Powertrain<T>& model() const noexcept { return drive_; }  // in its mode
  GapMode mode() const noexcept { return drive_.mode; }
  // The limits are known, and stay as they are given here.
  void start(const StateOf<Powertrain<T>>& x) noexcept {
    x_ = x;
    find_mode();
  }
  // s, after which a start counts for a hundredth: by the slower of both modes. In contact the position in the gap is
  // pinned.
  T memory() const noexcept {
    constexpr double kLeft = 0.01;
    constexpr int kMoving = kStates - 1;
    const T in_contact = spectral_radius<T, kMoving>(contact_.transition.template topLeftCorner<kMoving, kMoving>());
    const T slowest = std::max(in_contact, spectral_radius<T, kStates>(gap_.transition));
    return slowest < T(1) ? period_ * std::log(constant<T>(kLeft)) / std::log(slowest)
                          : std::numeric_limits<T>::infinity();
  }
  // How far the state may be off in this mode, if noise and sensors are as the tuning says.
  Matrix<T, kStates> covariance() const noexcept {
    Matrix<T, kStates> p = phase().riccati.covariance;
    if (drive_.in_contact()) {
      p.row(Powertrain<T>::gap_position).setZero();
      p.col(Powertrain<T>::gap_position).setZero();
    }
    return p;
  }

  // One step of this mode: x+ = transition x + by_command u + by_positions y.
  struct Phase {
    Riccati<T, kStates> riccati;
    Matrix<T, kStates> transition;
    State by_command;
    Gain by_positions;
  };
  const Phase& phase() const noexcept { return drive_.mode == GapMode::gap ? gap_ : contact_; }

  void step(T command, const Positions& y) noexcept {
    find_mode();
    const Phase& phase = this->phase();
    const State next = phase.transition * state() + phase.by_command * command + phase.by_positions * y;
    x_.template head<kStates>() = next;
    find_mode();
  }

 private:
  static Matrix<T, kOutputs, kStates> measured() {
    Matrix<T, kOutputs, kStates> c = Matrix<T, kOutputs, kStates>::Zero();
    c(0, Powertrain<T>::motor_position) = c(1, Powertrain<T>::load_position) = T(1);
    return c;
  }

  // x+ = e^(A dt) x + integral (B u + K (y - y_expected)), the difference held over the step.
  void hold(const Matrix<T, kStates>& a, const Gain& gain, T dt, PositionSample sample, Phase& phase) const {
    const State command = State::Unit(Powertrain<T>::motor_torque) / drive_.lag;
    Matrix<T, kStates, 1 + kOutputs> inputs;
    inputs << command, gain;
    const auto step = tauhat::held<T, kStates, 1 + kOutputs>(a, inputs, dt);
    phase.by_positions = step.by_input.template rightCols<kOutputs>();
    const auto [by_state, by_command] = expected(a, command, dt, sample);
    phase.transition = step.transition - phase.by_positions * by_state;
    phase.by_command = step.by_input.col(0) - phase.by_positions * by_command;
  }

  // The sampled positions by state and command at the begin of the step.
  struct Expected {
    Matrix<T, kOutputs, kStates> by_state;
    Positions by_command;
  };
  static Expected expected(const Matrix<T, kStates>& a, const State& command, T dt, PositionSample sample) {
    if (sample == PositionSample::instant) return {measured(), Positions::Zero()};
    // The command as a state that stays: the integral of e^(A t) over the step has M and N.
    using Extended = Matrix<T, kStates + 1>;
    Extended extended = Extended::Zero();
    extended.template topLeftCorner<kStates, kStates>() = a;
    extended.template topRightCorner<kStates, 1>() = command;
    const Extended mean =
        tauhat::held<T, kStates + 1, kStates + 1>(extended, Extended(Extended::Identity()), dt).by_input / dt;
    return {measured() * mean.template topLeftCorner<kStates, kStates>(),
            measured() * mean.template topRightCorner<kStates, 1>()};
  }

  // The mode follows from the state alone: as if it came from the gap.
  void find_mode() noexcept {
    T& position = x_[Powertrain<T>::gap_position];
    position = std::clamp(position, x_[Powertrain<T>::lower_limit], x_[Powertrain<T>::upper_limit]);
    drive_.mode = GapMode::gap;
    drive_.mode = next_mode(drive_, x_, T(0));
  }

  Powertrain<T> drive_;
  T period_;
  Phase contact_, gap_;
  StateOf<Powertrain<T>> x_ = StateOf<Powertrain<T>>::Zero();
};

}  // namespace tauhat
