// Headings of columns: names, and the units given with them or in a row of their own.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tauhat {

struct CsvHeading {
  std::string text;        // as in the header: "speed [rpm]"
  std::string name, unit;  // "speed", "rpm"
};

// "speed [rpm]" or "speed (rpm)" -> name and unit; brackets that hold no unit stay in the name.
CsvHeading parse_heading(std::string_view raw);

// "[s]" or "s" -> "s".
std::string unit_of_cell(std::string_view text);

// "s;rpm;Nm": most cells that are not empty are units.
bool is_units_row(const std::vector<std::string_view>& cells);

}  // namespace tauhat
