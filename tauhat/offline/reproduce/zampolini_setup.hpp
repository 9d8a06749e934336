// The experiments on the link velocity of an elastic joint after Zampolini's thesis: the axis under its position
// controller, seen by the motor's encoder.
//   row k: position and truth at t_k, the current computed from them and held from t_k to t_{k+1}
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tauhat/offline/reproduce/zampolini_motion.hpp"
#include "tauhat/offline/reproduce/zampolini_plant.hpp"

namespace tauhat::zampolini {

inline constexpr double kMeasurementVariance = 4.2e-12;  // rad^2: noise and rounding of 20 bits

struct Encoder {
  int bits = 20;
  double noise = 1.1e-6;  // rad, deviation before the rounding

  double step() const noexcept { return 2.0 * std::numbers::pi / static_cast<double>(1L << bits); }
  double variance() const noexcept { return noise * noise + step() * step() / 12.0; }
};
// Coarser encoders have no noise but their rounding.
inline Encoder coarse_encoder(int bits) { return {bits, 0.0}; }

struct RecordOptions {
  Plant plant{};
  Encoder encoder{};
  std::uint64_t seed = 1;
  std::vector<double> external_torque{};          // N m against the link, one a row; empty: none
  std::optional<MoveSequence> neighbour_motor{};  // empty: it is held
};

struct Record {
  std::vector<double> motor_position;  // rad, measured
  std::vector<double> current;         // A, into the drive
  std::vector<double> injected;        // A, the part of it that does not come from the controller
  Reference reference;                 // of the load
  // Truth.
  std::vector<double> load_velocity, motor_velocity;  // rad/s
  std::vector<double> friction;                       // N m, of the motor, viscous part included
  std::vector<MotionPoint> neighbour_motor;           // where it stands; empty where it is held
  std::size_t size() const noexcept { return motor_position.size(); }
  double time(std::size_t row) const noexcept { return static_cast<double>(row) * kPeriod; }
};

// `injected` is added to the controller's current, one a row; empty: none.
Record run(const Reference& reference, const std::vector<double>& injected, const RecordOptions& options);

// The experiments; the seed draws the encoder's noise, the phases and, except for seed 1, the normal motion.
Record normal(const RecordOptions& options);
Record random_normal(const RecordOptions& options);
Record exciting(const RecordOptions& options, double duration = 16.0);
Record friction_run(const RecordOptions& options);
Record multisine_run(const RecordOptions& options, std::uint64_t number, int periods = 5);
// With the neighbour's motor in motion and the excitation from the start.
Record moving_neighbour(RecordOptions options);

// The current as the torque follows it: known to all observers.
std::vector<double> saturated_current(const Plant& plant, const std::vector<double>& current);

//   FIT = 100 (1 - |v - v^| / |v - mean v|), from `first` s on
double fit_percent(const std::vector<double>& truth, const std::vector<double>& estimate, double first = 0.5);
// The velocity of the motor over the ratio, by central differences: what an observer has to beat.
std::vector<double> naive_velocity(const std::vector<double>& motor_position, double ratio);

}  // namespace tauhat::zampolini
