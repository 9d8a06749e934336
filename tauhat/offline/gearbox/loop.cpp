#include "tauhat/offline/gearbox/loop.hpp"

#include <algorithm>
#include <cmath>

namespace tauhat {
namespace {

// Turning points are looked for in a torque smoothed over this share of a loop.
constexpr double kSmoothedShare = 0.004;
// The torque has turned to the other side once it has passed this share of its largest size: noise has not.
constexpr double kClearShare = 0.25;

// A stretch on one side of zero.
struct Excursion {
  int side;
  std::size_t first, last;  // of the samples that are clearly on this side
};

std::vector<Excursion> find_excursions(std::span<const double> torque) {
  double largest = 0.0;
  for (const double tau : torque) largest = std::max(largest, std::abs(tau));
  std::vector<Excursion> found;
  for (std::size_t k = 0; k < torque.size(); ++k) {
    if (!(std::abs(torque[k]) > kClearShare * largest)) continue;
    const int side = torque[k] > 0.0 ? 1 : -1;
    if (found.empty() || found.back().side != side) found.push_back({side, k, k});
    found.back().last = k;
  }
  return found;
}

// The sample nearest to zero torque between two excursions, or between one and an end of the record.
std::size_t zero_between(std::span<const double> torque, std::size_t first, std::size_t last) {
  std::size_t nearest = first;
  for (std::size_t k = first; k <= last; ++k) {
    if (std::abs(torque[k]) < std::abs(torque[nearest])) nearest = k;
  }
  return nearest;
}

// A loop that the record cuts off begins or ends far from zero torque; one of a few samples has no branches to read.
constexpr double kNearZero = 0.1;  // of the largest torque
constexpr std::size_t kFewestInBranch = 12;

bool is_whole(const Loop& loop, std::span<const double> torque, std::size_t first) {
  const double near = kNearZero * std::min(loop.largest_torque, -loop.smallest_torque);
  const auto at_zero = [&](std::size_t k) { return std::abs(torque[k - first]) <= near; };
  for (const Branch& branch :
       {loop.loading_positive, loop.unloading_positive, loop.loading_negative, loop.unloading_negative}) {
    if (branch.last - branch.first < kFewestInBranch) return false;
  }
  return at_zero(loop.first()) && at_zero(loop.loading_negative.first) && at_zero(loop.last() - 1);
}

std::size_t turning_point(std::span<const double> torque, const Excursion& e) {
  std::size_t at = e.first;
  for (std::size_t k = e.first; k <= e.last; ++k) {
    if (std::abs(torque[k]) > std::abs(torque[at])) at = k;
  }
  return at;
}

}  // namespace

std::vector<double> moving_average(std::span<const double> values, std::size_t half) {
  std::vector<double> sums{0.0};
  for (const double value : values) sums.push_back(sums.back() + value);
  std::vector<double> smooth(values.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    const std::size_t reach = std::min({half, k, values.size() - 1 - k});  // symmetric, so that a ramp stays a ramp
    smooth[k] = (sums[k + reach + 1] - sums[k - reach]) / static_cast<double>(2 * reach + 1);
  }
  return smooth;
}

std::vector<Loop> find_loops(const TorqueRamp& ramp, std::size_t first, std::size_t last) {
  const std::span<const double> recorded(ramp.torque.data() + first, last - first);
  const std::size_t loops = std::max<std::size_t>(1, find_excursions(recorded).size() / 2);
  const double samples_of_a_loop = static_cast<double>(recorded.size()) / static_cast<double>(loops);
  const auto half = static_cast<std::size_t>(kSmoothedShare * samples_of_a_loop / 2.0);
  const std::vector<double> torque = moving_average(recorded, half);
  const std::vector<Excursion> excursions = find_excursions(torque);
  std::vector<Loop> found;
  // An excursion upwards and the next downwards are a loop; downwards first is refused by the caller's sign.
  for (std::size_t i = 0; i + 1 < excursions.size(); ++i) {
    const Excursion &up = excursions[i], &down = excursions[i + 1];
    if (up.side < 0) continue;
    const std::size_t before = i > 0 ? excursions[i - 1].last : 0;
    const std::size_t after = i + 2 < excursions.size() ? excursions[i + 2].first : torque.size() - 1;
    const std::size_t begin = first + zero_between(torque, before, up.first);
    const std::size_t middle = first + zero_between(torque, up.last, down.first);
    const std::size_t end = first + zero_between(torque, down.last, after);
    const std::size_t top = turning_point(torque, up), bottom = turning_point(torque, down);
    const Loop loop{.loading_positive = {begin, first + top + 1},
                    .unloading_positive = {first + top, middle + 1},
                    .loading_negative = {middle, first + bottom + 1},
                    .unloading_negative = {first + bottom, end + 1},
                    .largest_torque = torque[top],
                    .smallest_torque = torque[bottom],
                    .from_rest = i == 0};
    if (is_whole(loop, torque, first)) found.push_back(loop);
  }
  return found;
}

}  // namespace tauhat
