#include "tauhat/offline/friction/untold.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauhat/offline/friction/identify_friction.hpp"
#include "tauhat/offline/quantile.hpp"

namespace tauhat {
namespace {

constexpr double kHardlyShrunk = 0.7;  // of the deviation before the data
constexpr double kMatters = 0.02;      // of the friction
constexpr double kActsAlike = 0.9;     // correlation

double fastest_of(const FrictionFit& fit) {
  std::vector<double> speeds;
  for (const double v : fit.blind.velocity.value) speeds.push_back(std::abs(v));
  return quantile(std::move(speeds), 0.99);
}

// The largest change of the friction, over its largest, when the parameter moves by its deviation before the data: a
// parameter that is next to nothing need not be told.
double effect_of(const FrictionFit& fit, std::size_t i) {
  // Bristles bend before they slide; steady motion does not show it.
  if (fit.parametric.parameters[i].name.ends_with("bristle_stiffness")) return 1.0;
  const FittedLaw moved = fit.law_with(i, fit.parametric.parameters[i].prior_std);
  const double fastest = fastest_of(fit);
  double change = 0.0, size = 0.0;
  for (const double share : {0.003, 0.01, 0.03, 0.1, 0.3, 1.0}) {
    for (const double v : {-share * fastest, share * fastest}) {
      change = std::max(change, std::abs(moved.steady_force(v) - fit.steady_force(v)));
      size = std::max(size, std::abs(fit.steady_force(v)));
    }
  }
  return size > 0.0 ? change / size : 0.0;
}

bool is_told(const LawParameter& p) { return p.std < kHardlyShrunk * p.prior_std; }

std::string advice_for(const std::string& name) {
  const auto ends = [&](const char* part) { return name.ends_with(part); };
  if (ends("bristle_stiffness"))
    return "the contact bends by less than the sensor shows; record small motions forth and back, with a finer sensor";
  if (ends("viscous")) return "the speeds are too slow, or too alike, to show a slope; record faster motion as well";
  if (ends("width")) return "too little of the motion is slow enough; record slow reversals";
  if (ends("coulomb")) return "the speeds do not reach where the friction is level; record faster motion as well";
  return "too little of the motion is at the speeds where friction falls; record slow and fast motion, in both "
         "directions";
}

// The parameters that trade against this one.
std::string partners_of(const FrictionFit& fit, std::size_t i) {
  std::string names;
  const Eigen::MatrixXd& covariance = fit.parametric.covariance;
  const auto at = static_cast<Eigen::Index>(i);
  for (Eigen::Index j = 0; j < covariance.cols(); ++j) {
    const double size = std::sqrt(covariance(at, at) * covariance(j, j));
    if (j == at || !(std::abs(covariance(at, j)) > kActsAlike * size)) continue;
    names += (names.empty() ? "" : ", ") + fit.parametric.parameters[static_cast<std::size_t>(j)].name;
  }
  return names;
}

}  // namespace

std::vector<UntoldParameter> untold_parameters(const FrictionFit& fit) {
  std::vector<UntoldParameter> untold;
  for (std::size_t i = 0; i < fit.parametric.parameters.size(); ++i) {
    const LawParameter& p = fit.parametric.parameters[i];
    if (is_told(p) || effect_of(fit, i) < kMatters) continue;
    const std::string partners = partners_of(fit, i);
    untold.push_back({p.name, fmt::format("{}{}", partners.empty() ? "" : "it acts like " + partners + " here: ",
                                          advice_for(p.name))});
  }
  return untold;
}

}  // namespace tauhat
