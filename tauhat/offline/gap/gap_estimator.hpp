// Where in its gap a gear is, behind the face that commands work with: the filters of the gap, started from the first
// pulses, with the command's delay, and with wheels that lose a tooth or stop.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "tauhat/core/models/powertrain.hpp"
#include "tauhat/offline/replay/estimator.hpp"

namespace tauhat {

struct GapSpec {
  Powertrain<double> drive;             // with the noise of its states
  double delay = 0.0;                   // s: the motor follows its command so much later
  double gain = 1.0, gain_std = 0.1;    // torque per commanded torque; a std: it is learned
  double gap = 0.06, gap_std = 0.0;     // rad, between the two contacts; a std: it is learned
  double offset = 0.0, offset_std = 0;  // rad, of the counters when the gear is in the middle
  bool offset_is_known = false;         // else it is learned from the first contact on

  // A position that is seen by the teeth of a wheel.
  struct Wheel {
    double pitch = 0.0;     // rad; 0: there is no wheel
    bool directed = false;  // its pulses are counted up and down
    int missing = 0;        // of the teeth of a turn
    double std = 0.0;       // rad, of its teeth
    bool is_true = false;   // it is not looked for a runout: a table is to learn that
  };
  std::array<Wheel, 4> wheels{};   // by output; positions only
  std::array<double, 4> jitter{};  // s, by output: samples are taken up to so long beside their stamps

  // Which filter: several in parallel (IMM), one that switches (direct), or one of the paper's two stages: a switching
  // observer behind a filter of each wheel (cascade) or behind their counters' staircases (switching); each wheel's
  // filter alone (events) or the staircases' (staircase), which tell no more than positions. Suited: several where
  // there is something to learn.
  enum class Filter { suited, direct, imm, cascade, switching, events, staircase };
  Filter filter = Filter::suited;

  // Of the two stages: gains belong to one period and one speed of the load, or follow the covariance; a wheel's filter
  // follows accelerations that wander by these spectral densities, motor's and load's.
  bool gain_is_time_varying = false;
  double period = 1e-3, speed = 0.0;  // s, rad/s
  std::array<double, 2> jerk{};       // rad^2/s^5; 0: by the noise of the motor's torque

  static constexpr ParameterInfo kDelay{"motor", "delay", "s", Range::not_negative(),
                                        "of the torque behind its command, beside the lag"};
  static constexpr ParameterInfo kGain{"motor", "gain", "1", Range::positive(),
                                       "torque per command; learned to within a tenth, unless the study gives it"};
  static constexpr ParameterInfo kGap{"backlash", "gap", "rad", Range::positive(),
                                      "total, at the load side; with a std it is learned"};
  static constexpr ParameterInfo kOffset{
      "backlash", "offset", "rad", Range::any(),
      "of the counters in the middle of the gap; learned, unless the study gives it"};

  // The gain's place among the values that a study may know only so well: the drive's eight and the delay come first.
  static constexpr int kGainIndex = 9;

  // Those beside the drive's own.
  template <class Self, class Visitor>
  static void visit_parameters(Self& self, Visitor&& visit) {
    visit(kDelay, self.delay);
    visit(kGain, self.gain);
    visit(kGap, self.gap);
    visit(kOffset, self.offset);
  }

  bool is_learned() const noexcept { return gap_std > 0.0 || offset_std > 0.0 || !offset_is_known; }
  bool is_of_stages() const noexcept {
    return filter != Filter::suited && filter != Filter::direct && filter != Filter::imm;
  }
  bool is_on_staircases() const noexcept { return filter == Filter::switching || filter == Filter::staircase; }
  // Positions and velocities alone say nothing of gap and mode.
  bool tells_positions_only() const noexcept { return filter == Filter::events || filter == Filter::staircase; }
  bool runs_several() const noexcept { return filter == Filter::imm || (filter == Filter::suited && is_learned()); }
};

// What the estimator gives beside the model's outputs, in this order.
enum GapOutput {
  mode_output = Powertrain<double>::kOutputCount,  // -1, 0, 1: lower contact, gap, upper contact; NaN: unknown
  mode_probability_output,
  contact_time_output,  // s, until the gear meets a contact if it goes on as now; 0 in contact
  kGapOutputs
};
inline constexpr std::array<Signal, kGapOutputs> kGapSignals = [] {
  std::array<Signal, kGapOutputs> all{};
  std::copy(Powertrain<double>::kOutputs.begin(), Powertrain<double>::kOutputs.end(), all.begin());
  all[mode_output] = {"backlash.mode", "1"};
  all[mode_probability_output] = {"backlash.mode.probability", "1"};
  all[contact_time_output] = {"backlash.contact_time", "s"};
  return all;
}();

// Throws Error (wrong_use) where the stationary gains do not exist.
std::unique_ptr<Estimator> make_gap_estimator(const GapSpec& spec);

}  // namespace tauhat
