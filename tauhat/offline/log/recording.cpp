#include "tauhat/offline/log/recording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace tauhat {

std::size_t Recording::line_of(std::size_t row) const noexcept {
  const auto after = std::upper_bound(line_jumps.begin(), line_jumps.end(), row,
                                      [](std::size_t wanted, const LineJump& jump) { return wanted < jump.row; });
  if (after == line_jumps.begin()) return first_data_line + row;
  const LineJump& jump = *std::prev(after);
  return jump.line + (row - jump.row);
}

std::string Recording::row_name(std::size_t row) const {
  return first_data_line > 0 ? fmt::format("line {}", line_of(row)) : fmt::format("sample {}", row);
}

std::string Recording::place_of(std::size_t row) const {
  return first_data_line > 0 ? fmt::format("{}:{}", source, line_of(row)) : fmt::format("{}, sample {}", source, row);
}

}  // namespace tauhat
