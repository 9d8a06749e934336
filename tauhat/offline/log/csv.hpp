// CSV as instruments and drives write it: separator, quotes, comments, preamble, decimal comma, units row and
// byte order mark are recognised; numbers are read straight from the file's bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tauhat/offline/log/recording.hpp"

namespace tauhat {

struct CsvDialect {
  char separator = ',';  // ' ' stands for any run of spaces and tabs
  bool decimal_comma = false;
  bool has_header = true, has_units_row = false;
  std::size_t first_data_line = 0;  // 1-based
};

struct CsvTable : Recording {
  CsvDialect dialect{};
  std::vector<std::string> preamble{};  // lines before the header, comments included
};

// Only the named columns are converted to numbers ("#3" counts from one), and the table holds them in the
// order of the list; all of the file's columns when the list is empty. A column is named as in the header,
// its unit in brackets included or not. Throws Error (unusable_data) naming file, line and column.
CsvTable read_csv(const std::string& path, const std::vector<std::string>& wanted = {});
// All columns that hold numbers or dates; a name that is not unique is replaced by the column's place, "#3".
std::vector<ColumnInfo> list_csv(const std::string& path);
// The columns that `list_csv` leaves out since most of their first cells are words: a sentence for each.
std::vector<std::string> words_in_csv(const std::string& path);
CsvTable parse_csv(std::string_view text, const std::string& source, const std::vector<std::string>& wanted = {});

}  // namespace tauhat
