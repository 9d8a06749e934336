// The powertrain of Lagerberg and Egardt: its manoeuvre, its wheels, one run for a seed.
#pragma once

#include <cstdint>
#include <vector>

#include "tauhat/offline/simulate/powertrain_truth.hpp"

namespace tauhat::lagerberg {

inline constexpr double kPeriod = 1e-3, kDuration = 16.0;  // s
inline constexpr double kHalfGap = 0.03;                   // rad
inline constexpr double kDelay = 0.03;                     // s, of the engine
inline constexpr int kEngineTeeth = 60, kWheelTeeth = 48;
inline constexpr double kEngineError = 0.01, kWheelError = 0.02;  // sd, of a pitch

struct Sample {
  double time;
  PowertrainState state;
  GapMode mode;
};

struct ModeChange {
  double time;
  GapMode from, to;
};

struct Run {
  std::vector<double> command;  // held from row to row
  std::vector<Sample> rows;     // one more than commands
  std::vector<ModeChange> changes;
  ToothedWheel engine, wheel;
  std::vector<Pulse> engine_pulses, wheel_pulses;

  // The command of a row, so much later.
  double delayed_command(std::size_t row, double delay) const;
};

enum class Teeth { ideal, imperfect };

// `drive_seed` draws the motion, `wheel_seed` the wheels.
Run make_run(std::uint64_t drive_seed, std::uint64_t wheel_seed, Teeth teeth);

}  // namespace tauhat::lagerberg
