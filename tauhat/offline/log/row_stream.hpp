// CSV that comes through a pipe, a row at a time: each row is there as soon as its line has ended. Names stand in the
// first line; separator, decimal mark and units row are recognised as in a file.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tauhat/offline/log/rows.hpp"

namespace tauhat {

// Lines of a file descriptor. A line that has no end within `kLongest` bytes is cut there.
class LineReader {
 public:
  static constexpr std::size_t kLongest = std::size_t{1} << 20;

  LineReader(int descriptor, std::string source) : descriptor_(descriptor), source_(std::move(source)) {}

  // Waits for one more line; none at the end. A newline follows it in memory, until the next call.
  std::optional<std::string_view> next();
  bool was_cut() const noexcept { return cut_; }

 private:
  bool fill();  // false at the end
  bool skip_rest_of_line();

  int descriptor_;
  std::string source_;
  std::string buffer_;
  std::size_t begin_ = 0;
  bool ended_ = false, cut_ = false;
};

class RowStream {
 public:
  enum class Next { row, bad_row, end };

  // The wanted columns by name or place ("#3"). One that several want, such as the number of the sensor beside a stamp,
  // may stand there several times; it is read once.
  RowStream(int descriptor, const std::string& source, std::vector<std::string> wanted);
  RowStream(const RowStream&) = delete;
  RowStream& operator=(const RowStream&) = delete;

  // Throws Error (unusable_data) where there is no table or a column is missing.
  Next next();

  std::size_t columns() const noexcept { return place_.size(); }  // that are wanted
  // By the place among the wanted ones.
  double value(std::size_t column) const { return table_.columns[place_[column]].values.front(); }  // NaN: missing
  bool is_date(std::size_t column) const { return table_.columns[place_[column]].time_stamps; }
  std::size_t line() const noexcept { return line_; }  // of the row
  std::size_t rows() const noexcept { return rows_; }  // that came, bad ones included
  const std::string& problem() const noexcept { return problem_; }

 private:
  void recognise();
  bool try_layout(std::string_view head, std::string_view queued, std::size_t first_line);
  std::optional<std::string_view> next_line();

  LineReader lines_;
  std::string source_;
  std::vector<std::string> wanted_;
  std::vector<std::size_t> place_;  // in the table, of each wanted column
  std::string queue_;               // rows that were read while the layout was looked for
  std::size_t queued_from_ = 0;
  CsvTable table_;
  std::optional<RowReader> reader_;
  std::string problem_;
  std::size_t line_ = 0, rows_ = 0;
};

}  // namespace tauhat
