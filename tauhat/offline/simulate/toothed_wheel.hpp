// An encoder of teeth: a pulse at each passage, stamped by a timer.
#pragma once

#include <vector>

#include "tauhat/offline/simulate/random.hpp"

namespace tauhat {

// Edge n stands at phase + n * pitch + error[n mod teeth].
struct ToothedWheel {
  int teeth = 60;
  double phase = 0.0;           // rad
  std::vector<double> error{};  // rad, one for each tooth; empty: none
  int missing = 0;              // of the last teeth of a turn
  double timer = 1e-6;          // s: a stamp is the first tick after the passage; 0: exact

  double pitch() const;
  double edge(long number) const;
  bool is_missing(long number) const;
};

struct Pulse {
  double stamp = 0.0;   // s
  long number = 0;      // of the edge
  bool forward = true;  // passed in positive direction
};

// A motion between two instants, as a cubic through positions and velocities.
struct MotionPiece {
  double time, duration;  // s
  double position, velocity, end_position, end_velocity;
};

// Errors of the teeth, normal, without a common part: that would be the wheel's phase. None are drawn for a std of 0.
std::vector<double> draw_tooth_errors(int teeth, double std, Random& random);

// The passages of a piece, in the order of time, appended.
void append_pulses(const ToothedWheel& wheel, const MotionPiece& piece, std::vector<Pulse>& pulses);

// The turns' teeth begin anew: a number within 0 ... teeth - 1.
int tooth_of(long number, int teeth);

}  // namespace tauhat
