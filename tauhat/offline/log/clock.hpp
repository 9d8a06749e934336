// The clock of a table: when each of its rows was sampled.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tauhat/offline/log/recording.hpp"
#include "tauhat/offline/report/diagnostic.hpp"

namespace tauhat {

struct Clock {
  std::vector<double> time;       // s, strictly increasing
  std::vector<std::size_t> rows;  // the table's row of each sample
};

// t_k = k / rate
Clock clock_from_rate(std::size_t rows, double rate);

// From a column of stamps, `scale` seconds a unit. `values` are the columns that this clock times: a row that
// repeats stamp and values is a duplicate and is dropped, rows that share a stamp but differ are spread up to
// the next stamp. Throws Error (unusable_data) where a stamp is missing or time runs backwards.
Clock clock_from_stamps(const Recording& table, const Column& stamps, double scale,
                        const std::vector<const Column*>& values, std::vector<Diagnostic>& diagnostics);

// Gaps and a period that varies; `name` is the clock's column.
void check_period(const Clock& clock, const Recording& table, const std::string& name,
                  std::vector<Diagnostic>& diagnostics);

}  // namespace tauhat
