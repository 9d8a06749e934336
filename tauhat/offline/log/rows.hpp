// The rows of a table: from bytes to numbers, one pass, no copy of a field.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tauhat/offline/log/csv.hpp"
#include "tauhat/offline/log/dialect.hpp"

namespace tauhat {

class RowReader {
 public:
  // `columns`: the file's column of each of the table's columns. Each is named once.
  RowReader(const CsvLayout& layout, const std::vector<std::size_t>& columns, CsvTable& table);

  enum class Outcome { done, decimal_comma_found };  // found late: read again with that mark

  // Throws Error (unusable_data) at the first cell that is not a number and the first row of another width.
  Outcome read(std::string_view rows);

  // One line of a stream, into a table that is emptied first: false for a comment or a blank line. What follows the
  // line must be a byte that ends a number. Throws as read() does, and may go on with the next line.
  bool read_one(std::string_view line);
  std::size_t line() const noexcept { return line_; }  // of the line that comes next

 private:
  Outcome read_into_empty(std::string_view line);
  Outcome read_line(std::string_view untrimmed);
  const char* read_row(const char* first, const char* line_end);
  const char* read_cell_slowly(const char* first, const char* line_end, std::size_t column);
  bool read_time_stamp(std::string_view text, Column& column);
  void check_time_stamps() const;
  [[noreturn]] void refuse_cell(std::string_view text, const Column& column) const;
  [[noreturn]] void refuse_width(std::string_view line) const;

  CsvTable& table_;
  char separator_, decimal_mark_;
  bool decimal_mark_known_, decimal_comma_found_ = false;
  std::vector<Column*> target_;           // of each of the file's columns; null where not wanted
  std::vector<std::size_t> stamps_read_;  // of each of the table's columns
  std::optional<long> first_day_;
  std::size_t line_ = 0, next_line_ = 0;  // of the line being read, and of one that follows the last row
  std::size_t row_ = 0;
};

}  // namespace tauhat
