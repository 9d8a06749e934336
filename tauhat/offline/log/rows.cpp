#include "tauhat/offline/log/rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/log/cell.hpp"
#include "tauhat/offline/log/fields.hpp"
#include "tauhat/offline/log/number.hpp"
#include "tauhat/offline/log/text.hpp"
#include "tauhat/offline/log/time_stamp.hpp"

namespace tauhat {
namespace {

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
constexpr double kSecondsPerDay = 86400.0;

// A tenth more than the first lines promise: untouched pages cost nothing, growing costs a copy.
std::size_t estimated_rows(std::string_view rows) {
  constexpr std::size_t kSampleBytes = 64 * 1024;
  const std::string_view sample = rows.substr(0, kSampleBytes);
  const auto lines = static_cast<std::size_t>(std::count(sample.begin(), sample.end(), '\n')) + 1;
  return (rows.size() / (sample.size() + 1) + 1) * lines * 11 / 10;
}

}  // namespace

RowReader::RowReader(const CsvLayout& layout, const std::vector<std::size_t>& columns, CsvTable& table)
    : table_(table),
      separator_(layout.dialect.separator),
      decimal_mark_(layout.dialect.decimal_comma ? ',' : '.'),
      decimal_mark_known_(layout.decimal_mark_known),
      target_(layout.headings.size(), nullptr),
      stamps_read_(columns.size(), 0),
      line_(layout.dialect.first_data_line),
      next_line_(line_) {
  for (std::size_t i = 0; i < columns.size(); ++i) target_[columns[i]] = &table.columns[i];
}

RowReader::Outcome RowReader::read(std::string_view rows) {
  for (Column& column : table_.columns) column.values.reserve(estimated_rows(rows));
  while (!rows.empty()) {
    const void* newline = std::memchr(rows.data(), '\n', rows.size());
    if (newline == nullptr) break;
    const auto length = static_cast<std::size_t>(static_cast<const char*>(newline) - rows.data());
    if (read_line(rows.substr(0, length)) != Outcome::done) return Outcome::decimal_comma_found;
    rows.remove_prefix(length + 1);
  }
  // The number parser stops at the newline, so the last line gets one where it has none.
  const std::string last_line = std::string(rows) + '\n';
  if (read_line({last_line.data(), rows.size()}) != Outcome::done) return Outcome::decimal_comma_found;
  check_time_stamps();
  return Outcome::done;
}

bool RowReader::read_one(std::string_view line) {
  const std::size_t rows_before = row_;
  try {
    if (read_into_empty(line) == Outcome::decimal_comma_found) {
      decimal_mark_ = ',';
      decimal_mark_known_ = true;
      decimal_comma_found_ = false;
      read_into_empty(line);
    }
  } catch (...) {
    ++line_;
    throw;
  }
  // A fraction settles the mark: a comma that comes later is a mistake.
  for (const Column& column : table_.columns) {
    for (const double value : column.values)
      decimal_mark_known_ = decimal_mark_known_ || (std::isfinite(value) && value != std::trunc(value));
  }
  return row_ > rows_before;
}

RowReader::Outcome RowReader::read_into_empty(std::string_view line) {
  table_.line_jumps.clear();
  for (Column& column : table_.columns) {
    column.values.clear();
    column.time_stamps = false;
  }
  return read_line(line);
}

RowReader::Outcome RowReader::read_line(std::string_view untrimmed) {
  const std::string_view line = trimmed(untrimmed, separator_);
  if (!line.empty() && comment_mark_length(line) == 0) {
    if (line_ != next_line_) table_.line_jumps.push_back({row_, line_});
    const char* line_end = line.data() + line.size();
    const char* rest = read_row(line.data(), line_end);
    if (decimal_comma_found_) return Outcome::decimal_comma_found;
    // What is left may be one separator that closes the row.
    if (rest != nullptr && !trimmed({rest, static_cast<std::size_t>(line_end - rest)}, separator_).empty())
      refuse_width(line);
    ++row_;
    next_line_ = line_ + 1;
  }
  ++line_;
  return Outcome::done;
}

// Returns what follows the last column: null, or the bytes after one more separator.
const char* RowReader::read_row(const char* first, const char* line_end) {
  const char* next = first;
  for (std::size_t column = 0; column < target_.size(); ++column) {
    if (next == nullptr) refuse_width({first, static_cast<std::size_t>(line_end - first)});
    const char* cell = next;
    if (target_[column] == nullptr) {
      next = next_field(cell, line_end, separator_).next;
      continue;
    }
    while (is_blank(*cell, separator_)) ++cell;
    const ParsedNumber number = parse_number(cell, decimal_mark_);
    if (number.end != nullptr && (*number.end == separator_ || number.end == line_end)) [[likely]] {
      target_[column]->values.push_back(number.value);
      next = number.end == line_end ? nullptr : number.end + 1;
    } else {
      next = read_cell_slowly(next, line_end, column);
    }
  }
  return next;
}

const char* RowReader::read_cell_slowly(const char* first, const char* line_end, std::size_t column) {
  const Field field = next_field(first, line_end, separator_);
  Column& target = *target_[column];
  if (is_missing(field.text))
    target.values.push_back(kMissing);
  else if (is_number(field.text, decimal_mark_))
    target.values.push_back(parse_number(field.text.data(), decimal_mark_).value);
  else if (!decimal_mark_known_ && separator_ != ',' && is_number(field.text, ','))
    decimal_comma_found_ = true;
  else if (!read_time_stamp(field.text, target))
    refuse_cell(field.text, target);
  return field.next;
}

bool RowReader::read_time_stamp(std::string_view text, Column& column) {
  const std::optional<TimeStamp> stamp = parse_time_stamp(text);
  if (!stamp || (!column.time_stamps && !column.values.empty())) return false;
  if (!first_day_) first_day_ = stamp->day;
  column.time_stamps = true;
  // Days are taken off as whole numbers: seconds since 1970 would leave a double only 0.2 us.
  column.values.push_back(kSecondsPerDay * static_cast<double>(stamp->day - *first_day_) + stamp->seconds);
  ++stamps_read_[static_cast<std::size_t>(&column - table_.columns.data())];
  return true;
}

void RowReader::check_time_stamps() const {
  for (std::size_t i = 0; i < table_.columns.size(); ++i) {
    const Column& column = table_.columns[i];
    const auto missing = static_cast<std::size_t>(
        std::count_if(column.values.begin(), column.values.end(), [](double value) { return value != value; }));
    if (column.time_stamps && stamps_read_[i] + missing != column.values.size())
      throw Error(ExitCode::unusable_data,
                  fmt::format("{}: column \"{}\": {} of {} cells are dates, the others plain numbers", table_.source,
                              column.name, stamps_read_[i], column.values.size()));
  }
}

void RowReader::refuse_cell(std::string_view text, const Column& column) const {
  throw Error(
      ExitCode::unusable_data,
      fmt::format("{}:{}: column \"{}\": \"{}\" is not a number (use an empty cell or nan for a missing sample)",
                  table_.source, line_, column.name, shown(text)));
}

void RowReader::refuse_width(std::string_view line) const {
  const std::size_t found = split_fields(line, separator_).size();
  const std::string separator = separator_ == '\t'  ? "a tab"
                                : separator_ == ' ' ? "spaces"
                                                    : fmt::format("'{}'", separator_);
  throw Error(ExitCode::unusable_data,
              fmt::format("{}:{}: {} {}, but the table has {} columns (separated by {})", table_.source, line_, found,
                          found == 1 ? "field" : "fields", target_.size(), separator));
}

}  // namespace tauhat
