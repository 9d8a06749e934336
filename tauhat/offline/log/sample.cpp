#include "tauhat/offline/log/sample.hpp"

#include <algorithm>
#include <map>

#include "tauhat/offline/log/fields.hpp"
#include "tauhat/offline/log/number.hpp"
#include "tauhat/offline/log/time_stamp.hpp"

namespace tauhat {
namespace {

constexpr std::size_t kSampleLines = 400;
constexpr char kSeparators[] = {',', ';', '\t', '|', ' '};

bool is_number(std::string_view text, char decimal_mark) {
  return !text.empty() && parse_number(text.data(), decimal_mark).end == text.data() + text.size();
}

void find_decimal_mark(Reading& reading) {
  std::size_t with_point = 0, with_comma = 0;
  for (const Cells& cells : reading.cells)
    for (const std::string_view cell : cells) {
      const bool point = is_number(cell, '.'), comma = is_number(cell, ',');
      if (point && !comma) ++with_point;
      if (comma && !point) ++with_comma;
    }
  if (reading.separator != ',' && with_comma > with_point) reading.decimal_mark = ',';
  reading.decimal_mark_known = reading.separator == ',' || with_point + with_comma > 0;
}

}  // namespace

std::vector<SampleLine> sample_lines(std::string_view sample) {
  std::vector<SampleLine> lines;
  std::size_t number = 0;
  for (std::size_t offset = 0; offset < sample.size() && lines.size() < kSampleLines;) {
    const std::size_t end = sample.find('\n', offset);
    const std::string_view text = sample.substr(offset, end - offset);
    const std::string_view visible = trimmed(text, ' ');
    ++number;
    if (!visible.empty()) lines.push_back({text, number, offset, comment_mark_length(visible)});
    offset = end + 1;
  }
  return lines;
}

bool is_value(std::string_view text, char decimal_mark) {
  return is_number(text, decimal_mark) || parse_time_stamp(text).has_value();
}

std::size_t count_values(const Cells& cells, char decimal_mark) {
  return static_cast<std::size_t>(
      std::count_if(cells.begin(), cells.end(), [=](std::string_view cell) { return is_value(cell, decimal_mark); }));
}

Reading read_sample(const std::vector<SampleLine>& lines, char separator) {
  Reading reading;
  reading.separator = separator;
  for (const SampleLine& line : lines) {
    const std::string_view text = trimmed(line.text, separator);
    reading.cells.push_back(split_fields(trimmed(text.substr(line.comment_mark), separator), separator));
  }
  find_decimal_mark(reading);
  std::map<std::size_t, std::size_t> lines_with;  // fields -> lines
  std::vector<std::size_t> values(lines.size(), 0);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].comment_mark > 0) continue;
    values[i] = count_values(reading.cells[i], reading.decimal_mark);
    if (values[i] > 0) ++lines_with[reading.cells[i].size()];
  }
  for (const auto& [fields, count] : lines_with)
    if (reading.columns == 0 || count > lines_with[reading.columns]) reading.columns = fields;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Cells& cells = reading.cells[i];
    if (values[i] == 0 || cells.size() != reading.columns) continue;
    const auto empty = static_cast<std::size_t>(std::count(cells.begin(), cells.end(), std::string_view()));
    reading.rows.push_back(i);
    reading.score += static_cast<double>(values[i]) / static_cast<double>(cells.size() - empty);
  }
  // "1,5" is more often two columns than one with a decimal comma.
  if (reading.columns == 1) reading.score *= 0.5;
  return reading;
}

Reading best_reading(const std::vector<SampleLine>& lines) {
  Reading best;
  for (const char separator : kSeparators) {
    Reading reading = read_sample(lines, separator);
    const bool same_score = reading.score == best.score;
    if (reading.score > best.score || (same_score && reading.columns > best.columns)) best = std::move(reading);
  }
  return best;
}

}  // namespace tauhat
