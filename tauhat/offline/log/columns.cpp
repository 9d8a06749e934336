#include "tauhat/offline/log/columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/spelling.hpp"

namespace tauhat {
namespace {

// "#3" -> 2.
std::optional<std::size_t> index_from_number(const std::string& wanted) {
  std::size_t number = 0;
  if (!wanted.starts_with('#')) return std::nullopt;
  const char* last = wanted.data() + wanted.size();
  const auto [end, error] = std::from_chars(wanted.data() + 1, last, number);
  if (error != std::errc{} || end != last || number == 0) return std::nullopt;
  return number - 1;
}

// A column that is wanted by its own name, too, is not meant by another: `others` are all that are wanted.
[[noreturn]] void refuse_missing(const std::vector<CsvHeading>& headings, const std::string& source,
                                 const std::string& wanted, const std::vector<std::string>& others,
                                 const std::string& note) {
  std::vector<std::string> names;
  std::string list;
  for (const CsvHeading& heading : headings) {
    if (std::find(others.begin(), others.end(), heading.name) == others.end()) names.push_back(heading.name);
    list += fmt::format("{}\"{}\"", list.empty() ? "" : ", ", heading.name);
  }
  const std::string nearest = index_from_number(wanted) ? "" : nearest_name(wanted, names);
  const std::string hint = nearest.empty() ? "" : fmt::format("; did you mean \"{}\"?", nearest);
  throw Error(ExitCode::unusable_data, fmt::format("{}: no column \"{}\"{}{} The {} columns are {}{}", source, wanted,
                                                   hint, hint.empty() ? "." : "", headings.size(), list, note));
}

[[noreturn]] void refuse_twice(const std::string& source, const std::string& name, std::size_t first,
                               std::size_t second) {
  throw Error(ExitCode::unusable_data,
              fmt::format("{}: column \"{}\" occurs twice; name it by its place, \"#{}\" or \"#{}\"", source, name,
                          first + 1, second + 1));
}

std::optional<std::size_t> find_unique(const std::vector<CsvHeading>& headings, const std::string& source,
                                       const std::string& wanted, std::string CsvHeading::*part) {
  std::optional<std::size_t> found;
  for (std::size_t column = 0; column < headings.size(); ++column) {
    if (headings[column].*part != wanted) continue;
    if (found) refuse_twice(source, wanted, *found, column);
    found = column;
  }
  return found;
}

std::size_t find_column(const std::vector<CsvHeading>& headings, const std::string& source, const std::string& wanted,
                        const std::vector<std::string>& others, const std::string& note) {
  if (const auto column = find_unique(headings, source, wanted, &CsvHeading::text)) return *column;
  if (const auto column = find_unique(headings, source, wanted, &CsvHeading::name)) return *column;
  if (const auto column = index_from_number(wanted); column && *column < headings.size()) return *column;
  refuse_missing(headings, source, wanted, others, note);
}

}  // namespace

std::vector<std::size_t> find_columns(const std::vector<CsvHeading>& headings, const std::string& source,
                                      const std::vector<std::string>& wanted, const std::string& note) {
  std::vector<std::size_t> columns;
  for (const std::string& name : wanted) columns.push_back(find_column(headings, source, name, wanted, note));
  if (!wanted.empty()) return columns;
  for (const CsvHeading& heading : headings)
    columns.push_back(*find_unique(headings, source, heading.name, &CsvHeading::name));
  return columns;
}

}  // namespace tauhat
