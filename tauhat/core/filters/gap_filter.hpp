// Where in its gap a gear is: an extended Kalman filter of the whole powertrain that switches between contact and gap.
// Samples and encoder pulses are alike to it: predict to the stamp, correct with the position that the tooth stands
// for.
#pragma once

#include "tauhat/core/filters/ekf.hpp"
#include "tauhat/core/filters/gap_mode.hpp"

namespace tauhat {

template <class T>
class GapFilter {
 public:
  using Scalar = T;
  using Model = Powertrain<T>;
  using Input = InputOf<Model>;
  using Belief = Gaussian<T, Model::kStates>;

  // The drive's mode is where it starts. `hysteresis` in N m at the shaft: see next_mode().
  GapFilter(const Model& drive, const Belief& prior) noexcept
      : GapFilter(drive, prior, usual_hysteresis(drive, prior)) {}
  GapFilter(const Model& drive, const Belief& prior, T hysteresis) noexcept
      : filter_(drive, prior), hysteresis_(hysteresis) {
    follow(drive.mode);
  }

  const Model& model() const noexcept { return filter_.model(); }
  const Belief& belief() const noexcept { return filter_.belief(); }
  Stage stage() const noexcept { return filter_.stage(); }
  GapMode mode() const noexcept { return filter_.model().mode; }
  void set_gate(T nis) noexcept { filter_.set_gate(nis); }
  // Knows less from now on: P += d d^T.
  void widen(const Vector<T, Model::kStates>& d) noexcept {
    filter_.belief().covariance().noalias() += d * d.transpose();
  }

  StepStatus predict(const Input& u, T dt) noexcept {
    const StepStatus status = filter_.predict(u, dt);
    keep_inside();
    follow(next_mode(model(), belief().mean, hysteresis_));
    return status;
  }

  Correction<T> correct(const Measurement<T>& z) noexcept {
    const Correction<T> done = filter_.correct(z);
    keep_inside();
    return done;
  }

 private:
  // Between two steps the gear may have passed a limit.
  void keep_inside() noexcept {
    if (mode() != GapMode::gap) return;
    auto& x = filter_.belief().mean;
    if (x[Model::gap_position] > x[Model::upper_limit]) x[Model::gap_position] = x[Model::upper_limit];
    if (x[Model::gap_position] < x[Model::lower_limit]) x[Model::gap_position] = x[Model::lower_limit];
  }

  void follow(GapMode mode) noexcept {
    filter_.model().mode = mode;
    if (mode != GapMode::gap) tie(filter_.belief(), Model::gap_position, model().limit_state());
  }

  Ekf<Model> filter_;
  T hysteresis_;
};

}  // namespace tauhat
