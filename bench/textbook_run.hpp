// A whole recording through the textbook's filter: what others are timed beside.
#pragma once

#include <vector>

#include "bench/recording.hpp"
#include "bench/textbook.hpp"

namespace tauhat::bench {

template <class Drive>
double run(TextbookEkf<Drive>& filter, const std::vector<Sample<Drive>>& samples) {
  filter.reset(Drive::start(), Drive::start_variances());
  double nis = 0.0;
  for (const auto& sample : samples) {
    filter.predict(sample.input, kInterval);
    nis += filter.correct(sample.sensors);
  }
  return nis;
}

}  // namespace tauhat::bench
