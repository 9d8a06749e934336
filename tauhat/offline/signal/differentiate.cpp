#include "tauhat/offline/signal/differentiate.hpp"

#include <algorithm>
#include <cstddef>

namespace tauhat {

std::vector<double> differentiate(const std::vector<double>& values, double period) {
  std::vector<double> rate(values.size(), 0.0);
  if (values.size() < 2) return rate;
  const std::size_t last = values.size() - 1;
  for (std::size_t k = 0; k <= last; ++k) {
    const std::size_t before = k == 0 ? 0 : k - 1, after = std::min(k + 1, last);
    rate[k] = (values[after] - values[before]) / (static_cast<double>(after - before) * period);
  }
  return rate;
}

}  // namespace tauhat
