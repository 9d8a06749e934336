// Numbers and names as they stand in a CSV file.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <string>

namespace tauhat::cli {

// An empty cell where there is no number.
inline void append_number(std::string& text, double value) {
  if (std::isfinite(value)) fmt::format_to(std::back_inserter(text), "{}", value);
}

inline std::string quoted(const std::string& name) {
  if (name.find_first_of(",\"\n") == std::string::npos) return name;
  std::string text = "\"";
  for (const char c : name) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + "\"";
}

}  // namespace tauhat::cli
