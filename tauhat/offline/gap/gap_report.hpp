// Where in its gap a gear was, over a log: size and middle of the gap with intervals, the teeth's errors, and plots.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tauhat/offline/log/log.hpp"
#include "tauhat/offline/log/tooth_table.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat {

// What a simulated log says of itself, on its own rows.
struct GapTruth {
  std::vector<double> time, position, mode;
};
// None where the log has no truth.* columns.
std::optional<GapTruth> read_gap_truth(const std::string& path, const Study& study);

struct GapAnswer {
  Report report;
  std::vector<ToothTable> tables;  // of the wheel that matters most; empty where that is of no use
};

// The whole way from a study of a powertrain and a log to the report. `learn_teeth`: a wheel's table, too, which
// takes a few more passes.
GapAnswer answer_gap(const Study& study, const Log& log, const std::optional<GapTruth>& truth, bool learn_teeth,
                     const std::function<void(const std::string&, double)>& progress = {});

// "contact above", "gap", "contact below"; NaN is "unknown".
const char* mode_in_words(double mode);
// A mode is no quantity: its result says it in words, with its probability, and has no interval.
void say_mode(std::vector<Result>& results);

// For `estimate` as well: position and mode, twist and torque, pulses and predictions, and the confusion of modes.
std::vector<Section> gap_sections(const std::vector<double>& time, const Replay& replay, const Timeline& timeline,
                                  const std::optional<GapTruth>& truth);

}  // namespace tauhat
