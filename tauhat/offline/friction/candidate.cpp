#include "tauhat/offline/friction/candidate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauhat/offline/drive/two_mass.hpp"
#include "tauhat/offline/friction/law_parameters.hpp"

namespace tauhat {
namespace {

constexpr std::array<std::string_view, kLawKinds.size()> kNames{"coulomb-viscous",
                                                                "exponential",
                                                                "smooth-exponential",
                                                                "exponential-viscous",
                                                                "smooth-exponential-viscous",
                                                                "gaussian-viscous",
                                                                "smooth-gaussian-viscous",
                                                                "hyperbolic",
                                                                "smooth-hyperbolic",
                                                                "tanh-viscous",
                                                                "asymmetric-coulomb",
                                                                "smooth-asymmetric-coulomb",
                                                                "asymmetric-exponential",
                                                                "lugre"};

// The sign averaged over an interval in which the velocity runs straight from one value to the other.
double mean_sign(double from, double to) {
  if (from * to >= 0.0) return from + to > 0.0 ? 1.0 : from + to < 0.0 ? -1.0 : 0.0;
  return (from + to) / (std::abs(from) + std::abs(to));
}

// How a law's excess falls with speed.
double falling(LawKind kind, double speed, double fall) {
  switch (hard_form(kind)) {
    case LawKind::gaussian_viscous:
      return std::exp(-speed * fall * speed * fall);
    case LawKind::hyperbolic:
      return 1.0 / (1.0 + fall * speed);
    default:
      return std::exp(-fall * speed);
  }
}

// At a velocity whose sign is known, or is the mean of an interval.
ForceColumns columns_of(LawKind kind, double sign, double v, LawShape shape) {
  // Each direction has a smooth sign of its own; a hard one is shared by the two as the interval is.
  const bool smooth = has_width(kind);
  const double forward = smooth ? std::max(sign, 0.0) : 0.5 * (1.0 + sign);
  const double backward = smooth ? std::min(sign, 0.0) : -0.5 * (1.0 - sign);
  switch (hard_form(kind)) {
    case LawKind::coulomb_viscous:
      return {{sign, v}, 2};
    case LawKind::exponential:
    case LawKind::hyperbolic:
      return {{sign, sign * falling(kind, std::abs(v), shape.fall)}, 2};
    case LawKind::exponential_viscous:
    case LawKind::gaussian_viscous:
      return {{sign, sign * falling(kind, std::abs(v), shape.fall), v}, 3};
    case LawKind::asymmetric_coulomb:
      return {{forward, std::max(v, 0.0), backward, std::min(v, 0.0)}, 4};
    case LawKind::asymmetric_exponential: {
      const double excess = falling(kind, std::abs(v), shape.fall);
      return {{forward, forward * excess, backward, backward * excess}, 4};
    }
    default:  // bristles
      return {};
  }
}

std::vector<std::string> names_with_hard_sign(LawKind kind) {
  switch (kind) {
    case LawKind::exponential:
    case LawKind::hyperbolic:
      return {"friction.coulomb", "friction.excess", "friction.decay"};
    case LawKind::exponential_viscous:
      return {"friction.coulomb", "friction.excess", "friction.decay", "friction.viscous"};
    case LawKind::gaussian_viscous:
      return {"friction.coulomb", "friction.breakaway", "friction.stribeck_velocity", "friction.viscous"};
    case LawKind::asymmetric_coulomb:
      return {"friction.positive.coulomb", "friction.positive.viscous", "friction.negative.coulomb",
              "friction.negative.viscous"};
    case LawKind::asymmetric_exponential:
      return {"friction.positive.coulomb", "friction.positive.excess", "friction.positive.decay",
              "friction.negative.coulomb", "friction.negative.excess", "friction.negative.decay"};
    case LawKind::lugre:
      return {"friction.bristle_stiffness", "friction.coulomb", "friction.breakaway", "friction.stribeck_velocity"};
    default:
      return {"friction.coulomb", "friction.viscous"};
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

std::vector<std::string> parameter_names(LawKind kind) {
  if (kind == LawKind::smooth_asymmetric_coulomb)
    return {"friction.positive.coulomb", "friction.positive.viscous", "friction.positive.width",
            "friction.negative.coulomb", "friction.negative.viscous", "friction.negative.width"};
  std::vector<std::string> names = names_with_hard_sign(hard_form(kind));
  if (has_width(kind)) names.emplace_back("friction.width");
  return names;
}

LawKind hard_form(LawKind kind) {
  switch (kind) {
    case LawKind::tanh_viscous:
      return LawKind::coulomb_viscous;
    case LawKind::smooth_exponential:
      return LawKind::exponential;
    case LawKind::smooth_exponential_viscous:
      return LawKind::exponential_viscous;
    case LawKind::smooth_gaussian_viscous:
      return LawKind::gaussian_viscous;
    case LawKind::smooth_hyperbolic:
      return LawKind::hyperbolic;
    case LawKind::smooth_asymmetric_coulomb:
      return LawKind::asymmetric_coulomb;
    default:
      return kind;
  }
}

bool has_fall(LawKind kind) {
  switch (hard_form(kind)) {
    case LawKind::exponential:
    case LawKind::exponential_viscous:
    case LawKind::gaussian_viscous:
    case LawKind::hyperbolic:
    case LawKind::asymmetric_exponential:
      return true;
    default:
      return false;
  }
}

bool is_asymmetric(LawKind kind) {
  return hard_form(kind) == LawKind::asymmetric_coulomb || kind == LawKind::asymmetric_exponential;
}

ForceColumns columns_at(LawKind kind, double velocity, LawShape shape) {
  const double hard = velocity > 0.0 ? 1.0 : velocity < 0.0 ? -1.0 : 0.0;
  return columns_of(kind, shape.width > 0.0 ? std::tanh(velocity / shape.width) : hard, velocity, shape);
}

ForceSamples force_samples(LawKind kind, const std::vector<double>& velocity, LawShape shape) {
  const auto intervals = static_cast<Eigen::Index>(velocity.size());
  ForceSamples samples{Eigen::Array4Xd(4, intervals), columns_at(kind, 0.0, shape).count};
  if (intervals > 0) samples.value.col(intervals - 1).setZero();
  for (std::size_t k = 0; k + 1 < velocity.size(); ++k) {
    const double middle = 0.5 * (velocity[k] + velocity[k + 1]);
    const double sign = shape.width > 0.0 ? std::tanh(middle / shape.width) : mean_sign(velocity[k], velocity[k + 1]);
    samples.value.col(static_cast<Eigen::Index>(k)) =
        Eigen::Map<const Eigen::Array4d>(columns_of(kind, sign, middle, shape).value.data());
  }
  return samples;
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

namespace {

// A level or a slope below zero would drive the axis at some speed, be it one that the record does not reach; a shape
// below zero is none. Levels of both directions together: one of its own for each may hold a constant force as well.
std::string why_out_of_range(const FittedLaw& fit, double fastest) {
  constexpr double kBelowZero = 0.05;  // of the friction at the fastest speed: less is a zero that was found by noise
  const double least = -kBelowZero * 0.5 * std::abs(fit.steady_force(fastest) - fit.steady_force(-fastest));
  double level = 0.0, levels = 0.0;
  std::string why;
  for_each_fitted(fit, [&](const ParameterInfo& info, const std::string& name, double value) {
    const bool is_level = info.name == "coulomb", is_slope = info.name == "viscous";
    if (is_level) level += value, levels += 1.0;
    const bool is_shape = info.name == "decay" || info.name == "width" || info.name == "stribeck_velocity";
    if ((is_slope && !(value * fastest >= least)) || (is_shape && !(value >= 0.0)))
      why = fmt::format("{} = {:.3g} is below zero, which no friction is", name, value);
  });
  if (levels > 0.0 && !(level / levels >= least))
    why = fmt::format("friction.coulomb = {:.3g} is below zero, which no friction is", level / levels);
  return why;
}

}  // namespace

std::string FittedLaw::why_impossible(double fastest) const {
  if (has_width(kind) && shape.width < kNarrowest * fastest)
    return "friction.width is below all resolution: the sign is hard, as another law has it";
  if (has_fall(kind) && shape.fall > 1.0 / (kNarrowest * fastest))
    return "its excess is gone at speeds below all resolution: the level is all that is seen, as another law has it";
  // An exponential that has fallen by so little is a straight line to a hundredth.
  constexpr double kHardlyFallen = 0.85;
  if (left_at(fastest) > kHardlyFallen)
    return "its excess has hardly fallen at the fastest speed: a straight line is all that is seen, as another law has "
           "it";
  for (const double share : {kNarrowest, 1e-3, 1e-2, 0.1, 1.0}) {
    // Both directions together: a level of its own for each may hold a constant force as well.
    const double speed = share * fastest;
    if (steady_force(speed) < steady_force(-speed))
      return fmt::format("at a speed of {:.2g} this friction would drive the axis", speed);
  }
  return why_out_of_range(*this, fastest);
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

int fitted_parameters(const FittedLaw& law, bool offset_unknown) {
  return law.parameters() + (has_own_offset(law.kind, offset_unknown) ? 1 : 0);
}

}  // namespace tauhat
