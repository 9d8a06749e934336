// Velocities from sampled positions: backward difference, then a Butterworth low-pass of order two (bilinear transform,
// cut-off prewarped). It delays by half a sample and 0.225 / cut-off.
#pragma once

#include <cmath>
#include <numbers>

#include "tauhat/core/robot/sizes.hpp"

namespace tauhat {

template <class T, int Joints>
class FilteredVelocity {
 public:
  using Vector = JointVector<T, Joints>;

  // Cut-off in Hz below half the sampling rate, interval in s.
  FilteredVelocity(T cut_off, T interval, int joints) noexcept
      : interval_(interval), position_(Vector::Zero(joints)), first_(position_), second_(position_) {
    const T k = std::tan(std::numbers::pi_v<T> * cut_off * interval), root = std::numbers::sqrt2_v<T> * k;
    const T scale = T(1) / (T(1) + root + k * k);
    b_ = k * k * scale;
    a1_ = T(2) * (k * k - T(1)) * scale;
    a2_ = (T(1) - root + k * k) * scale;
  }

  // As if the joints had long moved with this velocity, and are here.
  void start(const Vector& position, const Vector& velocity) noexcept {
    position_ = position;
    first_ = velocity * (T(1) - b_);
    second_ = velocity * (b_ - a2_);
  }

  // The next sample. (Direct form II, transposed.)
  Vector step(const Vector& position) noexcept {
    const Vector difference = (position - position_) / interval_;
    position_ = position;
    Vector velocity = difference * b_ + first_;
    first_ = difference * (T(2) * b_) - velocity * a1_ + second_;
    second_ = difference * b_ - velocity * a2_;
    return velocity;
  }

  // Variance of the velocity for each unit of variance of the positions, white: the sum of the squared answers to one
  // disturbed sample.
  static T noise_gain(T cut_off, T interval) noexcept {
    constexpr int kSettled = 1000;  // samples
    FilteredVelocity<T, 1> filter(cut_off, interval, 1);
    T gain = T(0);
    for (int k = 0; k < kSettled; ++k) {
      const T velocity = filter.step(JointVector<T, 1>(k == 0 ? T(1) : T(0)))[0];
      gain += velocity * velocity;
    }
    return gain;
  }

 private:
  T interval_, b_, a1_, a2_;
  Vector position_, first_, second_;
};

}  // namespace tauhat
