// What the plots of friction over velocity have in common: the words at their axes, and the speeds of a law.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "tauhat/offline/study/study.hpp"

namespace tauhat {

struct FrictionLabels {
  std::string velocity, force;
  explicit FrictionLabels(const StudyAxis& axis)
      : velocity(fmt::format("velocity [{}]", unit_of(axis, "rad/s"))),
        force(fmt::format("friction [{}]", unit_of(axis, "N m"))) {}
};

inline std::vector<double> grid_of_speeds(double fastest) {
  constexpr int kPoints = 200;
  std::vector<double> grid;
  for (int i = -kPoints; i <= kPoints; ++i) {
    // Denser at low speeds, where laws bend; zero itself is a jump.
    const double share = static_cast<double>(i) / kPoints;
    if (i != 0) grid.push_back(fastest * share * std::abs(share));
  }
  return grid;
}

}  // namespace tauhat
