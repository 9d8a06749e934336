#include "tauhat/offline/simulate/powertrain_truth.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace tauhat {
namespace {

using P = Powertrain<double>;

std::size_t index_of(GapMode mode) { return static_cast<std::size_t>(std::int64_t{static_cast<int>(mode)} + 1); }

}  // namespace

PowertrainNode steady_start(const P& drive, const SteadyMotion& motion) {
  const double speed = motion.load_velocity;
  const double acceleration = (drive.ratio * motion.command - motion.load_torque - drive.load_damping * speed) /
                              (drive.load_inertia + drive.ratio * drive.ratio * drive.motor_inertia);
  const double shaft = drive.load_inertia * acceleration + motion.load_torque + drive.load_damping * speed;
  PowertrainState x = PowertrainState::Zero();
  x[P::upper_limit] = motion.upper_limit, x[P::lower_limit] = motion.lower_limit;
  x[P::gap_position] = shaft >= 0.0 ? motion.upper_limit : motion.lower_limit;
  x[P::load_position] = motion.load_position, x[P::load_velocity] = speed;
  x[P::motor_velocity] = drive.ratio * speed;
  x[P::motor_position] = drive.ratio * (motion.load_position + shaft / drive.stiffness + x[P::gap_position]);
  x[P::load_torque] = motion.load_torque, x[P::motor_torque] = motion.command;
  return {.state = x, .mode = shaft >= 0.0 ? GapMode::upper : GapMode::lower};
}

PowertrainTruth::PowertrainTruth(const Powertrain<double>& drive, const PowertrainState& start, double period)
    : drive_(drive), state_(start), period_(period) {
  constexpr double kShort = 0.1;  // beside the fastest motion
  pieces_ = std::max(1, static_cast<int>(std::ceil(period * drive.fastest_rate() / kShort)));
  for (const GapMode mode : {GapMode::lower, GapMode::gap, GapMode::upper}) {
    drive_.mode = mode;
    whole_[index_of(mode)] = transition_over<double, kAll>(generator(), period_ / pieces_);
  }
  drive_.mode = drive.mode;
  note(false);
}

Matrix<double, PowertrainTruth::kAll> PowertrainTruth::generator() const {
  Matrix<double, kAll> all = Matrix<double, kAll>::Zero();
  all.topLeftCorner<P::kStates, P::kStates>() = drive_.dynamics();
  all(P::motor_torque, P::kStates) = 1.0 / drive_.lag;
  all(P::motor_velocity, P::kStates + 1) = 1.0 / drive_.motor_inertia;
  return all;
}

PowertrainTruth::All PowertrainTruth::carried(const All& from, double dt) const {
  return transition_over<double, kAll>(generator(), dt) * from;
}

double PowertrainTruth::distance(const PowertrainState& x) const {
  if (drive_.in_contact()) return side_of<double>(drive_.mode) * drive_.guard_at(x);
  return std::min(x[P::upper_limit] - x[P::gap_position], x[P::gap_position] - x[P::lower_limit]);
}

void PowertrainTruth::change_mode(const PowertrainState& x) {
  if (drive_.in_contact()) {
    drive_.mode = GapMode::gap;
  } else {
    drive_.mode = x[P::gap_position] > 0.5 * (x[P::upper_limit] + x[P::lower_limit]) ? GapMode::upper : GapMode::lower;
    state_[P::gap_position] = x[drive_.limit_state()];
  }
}

void PowertrainTruth::advance(double command, double motor_disturbance) {
  const double begin = static_cast<double>(periods_) * period_, end = static_cast<double>(++periods_) * period_;
  for (int piece = 1; piece < pieces_; ++piece)
    advance_to(begin + piece * period_ / pieces_, command, motor_disturbance);
  advance_to(end, command, motor_disturbance);
}

void PowertrainTruth::advance_to(double end, double command, double motor_disturbance) {
  while (time_ < end) {
    All from;
    from << state_, command, motor_disturbance;
    const double left = end - time_;
    const bool whole = std::abs(left - period_ / pieces_) < 1e-12;
    All to = whole ? All(whole_[index_of(drive_.mode)] * from) : carried(from, left);
    if (distance(to.head<P::kStates>()) >= 0.0) {
      state_ = to.head<P::kStates>();
      time_ = end;
      break;
    }
    // The first instant beyond the end of the mode, to a rounding of the interval.
    double before = 0.0, beyond = left;
    for (int i = 0; i < 60 && beyond - before > 1e-15; ++i) {
      const double middle = 0.5 * (before + beyond);
      const All at = carried(from, middle);
      (distance(at.head<P::kStates>()) < 0.0 ? beyond : before) = middle, to = at;
    }
    to = carried(from, beyond);
    state_ = to.head<P::kStates>();
    time_ += beyond;
    change_mode(state_);
    note(true);
  }
  note(false);
}

std::vector<Pulse> passages(const ToothedWheel& wheel, const std::vector<PowertrainNode>& nodes, int position) {
  std::vector<Pulse> pulses;
  const int velocity = position + 1;
  for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
    const PowertrainNode &a = nodes[i], &b = nodes[i + 1];
    if (!(b.time > a.time)) continue;
    append_pulses(wheel,
                  {a.time, b.time - a.time, a.state[position], a.state[velocity], b.state[position], b.state[velocity]},
                  pulses);
  }
  return pulses;
}

}  // namespace tauhat
