#include "tauhat/offline/report/suspect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tauhat {
namespace {

std::string relative_or_absolute(const Suspect& s) {
  if (s.value != 0.0) return fmt::format("{} {:+.2g} %", s.name, 100.0 * s.change / s.value);
  return fmt::format("{} {:+.2g}{}", s.name, s.change, s.unit == "1" ? "" : " " + s.unit);
}

}  // namespace

double largest_shift(const std::vector<Suspect>& suspects, const Eigen::VectorXd& sum) {
  double largest = 0.0;
  for (const Suspect& suspect : suspects) {
    if (std::abs(suspect.z) > kWidens) largest = std::max(largest, std::abs(sum.dot(suspect.shift)));
  }
  return largest;
}

void sort_by_suspicion(std::vector<Suspect>& suspects) {
  std::stable_sort(suspects.begin(), suspects.end(),
                   [](const Suspect& a, const Suspect& b) { return std::abs(a.z) > std::abs(b.z); });
}

std::optional<Diagnostic> suspect_diagnostic(const std::vector<Suspect>& suspects,
                                             const std::vector<std::string>& moved) {
  if (suspects.empty() || std::abs(suspects.front().z) <= kSuspicious) return {};
  constexpr std::size_t kMost = 3;
  std::vector<std::string> named;
  for (const Suspect& suspect : suspects) {
    if (std::abs(suspect.z) > kWidens && named.size() < kMost)
      named.push_back(fmt::format("{} ({:.1f})", relative_or_absolute(suspect), std::abs(suspect.z)));
  }
  return Diagnostic{
      "model.suspect", Severity::warning,
      fmt::format(
          "Noise does not explain what the model leaves, and something else would: {}, in standard deviations "
          "of noise. It would move {}; the intervals are wider by as much. Correct it in the study, or let it be "
          "fitted.",
          fmt::join(named, ", or "), fmt::join(moved, ", "))};
}

}  // namespace tauhat
