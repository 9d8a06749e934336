// The first lines of a CSV file, read with one separator after the other to see which explains them best.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace tauhat {

struct SampleLine {
  std::string_view text;  // not trimmed: a tab may be a separator
  std::size_t number;     // 1-based
  std::size_t offset;     // of its first byte in the file
  std::size_t comment_mark = 0;
};

// Non-blank lines of the sample, which must end with a newline.
std::vector<SampleLine> sample_lines(std::string_view sample);

using Cells = std::vector<std::string_view>;

// The sample read with one separator.
struct Reading {
  char separator = ',';
  char decimal_mark = '.';
  bool decimal_mark_known = false;
  std::vector<Cells> cells;       // of each line; a comment's without its mark
  std::size_t columns = 0;        // how many fields most lines with numbers have
  std::vector<std::size_t> rows;  // the lines with numbers and that many fields
  double score = 0.0;             // how many lines it explains, each by its share of numbers
};

Reading read_sample(const std::vector<SampleLine>& lines, char separator);

// Without rows when no line holds a number.
Reading best_reading(const std::vector<SampleLine>& lines);

// A number or a time stamp. What follows the text must not belong to a number.
bool is_value(std::string_view text, char decimal_mark);
std::size_t count_values(const Cells& cells, char decimal_mark);

}  // namespace tauhat
