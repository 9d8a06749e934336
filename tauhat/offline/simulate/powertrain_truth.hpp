// Truth of a powertrain with backlash: both of its linear models by exact exponentials, contact and separation located
// within an interval, and the teeth of its encoders.
#pragma once

#include <vector>

#include "tauhat/core/models/powertrain.hpp"
#include "tauhat/offline/simulate/toothed_wheel.hpp"

namespace tauhat {

using PowertrainState = Vector<double, Powertrain<double>::kStates>;

// A state at an instant: of the grid, or at which the mode changes.
struct PowertrainNode {
  double time = 0.0;
  PowertrainState state;
  GapMode mode = GapMode::gap;  // from here on
  bool is_event = false;        // the mode changes here
};

struct SteadyMotion {
  double command, load_torque;          // N m, held
  double load_position, load_velocity;  // rad, rad/s
  double upper_limit, lower_limit;      // rad, of th_b
};
// In contact, at the twist of a steady acceleration.
PowertrainNode steady_start(const Powertrain<double>& drive, const SteadyMotion& motion);

class PowertrainTruth {
 public:
  // All held over intervals of `period`.
  PowertrainTruth(const Powertrain<double>& drive, const PowertrainState& start, double period);

  // One period on, the command and a torque on the motor beside it held; the load's torque is a state, set before.
  void advance(double command, double motor_disturbance);
  void set_load_torque(double torque) { state_[Powertrain<double>::load_torque] = torque; }

  double time() const { return time_; }
  const PowertrainState& state() const { return state_; }
  GapMode mode() const { return drive_.mode; }
  const std::vector<PowertrainNode>& nodes() const { return nodes_; }

 private:
  static constexpr int kAll = Powertrain<double>::kStates + 2;  // and the two inputs, held
  using All = Vector<double, kAll>;

  Matrix<double, kAll> generator() const;
  All carried(const All& from, double dt) const;
  void advance_to(double end, double command, double motor_disturbance);
  double distance(const PowertrainState& x) const;  // to the end of the mode; negative beyond it
  void change_mode(const PowertrainState& x);
  void note(bool is_event) { nodes_.push_back({time_, state_, drive_.mode, is_event}); }

  Powertrain<double> drive_;
  PowertrainState state_;
  double period_, time_ = 0.0;
  long periods_ = 0;
  // A period is taken in so many pieces that no mode begins and ends within one.
  int pieces_;
  Matrix<double, kAll> whole_[3];  // of a whole piece, by mode
  std::vector<PowertrainNode> nodes_;
};

// The pulses of a wheel on the motor or on the load, by its position's state.
std::vector<Pulse> passages(const ToothedWheel& wheel, const std::vector<PowertrainNode>& nodes, int position);

}  // namespace tauhat
