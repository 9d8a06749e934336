#include "tauhat/offline/report/suspect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tauhat {
std::string suspect_in_words(const std::string& name, const std::string& unit, double value, double change, double z) {
  const std::string by = value != 0.0 ? fmt::format("{:+.2g} %", 100.0 * change / value)
                                      : fmt::format("{:+.2g}{}", change, unit == "1" ? "" : " " + unit);
  return fmt::format("{} {} ({:.1f})", name, by, std::abs(z));
}

double normal_equivalent(double t, double freedom) noexcept {
  const double size = std::sqrt(freedom * std::log1p(t * t / freedom)) * (8.0 * freedom + 1.0) / (8.0 * freedom + 3.0);
  return std::copysign(size, t);
}

double largest_shift(const std::vector<Suspect>& suspects, const Eigen::VectorXd& sum) {
  double largest = 0.0;
  for (const Suspect& suspect : suspects) {
    if (std::abs(suspect.z) > kWidens) largest = std::max(largest, std::abs(sum.dot(suspect.shift)));
  }
  return largest;
}

std::optional<Diagnostic> suspect_diagnostic(const std::vector<Suspect>& suspects,
                                             const std::vector<std::string>& moved) {
  if (suspects.empty() || std::abs(suspects.front().z) <= kSuspicious) return {};
  return Diagnostic{
      "model.suspect", Severity::warning,
      fmt::format(
          "Noise does not explain what the model leaves, and something else would: {}, in standard deviations "
          "of noise. It would move {}; the intervals are wider by as much. Correct it in the study, or let it be "
          "fitted.",
          fmt::join(suspects_in_words(suspects), ", or "), fmt::join(moved, ", "))};
}

}  // namespace tauhat
