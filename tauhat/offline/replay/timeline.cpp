#include "tauhat/offline/replay/timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/quantile.hpp"

namespace tauhat {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

const Channel& need(const Log& log, const std::string& signal) {
  if (const Channel* channel = log.find(signal)) return *channel;
  throw Error(ExitCode::unusable_data, fmt::format("{}: no channel for {}", log.source, signal));
}

// All stamps of all channels, each once. Stamps closer than a millionth of the median period are one instant.
std::vector<double> merged_stamps(const std::vector<const Channel*>& channels) {
  std::vector<double> all = *channels.front()->time;
  for (const Channel* channel : channels) {
    if (channel->time == channels.front()->time || *channel->time == all) continue;
    std::vector<double> merged;
    merged.reserve(all.size() + channel->time->size());
    std::merge(all.begin(), all.end(), channel->time->begin(), channel->time->end(), std::back_inserter(merged));
    all = std::move(merged);
  }
  const double tolerance = all.size() > 1 ? 1e-6 * (all.back() - all.front()) / static_cast<double>(all.size()) : 0.0;
  const auto same = [tolerance](double a, double b) { return b - a <= tolerance; };
  all.erase(std::unique(all.begin(), all.end(), same), all.end());
  return all;
}

// Value of each instant: the sample of that stamp, or what stands for none.
template <class T>
std::vector<T> sampled_at(const std::vector<double>& instants, const std::vector<double>& stamps,
                          const std::vector<T>& samples, T none) {
  if (stamps == instants) return samples;
  std::vector<T> values(instants.size(), none);
  std::size_t k = 0;
  for (std::size_t i = 0; i < stamps.size(); ++i) {
    while (k + 1 < instants.size() && instants[k + 1] <= stamps[i]) ++k;
    values[k] = samples[i];
  }
  return values;
}
std::vector<double> sampled_at(const std::vector<double>& instants, const Channel& channel) {
  return sampled_at(instants, *channel.time, channel.value, kMissing);
}

// An input is held until its next sample; before its first one it has that value.
void hold(std::vector<double>& values) {
  const auto first = std::find_if(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
  if (first == values.end()) return;
  std::fill(values.begin(), first, *first);
  for (std::size_t k = 1; k < values.size(); ++k) {
    if (!std::isfinite(values[k])) values[k] = values[k - 1];
  }
}

}  // namespace

double Timeline::median_interval() const {
  if (time.size() < 2) return 0.0;
  std::vector<double> intervals(time.size() - 1);
  for (std::size_t k = 0; k < intervals.size(); ++k) intervals[k] = interval(k);
  return quantile_in_place(intervals, 0.5);
}

Timeline Timeline::part(std::size_t first, std::size_t count) const {
  const auto cut = [first, count](const auto& values) {
    if (values.empty()) return values;
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first);
    return std::decay_t<decltype(values)>(begin,
                                          begin + static_cast<std::ptrdiff_t>(std::min(count, values.size() - first)));
  };
  Timeline result;
  result.time = cut(time);
  for (const auto& input : inputs) result.inputs.push_back(cut(input));
  for (const auto& sensor : sensors)
    result.sensors.push_back(
        {sensor.signal, sensor.output, sensor.variance, cut(sensor.value), sensor.assumed, cut(sensor.tooth)});
  return result;
}

Timeline make_timeline(const Log& log, const TimelineSpec& spec) {
  std::vector<const Channel*> channels;
  for (const auto& input : spec.inputs) channels.push_back(&need(log, input));
  for (const auto& sensor : spec.sensors) channels.push_back(&need(log, sensor.signal));
  Timeline timeline;
  timeline.time = merged_stamps(channels);
  for (const auto& input : spec.inputs) {
    timeline.inputs.push_back(sampled_at(timeline.time, need(log, input)));
    hold(timeline.inputs.back());
  }
  for (const auto& sensor : spec.sensors) {
    const Channel& channel = need(log, sensor.signal);
    timeline.sensors.push_back(
        {sensor.signal, sensor.output, sensor.std * sensor.std, sampled_at(timeline.time, channel)});
    if (!channel.tooth.empty())
      timeline.sensors.back().tooth = sampled_at(timeline.time, *channel.time, channel.tooth, -1);
  }
  return timeline;
}

}  // namespace tauhat
