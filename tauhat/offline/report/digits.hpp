// How many digits a number deserves: its uncertainty decides. The value is rounded to two significant digits
// of its standard deviation, and its 95 % half-widths to the same decimal place.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "tauhat/offline/report/report.hpp"

namespace tauhat {

struct Rounded {
  std::string value;
  std::string below, above;  // 95 % half-widths; empty without uncertainty, equal when symmetric
  std::string lower, upper;  // the interval's ends
  int exponent = 0;          // all of them times ten to this power
  bool symmetric() const { return below == above; }
};

// `factor` goes from SI to the unit that is shown.
Rounded rounded(const Result&, double factor = 1.0);

// 1234.5 -> "1234", 2.9909 -> "2.99", 3 -> "3.00": never an exponent for what fits on a dial.
std::string significant(double value, int digits);

}  // namespace tauhat
