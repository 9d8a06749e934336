// What the estimated force shows when nothing pushes: measured on a log without contact, before any force is believed.
// The same log tells what the model leaves unexplained of each torque, and from where on a force is called contact.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tauhat/offline/log/log.hpp"
#include "tauhat/offline/robot/contact_threshold.hpp"
#include "tauhat/offline/robot/motion_rows.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat {

struct FloorAnswer {
  std::string source;                     // the log
  ForceFloor samples;                     // empty where the study asks for no force
  double force = 0.0;                     // N, rms over the axes
  std::optional<double> moment;           // N m, the same
  std::optional<ContactThreshold> found;  // by the false-alarm rate; none where the study gives the threshold
  JointValues torque;                     // N m: rms of each joint's external torque where it moves
  enum class Residual { given, raised, found, unknown };
  std::vector<Residual>
      residuals;           // of each joint: by the study, by this log which asks for more, by it alone, by nobody
  bool bands_hold = true;  // with these residuals
  std::vector<Diagnostic> diagnostics;
};

// From force_study() and a log without contact. What the study does not say is completed: the sensors' deviations, the
// joints' residuals (what remains of the momentum observer's torques beyond their noise, and as much more as the bands
// of the force need to hold this log; the study's where they are larger) and the contact threshold.
// Throws Error (unusable_data) where every joint rests.
FloorAnswer measure_floor(const Log& recorded, Study& study);

// N m of each joint, where it moves: rms of what the study's momentum observer shows of a record without contact,
// beyond its noise. An estimator answers to more than the torques below an identification's cut-off. Zero where a joint
// hardly moves.
JointValues unexplained_torques(const RobotRecord& record, const Study& study);

// The numbers, for a report: force.floor first.
void add_floor(const FloorAnswer& floor, const Study& study, Report& report);
// One line.
std::string floor_text(const FloorAnswer& floor, const Study& study);

}  // namespace tauhat
