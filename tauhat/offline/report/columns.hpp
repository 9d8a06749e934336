// Text in aligned columns for a terminal, and what makes foreign text fit to be shown there.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tauhat {

// Columns that a terminal uses for a text: "±" is two bytes and one column.
std::size_t width_of(std::string_view utf8);

// Without control characters: a column name from a log must not move the cursor or clear the screen.
std::string printable(std::string_view text);

// Words in lines of at most `width` columns; lines after the first begin with `indent` blanks.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width = 100);

class Columns {
 public:
  enum class Align { left, right };
  struct Cell {
    std::string text;
    std::string_view colour = {};  // an escape sequence around the text that takes no column
  };

  explicit Columns(std::vector<Align> alignment) : alignment_(std::move(alignment)) {}
  void add(std::vector<Cell> row) { rows_.push_back(std::move(row)); }
  std::string text() const;

 private:
  std::vector<std::size_t> widths() const;

  std::vector<Align> alignment_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace tauhat
