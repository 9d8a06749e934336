// The record of a study's axis for the methods that look at its force: evenly sampled, and less what the study knows.
//   force' = force - k q - d v - g_s sin(q) - g_c cos(q) - F_0
#pragma once

#include "tauhat/offline/friction/axis_motion.hpp"
#include "tauhat/offline/log/log.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat {

// Throws Error (unusable_data) where the position matters, is not in the log, and the study does not give its start.
void require_position(const Study& study, const std::string& source);

// Where only the velocity was recorded, the position is its integral from zero. Throws Error (unusable_data) where the
// samples are not evenly spaced, or where the position itself matters and is not there.
AxisRecord record_of(const Study& study, const Log& log);

// The study's axis, and how much larger than logged its force is taken.
struct AxisInputs {
  StudyAxis axis;
  double force_gain = 1.0;
};

// What the study knows only so well, each off by its deviation: parameters, wherever the methods have them from, and
// the gain of the force.
std::vector<AxisInputs> deviating_inputs(const Study& study);

// The record with its force as large as it is taken, less the terms that the method leaves to the study.
AxisRecord without_known_force(AxisRecord record, const AxisInputs& inputs, double cut_off);

}  // namespace tauhat
