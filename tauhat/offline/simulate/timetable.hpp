// What happens inside a sample. Delays that are no whole number of samples put the same instants into every
// sample: the input arrives, a late sensor looks.
#pragma once

#include <cstddef>
#include <vector>

#include "tauhat/offline/simulate/simulate.hpp"

namespace tauhat {

// t + delay = `rows` samples after t, and `offset` seconds more, 0 <= offset < period.
struct SplitDelay {
  std::size_t rows = 0;
  double offset = 0.0;
};
SplitDelay split_delay(double delay, double period);

struct Instant {
  double offset = 0.0;  // s after the sample
  bool input_arrives = false;
  std::vector<std::size_t> sensors;  // those that look now
};

struct Timetable {
  std::vector<Instant> instants;       // in order; the first is the sample itself
  std::size_t input_rows = 0;          // the torque that arrives in sample k was logged in row k - input_rows
  std::vector<std::size_t> look_rows;  // what sensor i sees in sample k it reports in row k + look_rows[i]
};
Timetable make_timetable(const SimulationSpec& spec);

}  // namespace tauhat
