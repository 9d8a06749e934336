#include "tauhat/offline/robot/velocity_slope.hpp"

#include <algorithm>
#include <cmath>

namespace tauhat {

std::optional<double> velocity_over_slope(const RobotRecord& record, std::size_t joint) {
  constexpr double kStretch = 0.05, kTogether = 0.9;  // s; of their correlation
  if (record.velocity.empty()) return std::nullopt;
  const std::vector<double>&position = record.position[joint], &velocity = record.velocity[joint];
  const auto steps = static_cast<std::size_t>(std::max(1.0, std::round(kStretch / record.period)));
  double by_position = 0.0, by_velocity = 0.0, both = 0.0;
  for (std::size_t k = 0; k + steps < position.size(); k += steps) {
    double integral = 0.0;
    for (std::size_t i = k; i < k + steps; ++i) integral += 0.5 * record.period * (velocity[i] + velocity[i + 1]);
    const double way = position[k + steps] - position[k];
    by_position += way * way, by_velocity += integral * integral, both += way * integral;
  }
  if (!(std::abs(both) > kTogether * std::sqrt(by_position * by_velocity))) return std::nullopt;
  return both / by_position;
}

}  // namespace tauhat
