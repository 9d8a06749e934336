// CSV as instruments and drives write it: separator, quotes, comments, preamble, decimal comma, units row and
// byte order mark are recognised; numbers are read straight from the file's bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tauhat {

struct CsvColumn {
  std::string name, unit;      // unit from a units row or from "speed [rpm]", else empty
  std::vector<double> values;  // NaN: an empty cell or "nan"
  bool time_stamps = false;    // ISO 8601 in the file: seconds since the first row's midnight, UTC
};

struct CsvDialect {
  char separator = ',';  // ' ' stands for any run of spaces and tabs
  bool decimal_comma = false;
  bool has_header = true, has_units_row = false;
  std::size_t first_data_line = 0;  // 1-based
};

struct CsvTable {
  std::string source;
  CsvDialect dialect;
  std::vector<CsvColumn> columns;
  std::vector<std::string> preamble;  // lines before the header, comments included

  // Comments and blank lines between rows: from `row` on, lines count from `line`.
  struct LineJump {
    std::size_t row, line;
  };
  std::vector<LineJump> line_jumps;

  std::size_t rows() const noexcept { return columns.empty() ? 0 : columns.front().values.size(); }
  std::size_t line_of(std::size_t row) const noexcept;  // 1-based, for messages
};

// Only the named columns are converted to numbers ("#3" counts from one), and the table holds them in the
// order of the list; all of the file's columns when the list is empty. A column is named as in the header,
// its unit in brackets included or not. Throws Error (unusable_data) naming file, line and column.
CsvTable read_csv(const std::string& path, const std::vector<std::string>& wanted = {});
CsvTable parse_csv(std::string_view text, const std::string& source, const std::vector<std::string>& wanted = {});

}  // namespace tauhat
