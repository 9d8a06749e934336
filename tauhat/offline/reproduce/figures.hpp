// A figure to reach: the worst of all seeds against its limit.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tauhat/offline/report/report.hpp"

namespace tauhat {

struct SeedValue {
  long seed;
  double value;
};

struct Figure {
  std::string name;
  std::optional<double> limit;  // empty: reported only
  std::string unit = "1";
  bool at_most = true;
  std::optional<double> published = {};
};

// Worst value over the seeds; a NaN anywhere is the worst.
Result worst_of(const Figure& figure, const std::vector<SeedValue>& values);
// A number that is already one for all seeds: a count, a share.
Result total_of(const Figure& figure, double value, int seeds);

}  // namespace tauhat
