#include "tauhat/offline/friction/moving_samples.hpp"

#include <algorithm>
#include <cmath>

namespace tauhat {

using Eigen::Index;
using Eigen::VectorXd;

double standstill_threshold(const AxisMotion& motion) {
  double highest = 0.0;
  for (const double v : motion.velocity) highest = std::max(highest, std::abs(v));
  return std::max(0.01 * highest, 5.0 * motion.velocity_noise);
}

std::vector<double> moving_window(const AxisMotion& motion, double threshold, double cut_off) {
  const std::size_t reach = cut_off > 0.0 ? static_cast<std::size_t>(1.0 / (cut_off * motion.period)) : 0;
  std::vector<double> window(motion.size(), 1.0);
  std::size_t rests = 0;  // samples at standstill up to here
  for (std::size_t k = 0; k <= motion.size(); ++k) {
    if (k < motion.size() && std::abs(motion.velocity[k]) < threshold) {
      ++rests;
      continue;
    }
    if (rests > reach) {
      const std::size_t first = k - rests - std::min(k - rests, reach), last = std::min(k + reach, motion.size());
      std::fill(window.begin() + static_cast<std::ptrdiff_t>(first), window.begin() + static_cast<std::ptrdiff_t>(last),
                0.0);
    }
    rests = 0;
  }
  return window;
}

void cut_out(std::vector<double>& values, const std::vector<double>& window) {
  for (std::size_t k = 0; k < values.size(); ++k) values[k] *= window[k];
}

std::vector<Index> moving_samples(const VectorXd& velocity, const VectorXd& window, double threshold) {
  std::vector<Index> moving;
  for (Index i = 0; i < velocity.size(); ++i) {
    if (window[i] > 0.5 && std::abs(velocity[i]) >= threshold) moving.push_back(i);
  }
  return moving;
}

}  // namespace tauhat
