// Where in its gap a gear is, with the mode itself uncertain: three filters of the powertrain, in contact below, in the
// gap, in contact above, whose transitions come from the guards. Worth its price where the limits are to be learned.
//   contact to gap     0.9 Phi(-s h / sigma_h)                          s the side
//   gap to contact     0.9 Phi(s (th_b - limit) / sigma) Phi(s h / sigma_h)
//   sigma_h^2 = a P a^T + (k w / c)^2,   sigma^2 = Var(th_b - limit) + w^2,   w a way that counts as nothing
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "tauhat/core/filters/ekf.hpp"
#include "tauhat/core/filters/gap_mode.hpp"
#include "tauhat/core/filters/imm.hpp"

namespace tauhat {

template <class T>
class GapImm {
 public:
  using Scalar = T;
  using Model = Powertrain<T>;
  using Input = InputOf<Model>;
  using Belief = Gaussian<T, Model::kStates>;

  // Mixed once a millisecond, or as often as said, counted by the time that was predicted over.
  GapImm(const Model& drive, const Belief& prior, T mixing_period = constant<T>(1e-3)) noexcept
      : imm_(filters_of(drive, prior), start_in(drive.mode)), blur_(negligible_way(prior)), period_(mixing_period) {}

  const Model& model() const noexcept { return imm_.filter(imm_.likeliest()).model(); }
  Belief belief() const noexcept { return imm_.belief(); }
  GapMode mode() const noexcept { return mode_of(imm_.likeliest()); }
  T probability(GapMode mode) const noexcept { return imm_.probability()[index_of(mode)]; }

  // Knows less from now on: P += d d^T.
  void widen(const Vector<T, Model::kStates>& d) noexcept {
    for (int i = 0; i < 3; ++i) imm_.filter(i).belief().covariance().noalias() += d * d.transpose();
  }

  StepStatus predict(const Input& u, T dt) noexcept {
    if (!(dt > T(0)) || !std::isfinite(dt)) return StepStatus::interval_not_positive;
    const bool usable = u.allFinite();
    if (usable) input_ = u;
    // Both contacts move alike.
    const Flow in_contact = imm_.filter(0).model().flow(dt, input_), in_gap = imm_.filter(1).model().flow(dt, input_);
    const StepStatus status = imm_.predict(
        [&](Ekf<Model>& filter) { return advance(filter, filter.model().in_contact() ? in_contact : in_gap); });
    since_mixed_ += dt;
    // A period that is made up of several intervals may miss its length by rounding.
    if (since_mixed_ > constant<T>(0.999) * period_) {
      imm_.mix([this](int from) { return transition(from); }, enter);
      since_mixed_ = T(0);
    }
    return status != StepStatus::ok || usable ? status : StepStatus::input_held;
  }
  Correction<T> correct(const Measurement<T>& z) noexcept { return imm_.correct(z); }

 private:
  using Probabilities = Vector<T, 3>;
  using Flow = typename Model::Flow;
  static constexpr int index_of(GapMode mode) { return static_cast<signed char>(mode) + 1; }
  static constexpr GapMode mode_of(int index) { return static_cast<GapMode>(index - 1); }

  static std::array<Ekf<Model>, 3> filters_of(Model drive, const Belief& prior) {
    const auto in = [&](GapMode mode) {
      drive.mode = mode;
      Belief belief = prior;
      enter(index_of(mode), belief);
      return Ekf<Model>(drive, belief);
    };
    return {in(GapMode::lower), in(GapMode::gap), in(GapMode::upper)};
  }
  static Probabilities start_in(GapMode mode) {
    Probabilities start = Probabilities::Constant(constant<T>(0.01));
    start[index_of(mode)] = constant<T>(0.98);
    return start;
  }

  // One filter over a step that is known.
  StepStatus advance(Ekf<Model>& filter, const Flow& flow) const noexcept {
    Belief& b = filter.belief();
    const auto& step = flow.step;
    const Vector<T, Model::kStates> mean = filter.model().moved(flow, b.mean, input_);
    const PaddedMatrix<T, Model::kStates> lower =
        lower_covariance<Model::kMoving>(step.transition, b.padded_covariance, step.noise);
    if (!std::isfinite(mean.sum() + lower.diagonal().sum())) return StepStatus::diverged;
    b.mean = mean;
    mirror_lower(lower, b.padded_covariance);
    return StepStatus::ok;
  }

  static void enter(int mode, Belief& belief) noexcept {
    if (mode_of(mode) == GapMode::upper) tie(belief, Model::gap_position, Model::upper_limit);
    if (mode_of(mode) == GapMode::lower) tie(belief, Model::gap_position, Model::lower_limit);
  }

  static T normal(T x) noexcept { return std::erfc(-x / constant<T>(std::numbers::sqrt2)) / T(2); }

  // How likely it is that the gear, in the gap, has come to a limit and presses on.
  T contact(const Belief& b, int limit, T side, T pressing) const noexcept {
    const int at = Model::gap_position;
    const T variance = b.covariance()(at, at) + b.covariance()(limit, limit) - T(2) * b.covariance()(at, limit);
    const T sigma = std::sqrt(std::max(variance, T(0)) + blur_ * blur_);
    return constant<T>(kChange) * normal(side * (b.mean[at] - b.mean[limit]) / sigma) * pressing;
  }

  Probabilities transition(int from) const noexcept {
    const Ekf<Model>& filter = imm_.filter(from);
    const Model& drive = filter.model();
    const Belief& b = filter.belief();
    const Vector<T, Model::kStates> a = drive.guard();
    const T h = a.dot(b.mean), blur = drive.stiffness * blur_ / drive.damping;
    const T sigma = std::sqrt(std::max(T(a.dot(b.covariance() * a)), T(0)) + blur * blur);
    Probabilities p = Probabilities::Zero();
    if (drive.mode == GapMode::gap) {
      p[2] = contact(b, Model::upper_limit, T(1), normal(h / sigma));
      p[0] = contact(b, Model::lower_limit, T(-1), normal(-h / sigma));
    } else {
      p[1] = constant<T>(kChange) * normal(-side_of<T>(drive.mode) * h / sigma);
    }
    p[from] = T(1) - p.sum();
    return p;
  }

  static constexpr double kChange = 0.9;  // a mode that has certainly ended is left within a few periods

  Imm<Ekf<Model>, 3> imm_;
  Input input_ = Input::Zero();
  T blur_;  // rad
  T period_, since_mixed_ = T(0);
};

}  // namespace tauhat
