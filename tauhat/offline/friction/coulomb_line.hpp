// Points of a friction curve, and the line through those of one direction:
//   |friction| = coulomb + viscous |v|
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace tauhat {

inline constexpr double kSameSpeed = 0.05;  // sections are of one speed that differ by less, relative

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

// The points bend, so that where the line meets standstill is not where the friction does.
bool bends() const noexcept;
};

// Of the points of this direction.
FrictionLine line_through(const std::vector<SpeedPoint>& points, bool positive);

}  // namespace tauhat
