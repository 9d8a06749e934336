#include "tauhat/offline/report/uncertainty.hpp"

#include <array>

namespace tauhat {

double coverage_factor(double freedom) noexcept {
  // Up to here the series below is not good to four digits. A fraction of a degree is rounded down.
  constexpr std::array<double, 14> kFew{12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646,
                                        2.3060,  2.2622, 2.2281, 2.2010, 2.1788, 2.1604, 2.1448};
  if (!(freedom >= 1.0 - 1e-9)) return kFew[0];
  if (freedom + 1e-9 < 15.0) return kFew[static_cast<std::size_t>(freedom + 1e-9) - 1];
  // Abramowitz and Stegun 26.7.5
  const double z = k95, z3 = z * z * z, z5 = z3 * z * z, v = 1.0 / freedom;
  return z + v * (z3 + z) / 4.0 + v * v * (5.0 * z5 + 16.0 * z3 + 3.0 * z) / 96.0 +
         v * v * v * (3.0 * z5 * z * z + 19.0 * z5 + 17.0 * z3 - 15.0 * z) / 384.0;
}

}  // namespace tauhat
