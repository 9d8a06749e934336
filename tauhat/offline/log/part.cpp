#include "tauhat/offline/log/part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "tauhat/offline/quantile.hpp"
#include "tauhat/offline/spelling.hpp"

namespace tauhat {
namespace {

using Clock = std::shared_ptr<const std::vector<double>>;

template <class T>
void cut(std::vector<T>& values, std::ptrdiff_t first, std::ptrdiff_t last) {
  if (values.empty()) return;
  values.erase(values.begin() + last, values.end());
  values.erase(values.begin(), values.begin() + first);
}

}  // namespace

Log part_of(const Log& log, double begin, double end) {
  Log part = log;
  std::map<const std::vector<double>*, Clock> clocks;  // channels of one table share theirs
  for (Channel& channel : part.channels) {
    const std::vector<double>& time = *channel.time;
    const auto first = std::lower_bound(time.begin(), time.end(), begin) - time.begin();
    const auto last = std::upper_bound(time.begin(), time.end(), end) - time.begin();
    cut(channel.value, first, last);
    cut(channel.tooth, first, last);
    Clock& clock = clocks[&time];
    if (!clock) clock = std::make_shared<const std::vector<double>>(time.begin() + first, time.begin() + last);
    channel.time = clock;
  }
  return part;
}

bool is_longer(const Log& log, std::size_t samples) {
  return std::any_of(log.channels.begin(), log.channels.end(),
                     [&](const Channel& channel) { return channel.time->size() > samples; });
}

Log middle_of(const Log& log, std::size_t samples) {
  if (!is_longer(log, samples)) return log;
  const auto longest =
      std::max_element(log.channels.begin(), log.channels.end(),
                       [](const Channel& a, const Channel& b) { return a.time->size() < b.time->size(); });
  const std::vector<double>& time = *longest->time;
  const std::size_t first = (time.size() - samples) / 2;
  return part_of(log, time[first], time[first + samples - 1]);
}

Span span_of(const Log& log) {
  Span span{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const Channel& channel : log.channels) {
    if (channel.time->empty()) continue;
    span.begin = std::min(span.begin, channel.time->front()), span.end = std::max(span.end, channel.time->back());
  }
  return span;
}

std::vector<Hole> holes_of(const Log& log, const std::string& signal) {
  const Channel* channel = log.find(signal);
  if (!channel) return {};
  std::vector<double> seen, intervals;
  for (std::size_t k = 0; k < channel->value.size(); ++k)
    if (std::isfinite(channel->value[k])) seen.push_back((*channel->time)[k]);
  for (std::size_t k = 1; k < seen.size(); ++k) intervals.push_back(seen[k] - seen[k - 1]);
  if (intervals.empty()) return {};
  const double longest = kBridgedPeriods * quantile(intervals, 0.5);
  // What ends before the others is missing from there on.
  seen.push_back(std::max(seen.back(), span_of(log).end));
  std::vector<Hole> holes;
  for (std::size_t k = 1; k < seen.size(); ++k)
    if (seen[k] - seen[k - 1] > longest) holes.push_back({seen[k - 1], seen[k]});
  return holes;
}

Log without_holes(const Log& log, const std::string& signal) {
  const std::vector<Hole> holes = holes_of(log, signal);
  if (holes.empty()) return log;
  const Span span = span_of(log);
  double begin = span.begin, best_begin = begin, best_end = begin;
  const auto take = [&](double end) {
    if (end - begin > best_end - best_begin) best_begin = begin, best_end = end;
  };
  for (const Hole& hole : holes) take(hole.begin), begin = hole.end;
  take(span.end);
  Log part = part_of(log, best_begin, best_end);
  part.diagnostics.push_back(
      {"log.hole", Severity::warning,
       fmt::format("{} is missing in {}, the first {:.3g} ms at {:.4g} s after the start, and nobody knows what it was "
                   "there: the answer is of the longest part between, {:.4g} s of {:.4g} s.",
                   signal, counted(holes.size(), "stretch", "stretches"), holes.front().milliseconds(),
                   holes.front().begin - span.begin, best_end - best_begin, span.end - span.begin)});
  return part;
}

}  // namespace tauhat
