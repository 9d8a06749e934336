#include "tauhat/offline/reproduce/limits_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <vector>

namespace tauhat::limits {
namespace {

struct Row {
  std::string method, cell;  // cell: its name
  std::string of;            // the quantities of the method, as the page says them
  int records = 0;
  std::string text;  // the line, with its end
};

std::string percent(double share) { return fmt::format("{:.0f} %", 100.0 * share); }

// Nothing was answered where all records were refused.
std::string bias_of(const Quantity& quantity) {
  return std::isfinite(quantity.bias) ? fmt::format("{:+.2g} %", 100.0 * quantity.bias) : "none";
}

std::string row_of(const CellSummary& cell) {
  std::vector<std::string> biases, coverages;
  for (const auto& [name, quantity] : cell.quantities) {
    biases.push_back(bias_of(quantity));
    coverages.push_back(percent(quantity.coverage));
  }
  std::vector<std::pair<double, std::string>> flags;
  for (const auto& [name, share] : cell.flags) flags.emplace_back(share, name);
  std::sort(flags.rbegin(), flags.rend());
  std::vector<std::string> by;
  for (const auto& [share, name] : flags) {
    if (by.size() < 2 && share >= 0.05) by.push_back(fmt::format("{} ({})", name, percent(share)));
  }
  return fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |\n", cell.misfit, cell.size, cell.runs,
                     fmt::join(biases, ", "), fmt::join(coverages, ", "), percent(cell.flagged), fmt::join(by, ", "),
                     cell.is_met ? "" : "**missed**");
}

constexpr const char* kInPlainWords =
    "\n## In plain words\n\n"
    "- A factor common to all torques or forces cannot be seen in any motion: every mass, stiffness and friction is "
    "wrong "
    "by it.\n"
    "  Give the gain of the torque or force as `{ value, std }`, and the intervals hold it.\n"
    "- On the bench, a clamp that yields and has no sensor of its own is part of the gear; a twist that lags by less "
    "than "
    "a few\n"
    "  hundredths of a second looks like hysteresis.\n"
    "- Where only the motor is measured, a third mass behind the load is not told from the load.\n"
    "- There, too, a torque that is off by some percent lets the load that nobody sees run away in the filter: of most "
    "records\n"
    "  the gap is absurd then, and the answer refused by `model.misfit`; of the others it is right, and not flagged.\n"
    "- Where motor and load are measured, corners that are soft over a fiftieth of the gap are not seen: the intervals "
    "hold the\n"
    "  truth in nine of ten.\n"
    "- Of an encoder with steps of 100 um the interval of an axis' mass is too narrow by a third, and seldom flagged. "
    "Use a\n"
    "  finer one.\n"
    "- A motor inertia that is a twentieth too large moves the position in the gap by as much as its interval, and is "
    "not\n"
    "  told from noise.\n"
    "- A wrong length of a robot's link goes into the parameters that it multiplies, and the torques still fit.\n"
    "- A robot whose joints bend (10^4 N m/rad) is taken for rigid: the intervals of its inertias hold the truth in "
    "nine "
    "of ten,\n"
    "  not in nineteen of twenty.\n"
    "- Friction that grows with the contact force itself is not in a log without contact.\n"
    "- A gear ratio that is wrong by a thousandth makes the gap meaningless; it is flagged, and the number is "
    "useless.\n";

// The cells of one line of a table, without the blanks around them; empty where it is no line of one.
std::vector<std::string> entries_of(const std::string& line) {
  std::vector<std::string> entries;
  if (!line.starts_with("| ")) return entries;
  std::istringstream rest(line.substr(1));
  for (std::string entry; std::getline(rest, entry, '|');) {
    const std::size_t first = entry.find_first_not_of(' '), last = entry.find_last_not_of(' ');
    entries.push_back(first == std::string::npos ? "" : entry.substr(first, last - first + 1));
  }
  return entries;
}

std::vector<Row> rows_of(const std::vector<CellSummary>& cells) {
  std::vector<Row> rows;
  for (const CellSummary& cell : cells) {
    std::vector<std::string> names;
    for (const auto& [name, quantity] : cell.quantities) names.push_back(name);
    rows.push_back({cell.method, cell.name(), fmt::format("{}", fmt::join(names, " and ")), cell.runs, row_of(cell)});
  }
  return rows;
}

// Those of a page that was written before.
std::vector<Row> rows_in(const std::string& page) {
  constexpr std::size_t kMisfit = 0, kSize = 1, kRecords = 2;
  std::vector<Row> rows;
  std::istringstream lines(page);
  std::string method, of;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("## ")) method = line.substr(3);
    if (line.starts_with("Of ") && line.ends_with('.')) of = line.substr(3, line.size() - 4);
    const std::vector<std::string> entries = entries_of(line);
    const int records = entries.size() > kRecords ? std::atoi(entries[kRecords].c_str()) : 0;
    if (records > 0)
      rows.push_back({method, cell_name(method, entries[kMisfit], entries[kSize]), of, records, line + '\n'});
  }
  return rows;
}

std::string page_of(const std::vector<Row>& rows) {
  std::string page = fmt::format(
      "# What the intervals withstand\n\n"
      "Records were simulated from truths that lie outside of the model, identified as any log, and the intervals "
      "compared\n"
      "with the truth. Written by `tauhat reproduce limits`.\n\n"
      "Bias is the median error beside the truth (of many values, as a velocity over time or all base parameters, the "
      "rms of\n"
      "their errors beside that of the truth); coverage the share of the 95 % intervals that hold the truth; flagged "
      "the\n"
      "share of the records whose answer came with a warning, or was refused, and by which diagnostic. A cell is met "
      "where it\n"
      "covers in at least {:.0f} %, or is flagged in at least {:.0f} %; without a misfit, where it covers in 93 to 97 "
      "% and is\n"
      "flagged in at most {:.0f} %. What is missed is a limit: there the interval cannot be staked on, and nothing "
      "says so.\n",
      100.0 * kLeastCoverage, 100.0 * kLeastFlagged, 100.0 * kMostFalseAlarms);
  page += kInPlainWords;
  std::string method;
  for (const Row& row : rows) {
    if (row.method != method) {
      method = row.method;
      page += fmt::format(
          "\n## {}\n\nOf {}.\n\n"
          "| misfit | size | records | bias | coverage | flagged | by | |\n|---|---|---|---|---|---|---|---|\n",
          method, row.of);
    }
    page += row.text;
  }
  return page;
}

}  // namespace

std::string limits_page(const std::vector<CellSummary>& cells) { return page_of(rows_of(cells)); }

std::string added_to_page(const std::string& before, const std::string& now) {
  std::vector<Row> all = rows_in(before);
  for (Row& row : rows_in(now)) {
    const auto same = std::find_if(all.begin(), all.end(), [&](const Row& each) { return each.cell == row.cell; });
    if (same == all.end()) {
      const auto last =
          std::find_if(all.rbegin(), all.rend(), [&](const Row& each) { return each.method == row.method; });
      all.insert(last == all.rend() ? all.end() : last.base(), std::move(row));
    } else if (row.records >= same->records) {
      *same = std::move(row);
    }
  }
  return page_of(all);
}

}  // namespace tauhat::limits
