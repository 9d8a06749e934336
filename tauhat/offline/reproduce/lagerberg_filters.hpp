// The filters of the position in the gap, each run over a whole manoeuvre, its estimates on the grid.
#pragma once

#include <vector>

#include "tauhat/core/filters/switching_observer.hpp"
#include "tauhat/offline/reproduce/lagerberg_setup.hpp"

namespace tauhat::lagerberg {

// At each row of the run, with what is known up to then. `gap` and `mode` may be empty.
struct Estimates {
  std::vector<double> displacement, gap;
  std::vector<GapMode> mode;
};

// What the filter believes of the engine; its own is 1.5 times slower where that is to be tried.
struct Engine {
  double lag = 0.1, delay = kDelay;  // s
};
inline constexpr Engine kSlowEngine{0.15, 0.045};

// Stationary filters of [th w a] on the staircases of both counters.
Estimates run_quantised(const Run& run);

// Filters of [th w a] at each pulse.
Estimates run_events(const Run& run, Teeth teeth);

enum class Prefilter { events, none };
Estimates run_switching(const Run& run, Teeth teeth, Prefilter prefilter, const Engine& engine);
// The same measurements, but the gain follows the covariance.
Estimates run_time_varying(const Run& run, const Engine& engine);

inline constexpr double kWheelStd = 2.618e-3;  // rad, of the wheel's teeth

// The extended Kalman filter of the whole drive at each pulse. `table` holds the wheel's learned tooth errors.
struct Direct {
  Engine engine;
  double wheel_std = kWheelStd;
  std::vector<double> table{};
};
Estimates run_direct(const Run& run, const Direct& how);
Estimates run_imm(const Run& run, const Direct& how);

// The wheel's tooth errors, learned on a run.
std::vector<double> learn_table(const Run& run, const Engine& engine);

struct LearnedGap {
  Estimates estimates;               // the gap's position from the middle
  std::vector<double> size, offset;  // over time
  double size_std = 0.0, offset_std = 0.0;
};
inline constexpr double kOffset = 0.02;  // rad, of the wheel's counter
LearnedGap run_unknown_gap(const Run& run, const Engine& engine);

// The gap from what a bus carries: both speeds every 10 ms, sampled up to 1 ms beside their stamps, in steps of
// 0.25 rpm of the engine and 0.01 rad/s of the wheel.
LearnedGap run_bus(const Run& run, std::uint64_t seed);

}  // namespace tauhat::lagerberg
