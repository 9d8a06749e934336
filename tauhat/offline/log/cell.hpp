// What stands in one cell of a text table.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

#include "tauhat/offline/log/number.hpp"

namespace tauhat {

// Empty, or "nan" as C's printf writes it, with or without a sign.
inline bool is_missing(std::string_view text) {
  if (text.empty()) return true;
  if (text.front() == '-' || text.front() == '+') text.remove_prefix(1);
  constexpr std::string_view kNan = "nan";
  return std::equal(text.begin(), text.end(), kNan.begin(), kNan.end(),
                    [](char c, char lower) { return std::tolower(static_cast<unsigned char>(c)) == lower; });
}

// A byte that ends a number must follow the text.
inline bool is_number(std::string_view text, char decimal_mark) {
  return parse_number(text.data(), decimal_mark).end == text.data() + text.size();
}

}  // namespace tauhat
