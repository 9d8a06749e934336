#include "tauhat/offline/log/dialect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/log/fields.hpp"
#include "tauhat/offline/log/heading.hpp"
#include "tauhat/offline/log/sample.hpp"
#include "tauhat/offline/log/text.hpp"

namespace tauhat {
namespace {

constexpr std::size_t kSampleBytes = 256 * 1024;

// The first line that has numbers in most of the cells where rows have them: "Rate;500" and "s;1;Nm" are no
// rows.
std::size_t first_typical_row(const Reading& reading) {
  std::vector<std::size_t> values_in(reading.columns, 0);
  for (const std::size_t row : reading.rows)
    for (std::size_t column = 0; column < reading.columns; ++column)
      if (is_value(reading.cells[row][column], reading.decimal_mark)) ++values_in[column];
  for (const std::size_t row : reading.rows) {
    std::size_t expected = 0, found = 0;
    for (std::size_t column = 0; column < reading.columns; ++column) {
      const std::string_view cell = reading.cells[row][column];
      if (cell.empty() || 2 * values_in[column] < reading.rows.size()) continue;
      ++expected;
      if (is_value(cell, reading.decimal_mark)) ++found;
    }
    if (2 * found > expected) return row;
  }
  return reading.rows.front();
}

// As wide as the rows, but for a separator at the end of either, and without numbers.
bool looks_like_names(const Cells& cells, const Reading& reading) {
  const bool trailing_separator = cells.size() == reading.columns + 1 && cells.back().empty();
  const Cells& row = reading.cells[reading.rows.back()];
  const bool unnamed_end = cells.size() + 1 == reading.columns && row.back().empty();
  const bool as_wide = cells.size() == reading.columns || trailing_separator || unnamed_end;
  return as_wide && count_values(cells, reading.decimal_mark) == 0;
}

// A row with a bad cell may stand between the names and the first typical row; it is to be refused, not
// skipped.
std::size_t first_row(const Reading& reading, const std::vector<SampleLine>& lines) {
  const std::size_t typical = first_typical_row(reading);
  std::size_t first = typical;
  for (std::size_t line = typical; line-- > 0;) {
    if (lines[line].comment_mark > 0) continue;
    if (looks_like_names(reading.cells[line], reading)) return first;
    const bool is_row = std::binary_search(reading.rows.begin(), reading.rows.end(), line);
    if (!is_row || is_units_row(reading.cells[line])) break;
    first = line;
  }
  return typical;
}

struct Heading {
  std::optional<std::size_t> names, units;  // which sample lines
};

// Looks directly above the first row, among the plain lines or among the comments.
Heading find_heading_among(const Reading& reading, const std::vector<SampleLine>& lines, std::size_t first,
                           bool commented) {
  std::vector<std::size_t> above;
  for (std::size_t line = first; line-- > 0 && above.size() < 2;)
    if ((lines[line].comment_mark > 0) == commented) above.push_back(line);
  const bool adjacent = above.size() == 2 && lines[above[0]].number == lines[above[1]].number + 1;
  if (adjacent && is_units_row(reading.cells[above[0]]) && looks_like_names(reading.cells[above[1]], reading))
    return {above[1], above[0]};
  if (!above.empty() && looks_like_names(reading.cells[above[0]], reading)) return {above[0], std::nullopt};
  return {};
}

// A comment may hold the names: "# t, w_m".
Heading find_heading(const Reading& reading, const std::vector<SampleLine>& lines, std::size_t first) {
  const Heading heading = find_heading_among(reading, lines, first, false);
  return heading.names ? heading : find_heading_among(reading, lines, first, true);
}

// "1\t\t2": tabs that align and do not separate leave a column that is empty in every row.
bool has_empty_column(const Reading& reading) {
  for (std::size_t column = 0; column + 1 < reading.columns; ++column)
    if (std::all_of(reading.rows.begin(), reading.rows.end(),
                    [&](std::size_t row) { return reading.cells[row][column].empty(); }))
      return true;
  return false;
}

// A separator after the last field is no column: its cells are empty and nothing names it.
void drop_trailing_separator(Reading& reading, const Heading& heading) {
  const bool always_empty = std::all_of(reading.rows.begin(), reading.rows.end(),
                                        [&](std::size_t row) { return reading.cells[row].back().empty(); });
  const Cells* names = heading.names ? &reading.cells[*heading.names] : nullptr;
  const bool named = names && names->size() >= reading.columns && !(*names)[reading.columns - 1].empty();
  if (always_empty && !named && reading.columns > 1) --reading.columns;
}

std::vector<CsvHeading> headings_of(const Reading& reading, const Heading& heading) {
  std::vector<CsvHeading> headings(reading.columns);
  for (std::size_t column = 0; column < reading.columns; ++column) {
    if (heading.names && column < reading.cells[*heading.names].size())
      headings[column] = parse_heading(reading.cells[*heading.names][column]);
    if (heading.units && column < reading.cells[*heading.units].size())
      headings[column].unit = unit_of_cell(reading.cells[*heading.units][column]);
    if (headings[column].text.empty()) headings[column].text = headings[column].name = fmt::format("#{}", column + 1);
  }
  return headings;
}

void refuse_without_rows(const std::vector<SampleLine>& lines, const std::string& source) {
  const auto plain = std::count_if(lines.begin(), lines.end(), [](const auto& line) { return line.comment_mark == 0; });
  const std::string reason =
      lines.empty() ? "the file is empty"
      : plain == 0  ? "the file holds comments only, no rows"
      : plain <= 2
          ? fmt::format("line {} is a header, but no rows of numbers follow it", lines.back().number)
          : fmt::format("none of the first {} lines holds a number, so this is not a log", lines.back().number);
  throw Error(ExitCode::unusable_data, fmt::format("{}: {}", source, reason));
}

void refuse_binary(std::string_view sample, const std::string& source) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x09; };
  const auto controls = std::count_if(sample.begin(), sample.end(), is_control);
  constexpr std::size_t kHeadBytes = 512;  // later ones may be a damaged row, which has its own message
  const bool in_head = sample.substr(0, kHeadBytes).find('\0') != std::string_view::npos;
  if (in_head || 20 * controls > static_cast<std::ptrdiff_t>(sample.size()))
    throw Error(ExitCode::unusable_data,
                fmt::format("{}: holds binary data, not text; export the log as CSV in UTF-8", source));
}

}  // namespace

CsvLayout recognise_layout(std::string_view text, const std::string& source) {
  // The copy ends with a newline, which the number parser needs; a line cut by the sample's end is left out.
  std::string sample(text.substr(0, kSampleBytes));
  if (const std::size_t last = sample.rfind('\n'); text.size() > kSampleBytes && last != std::string::npos)
    sample.resize(last);
  refuse_binary(sample, source);
  sample += '\n';
  const std::vector<SampleLine> lines = sample_lines(sample);
  Reading reading = best_reading(lines);
  if (reading.rows.empty()) refuse_without_rows(lines, source);

  std::size_t first = first_row(reading, lines);
  Heading heading = find_heading(reading, lines, first);
  if (!heading.names && reading.separator == '\t' && has_empty_column(reading)) {
    Reading by_runs = read_sample(lines, ' ');
    if (by_runs.rows.size() == reading.rows.size()) reading = std::move(by_runs);
    first = first_row(reading, lines);
    heading = find_heading(reading, lines, first);
  }
  drop_trailing_separator(reading, heading);

  CsvLayout layout;
  layout.dialect = {reading.separator, reading.decimal_mark == ',', heading.names.has_value(),
                    heading.units.has_value(), lines[first].number};
  layout.decimal_mark_known = reading.decimal_mark_known;
  layout.headings = headings_of(reading, heading);
  layout.data_offset = lines[first].offset;
  for (std::size_t line = 0; line < first; ++line)
    if (line != heading.names && line != heading.units)
      layout.preamble.push_back(utf8_from_unknown(trimmed(lines[line].text, ' ')));
  return layout;
}

}  // namespace tauhat
