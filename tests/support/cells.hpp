// Files of comma-separated cells, as the program reads and writes them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

namespace tauhat {

// A file of cells: its names, and its rows.
struct Cells {
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> rows;

  std::size_t place(const std::string& name) const {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  }

  // One number a row; NaN where the cell is empty.
  std::vector<double> column(const std::string& name) const {
    const std::size_t at = place(name);
    EXPECT_LT(at, names.size()) << name;
    if (at == names.size()) return {};
    std::vector<double> values;
    for (const auto& row : rows)
      values.push_back(at < row.size() && !row[at].empty() ? std::stod(row[at]) : std::nan(""));
    return values;
  }
};

// The cells of every line; the first are the names.
inline std::vector<std::vector<std::string>> cells_of(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream cells(line + ',');
    for (rows.emplace_back(); std::getline(cells, line, ',');) rows.back().push_back(line);
  }
  return rows;
}

inline Cells parse_cells(const std::string& text) {
  auto rows = cells_of(text);
  if (rows.empty()) return {};
  return {rows.front(), {rows.begin() + 1, rows.end()}};
}

inline std::string to_text(const Cells& cells) {
  std::string text;
  const auto add = [&](const std::vector<std::string>& row) {
    for (std::size_t i = 0; i < row.size(); ++i) text += (i > 0 ? "," : "") + row[i];
    text += "\n";
  };
  add(cells.names);
  for (const auto& row : cells.rows) add(row);
  return text;
}

}  // namespace tauhat
