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

// The study's axis with one of its parameters off by its deviation, wherever the methods have it from.
StudyAxis with_deviation(StudyAxis axis, const UncertainParameter& parameter);

// What the study gives of the axis, and neither is found by its method nor taken away by the method itself.
Axis<double> known_beside(const StudyAxis& axis);

// The terms that the method leaves to the study are taken from the force; those that it fits are left out of `known`.
AxisRecord without_known_force(AxisRecord record, const Axis<double>& known, double cut_off, bool held_force);

}  // namespace tauhat
