// CSV as instruments and drives write it: separator, quotes, comments, preamble, decimal comma, units row and byte
// order mark are recognised; numbers are read straight from the file's bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tauhat {

struct CsvColumn {
  std::string name, unit;      // unit from a units row or from "speed [rpm]", else empty
  std::vector<double> values;  // NaN: an empty cell or "nan"
};

struct CsvDialect {
  char separator = ',';
  bool decimal_comma = false;
  bool has_header = true, has_units_row = false;
  std::size_t first_data_line = 0;  // 1-based
};

struct CsvTable {
  std::string source;
  CsvDialect dialect;
  std::vector<CsvColumn> columns;
  std::vector<std::string> preamble;  // lines before the header, comments included

  std::size_t rows() const noexcept { return columns.empty() ? 0 : columns.front().values.size(); }
};

// Only the named columns are converted to numbers ("#3" counts from one); all of them when the list is empty.
CsvTable read_csv(const std::string& path, const std::vector<std::string>& wanted = {});
CsvTable parse_csv(std::string_view text, const std::string& source, const std::vector<std::string>& wanted = {});

}  // namespace tauhat
