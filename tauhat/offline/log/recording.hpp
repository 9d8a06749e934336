// What a log file holds, before it becomes channels: named columns of numbers, each with the clock that stamps it.
// Every format (formats/) is read into this.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tauhat {

struct Column {
  std::string name, unit;      // the unit as the file has it, or empty
  std::vector<double> values;  // NaN: no sample
  bool time_stamps = false;    // dates in the file: seconds since the first row's midnight, UTC
  std::string clock{};         // the column that stamps this one, in s; empty: the study says which
};

// A column without its numbers: what `--list` shows and `init` guesses from.
struct ColumnInfo {
  std::string name, unit;
  std::size_t samples = 0;
  std::string clock{};
  // What the file calls it, where `name` does not say it: the heading that several columns share (`name` is then a
  // place, "#3"), or the label of a signal in a MATLAB file. Else empty. `init` guesses from it rather than from
  // `name`.
  std::string title{};
};

struct Recording {
  std::string source;           // file name, for messages
  std::vector<Column> columns;  // in the order they were asked for; they may differ in length

  // Where a text file's rows stand. Comments and blank lines between them: from `row` on, lines count from `line`.
  struct LineJump {
    std::size_t row, line;
  };
  std::vector<LineJump> line_jumps{};
  std::size_t first_data_line = 0;  // 1-based; 0: the file has no lines

  std::size_t rows() const noexcept { return columns.empty() ? 0 : columns.front().values.size(); }
  std::size_t line_of(std::size_t row) const noexcept;  // 1-based
  std::string row_name(std::size_t row) const;          // "line 1048", or "sample 1047" where there are no lines
  std::string place_of(std::size_t row) const;          // "run3.csv:1048", or "run3.mat, sample 1047"
};

}  // namespace tauhat
