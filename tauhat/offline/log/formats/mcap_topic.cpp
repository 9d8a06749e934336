#include "tauhat/offline/log/formats/mcap_topic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "tauhat/offline/log/text.hpp"

namespace tauhat::mcap {
namespace {

Stamp stamp_of(std::uint64_t nanoseconds) {
  constexpr std::uint64_t kPerSecond = 1'000'000'000;
  const std::uint64_t seconds = nanoseconds / kPerSecond;
  return {static_cast<double>(seconds), static_cast<double>(nanoseconds % kPerSecond)};
}

// A message may name any number of columns.
constexpr std::uint64_t kMostNameBytes = std::uint64_t{1} << 27, kColumnBytes = 64;

double seconds_between(const Stamp& from, const Stamp& to) {
  return (to.seconds - from.seconds) + (to.nanoseconds - from.nanoseconds) * 1e-9;
}

}  // namespace

Topic::Topic(std::string name, Decode decode) : name_(std::move(name)), decode_(decode), paths_{"time"} {}

std::size_t Topic::column_of(std::string_view path) {
  if (next_ >= paths_.size() || paths_[next_] != path) {
    const auto [found, is_new] = columns_.try_emplace(std::string(path), paths_.size());
    if (is_new) paths_.emplace_back(path);
    next_ = found->second;
  }
  return next_++;
}

void Topic::look_at(const Message& message, std::uint64_t& name_bytes) {
  ++messages_;
  next_ = kClock + 1;
  decode_(message, [&](std::string_view path, double) {
    const std::size_t known = paths_.size();
    if (column_of(path) < known) return;
    name_bytes += name_.size() + path.size() + kColumnBytes;
    if (name_bytes > kMostNameBytes)
      message.place.refuse(fmt::format("up to this message, the topics have more columns than any log; \"{}\" has {}",
                                       shown(name_), paths_.size()));
  });
}

void Topic::read(const Message& message, std::uint64_t origin) {
  for (auto& [column, values] : values_) values.push_back(std::numeric_limits<double>::quiet_NaN());
  next_ = kClock + 1;
  const std::optional<Stamp> stamp = decode_(message, [this](std::string_view path, double value) {
    const auto wanted = values_.find(column_of(path));
    // Two keys may give one path ("a.b", and "b" in "a"): the first one counts.
    if (wanted != values_.end() && std::isnan(wanted->second.back())) wanted->second.back() = value;
  });
  log_times_.push_back(message.log_time);
  const auto clock = values_.find(kClock);
  if (clock != values_.end())
    clock->second.back() = seconds_between(stamp_of(origin), stamp.value_or(stamp_of(message.log_time)));
}

std::vector<double> Topic::values(std::size_t column) const {
  const std::vector<double>& values = values_.at(column);
  if (std::is_sorted(log_times_.begin(), log_times_.end())) return values;
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [this](std::size_t a, std::size_t b) { return log_times_[a] < log_times_[b]; });
  std::vector<double> sorted;
  sorted.reserve(values.size());
  for (const std::size_t row : order) sorted.push_back(values[row]);
  return sorted;
}

}  // namespace tauhat::mcap
