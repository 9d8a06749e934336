// Whether a robot's log is in the units, and at the side of the gears, that its study says: degrees for radians, mN m
// for N m, the motor's position for the joint's.
//
// Such a mistake is no small factor: it is looked for before signs, ratios and clocks, each of all joints together and
// of one alone, against the wrong signs and ratios that would explain the log as well. What speaks for it is the fit of
// all joints, the joints' limits, and what is known of the inertias. Velocities that were measured are held against
// the positions' slopes.
#pragma once

#include <string>
#include <vector>

#include "tauhat/offline/report/diagnostic.hpp"
#include "tauhat/offline/robot/measured_side.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat {

struct MistakenUnit {
  enum class Of { position, velocity, torque };

  int joint = 0;
  Of of = Of::position;
  std::string is;       // "in deg, not in rad"
  double factor = 1.0;  // by which the joint's series are to be multiplied
};

struct UnitCheck {
  std::vector<MistakenUnit> mistaken;
  RobotRecord record;  // put right; without velocities where those are not the positions' slopes
};
UnitCheck check_units(const Study& study, const RobotRecord& record, const MotorSides& sides);

// One sentence for all joints where all are mistaken alike, else one for each.
std::vector<Diagnostic> unit_diagnostics(const RobotSpec& robot, const MotorSides& sides,
                                         const std::vector<MistakenUnit>& mistaken);

}  // namespace tauhat
