#include "tauhat/offline/spelling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace tauhat {
namespace {

constexpr std::size_t kEdit = 2;       // insert, delete or replace a letter
constexpr std::size_t kWrongCase = 1;  // "RPM" for "rpm"

std::size_t replacement_cost(char a, char b) {
  if (a == b) return 0;
  const bool same_letter = std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
  return same_letter ? kWrongCase : kEdit;
}

// Wagner and Fischer 1974, one row at a time.
std::size_t edit_distance(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);
  for (std::size_t j = 0; j <= to.size(); ++j) row[j] = j * kEdit;
  for (const char letter : from) {
    std::size_t diagonal = row[0];
    row[0] += kEdit;
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::size_t replaced = diagonal + replacement_cost(letter, to[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + kEdit, diagonal + kEdit});
    }
  }
  return row.back();
}

}  // namespace

std::string nearest_name(std::string_view text, const std::vector<std::string>& known) {
  // More than half of the letters wrong is another word, not a slip.
  const std::size_t longest_slip = std::max(kEdit, text.size() * kEdit / 2);
  std::string nearest;
  std::size_t least = longest_slip + 1;
  for (const std::string& name : known) {
    const std::size_t distance = edit_distance(text, name);
    if (distance < least) {
      least = distance;
      nearest = name;
    }
  }
  return nearest;
}

std::string counted(std::size_t count, std::string_view one, std::string_view more) {
  return fmt::format("{} {}", count, count == 1 ? one : more);
}

}  // namespace tauhat
