#include "tauhat/offline/log/number.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <system_error>

namespace tauhat::number_detail {

ParsedNumber parse_slowly(const char* first, const Scan& scan, char decimal_mark) noexcept {
  double value = 0.0;
  std::from_chars_result result{};
  if (decimal_mark == '.') {
    result = std::from_chars(first, scan.end, value);
  } else {
    std::string with_point(first, scan.end);
    std::replace(with_point.begin(), with_point.end(), decimal_mark, '.');
    result = std::from_chars(with_point.data(), with_point.data() + with_point.size(), value);
  }
  if (result.ec == std::errc::result_out_of_range) {
    // value < 10^(digits + exponent): below one, it can only have been too small.
    const bool too_small = scan.digits + scan.exponent <= 0;
    return {0.0, too_small ? scan.end : nullptr};
  }
  return {value, scan.end};
}

}  // namespace tauhat::number_detail
