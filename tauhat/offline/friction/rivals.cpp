#include "tauhat/offline/friction/rivals.hpp"

#include <algorithm>
#include <cmath>

#include "tauhat/offline/friction/rival_spec.hpp"
#include "tauhat/offline/friction/selection.hpp"
#include "tauhat/offline/friction/unexplained_motion.hpp"
#include "tauhat/offline/parallel.hpp"
#include "tauhat/offline/quantile.hpp"

namespace tauhat {
namespace {

LawFit& candidate_of(LawKind kind, FrictionFit& fit) {
  return *std::find_if(fit.candidates.begin(), fit.candidates.end(),
                       [&](const LawFit& each) { return each.law.kind == kind; });
}

// The laws that this one becomes where one thing less is in it.
std::vector<LawKind> simpler_forms(LawKind kind) {
  if (has_width(kind)) return {hard_form(kind)};
  switch (kind) {
    case LawKind::exponential_viscous:
    case LawKind::asymmetric_exponential:
      return {LawKind::exponential};
    case LawKind::asymmetric_coulomb:
    case LawKind::gaussian_viscous:
      return {LawKind::coulomb_viscous};
    default:
      return {};
  }
}

// The nearest by the regression, their simpler forms, which a regression that is coarse around standstill hardly tells
// from them, and the simplest law. And the nearest to the curve of the blind friction, from there,
// unless the regression has it as near: an axis that mostly sticks leads the regression astray.
std::vector<Rival> rivals_of(FrictionFit& fit, const FrictionCurve& blind) {
  constexpr std::size_t kNearest = 3;
  std::vector<Rival> rivals;
  const auto from_regression = [&](const LawFit& each) {
    if (each.separable) rivals.push_back({each, {each.law, each.offset, each.moved_inputs}});
  };
  const auto is_rival = [&](LawKind kind) {
    return std::any_of(rivals.begin(), rivals.end(), [&](const Rival& each) { return each.law.law.kind == kind; });
  };
  for (std::size_t i = 0; i < kNearest; ++i) from_regression(fit.candidates[i]);
  constexpr double kHopeless = 10.0;  // in variance
  std::size_t looked_at = 0;
  while (looked_at < rivals.size()) {
    const LawFit nearest = rivals[looked_at++].law;  // a copy: what is found joins the rivals, and has simpler forms
    for (const LawKind kind : simpler_forms(nearest.law.kind)) {
      const LawFit& simpler = candidate_of(kind, fit);
      if (!is_rival(kind) && simpler.variance < kHopeless * nearest.variance) from_regression(simpler);
    }
  }
  if (!is_rival(LawKind::coulomb_viscous)) from_regression(candidate_of(LawKind::coulomb_viscous, fit));
  for (std::size_t i = 0; i < std::min(fit.curves.size(), kNearest); ++i) {
    const LawFit& curve = fit.curves[i];
    constexpr double kAsNear = 2.0;  // in variance
    const bool agrees = std::any_of(rivals.begin(), rivals.end(), [&](const Rival& each) {
      return each.start.law.kind == curve.law.kind &&
             off_curve(each.start.law, each.start.offset, blind) < kAsNear * curve.variance;
    });
    if (agrees) continue;
    Rival rival{candidate_of(curve.law.kind, fit), {curve.law, curve.offset}};
    rival.law.separable = true, rival.law.why.clear();
    rivals.push_back(std::move(rival));
  }
  // Of no law the record tells the parameters apart: the nearest, to say so.
  if (rivals.empty()) rivals.push_back({fit.candidates.front(), {fit.candidates.front().law, 0.0}});
  return rivals;
}

constexpr std::size_t kLikeliest = 4;  // rivals that are worth a second look

// What the motion does beyond a law.
struct Unexplained {
  Vector<double, Axis<double>::kStates> noise;
  double slow, slow_noise;
};

// Each of the likeliest laws with the unexplained motion of each: what suits one in an excerpt lets another follow the
// axis through standstills that it meets later, and only then they are compared. Sorts by what each reaches.
void compare_on_equal_terms(std::vector<Rival>& rivals, const FrictionFit& fit, const Excerpt& judged,
                            bool offset_unknown) {
  const auto by_bic = [](const Rival& a, const Rival& b) { return a.bic < b.bic; };
  std::stable_sort(rivals.begin(), rivals.end(), by_bic);
  std::vector<Unexplained> terms;
  for (const Rival& each : rivals) {
    if (terms.size() < kLikeliest && std::isfinite(each.bic))
      terms.push_back({each.spec.axis.noise, each.spec.slow, each.spec.slow_noise});
  }
  for_each_in_parallel(rivals.size(), [&](std::size_t i) {
    Rival& rival = rivals[i];
    if (!std::isfinite(rival.bic)) return;
    ParametricSpec spec = parametric_spec(rival.start, fit, judged, offset_unknown);
    spec.axis = rival.spec.axis, spec.tracks = false;
    rival.bic = std::numeric_limits<double>::infinity();
    for (const Unexplained& each : terms) {
      spec.axis.noise = each.noise, spec.slow = each.slow, spec.slow_noise = each.slow_noise;
      const ParametricTracks tracks = run_parametric(spec, judged.timeline);
      if (tracks.diverged || !std::isfinite(tracks.log_likelihood)) continue;
      const double bic = bic_of(tracks.log_likelihood, rival.law.law, offset_unknown, judged.timeline) +
                         fit.given.unlikelihood(spec.axis);
      if (bic >= rival.bic) continue;
      rival.bic = bic;
      rival.spec.axis.noise = each.noise, rival.spec.slow = each.slow, rival.spec.slow_noise = each.slow_noise;
    }
    rival.law.filter_bic = rival.bic;
  });
  std::stable_sort(rivals.begin(), rivals.end(), by_bic);
}

// By what the unexplained motion that suits each makes of them; one of a law.
std::vector<Rival> ranked(std::vector<Rival> rivals, FrictionFit& fit, const Excerpt& excerpt, const Excerpt& judged,
                          bool offset_unknown) {
  const double fastest = usual_size(excerpt.blind.velocity, 0.99), friction = usual_size(excerpt.blind.friction, 0.5);
  for_each_in_parallel(rivals.size(), [&](std::size_t i) {
    Rival& rival = rivals[i];
    rival.spec = parametric_spec(rival.start, fit, excerpt, offset_unknown);
    rival.bic = std::numeric_limits<double>::infinity();
    if (!rival.law.separable) return;
    double likelihood = fit_unexplained_motion(rival.spec, excerpt.timeline, fastest, friction);
    if (!fit.given.empty()) {
      // First by the law's own noise, then again: a regression bends what it does not describe into the axis.
      fit_inputs(rival.spec, fit.given, excerpt.timeline);
      rival.spec.axis.noise = fit.axis.noise;
      likelihood = fit_unexplained_motion(rival.spec, excerpt.timeline, fastest, friction);
    }
    rival.bic =
        bic_of(likelihood, rival.law.law, offset_unknown, excerpt.timeline) + fit.given.unlikelihood(rival.spec.axis);
  });
  compare_on_equal_terms(rivals, fit, judged, offset_unknown);
  std::vector<Rival> best_of_each;
  std::vector<LawFit> candidates;
  const auto is_ranked = [&](LawKind kind) {
    return std::any_of(candidates.begin(), candidates.end(), [&](const LawFit& each) { return each.law.kind == kind; });
  };
  for (Rival& rival : rivals) {
    if (is_ranked(rival.law.law.kind)) continue;
    candidates.push_back(rival.law);
    best_of_each.push_back(std::move(rival));
  }
  for (const LawFit& each : fit.candidates) {
    if (!is_ranked(each.law.kind)) candidates.push_back(each);
  }
  fit.candidates = std::move(candidates);
  return best_of_each;
}

}  // namespace

std::vector<Rival> rank_by_likelihood(FrictionFit& fit, const FrictionCurve& blind, const Excerpt& excerpt,
                                      const Excerpt& judged, bool offset_unknown) {
  return ranked(rivals_of(fit, blind), fit, excerpt, judged, offset_unknown);
}

std::vector<Rival> rank_again(std::vector<Rival> rivals, FrictionFit& fit, const Excerpt& excerpt,
                              const Excerpt& judged, bool offset_unknown) {
  const double fastest = usual_size(judged.blind.velocity, 0.99);
  rivals.resize(std::min(rivals.size(), kLikeliest));
  for_each_in_parallel(rivals.size(), [&](std::size_t i) {
    Rival& rival = rivals[i];
    if (!std::isfinite(rival.bic)) return;
    const ParametricTracks tracks =
        run_parametric(on_terms(rival, parametric_spec(rival.start, fit, judged, offset_unknown)), judged.timeline);
    const FittedLaw found = law_from(tracks.parameters, rival.start.law);
    if (tracks.diverged || !found.why_impossible(fastest).empty()) return;
    rival.start.law = found;
    rival.start.offset = tracks.offset.value - fit.axis.offset;
  });
  return ranked(std::move(rivals), fit, excerpt, judged, offset_unknown);
}

double usual_size(const Track& track, double share) {
  std::vector<double> sizes;
  for (const double value : track.value) sizes.push_back(std::abs(value));
  return quantile(std::move(sizes), share);
}

FittedLaw law_from(const std::vector<LawParameter>& parameters, const FittedLaw& start) {
  const auto value = [&](std::size_t i) { return parameters[i].value; };
  FittedLaw law = start;
  switch (hard_form(start.kind)) {
    case LawKind::exponential:
    case LawKind::hyperbolic:
      law.coefficients = {value(0), value(1)}, law.shape.fall = value(2);
      break;
    case LawKind::exponential_viscous:
      law.coefficients = {value(0), value(1), value(3)}, law.shape.fall = value(2);
      break;
    case LawKind::gaussian_viscous:
      law.coefficients = {value(0), value(1) - value(0), value(3)}, law.shape.fall = 1.0 / value(2);
      break;
    case LawKind::asymmetric_exponential:
      law.coefficients = {value(0), value(1), value(3), value(4), value(2), value(5)};
      break;
    case LawKind::asymmetric_coulomb:
      if (has_width(start.kind)) {
        law.coefficients = {value(0), value(1), value(3), value(4), value(2), value(5)};
        law.shape.width = std::min(value(2), value(5));
        return law;
      }
      [[fallthrough]];
    default:
      for (std::size_t i = 0; i < law.coefficients.size(); ++i) law.coefficients[i] = value(i);
  }
  if (has_width(start.kind)) law.shape.width = parameters.back().value;
  return law;
}

}  // namespace tauhat
