#include "tauhat/offline/friction/steady_sections.hpp"

#include <algorithm>
#include <cmath>

#include "tauhat/offline/friction/constant_speed_options.hpp"
#include "tauhat/offline/quantile.hpp"

namespace tauhat {
namespace {

constexpr double kSlowest = 0.01;    // of the highest speed: below it the axis rests
constexpr double kSteady = 0.02;     // of the largest acceleration
constexpr double kOneSpeed = 0.2;    // two speeds that differ by less are one, to a regression
constexpr double kAboveNoise = 5.0;  // deviations: by chance once in two million samples

double largest_size(const std::vector<double>& values) {
  double largest = 0.0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

// Change of speed over `width` samples about each, which has far less noise than the acceleration.
std::vector<double> mean_acceleration(const AxisMotion& motion, std::size_t width) {
  std::vector<double> mean(motion.size());
  for (std::size_t k = 0; k < motion.size(); ++k) {
    const std::size_t first = k - std::min(k, width / 2), last = std::min(k + width / 2, motion.size() - 1);
    mean[k] = (motion.velocity[last] - motion.velocity[first]) / (static_cast<double>(last - first) * motion.period);
  }
  return mean;
}

double mean_of(const std::vector<double>& values, const SteadySection& section) {
  double sum = 0.0;
  for (std::size_t k = section.first; k < section.last; ++k) sum += values[k];
  return sum / static_cast<double>(section.size());
}

// Rising, where the last other level of this direction was lower; before the first step, as that step goes.
void mark_steps_of(std::vector<SteadySection>& sections, bool positive) {
  std::vector<SteadySection*> way;
  for (SteadySection& section : sections) {
    if ((section.speed > 0.0) == positive) way.push_back(&section);
  }
  for (std::size_t i = 1; i < way.size(); ++i) {
    const std::size_t before = way[i - 1]->level, now = way[i]->level;
    way[i]->step = now == before ? way[i - 1]->step : now > before ? SpeedStep::rising : SpeedStep::falling;
  }
  const auto differs = [&](const SteadySection* section) { return section->level != way.front()->level; };
  const auto changed = std::find_if(way.begin(), way.end(), differs);
  if (changed == way.end()) return;
  std::for_each(way.begin(), changed, [&](SteadySection* section) { section->step = (*changed)->step; });
}

// Samples in which the axis moves, those at a steady speed, and those of motions one way whose fastest is another speed
// than the usual one.
struct MovingTime {
  double all = 0.0, steady = 0.0, elsewhere = 0.0;
};
MovingTime moving_time(const AxisMotion& motion, double standstill, const std::vector<char>& is_steady, double usual) {
  MovingTime time;
  const std::vector<double>& v = motion.velocity;
  for (std::size_t first = 0; first < v.size(); ++first) {
    std::size_t last = first;
    double fastest = 0.0;
    for (; last < v.size() && std::abs(v[last]) >= standstill && v[last] * v[first] > 0.0; ++last) {
      time.steady += is_steady[last];
      fastest = std::max(fastest, std::abs(v[last]));
    }
    const auto moves = static_cast<double>(last - first);
    time.all += moves;
    if (std::abs(fastest - usual) > kOneSpeed * usual) time.elsewhere += moves;
    first = last;
  }
  return time;
}

}  // namespace

bool is_moving(const AxisMotion& motion) { return largest_size(motion.velocity) > kAboveNoise * motion.velocity_noise; }

std::vector<SteadySection> find_steady_sections(const AxisMotion& motion, double shortest) {
  if (!is_moving(motion)) return {};
  const auto fewest = std::max<std::size_t>(4, static_cast<std::size_t>(shortest / motion.period));
  const std::size_t width = fewest / 2;
  const std::vector<double> acceleration = mean_acceleration(motion, width);
  const double noise = std::sqrt(2.0) * motion.velocity_noise / (static_cast<double>(width) * motion.period);
  const double steady = std::max(kSteady * largest_size(acceleration), kAboveNoise * noise);
  const double slowest = std::max(kSlowest * largest_size(motion.velocity), kAboveNoise * motion.velocity_noise);
  const auto runs = [&](std::size_t k) {
    return std::abs(acceleration[k]) <= steady && std::abs(motion.velocity[k]) >= slowest;
  };
  std::vector<SteadySection> sections;
  std::size_t first = 0;
  for (std::size_t k = 0; k <= motion.size(); ++k) {
    if (k < motion.size() && runs(k)) continue;
    if (k - first >= fewest) sections.push_back({.first = first, .last = k});
    first = k + 1;
  }
  for (SteadySection& section : sections) section.speed = mean_of(motion.velocity, section);
  return sections;
}

std::size_t group_speeds(std::vector<SteadySection>& sections) {
  std::vector<SteadySection*> ordered;
  for (SteadySection& section : sections) ordered.push_back(&section);
  std::sort(ordered.begin(), ordered.end(),
            [](const SteadySection* a, const SteadySection* b) { return std::abs(a->speed) < std::abs(b->speed); });
  std::size_t level = 0;
  double lowest = std::abs(ordered.front()->speed);
  for (SteadySection* section : ordered) {
    if (std::abs(section->speed) > (1.0 + kSameSpeed) * lowest) {
      ++level;
      lowest = std::abs(section->speed);
    }
    section->level = level;
  }
  return level + 1;
}

std::optional<double> only_speed(const AxisMotion& motion, double standstill) {
  constexpr double kMuchOfMotion = 0.25;  // by time: a sine runs evenly for one percent of it
  constexpr double kLittle = 0.05;        // by time
  const std::vector<SteadySection> sections = find_steady_sections(motion, ConstantSpeedOptions{}.shortest_section);
  if (sections.empty()) return {};
  std::vector<double> speeds;
  std::vector<char> is_steady(motion.size());
  for (const SteadySection& section : sections) {
    speeds.push_back(std::abs(section.speed));
    std::fill(is_steady.begin() + static_cast<std::ptrdiff_t>(section.first),
              is_steady.begin() + static_cast<std::ptrdiff_t>(section.last), 1);
  }
  const auto [slowest, fastest] = std::minmax_element(speeds.begin(), speeds.end());
  const double usual = median(speeds);
  if (*fastest - *slowest > kOneSpeed * usual) return {};
  const MovingTime time = moving_time(motion, standstill, is_steady, usual);
  if (time.steady < kMuchOfMotion * time.all || time.elsewhere > kLittle * time.all) return {};
  return usual;
}

void mark_steps(std::vector<SteadySection>& sections) {
  for (const bool positive : {true, false}) mark_steps_of(sections, positive);
}

}  // namespace tauhat
