// The friction curve of an axis from the sections of a record in which it runs at constant speed.
//
//   friction(v) = mean of (force - sine sin(q) - cosine cos(q) - offset) over the sections at speed v
// for each direction, and for speeds that were stepped up to (rising) and down to (falling): friction remembers. Then,
// for each direction, |friction| = coulomb + viscous |v| through the points (thesis, section 3.8, method 2).
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "tauhat/offline/friction/axis_motion.hpp"

namespace tauhat {

struct Gravity {
  double sine = 0.0, cosine = 0.0, offset = 0.0;

  double force(double position) const;
};

inline constexpr double kSameSpeed = 0.05;  // sections are of one speed that differ by less, relative

struct ConstantSpeedOptions {
  double cut_off = 100.0;            // Hz, as in RegressionOptions
  double trimmed = 0.6;              // s dropped at each end
  double shortest_section = 0.2;     // s
  std::optional<Gravity> gravity{};  // empty: from sections that pass the same positions in both directions
  bool turns = false;                // without a given gravity: fit sine and cosine as well, not the offset alone
};

enum class SpeedStep { rising, falling };  // from the level before

struct SpeedPoint {
  double speed = 0.0;     // signed
  double friction = 0.0;  // signed: opposes the motion where it has the sign of the speed
  double std = 0.0;       // of the mean: correlation within a section and differences between sections included
  std::size_t samples = 0, sections = 0;
  SpeedStep step = SpeedStep::rising;
};

struct FrictionLine {
  double coulomb = std::numeric_limits<double>::quiet_NaN(), viscous = coulomb;
  double coulomb_std = coulomb, viscous_std = coulomb;
  bool separable = false;
  std::string why{};
};

struct FrictionCurve {
  std::vector<SpeedPoint> points;  // by speed, then step
  FrictionLine positive, negative;
  Gravity gravity;  // what was removed
};

// Throws Error (unusable_data) where no section is long enough, or where gravity is asked from one direction.
FrictionCurve friction_curve(const AxisRecord& record, const ConstantSpeedOptions& options);

}  // namespace tauhat
