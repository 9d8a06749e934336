#include "tauhat/offline/joint/clock_diagnostics.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tauhat/offline/report/uncertainty.hpp"

namespace tauhat {
namespace {

std::string how_late(const std::string& signal, const std::string& other, const FittedNumber& delay) {
  return fmt::format("{} comes {:.2f} ± {:.2f} ms {} {}", signal, 1e3 * std::abs(delay.value), 1e3 * k95 * delay.std,
                     delay.value > 0.0 ? "after" : "before", other);
}

}  // namespace

Diagnostic clock_skew(const std::string& signal, const std::string& other, const FittedNumber& skew) {
  return {"clock.skew", Severity::warning,
          fmt::format("{}: give it delay = \"{:.3g} ms\" in [log.channels].", how_late(signal, other, skew),
                      1e3 * skew.value)};
}

std::optional<Diagnostic> clock_of_samples(const char* name, const std::string& signal, const std::string& other,
                                           const FittedNumber& delay, double period, double moved) {
  constexpr double kSignificant = 4.0;  // standard deviations
  const double beside = std::round(delay.value / period), samples = std::round(moved / period) + beside;
  // Where `other` is moved to where `signal` has been all the time, nothing is to be given.
  if (beside == 0.0 || samples == 0.0 || !(std::abs(delay.value) > kSignificant * delay.std)) return std::nullopt;
  return Diagnostic{name, Severity::warning,
                    fmt::format("{}. Observers take both at every sample: give it delay = \"{:.4g} ms\" in "
                                "[log.channels], which is {:.0f} samples.",
                                how_late(signal, other, delay), 1e3 * samples * period, std::abs(samples))};
}

}  // namespace tauhat
