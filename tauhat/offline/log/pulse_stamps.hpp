// Whether the stamps of a wheel's pulses are those of one clock that goes on.
#pragma once

#include <string>
#include <vector>

namespace tauhat {

// In the order of the file. What is wrong, as a sentence goes on; empty where nothing is. A late pulse is one of a few
// that changed places, and a wheel that rests sends many before and after; a clock that is set back, or wraps, goes on
// from there, and a stamp that was misread stands far from all others.
std::string fault_of_stamps(const std::vector<double>& stamps);

}  // namespace tauhat
