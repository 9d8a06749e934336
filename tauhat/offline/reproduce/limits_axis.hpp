// The positioning axis of the grid of its friction: it moves exactly as it is told, by forces that may have more in
// them than mass, viscous and Coulomb friction.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "tauhat/offline/log/log.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat::limits {

inline constexpr double kAxisMass = 95.0, kAxisViscous = 200.0, kAxisCoulomb = 20.0;  // kg, N s/m, N

struct AxisInstant {
  double time, position, velocity, acceleration;
};
// 1, -1, or 0 at rest.
double direction_of(const AxisInstant& at);

// What happens to the axis and to its log.
struct HostileAxis {
  std::vector<double> speeds{0.05, 0.1, 0.15, 0.2, 0.25, 0.2, 0.15, 0.1};  // m/s, there and back at each
  double viscous = kAxisViscous, coulomb = kAxisCoulomb;
  std::function<double(const AxisInstant&)> beside = [](const AxisInstant&) { return 0.0; };  // N, in motion
  double force_gain = 1.0, force_gain_std = 0.0;  // of the log's, over what acts; what the study says of it
  int force_late = 0;                             // samples
  double noise = 2.0, noise_memory = 0.0;         // N; s
  double resolution = 1e-6;                       // m
  double jitter = 0.0, dropout = 0.0;             // of a period; share of the samples
};

inline constexpr double kAxisPeriod = 1e-3;  // s
double duration_of(const HostileAxis& axis);

// A study with force and position, by regression.
Study axis_study();
Log axis_log(const HostileAxis& axis, std::uint64_t seed);

}  // namespace tauhat::limits
