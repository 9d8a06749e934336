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

}  // namespace tauhat::limits
