#include "tauhat/offline/report/digits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tauhat {
namespace {

constexpr double kAsymmetry = 0.1;  // below it, "±" and the wider side say enough
constexpr double kLopsided = 10.0;  // from it on, the digits of the wide side say nothing of the narrow one
constexpr int kMostDigits = 10;     // a smaller uncertainty than this is numerical, not physical

int decade(double value) { return static_cast<int>(std::floor(std::log10(std::abs(value)))); }

// Rounds to `decimals` places, which are negative for tens and hundreds.
std::string fixed(double value, int decimals) {
  if (std::isnan(value)) return "-";
  if (std::isinf(value)) return value > 0 ? "∞" : "-∞";
  if (decimals < 0) value = std::round(value * std::pow(10.0, decimals)) * std::pow(10.0, -decimals);
  std::string text = fmt::format("{:.{}f}", value, std::max(decimals, 0));
  if (text.find_first_not_of("-0.") == std::string::npos && text.front() == '-') text.erase(0, 1);
  return text;
}

std::array<double, 2> half_widths(const Result& result) {
  if (result.ci95) return {result.value - (*result.ci95)[0], (*result.ci95)[1] - result.value};
  const double half = k95 * result.std.value_or(std::nan(""));
  return {half, half};
}

// The standard deviation that sets the digits; 0 when there is none.
double deviation(const Result& result, const std::array<double, 2>& halves) {
  if (result.std && std::isfinite(*result.std) && *result.std > 0.0) return *result.std;
  double widest = 0.0;
  for (const double half : halves)
    if (std::isfinite(half)) widest = std::max(widest, half);
  return widest / k95;
}

}  // namespace

std::string significant(double value, int digits) {
  if (!std::isfinite(value)) return fixed(value, 0);
  if (value == 0.0) return "0";
  const int top = decade(value);
  if (top < -4 || top >= 7) return fmt::format("{:.{}e}", value, digits - 1);
  return fixed(value, std::max(digits - 1 - top, 0));
}

Rounded rounded(const Result& result, double factor) {
  Rounded text;
  const auto halves = half_widths(result);
  const double std = factor * deviation(result, halves);
  const double value = factor * result.value;
  const double size = std::max(std::abs(value), std);
  if (!std::isfinite(value) || size == 0.0) {
    text.value = significant(value, 4);
    return text;
  }
  const int top = decade(size);
  if (top < -4 || top >= 7) text.exponent = top;
  const double scale = std::pow(10.0, -text.exponent);
  if (std == 0.0) {
    text.value = significant(scale * value, 4);
    return text;
  }
  const auto decimals_by = [&](double deviation) {
    return std::min(1 - decade(deviation), kMostDigits - 1 - top) + text.exponent;
  };
  const auto [narrow, widest] = std::minmax(halves[0], halves[1]);
  const bool even = std::abs(halves[0] - halves[1]) <= kAsymmetry * widest;
  const bool lopsided = narrow > 0.0 && widest > kLopsided * narrow;
  const auto decimals_of = [&](double half) {
    return decimals_by(lopsided && std::isfinite(half) ? factor * half / k95 : std);
  };
  const auto show = [&](double number, double half) { return fixed(scale * number, decimals_of(half)); };
  text.value = show(value, narrow);
  text.below = show(factor * (even ? widest : halves[0]), halves[0]);
  text.above = show(factor * (even ? widest : halves[1]), halves[1]);
  text.lower = show(value - factor * halves[0], halves[0]);
  text.upper = show(value + factor * halves[1], halves[1]);
  return text;
}

}  // namespace tauhat
