#include "tauhat/offline/friction/candidate.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tauhat/offline/friction/typed_law.hpp"

namespace tauhat {
namespace {

constexpr std::array<std::string_view, kLawKinds.size()> kNames{
    "coulomb-viscous", "exponential",  "exponential-viscous", "gaussian-viscous",       "smooth-gaussian-viscous",
    "hyperbolic",      "tanh-viscous", "asymmetric-coulomb",  "asymmetric-exponential", "lugre"};

// The sign averaged over an interval in which the velocity runs straight from one value to the other.
double mean_sign(double from, double to) {
  if (from * to >= 0.0) return from + to > 0.0 ? 1.0 : from + to < 0.0 ? -1.0 : 0.0;
  return (from + to) / (std::abs(from) + std::abs(to));
}

// How a law's excess falls with speed.
double falling(LawKind kind, double speed, double fall) {
  switch (kind) {
    case LawKind::gaussian_viscous:
    case LawKind::smooth_gaussian_viscous:
      return std::exp(-speed * fall * speed * fall);
    case LawKind::hyperbolic:
      return 1.0 / (1.0 + fall * speed);
    default:
      return std::exp(-fall * speed);
  }
}

}  // namespace

std::string_view name_of(LawKind kind) { return kNames[static_cast<std::size_t>(kind)]; }

const LawKind* find_law(std::string_view name) {
  for (const LawKind& kind : kLawKinds) {
    if (name_of(kind) == name) return &kind;
  }
  return nullptr;
}

bool has_fall(LawKind kind) {
  return kind != LawKind::coulomb_viscous && kind != LawKind::tanh_viscous && kind != LawKind::asymmetric_coulomb &&
         kind != LawKind::lugre;
}

bool has_width(LawKind kind) { return kind == LawKind::tanh_viscous || kind == LawKind::smooth_gaussian_viscous; }

bool is_asymmetric(LawKind kind) {
  return kind == LawKind::asymmetric_coulomb || kind == LawKind::asymmetric_exponential;
}

std::vector<std::vector<double>> force_columns(LawKind kind, const std::vector<double>& velocity, LawShape shape) {
  const std::size_t intervals = velocity.size() - 1;
  std::vector<std::vector<double>> columns;
  const auto add = [&](auto&& value) {
    auto& column = columns.emplace_back(velocity.size());
    for (std::size_t k = 0; k < intervals; ++k) {
      const double middle = 0.5 * (velocity[k] + velocity[k + 1]);
      const double sign = shape.width > 0.0 ? std::tanh(middle / shape.width) : mean_sign(velocity[k], velocity[k + 1]);
      column[k] = value(sign, middle);
    }
  };
  const auto forward = [](double sign) { return 0.5 * (1.0 + sign); };
  const auto backward = [](double sign) { return -0.5 * (1.0 - sign); };
  const auto viscous = [](double, double v) { return v; };
  switch (kind) {
    case LawKind::coulomb_viscous:
    case LawKind::tanh_viscous:
      add([](double sign, double) { return sign; });
      add(viscous);
      break;
    case LawKind::exponential:
    case LawKind::exponential_viscous:
    case LawKind::gaussian_viscous:
    case LawKind::smooth_gaussian_viscous:
    case LawKind::hyperbolic:
      add([](double sign, double) { return sign; });
      add([&](double sign, double v) { return sign * falling(kind, std::abs(v), shape.fall); });
      if (kind != LawKind::exponential && kind != LawKind::hyperbolic) add(viscous);
      break;
    case LawKind::asymmetric_coulomb:
      add([&](double sign, double) { return forward(sign); });
      add([](double, double v) { return std::max(v, 0.0); });
      add([&](double sign, double) { return backward(sign); });
      add([](double, double v) { return std::min(v, 0.0); });
      break;
    case LawKind::asymmetric_exponential:
      add([&](double sign, double) { return forward(sign); });
      add([&](double sign, double v) { return forward(sign) * falling(kind, std::abs(v), shape.fall); });
      add([&](double sign, double) { return backward(sign); });
      add([&](double sign, double v) { return backward(sign) * falling(kind, std::abs(v), shape.fall); });
      break;
    case LawKind::lugre:
      break;
  }
  return columns;
}

int FittedLaw::parameters() const {
  return static_cast<int>(coefficients.size()) + (has_fall(kind) ? 1 : 0) + (has_width(kind) ? 1 : 0);
}

double FittedLaw::left_at(double fastest) const {
  if (!has_fall(kind)) return 0.0;
  double slowest = shape.fall;
  // The smoother gives both directions their own.
  if (kind == LawKind::asymmetric_exponential && coefficients.size() == 6)
    slowest = std::min(coefficients[4], coefficients[5]);
  return falling(kind, fastest, slowest);
}

std::string FittedLaw::why_impossible(double fastest) const {
  // Of the fastest speed: what is narrower is beyond all resolution.
  constexpr double kNarrowest = 1e-4;
  if (has_width(kind) && shape.width < kNarrowest * fastest)
    return "friction.width is below all resolution: the sign is hard, as another law has it";
  if (has_fall(kind) && shape.fall > 1.0 / (kNarrowest * fastest))
    return "its excess is gone at speeds below all resolution: the level is all that is seen, as another law has it";
  for (const double share : {kNarrowest, 1e-3, 1e-2, 0.1, 1.0}) {
    // Both directions together: a level of its own for each may hold a constant force as well.
    const double speed = share * fastest;
    if (steady_force(speed) < steady_force(-speed))
      return fmt::format("at a speed of {:.2g} this friction would drive the axis", speed);
  }
  return {};
}

double FittedLaw::steady_force(double velocity) const {
  return with_typed_law(*this, [&](const auto& law) {
    if constexpr (requires { law.steady_torque(velocity); }) {
      return law.steady_torque(velocity);
    } else {
      return law.torque(velocity);
    }
  });
}

}  // namespace tauhat
