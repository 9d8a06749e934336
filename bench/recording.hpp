// A run of the benchmark's drive: its input and its noisy position sensors, made once and the same every
// time.
#pragma once

#include <numbers>
#include <random>
#include <vector>

#include "bench/flexible_drive.hpp"

namespace tauhat::bench {

inline constexpr double kInterval = 1e-3;        // s
inline constexpr double kSensorVariance = 1e-8;  // rad^2
inline constexpr double kGate = 25.0;            // five standard deviations
inline constexpr std::size_t kRecordedSteps = 2000;

template <class Drive>
struct Sample {
  typename Drive::U input;
  Vector<double, Drive::kSensors> sensors;
};

template <class Drive>
std::vector<Sample<Drive>> record(const Drive& drive) {
  std::mt19937 seed(7);
  std::normal_distribution<double> noise(0.0, std::sqrt(kSensorVariance));
  typename Drive::X x = Drive::start();
  std::vector<Sample<Drive>> samples(kRecordedSteps);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    auto& [input, sensors] = samples[i];
    input[0] = 1.2 * std::sin(2.0 * std::numbers::pi * 1.5 * static_cast<double>(i) * kInterval);  // both directions
    x = drive.next(x, input, kInterval);
    for (int s = 0; s < Drive::kSensors; ++s) sensors[s] = x[drive.output_state(s)] + noise(seed);
  }
  return samples;
}

}  // namespace tauhat::bench
