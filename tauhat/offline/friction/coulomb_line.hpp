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

// A section's part in the mean that a point is.
struct SectionShare {
  std::size_t section = 0;
  double share = 0.0;
};

struct SpeedPoint {
  double speed = 0.0;     // signed
  double friction = 0.0;  // signed: opposes the motion where it has the sign of the speed
  double std = 0.0;       // of the mean: correlation within a section and differences between sections included
  std::size_t samples = 0, sections = 0;
  SpeedStep step = SpeedStep::rising;
  std::vector<SectionShare> shares{};
};

// Do the points lie on a line? Beside it, a parabola |friction| = coulomb + viscous |v| + bend v^2.
struct LineTest {
  std::size_t speeds = 0;         // that differ; two lie on a line whatever they are
  double scatter_p_value = 1.0;   // chance that noise alone puts points so far off the line: chi-square
  double widened = 1.0;           // the points' deviations, by how far off they lie (Birge 1932)
  double largest_off = 0.0;       // point less line, along the motion
  double off_at = 0.0;            // the speed of that point
  double share_off = 0.0;         // that, over the friction there
  double bend_p_value = 1.0;      // of the bend being zero, by the scatter about the parabola
  double coulomb_of_curve = 0.0;  // where the parabola meets standstill

  bool scatters() const noexcept;
};

struct FrictionLine {
  double coulomb = std::numeric_limits<double>::quiet_NaN(), viscous = coulomb;
  double coulomb_std = coulomb, viscous_std = coulomb;
  bool separable = false;
  std::string why{};
  double covariance = 0.0;  // of coulomb and viscous
  // How both change with the friction of each point that the line was drawn among, zeros for those of the other way.
  struct ByPoint {
    double coulomb = 0.0, viscous = 0.0;
  };
  std::vector<ByPoint> by_point{};
  LineTest test{};

  double friction(double speed) const noexcept { return coulomb + viscous * speed; }
  double friction_std(double speed) const noexcept;
  // The points bend, so that where the line meets standstill is not where the friction does.
  bool bends() const noexcept;
};

// Of the points of this direction.
FrictionLine line_through(const std::vector<SpeedPoint>& points, bool positive);

}  // namespace tauhat
