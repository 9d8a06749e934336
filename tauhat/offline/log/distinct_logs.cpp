#include "tauhat/offline/log/distinct_logs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/hash.hpp"

namespace tauhat {
namespace {

bool are_same(const std::vector<double>& one, const std::vector<double>& other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); });
}

}  // namespace

void DistinctLogs::add(const Log& log) {
  const auto [first, is_new] = sources_.emplace(sha256_of_samples(log), log.source);
  if (is_new) return;
  const std::string which = first->second == log.source
                                ? fmt::format("{} is given twice", log.source)
                                : fmt::format("{} and {} hold the same samples", first->second, log.source);
  throw Error(ExitCode::wrong_use, which + ": it is one recording, and counts once; give each only once");
}

bool holds_samples_of(const Log& log, const Log& other) {
  return std::all_of(other.channels.begin(), other.channels.end(), [&](const Channel& channel) {
    const Channel* own = log.find(channel.signal);
    return own && are_same(*own->time, *channel.time) && are_same(own->value, channel.value);
  });
}

}  // namespace tauhat
