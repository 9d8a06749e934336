#include "tauhat/offline/friction/excerpt.hpp"

#include <algorithm>

namespace tauhat {
namespace {

std::size_t first_of_most(const std::vector<std::size_t>& turns, std::size_t samples, std::size_t count) {
  std::size_t best = 0, most = 0;
  for (auto from = turns.begin(); from != turns.end(); ++from) {
    const auto to = std::lower_bound(from, turns.end(), *from + count);
    if (const auto held = static_cast<std::size_t>(to - from); held > most) most = held, best = *from;
  }
  // A little of the motion before the first turn belongs to it.
  return std::min(best - std::min(best, count / 20), samples - count);
}

Track part_of(const Track& track, std::size_t first, std::size_t count) {
  const auto cut = [&](const std::vector<double>& all) {
    if (all.empty()) return all;
    const auto from = all.begin() + static_cast<std::ptrdiff_t>(first);
    return std::vector<double>(from, from + static_cast<std::ptrdiff_t>(count));
  };
  return {cut(track.value), cut(track.std)};
}

}  // namespace

Excerpt telling_excerpt(const Timeline& timeline, const BlindSmoothing& blind, std::size_t longest) {
  if (timeline.size() <= longest) return {0, timeline, blind};
  const std::size_t first = first_of_most(blind.turns, timeline.size(), longest);
  Excerpt excerpt{first, timeline.part(first, longest), {}};
  BlindSmoothing& part = excerpt.blind;
  part.position = part_of(blind.position, first, longest);
  part.velocity = part_of(blind.velocity, first, longest);
  part.friction = part_of(blind.friction, first, longest);
  part.filtered_friction = part_of(blind.filtered_friction, first, longest);
  const auto take = [&](const std::vector<std::size_t>& all, std::vector<std::size_t>& some) {
    for (const std::size_t at : all) {
      if (at >= first && at < first + longest) some.push_back(at - first);
    }
  };
  take(blind.reversals, part.reversals);
  take(blind.turns, part.turns);
  part.mean_nis = blind.mean_nis, part.log_likelihood = blind.log_likelihood;
  return excerpt;
}

}  // namespace tauhat
