// What a channel's values tell about how it was recorded. NaN is a missing sample and tells nothing.
#pragma once

#include <cstddef>
#include <vector>

namespace tauhat {

std::size_t count_missing(const std::vector<double>& values) noexcept;

// A channel that is slower than the rows has a sample in every n-th of them, or about: how many should have come, and
// how many of these did not. Where there is no such n, each row should have one.
struct Presence {
  std::size_t due = 0, missing = 0;
};
Presence presence_of(const std::vector<double>& values);

bool is_constant(const std::vector<double>& values) noexcept;

// Share of the samples that sit at the largest or the smallest value in runs of three or more, where that is
// more than a signal that merely turns around there. Zero (a drive at rest) and signals of few levels are
// never clipped.
double clipped_share(const std::vector<double>& values);

// Step of the grid on which all values lie; 0 when there is none, or too few levels to tell.
double resolution_of(const std::vector<double>& values);

}  // namespace tauhat
