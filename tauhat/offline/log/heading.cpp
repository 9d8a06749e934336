#include "tauhat/offline/log/heading.hpp"

#include <string>

#include "tauhat/offline/log/fields.hpp"
#include "tauhat/offline/log/text.hpp"
#include "tauhat/offline/units.hpp"

namespace tauhat {
namespace {

constexpr char kNoSeparator = '\0';

bool is_bracketed(std::string_view text) {
  return text.size() >= 2 &&
         ((text.front() == '[' && text.back() == ']') || (text.front() == '(' && text.back() == ')'));
}

std::string with_single_quotes(std::string text) {
  for (std::size_t at = text.find("\"\""); at != std::string::npos; at = text.find("\"\"", at + 1)) text.erase(at, 1);
  return text;
}

bool starts_with_digit(std::string_view text) { return !text.empty() && text.front() >= '0' && text.front() <= '9'; }

}  // namespace

CsvHeading parse_heading(std::string_view raw) {
  const std::string text = with_single_quotes(utf8_from_unknown(raw));
  CsvHeading heading{text, text, ""};
  if (text.empty() || (text.back() != ']' && text.back() != ')')) return heading;
  const std::size_t open = text.rfind(text.back() == ']' ? '[' : '(');
  if (open == std::string::npos || open == 0) return heading;
  const std::string_view inside =
      trimmed(std::string_view(text).substr(open + 1, text.size() - open - 2), kNoSeparator);
  const bool apart = text[open - 1] == ' ';
  const bool is_index = starts_with_digit(inside) && !apart;  // "axis[1]"
  const bool is_unit = parse_unit(inside).has_value() || (apart && text.back() == ']');
  if (!is_unit || is_index) return heading;
  heading.name = trimmed(std::string_view(text).substr(0, open), kNoSeparator);
  heading.unit = inside;
  return heading;
}

std::string unit_of_cell(std::string_view text) {
  const std::string unit = utf8_from_unknown(is_bracketed(text) ? text.substr(1, text.size() - 2) : text);
  return unit == "-" ? "" : unit;
}

bool is_units_row(const std::vector<std::string_view>& cells) {
  constexpr std::string_view kNameOfTime = "t";  // drives do not log tonnes
  std::size_t filled = 0, units = 0;
  for (const std::string_view cell : cells) {
    if (cell.empty() || cell == "1") continue;  // a dimensionless column, or a row's number
    ++filled;
    if (cell != kNameOfTime && parse_unit(unit_of_cell(cell))) ++units;
  }
  return 2 * units > filled;
}

}  // namespace tauhat
