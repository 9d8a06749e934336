// The grid of hostile truths: what a method answers where the truth lies outside its model. A cell is one misfit of one
// size; each of its runs is a record of its own. An interval must hold the truth, or the answer must be flagged.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tauhat/offline/report/report.hpp"
#include "tauhat/offline/reproduce/reproduce.hpp"

namespace tauhat::limits {

// A quantity of many values: a velocity over time, the base parameters of an arm.
struct ManyValues {
  double held = 0.0;   // share of them that their 95 % intervals hold
  double error = 0.0;  // rms of their errors, over the rms of their truths
};

// What `identify` or `estimate` answered to one record, beside what was true.
struct Answer {
  std::vector<Result> results;
  std::vector<Diagnostic> diagnostics;
  std::map<std::string, double> truth{};     // by the results' names
  std::map<std::string, ManyValues> many{};  // judged already
};

// What is left of an answer once it is beside the truth.
struct Judged {
  // By name: whether the 95 % interval holds the truth, and the relative error; of many values as above. What the
  // answer does not give is not held (whoever reads on has been misled, unless it was flagged), and its error NaN.
  std::map<std::string, ManyValues> quantities{};
  std::set<std::string> flags{};  // warnings and errors
};
Judged judge(const Answer& answer);

// "limits.backlash.torque_gain.+2_%"
std::string cell_name(const std::string& method, const std::string& misfit, const std::string& size);

struct Cell {
  std::string method, misfit, size;  // "backlash", "torque gain", "+2 %"; without misfit the size is empty
  std::function<Answer(std::uint64_t seed)> run;

  bool is_without_misfit() const { return size.empty(); }
  std::string name() const { return cell_name(method, misfit, size); }
};

// Of many values the error takes the place of the bias, and the coverage is that of all values of all records: a band
// of 95 % leaves out one instant in twenty, in whatever record.
struct Quantity {
  double bias = 0.0;      // median error, relative to the truth
  double coverage = 0.0;  // share of the 95 % intervals that hold the truth
};

struct CellSummary {
  std::string method, misfit, size;
  int runs = 0;
  std::map<std::string, Quantity> quantities{};
  double flagged = 0.0;                   // share of the runs with a warning or an error
  std::map<std::string, double> flags{};  // and that of each diagnostic
  bool is_met = false;

  double least_coverage() const;
  std::string name() const { return cell_name(method, misfit, size); }
};

// Every cell must cover in at least 90 %, or be flagged or refused in at least 95 %. Without a misfit it covers in 93
// to 97 % and is flagged in at most 2 %; of fewer than a thousand runs the shares may be off by what their number
// explains.
constexpr double kLeastCoverage = 0.90, kLeastFlagged = 0.95;
constexpr double kTrueCoverage = 0.95, kCoverageMargin = 0.02, kMostFalseAlarms = 0.02;

CellSummary summarise(const Cell& cell, const std::vector<Judged>& records);

std::vector<CellSummary> run_grid(const std::vector<Cell>& cells, int seeds, int seeds_without_misfit,
                                  const ReproduceOptions& options);

// The page of the documentation that a full run writes.
std::string limits_page(const std::vector<CellSummary>& cells);

// One list a method.
std::vector<Cell> backlash_cells();
std::vector<Cell> friction_cells();
std::vector<Cell> bench_cells();
std::vector<Cell> gap_cells();
std::vector<Cell> link_cells();
std::vector<Cell> robot_cells();
std::vector<Cell> force_cells();

}  // namespace tauhat::limits
