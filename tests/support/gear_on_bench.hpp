// A gear on the test bench with its loops in closed form: an odd flank curve x = f(spring torque) behind Coulomb
// friction, which holds the spring until the torque has changed by twice its level.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "tauhat/offline/gearbox/hysteresis_test.hpp"

namespace tauhat {

struct GearOnBench {
  std::function<double(double)> twist;  // of the spring's torque; odd
  double friction = 0.2;                // N m
  double largest_torque = 11.0;         // N m, where the ramps turn
  double rate = 2.0;                    // N m/s
  double period = 1e-3;                 // s
  int loops = 3;
  double torque_noise = 0.0, twist_noise = 0.0;

  // Spring torque on the way up from far below, and on the way down from the turn.
  double loading(double torque) const { return twist(torque - friction); }
  double unloading(double torque) const { return twist(std::min(torque + friction, largest_torque - friction)); }
  double centre(double torque) const { return 0.5 * (loading(torque) + unloading(torque)); }

  HysteresisRecord record(std::uint64_t seed = 1) const {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    HysteresisRecord result;
    TorqueRamp& ramp = result.ramp;
    ramp.source = "bench.csv";
    const double quarter = largest_torque / rate;
    const auto samples = static_cast<std::size_t>(4.0 * quarter * loops / period);
    double spring = 0.0;
    for (std::size_t k = 0; k <= samples; ++k) {
      const double time = static_cast<double>(k) * period, phase = std::fmod(time / quarter, 4.0);
      const double shape = phase < 1.0 ? phase : phase < 3.0 ? 2.0 - phase : phase - 4.0;
      const double torque = largest_torque * shape;
      spring = std::clamp(spring, torque - friction, torque + friction);
      ramp.time.push_back(time);
      ramp.torque.push_back(torque + torque_noise * normal(random));
      ramp.displacement.push_back(twist(spring) + twist_noise * normal(random));
    }
    result.parts = {{0, ramp.size(), true, true}};
    return result;
  }
};

// Backlash and a linear spring; the corners may be soft, the flanks curved.
inline std::function<double(double)> flanks(double gap, double stiffness, double corner = 0.0, double curvature = 0.0) {
  return [=](double torque) {
    const double side = corner > 0.0   ? torque / std::hypot(torque, corner)
                        : torque > 0.0 ? 1.0
                        : torque < 0.0 ? -1.0
                                       : 0.0;
    return 0.5 * gap * side + torque / stiffness * (1.0 - curvature * std::abs(torque));
  };
}

inline const Result& find_result(const HysteresisOutcome& outcome, const std::string& name) {
  return *std::find_if(outcome.results.begin(), outcome.results.end(), [&](const Result& r) { return r.name == name; });
}

}  // namespace tauhat
