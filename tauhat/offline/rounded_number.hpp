// Numbers to so many significant digits, as fast as they are made: an estimate of a minute of pulses has ten million.
#pragma once

#include <cstddef>

namespace tauhat {

inline constexpr std::size_t kLongestRounded = 48;  // characters of room that a number needs; fewer are its own

// As "{:.12g}" would be read: the last digit is rounded, to within one part in a thousand of its unit. Nothing where
// the number is not finite. At most 15 digits. Returns the end of what was written.
char* write_rounded(char* to, double value, int digits) noexcept;

}  // namespace tauhat
