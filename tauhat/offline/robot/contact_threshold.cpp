#include "tauhat/offline/robot/contact_threshold.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

namespace tauhat {
namespace {

// Directions on a golden spiral: evenly spread for any number.
std::vector<Eigen::Vector3d> directions(int count) {
  constexpr double kGoldenAngle = std::numbers::pi * (3.0 - 2.23606797749978969);  // pi (3 - sqrt 5)
  std::vector<Eigen::Vector3d> all;
  for (int i = 0; i < count; ++i) {
    const double z = 1.0 - (2.0 * i + 1.0) / count, radius = std::sqrt(1.0 - z * z), angle = kGoldenAngle * i;
    all.emplace_back(radius * std::cos(angle), radius * std::sin(angle), z);
  }
  return all;
}

}  // namespace

double force_floor(const ForceFloor& floor) {
  double sum = 0.0;
  for (const auto& force : floor) sum += force.squaredNorm();
  return floor.empty() ? 0.0 : std::sqrt(sum / (3.0 * static_cast<double>(floor.size())));
}

ContactThreshold contact_threshold(const ForceFloor& floor, double false_alarm_rate) {
  ContactThreshold threshold{std::numeric_limits<double>::infinity(), false_alarm_rate, false};
  if (floor.empty()) return threshold;
  std::vector<double> sizes;
  for (const auto& force : floor) sizes.push_back(force.norm());
  std::sort(sizes.begin(), sizes.end(), std::greater<>());
  const double count = static_cast<double>(sizes.size()), above = false_alarm_rate * count;
  if (above >= ContactThreshold::kTailSamples) {
    threshold.force = sizes[std::min(static_cast<std::size_t>(above), sizes.size() - 1)];
    return threshold;
  }
  // Beyond level u, which a share s exceeds by m on average, a share s exp(-(x - u) / m) exceeds x.
  const std::size_t tail = std::min<std::size_t>(ContactThreshold::kTailSamples, sizes.size() - 1);
  const double level = sizes[tail], share = std::max(static_cast<double>(tail), 1.0) / count;
  double excess = 0.0;
  for (std::size_t i = 0; i < tail; ++i) excess += (sizes[i] - level) / static_cast<double>(tail);
  threshold.force = level + excess * std::log(share / false_alarm_rate);
  threshold.extrapolated = true;
  return threshold;
}

double detection_probability(const ForceFloor& floor, const ContactThreshold& threshold, double force) {
  constexpr int kDirections = 64;
  static const std::vector<Eigen::Vector3d> evenly = directions(kDirections);
  if (floor.empty()) return 0.0;
  double seen = 0.0;
  for (const auto& error : floor) {
    for (const auto& direction : evenly) seen += (error + force * direction).norm() > threshold.force ? 1.0 : 0.0;
  }
  return seen / (kDirections * static_cast<double>(floor.size()));
}

double detectable_force(const ForceFloor& floor, const ContactThreshold& threshold, double probability) {
  if (!std::isfinite(threshold.force)) return threshold.force;
  double largest = 0.0;
  for (const auto& error : floor) largest = std::max(largest, error.norm());
  double below = 0.0, above = threshold.force + largest;  // seen whatever the error is
  constexpr int kHalvings = 40;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (below + above) / 2.0;
    (detection_probability(floor, threshold, middle) < probability ? below : above) = middle;
  }
  return above;
}

}  // namespace tauhat
