// Gravity of an axis that is found along with its friction, from sections of constant speed that pass the same
// positions in both directions:
//   force = offset + sine sin(q) + cosine cos(q) + friction(level) sign(v)
#pragma once

#include <Eigen/Dense>

#include <string>
#include <vector>

#include "tauhat/offline/friction/constant_speed_options.hpp"
#include "tauhat/offline/friction/steady_sections.hpp"

namespace tauhat {

struct FittedGravity {
  Gravity gravity;
  bool turns = false;      // sine and cosine were fitted, and not the offset alone
  std::size_t levels = 0;  // of speed
  // Offset, sine and cosine are the sums over all samples of  by_row row(sample) force(sample).
  Eigen::MatrixXd by_row;

  // A sample's part of the equation: the offset's, those of sine and cosine where the axis turns, those of the levels.
  Eigen::VectorXd row(const SteadySection& section, double position) const;
};

// Throws Error (unusable_data) where gravity cannot be told from friction.
FittedGravity fit_gravity(const AxisMotion& motion, const std::vector<SteadySection>& sections, std::size_t levels,
                          bool turns, const std::string& source);

}  // namespace tauhat
