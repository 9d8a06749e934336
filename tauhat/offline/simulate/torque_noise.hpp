// A torque beside the commanded one, which the drive feels and nobody measures: an Ornstein-Uhlenbeck process,
//   d(t + period) = e^(-period / 50 ms) d(t) + std sqrt(1 - e^(-2 period / 50 ms)) w,   w normal
#pragma once

#include <cmath>

#include "tauhat/offline/simulate/random.hpp"

namespace tauhat {

class TorqueNoise {
 public:
  TorqueNoise(double std, double period, Random random)
      : std_(std), kept_(std::exp(-period / kMemory)), random_(random), value_(std * random_.normal()) {}

  // Of one period after the other.
  double next() {
    const double now = value_;
    value_ = kept_ * value_ + std_ * std::sqrt(1.0 - kept_ * kept_) * random_.normal();
    return now;
  }

 private:
  static constexpr double kMemory = 0.05;  // s
  double std_, kept_;
  Random random_;
  double value_;
};

}  // namespace tauhat
