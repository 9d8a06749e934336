#include "tauhat/offline/signal/decimate.hpp"

#include <fmt/format.h>

#include "tauhat/offline/error.hpp"

namespace tauhat {
namespace {

constexpr int kOrder = 8;
constexpr double kRipple = 0.05;   // dB
constexpr double kPassBand = 0.8;  // of half the new sampling rate

}  // namespace

LowPass anti_alias_filter(int factor) { return chebyshev_low_pass(kOrder, kRipple, kPassBand / factor); }

std::vector<double> anti_alias(const std::vector<double>& values, int factor) {
  if (factor < 1) throw Error(ExitCode::wrong_use, fmt::format("a decimation by {}: must be at least 1", factor));
  if (factor == 1) return values;
  return filter_zero_phase(anti_alias_filter(factor), values);
}

std::size_t first_decimated(std::size_t size, int factor) {
  return size == 0 ? 0 : (size - 1) % static_cast<std::size_t>(factor);
}

std::vector<double> decimate(const std::vector<double>& values, int factor) {
  const std::vector<double> filtered = anti_alias(values, factor);
  std::vector<double> kept;
  for (std::size_t k = first_decimated(values.size(), factor); k < values.size(); k += static_cast<std::size_t>(factor))
    kept.push_back(filtered[k]);
  return kept;
}

}  // namespace tauhat
