#include "tauhat/offline/log/part.hpp"

#include <algorithm>
#include <map>

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

}  // namespace tauhat
