// Positions and velocities of motor and load by the continuous filter on quantised positions (Lagerberg and Egardt):
// each side's motion with a stationary gain of its own, nothing known of the drive. Tells the displacement of the
// transmission, not where in the gap the gear is.
//   x' = A x + K (y - C x),   x = [th w a],   y the mean of the staircase over each period, and C x the same of the
//   motion:  th + w dt / 2 + a dt^2 / 6
#pragma once

#include <array>
#include <cmath>
#include <limits>

#include "tauhat/core/filters/switching_observer.hpp"

namespace tauhat {

template <class T>
class StationaryPositions {
 public:
  using Model = Powertrain<T>;
  static constexpr int kStates = SwitchingObserver<T>::kStates;
  using Positions = typename SwitchingObserver<T>::Positions;  // motor, load

  // Densities of the noise of [th w a], a column a side, and of the two positions'.
  struct Tuning {
    Matrix<T, 3, 2> noise;
    Positions sensors;
  };

  StationaryPositions(const Model& drive, const Tuning& tuning, T dt, PositionSample) noexcept
      : drive_(drive), period_(dt) {
    drive_.mode = GapMode::gap;
    Matrix<T, 3> a = Matrix<T, 3>::Zero();
    a(0, 1) = a(1, 2) = T(1);
    const Matrix<T, 1, 3> c(T(1), T(0), T(0));
    for (int i = 0; i < 2; ++i) {
      Side& side = sides_[static_cast<std::size_t>(i)];
      const Vector<T, 1> sensor(tuning.sensors[i]);
      side.riccati = solve_continuous_riccati<T, 3, 1>(a, c, Matrix<T, 3>(tuning.noise.col(i).asDiagonal()), sensor);
      const Matrix<T, 3, 1> gain = continuous_gain<T, 3, 1>(side.riccati, c, sensor);
      side.step = held<T, 3, 1>(a, gain, dt);
      side.step.transition -= side.step.by_input * Matrix<T, 1, 3>(T(1), dt / T(2), dt * dt / T(6));
    }
  }

  bool usable() const noexcept { return sides_[0].riccati.converged && sides_[1].riccati.converged; }
  const Model& model() const noexcept { return drive_; }
  GapMode mode() const noexcept { return GapMode::gap; }  // it knows none
  // s, after which a start counts for a hundredth.
  T memory() const noexcept {
    constexpr double kLeft = 0.01;
    const T slowest =
        std::max(spectral_radius<T, 3>(sides_[0].step.transition), spectral_radius<T, 3>(sides_[1].step.transition));
    return slowest < T(1) ? period_ * std::log(constant<T>(kLeft)) / std::log(slowest)
                          : std::numeric_limits<T>::infinity();
  }

  void start(const StateOf<Model>& x) noexcept {
    x_ = x;
    for (Side& side : sides_) side.acceleration = T(0);
  }
  void step(T, const Positions& y) noexcept {
    for (int i = 0; i < 2; ++i) {
      Side& side = sides_[static_cast<std::size_t>(i)];
      auto motion = x_.template segment<2>(kPosition[i]);
      const Vector<T, 3> now(motion[0], motion[1], side.acceleration);
      const Vector<T, 3> next = side.step.transition * now + side.step.by_input * y[i];
      motion = next.template head<2>();
      side.acceleration = next[2];
    }
  }

  const StateOf<Model>& whole_state() const noexcept { return x_; }
  StateOf<Model> ahead(T, T dt) const noexcept {
    StateOf<Model> x = x_;
    for (int i = 0; i < 2; ++i) {
      auto motion = x.template segment<2>(kPosition[i]);
      const T acceleration = sides_[static_cast<std::size_t>(i)].acceleration;
      motion[0] += dt * (motion[1] + dt / T(2) * acceleration);
      motion[1] += dt * acceleration;
    }
    return x;
  }
  Matrix<T, kStates> covariance() const noexcept {
    Matrix<T, kStates> p = Matrix<T, kStates>::Zero();
    for (int i = 0; i < 2; ++i)
      p.template block<2, 2>(kPosition[i], kPosition[i]) =
          sides_[static_cast<std::size_t>(i)].riccati.covariance.template topLeftCorner<2, 2>();
    return p;
  }

 private:
  static constexpr int kPosition[2] = {Model::motor_position, Model::load_position};
  struct Side {
    Riccati<T, 3> riccati;
    Sampled<T, 3, 1> step;
    T acceleration = T(0);
  };
  Model drive_;
  T period_;
  std::array<Side, 2> sides_;
  StateOf<Model> x_ = StateOf<Model>::Zero();
};

}  // namespace tauhat
