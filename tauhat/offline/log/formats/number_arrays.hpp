// Arrays of numbers by their path, as MATLAB and HDF5 files hold them, and the columns of a recording that they make:
//   vector   one column, "axis1.velocity"
//   matrix   time runs along the longer dimension; a column for each place along the shorter, "rec.position[1]", ...
// Where a clock is known, time runs along the dimension that is as long as the clock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "tauhat/offline/log/recording.hpp"

namespace tauhat {

struct NumberArray {
  std::string path, unit{};
  std::size_t rows = 0, columns = 0;
  bool row_major = false;  // element (i, j) lies at i * columns + j, else at i + j * rows
  std::string clock{};     // path of the vector that stamps it
  std::string title{};     // the signal's name, where the file has it as a text beside the array

  std::size_t size() const noexcept { return rows * columns; }
  bool is_vector() const noexcept { return rows == 1 || columns == 1; }
};

// What the file holds beside them, and why it makes no column: "holds text".
struct NoColumn {
  std::string path, reason;
};

// How a file says which vector stamps an array, where no attribute names it.
//   siblings  "time", "t" or "Time" beside it in the same group
//   matlab    a timeseries' Time beside its Data; Simulink's "structure with time", time beside signals.values
// The latter two also name their signal, by the text in Name or in label.
enum class ClockRule { siblings, matlab };

class NumberArrays {
 public:
  static constexpr std::size_t kMostAlongside = 64;  // columns of a matrix, elements of a struct or cell array
  static constexpr std::size_t kMostElements = std::size_t{1} << 31;

  NumberArrays(std::string source, std::uint64_t file_bytes) : source_(std::move(source)), file_bytes_(file_bytes) {}

  // Takes path, unit, order and clock from `array`; dimensions of length one do not count. False: it makes no column.
  bool add(NumberArray array, const std::vector<std::size_t>& dimensions);
  void add_no_column(const std::string& path, const std::string& reason);
  void add_text(const std::string& path, const std::string& text);  // no column, but it may name one
  // When all are added. A clock that is no vector of the file, in s and of a fitting length, is none.
  void find_clocks(ClockRule rule);  // and titles

  const std::string& source() const noexcept { return source_; }
  const std::vector<NumberArray>& all() const noexcept { return arrays_; }

  // Sentences about the objects of MATLAB among what makes no column.
  std::vector<std::string> objects() const;
  std::vector<ColumnInfo> list() const;  // throws Error (unusable_data) where there is none
  // As Format::read; `values` reads one array, and is asked in the order of the arrays.
  Recording read(const std::vector<std::string>& wanted,
                 const std::function<std::vector<double>(std::size_t array)>& values) const;

 private:
  void count_one_more(std::size_t columns, std::size_t letters);
  void check_size(const std::vector<std::size_t>& arrays) const;
  void refuse_no_column(const std::string& wanted) const;
  void refuse_empty() const;

  std::string source_;
  std::uint64_t file_bytes_;
  std::uint64_t letters_ = 0;  // of all columns' names and units
  std::vector<NumberArray> arrays_;
  std::vector<NoColumn> others_;
  std::unordered_map<std::string, std::string> texts_;  // by their path
};

}  // namespace tauhat
