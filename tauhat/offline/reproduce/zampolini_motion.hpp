// What the axis is asked to do. Angles in rad, of the load; the motor's reference is the ratio times as large.
#pragma once

#include <cstdint>
#include <vector>

#include "tauhat/offline/reproduce/zampolini_plant.hpp"

namespace tauhat::zampolini {

inline constexpr double kPeriod = 400e-6;  // s

struct Move {
  double target, speed, acceleration, dwell;  // rad, rad/s, rad/s^2, s
};

// Moves one after the other, at rest between them:
//   acceleration a sin^2(pi t / T_a), cruise at v, the same backwards;   T_a = 2 v / a
// A distance D < v T_a is too short for the cruise: v = sqrt(D a / 2).
class MoveSequence {
 public:
  MoveSequence(double start, const std::vector<Move>& moves, double first_dwell);

  double duration() const noexcept { return ends_; }
  MotionPoint at(double time) const noexcept;

 private:
  struct Leg {
    double starts, from, distance, speed, acceleration;
    double ramp() const noexcept { return 2.0 * speed / acceleration; }
    double lasts() const noexcept;
    MotionPoint at(double time) const noexcept;
  };
  std::vector<Leg> legs_;
  double start_, ends_ = 0.0;
};

// One value a row.
struct Reference {
  std::vector<double> position, velocity;  // rad, rad/s, of the load
  std::size_t size() const noexcept { return position.size(); }
};

Reference sampled(const MoveSequence& moves);

// Seed 1 is the list of the set-up; the others are fourteen random moves.
Reference normal_motion(std::uint64_t seed);
Reference random_motion(std::uint64_t seed);
// 87 deg + 12 deg sin(2 pi 0.15 t)
Reference slow_sine(double duration = 16.0);
// To and fro between 47 and 127 deg at constant speeds, up and down again.
Reference friction_motion();
// Back and forth at constant speed, its corners rounded, so that friction keeps its sign for most of the time.
Reference triangular_motion(double duration);
// The motor of the neighbour, where it moves.
MoveSequence neighbour_motion();

// Tones on a grid of 0.25 Hz, hence with a period of 4 s, of equal amplitude and random phase.
inline constexpr double kMultisinePeriod = 4.0;  // s
struct Multisine {
  double lowest, highest;  // Hz
  double deviation;        // A
};
inline constexpr Multisine kExciting{10.0, 25.0, 2.2}, kIdentifying{4.0, 40.0, 1.6};
std::vector<double> multisine_current(const Multisine& multisine, std::size_t rows, std::uint64_t seed);

}  // namespace tauhat::zampolini
