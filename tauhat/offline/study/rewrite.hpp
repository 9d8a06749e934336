// A study's text with numbers replaced, and everything else, comments too, as it was.
#pragma once

#include <string>
#include <vector>

namespace tauhat {

struct NewNumber {
  std::vector<std::string> path;  // "observer", "2", "noise", "load": a number counts from zero in a list
  double value = 0.0;
  std::string unit;  // written along: "0.5 N m"
};

// Throws Error (wrong_use) where the study does not have the number.
std::string with_numbers(const std::string& text, const std::string& source, const std::vector<NewNumber>& numbers);

}  // namespace tauhat
