// Each paper's tables: published beside obtained, with the limit that must hold for every seed.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tauhat/offline/report/report.hpp"

namespace tauhat {

struct ReproduceOptions {
  std::optional<int> seeds;  // empty: what the study's set-up says
  std::uint64_t first_seed = 1;
  std::function<void(const std::string& stage, double share)> progress;
  bool quick = false;                                       // limits, diagnostics: few records
  std::string only;                                         // limits, diagnostics: those whose name contains this
  std::string records;                                      // limits: file in which each record's outcome is kept
  std::function<void(const std::string& text)> write_page;  // takes a page of the docs; empty: it is not written
};

// Hovland et al. 2002: backlash by a state-augmented filter.
Report reproduce_hovland(const ReproduceOptions& options);
// Shimizu et al.: solid friction, blind and by a law, filtered and smoothed.
Report reproduce_shimizu(const ReproduceOptions& options);
// Lagerberg and Egardt: position in the backlash gap, from encoder pulses.
Report reproduce_lagerberg(const ReproduceOptions& options);
// Zampolini: link velocity of an elastic joint, by observers of its motor.
Report reproduce_zampolini(const ReproduceOptions& options);
// Pyrhonen, Mikkola and Naets: an arm's dynamic parameters, and the force at its tool.
Report reproduce_pyrhonen(const ReproduceOptions& options);
// No paper: every method on truths outside of its model.
Report reproduce_limits(const ReproduceOptions& options);
// No paper: every diagnostic on records that provoke it, and on those that do not.
Report reproduce_diagnostics(const ReproduceOptions& options);

struct Paper {
  std::string name, what;
  Report (*run)(const ReproduceOptions&);
  bool only_by_name = false;  // takes many minutes: not among "all"
  std::string page{};         // of the docs, that a whole run writes; empty: none
};
const std::vector<Paper>& papers();

}  // namespace tauhat
