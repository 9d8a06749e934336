#include "tauhat/offline/reproduce/zampolini_motion.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "tauhat/offline/signal/differentiate.hpp"
#include "tauhat/offline/signal/zero_phase.hpp"
#include "tauhat/offline/simulate/excitation.hpp"
#include "tauhat/offline/simulate/random.hpp"

namespace tauhat::zampolini {
namespace {

using std::numbers::pi;

constexpr double kDegree = pi / 180.0;
constexpr double kStart = 87.0 * kDegree, kFirstDwell = 0.3;

std::size_t rows_of(double duration) { return static_cast<std::size_t>(std::lround(duration / kPeriod)) + 1; }

std::vector<Move> in_radians(std::vector<Move> moves) {
  for (Move& move : moves) move.target *= kDegree;
  return moves;
}

}  // namespace

MoveSequence::MoveSequence(double start, const std::vector<Move>& moves, double first_dwell)
    : start_(start), ends_(first_dwell) {
  double from = start;
  for (const Move& move : moves) {
    const double distance = move.target - from, fastest = std::sqrt(std::abs(distance) * move.acceleration / 2.0);
    legs_.push_back({ends_, from, distance, std::min(move.speed, fastest), move.acceleration});
    ends_ += legs_.back().lasts() + move.dwell;
    from = move.target;
  }
}

double MoveSequence::Leg::lasts() const noexcept { return distance == 0.0 ? 0.0 : ramp() + std::abs(distance) / speed; }

MotionPoint MoveSequence::Leg::at(double time) const noexcept {
  const double direction = distance < 0.0 ? -1.0 : 1.0;
  if (time >= lasts()) return {from + distance, 0.0, 0.0};
  // The second half is the first one, seen from its end.
  const bool accelerates = time < lasts() / 2.0;
  const double t = accelerates ? time : lasts() - time, turn = 2.0 * pi / ramp();
  MotionPoint moved;
  if (t < ramp()) {
    moved.acceleration = acceleration * std::pow(std::sin(turn * t / 2.0), 2);
    moved.velocity = acceleration / 2.0 * (t - std::sin(turn * t) / turn);
    moved.position = acceleration / 2.0 * (t * t / 2.0 + (std::cos(turn * t) - 1.0) / (turn * turn));
  } else {
    moved.velocity = speed;
    moved.position = speed * (t - ramp() / 2.0);
  }
  if (accelerates) {
    return {from + direction * moved.position, direction * moved.velocity, direction * moved.acceleration};
  }
  return {from + distance - direction * moved.position, direction * moved.velocity, -direction * moved.acceleration};
}

MotionPoint MoveSequence::at(double time) const noexcept {
  const auto later =
      std::upper_bound(legs_.begin(), legs_.end(), time, [](double t, const Leg& leg) { return t < leg.starts; });
  if (later == legs_.begin()) return {start_, 0.0, 0.0};
  const Leg& leg = *std::prev(later);
  return leg.at(time - leg.starts);
}

Reference sampled(const MoveSequence& moves) {
  Reference reference;
  const std::size_t rows = rows_of(moves.duration());
  for (std::size_t k = 0; k < rows; ++k) {
    const MotionPoint point = moves.at(static_cast<double>(k) * kPeriod);
    reference.position.push_back(point.position);
    reference.velocity.push_back(point.velocity);
  }
  return reference;
}

Reference normal_motion(std::uint64_t seed) {
  if (seed != 1) return random_motion(seed);
  return sampled({kStart,
                  in_radians({{60, 1.5, 10, 0.5},
                              {100, 3, 20, 0.6},
                              {75, 2, 15, 0},
                              {95, 1, 8, 1},
                              {50, 3.2, 22, 0},
                              {110, 3.5, 24, 0.5},
                              {100, 2, 25, 0},
                              {90, 2, 25, 0},
                              {80, 2, 25, 0},
                              {70, 2, 25, 1},
                              {85, 0.3, 4, 0.3},
                              {70, 0.1, 2, 0.3},
                              {110, 2.5, 18, 0},
                              {60, 3, 20, 0.7},
                              {87, 1.5, 12, 0.5}}),
                  kFirstDwell});
}

Reference random_motion(std::uint64_t seed) {
  constexpr int kMoves = 14;
  constexpr std::array<double, 4> kDwells{0.0, 0.0, 0.4, 0.8};
  Random random(seed, "motion");
  std::vector<Move> moves;
  for (int i = 0; i < kMoves; ++i) {
    Move& move = moves.emplace_back();
    move.target = random.uniform(45.0, 115.0);
    move.speed = random.uniform(0.2, 3.5);
    move.acceleration = random.uniform(6.0, 25.0);
    move.dwell = kDwells[random.next() % kDwells.size()];
  }
  return sampled({kStart, in_radians(moves), kFirstDwell});
}

Reference slow_sine(double duration) {
  constexpr double kAmplitude = 12.0 * kDegree, kRate = 2.0 * pi * 0.15;
  Reference reference;
  const std::size_t rows = rows_of(duration);
  for (std::size_t k = 0; k < rows; ++k) {
    const double angle = kRate * static_cast<double>(k) * kPeriod;
    reference.position.push_back(kStart + kAmplitude * std::sin(angle));
    reference.velocity.push_back(kAmplitude * kRate * std::cos(angle));
  }
  return reference;
}

Reference friction_motion() {
  constexpr double kAcceleration = 6.0, kDwell = 0.15;
  std::vector<Move> moves{{47.0, 1.4, kAcceleration, kDwell}};
  for (const double speed : {0.3, 0.8, 1.4, 2.0, 2.6, 2.0, 1.4, 0.8, 0.3}) {
    moves.push_back({127.0, speed, kAcceleration, kDwell});
    moves.push_back({47.0, speed, kAcceleration, kDwell});
  }
  return sampled({kStart, in_radians(moves), kFirstDwell});
}

//   q = 87 deg + 0.9 (|((t / 2) mod 2) - 1| - 0.5)
Reference triangular_motion(double duration) {
  constexpr double kCornerFrequency = 3.0;  // Hz
  // The filter sees a period more at each end, so that the corners there are rounded like the others.
  const std::size_t rows = rows_of(duration), margin = rows_of(kMultisinePeriod) - 1;
  std::vector<double> corners(rows + 2 * margin);
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const double time = static_cast<double>(k) * kPeriod;
    corners[k] = kStart + 0.9 * (std::abs(std::fmod(time / 2.0, 2.0) - 1.0) - 0.5);
  }
  const auto within = [&](const std::vector<double>& values) {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(margin);
    return std::vector<double>(first, first + static_cast<std::ptrdiff_t>(rows));
  };
  const std::vector<double> rounded =
      filter_zero_phase(butterworth_low_pass(1, 2.0 * kCornerFrequency * kPeriod), corners);
  return {within(rounded), within(differentiate(rounded, kPeriod))};
}

MoveSequence neighbour_motion() {
  std::vector<Move> moves;
  for (const double target : {30, 140, 75, 20, 120, 50, 150, 30, 100, 75, 140, 20, 75, 130, 40, 90}) {
    moves.push_back({target, 2.0, 12.0, 0.2});
  }
  return {kNeighbourPosition, in_radians(moves), 0.0};
}

std::vector<double> multisine_current(const Multisine& multisine, std::size_t rows, std::uint64_t seed) {
  Excitation excitation;
  excitation.kind = Excitation::Kind::multisine;
  excitation.amplitude = multisine.deviation;
  excitation.lowest = multisine.lowest, excitation.highest = multisine.highest;
  excitation.lines = static_cast<int>(std::lround((multisine.highest - multisine.lowest) * kMultisinePeriod)) + 1;
  return excite(excitation, {rows, kPeriod}, seed);
}

}  // namespace tauhat::zampolini
