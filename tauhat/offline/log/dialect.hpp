// How a CSV file is written: recognised from its first lines, never asked of the user.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tauhat/offline/log/csv.hpp"
#include "tauhat/offline/log/heading.hpp"

namespace tauhat {

struct CsvLayout {
  CsvDialect dialect;
  bool decimal_mark_known = false;   // false: only whole numbers so far, the mark may still turn out a comma
  std::vector<CsvHeading> headings;  // one a column; "#1", ... where the file names none
  std::vector<std::string> preamble;
  std::size_t data_offset = 0;  // of the first row's first byte
};

// Throws Error (unusable_data) when there is no table.
CsvLayout recognise_layout(std::string_view text, const std::string& source);

}  // namespace tauhat
