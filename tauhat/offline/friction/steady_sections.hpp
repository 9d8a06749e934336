// The stretches of a motion in which an axis runs at constant speed.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "tauhat/offline/friction/axis_motion.hpp"
#include "tauhat/offline/friction/coulomb_line.hpp"

namespace tauhat {

// Samples [first, last) of the motion.
struct SteadySection {
  std::size_t first, last;
  double speed = 0.0;
  std::size_t level = 0;  // sections of one level have one speed, whatever its sign
  SpeedStep step = SpeedStep::rising;

  std::size_t size() const noexcept { return last - first; }
};

// Faster at times than the noise of its velocity makes it look.
bool is_moving(const AxisMotion& motion);

// Of at least so many seconds.
std::vector<SteadySection> find_steady_sections(const AxisMotion& motion, double shortest);

// Speeds that differ by a few percent are one level; levels count from the slowest. Returns how many there are.
std::size_t group_speeds(std::vector<SteadySection>& sections);

// The speed of an axis that runs at constant speed for a good part of its motion, and always as fast; none where its
// speeds differ, or where it hardly ever runs evenly.
std::optional<double> only_speed(const AxisMotion& motion, double standstill);

// Which were stepped up to, and which down to, once they have their levels.
void mark_steps(std::vector<SteadySection>& sections);

}  // namespace tauhat
