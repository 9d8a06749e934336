#include "tauhat/offline/reproduce/limits_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauhat/offline/parallel.hpp"
#include "tauhat/offline/quantile.hpp"
#include "tauhat/offline/reproduce/limits_records.hpp"

namespace tauhat::limits {
namespace {

const Result* find(const Answer& answer, const std::string& name) {
  for (const Result& result : answer.results) {
    if (result.name == name) return &result;
  }
  return nullptr;
}

bool holds(const Result& result, double truth) {
  return result.ci95 && result.ci95->at(0) <= truth && truth <= result.ci95->at(1);
}

Quantity quantity_of(const std::vector<Judged>& records, const std::string& name) {
  std::vector<double> errors;
  double held = 0.0;
  for (const Judged& record : records) {
    const auto found = record.quantities.find(name);
    if (found == record.quantities.end()) continue;
    held += found->second.held;
    if (std::isfinite(found->second.error)) errors.push_back(found->second.error);
  }
  return {errors.empty() ? std::nan("") : median(std::move(errors)), held / static_cast<double>(records.size())};
}

// Two standard deviations of a share that is counted over so many runs.
double counting_margin(double share, int runs) { return 2.0 * std::sqrt(share * (1.0 - share) / runs); }

bool is_met(const Cell& cell, const CellSummary& s) {
  if (!cell.is_without_misfit()) return s.least_coverage() >= kLeastCoverage || s.flagged >= kLeastFlagged;
  const double margin = std::max(kCoverageMargin, counting_margin(kTrueCoverage, s.runs));
  return std::all_of(s.quantities.begin(), s.quantities.end(),
                     [&](const auto& q) { return std::abs(q.second.coverage - kTrueCoverage) <= margin; }) &&
         s.flagged <= kMostFalseAlarms + (s.runs < 1000 ? counting_margin(kMostFalseAlarms, s.runs) : 0.0);
}

std::string percent(double share) { return fmt::format("{:.0f} %", 100.0 * share); }

std::string row_of(const CellSummary& cell) {
  std::vector<std::string> biases, coverages;
  for (const auto& [name, quantity] : cell.quantities) {
    biases.push_back(fmt::format("{:+.2g} %", 100.0 * quantity.bias));
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
    "  Give the channel's gain as `{ value, std }`, and the intervals hold it; or weigh a known load.\n"
    "- On the bench, a clamp that yields and has no sensor of its own is part of the gear; a twist that lags by less "
    "than "
    "a few\n"
    "  hundredths of a second looks like hysteresis.\n"
    "- Where only the motor is measured, a third mass behind the load is not told from the load.\n"
    "- A wrong length of a robot's link goes into the parameters that it multiplies, and the torques still fit.\n"
    "- Friction that grows with the contact force itself is not in a log without contact.\n"
    "- A gear ratio that is wrong by a thousandth makes the gap meaningless; it is flagged, and the number is "
    "useless.\n";

}  // namespace

double CellSummary::least_coverage() const {
  double least = 1.0;
  for (const auto& [name, quantity] : quantities) least = std::min(least, quantity.coverage);
  return least;
}

std::string cell_name(const std::string& method, const std::string& misfit, const std::string& size) {
  std::string name = fmt::format("limits.{}.{}", method, misfit);
  if (!size.empty()) name += fmt::format(".{}", size);
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

Judged judge(const Answer& answer) {
  Judged judged{.quantities = answer.many};
  for (const auto& [name, truth] : answer.truth) {
    const Result* result = find(answer, name);
    judged.quantities[name] = result ? ManyValues{holds(*result, truth) ? 1.0 : 0.0, (result->value - truth) / truth}
                                     : ManyValues{0.0, std::nan("")};
  }
  for (const Diagnostic& diagnostic : answer.diagnostics) {
    if (diagnostic.severity != Severity::info) judged.flags.insert(diagnostic.name);
  }
  return judged;
}

CellSummary summarise(const Cell& cell, const std::vector<Judged>& records) {
  CellSummary summary{.method = cell.method, .misfit = cell.misfit, .size = cell.size};
  summary.runs = static_cast<int>(records.size());
  const double each = 1.0 / static_cast<double>(records.size());
  for (const Judged& record : records) {
    for (const auto& [name, values] : record.quantities)
      summary.quantities.try_emplace(name, quantity_of(records, name));
    for (const std::string& name : record.flags) summary.flags[name] += each;
    if (!record.flags.empty()) summary.flagged += each;
  }
  summary.is_met = is_met(cell, summary);
  return summary;
}

std::vector<CellSummary> run_grid(const std::vector<Cell>& cells, int seeds, int seeds_without_misfit,
                                  const ReproduceOptions& options) {
  struct Run {
    std::size_t cell;
    std::uint64_t seed;
  };
  std::vector<Run> runs;
  std::vector<std::vector<Judged>> judged(cells.size());
  KeptRecords kept(options.records);
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const int count = cells[c].is_without_misfit() ? seeds_without_misfit : seeds;
    if (count == 0) {
      judged[c] = kept.all_of(cells[c].name());
      continue;
    }
    judged[c].resize(static_cast<std::size_t>(count));
    for (std::uint64_t seed = options.first_seed; seed < options.first_seed + static_cast<std::uint64_t>(count);
         ++seed) {
      if (const Judged* before = kept.find(cells[c].name(), seed)) {
        judged[c][seed - options.first_seed] = *before;
      } else {
        runs.push_back({c, seed});
      }
    }
  }
  for_each_in_parallel(
      runs.size(),
      [&](std::size_t i) {
        const auto [c, seed] = runs[i];
        Judged& now = judged[c][seed - options.first_seed];
        now = judge(cells[c].run(seed));
        kept.add(cells[c].name(), seed, now);
      },
      [&](double share) {
        if (options.progress) options.progress("limits", share);
      });
  std::vector<CellSummary> summaries;
  for (std::size_t c = 0; c < cells.size(); ++c)
    if (!judged[c].empty()) summaries.push_back(summarise(cells[c], judged[c]));
  return summaries;
}

std::string limits_page(const std::vector<CellSummary>& cells) {
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
  for (const CellSummary& cell : cells) {
    if (cell.method != method) {
      method = cell.method;
      std::vector<std::string> names;
      for (const auto& [name, quantity] : cell.quantities) names.push_back(name);
      page += fmt::format(
          "\n## {}\n\nOf {}.\n\n"
          "| misfit | size | records | bias | coverage | flagged | by | |\n|---|---|---|---|---|---|---|---|\n",
          method, fmt::join(names, " and "));
    }
    page += row_of(cell);
  }
  return page;
}

}  // namespace tauhat::limits
