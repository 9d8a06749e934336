#include "tauhat/offline/friction/rivals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauhat/offline/friction/selection.hpp"
#include "tauhat/offline/friction/unexplained_motion.hpp"
#include "tauhat/offline/parallel.hpp"
#include "tauhat/offline/quantile.hpp"

namespace tauhat {
namespace {

ParametricSpec parametric_spec(const Start& start, const FrictionFit& fit, const Excerpt& excerpt,
                               bool offset_unknown) {
  ParametricSpec spec;
  spec.axis = start.moved_inputs.size() == 0 ? fit.axis : with_moved(fit.axis, fit.given.uncertain, start.moved_inputs);
  spec.axis.offset += start.offset;
  spec.law = start.law;
  spec.friction = usual_size(excerpt.blind.friction, 0.5), spec.fastest = usual_size(excerpt.blind.velocity, 0.99);
  if (has_own_offset(start.law.kind, offset_unknown)) spec.offset_std = usual_size(excerpt.blind.friction, 0.5);
  for (int i = 0; i < 2; ++i) {
    spec.start[i] = fit.blind_options.start[i];
    spec.start_variances[i] = fit.blind_options.variances[i];
  }
  if (excerpt.first > 0) {
    // In the middle of a record the motion is known, by samples that will be used again: it counts for little.
    constexpr double kWider = 100.0;
    const Track* const tracks[] = {&excerpt.blind.position, &excerpt.blind.velocity};
    for (int i = 0; i < 2; ++i) {
      spec.start[i] = tracks[i]->value.front();
      spec.start_variances[i] = kWider * std::pow(tracks[i]->std.front(), 2);
    }
  }
  spec.standstill = standstill_of(excerpt.blind);
  spec.start_iterations = 3;
  spec.smoothing_iterations = 2;
  return spec;
}

double bic_of(double log_likelihood, const FittedLaw& law, bool offset_unknown, const Timeline& timeline) {
  return -2.0 * log_likelihood +
         fitted_parameters(law, offset_unknown) * std::log(static_cast<double>(timeline.size()));
}

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
  for (std::size_t i = 0; i < rivals.size(); ++i) {
    for (const LawKind kind : simpler_forms(rivals[i].law.law.kind)) {
      const LawFit& simpler = candidate_of(kind, fit);
      if (!is_rival(kind) && simpler.variance < kHopeless * rivals[i].law.variance) from_regression(simpler);
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

// With the axis and the unexplained motion that suit the rival.
ParametricSpec on_terms(const Rival& rival, ParametricSpec spec) {
  spec.axis = rival.spec.axis, spec.slow = rival.spec.slow, spec.slow_noise = rival.spec.slow_noise;
  return spec;
}

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

// A slope that is below zero beyond doubt, and beyond what does not matter.
std::string why_below_zero(const ParametricTracks& tracks, const FittedLaw& law, double fastest) {
  constexpr double kBeyondDoubt = 3.0, kMatters = 0.01;
  const double friction = 0.5 * std::abs(law.steady_force(fastest) - law.steady_force(-fastest));
  for (const LawParameter& p : tracks.parameters) {
    if (!p.name.ends_with("viscous") || -p.value * fastest < kMatters * friction) continue;
    if (-p.value > kBeyondDoubt * p.std * std::sqrt(widening(tracks)))
      return fmt::format("{} = {:.3g} is below zero, which no friction is", p.name, p.value);
  }
  return {};
}

Refined refine(const Rival& rival, ParametricSpec spec, const Timeline& timeline, const GivenInputs& given,
               bool offset_unknown, double fastest) {
  spec = on_terms(rival, std::move(spec));
  spec.smooth = true;
  Refined refined{rival.law.law.kind, spec};
  if (!given.empty()) refined.told_of_inputs = fit_inputs(refined.spec, given, timeline);
  refined.tracks = run_parametric(refined.spec, timeline);
  refined.law = law_from(refined.tracks.parameters, rival.start.law);
  refined.bic = bic_of(refined.tracks.log_likelihood, rival.law.law, offset_unknown, timeline) +
                given.unlikelihood(refined.spec.axis);
  refined.separable = rival.law.separable;
  if (refined.separable) refined.why = refined.law.why_impossible(fastest);
  if (refined.separable && refined.why.empty()) refined.why = why_below_zero(refined.tracks, refined.law, fastest);
  return refined;
}

// One that the filter followed before one that it lost, that before one that cannot be; of those the likeliest.
bool is_worse(const Refined& a, const Refined& b) {
  if (a.is_possible() != b.is_possible()) return b.is_possible();
  if (a.is_followed() != b.is_followed()) return b.is_followed();
  return a.bic > b.bic;
}

// The chosen law first among the candidates, what cannot be last.
void put_in_order(const std::vector<Refined>& refined, LawKind chosen, std::vector<LawFit>& candidates) {
  const auto at = [&](LawKind kind) {
    return std::find_if(candidates.begin(), candidates.end(), [&](const LawFit& c) { return c.law.kind == kind; });
  };
  for (LawFit& each : candidates) each.filter_bic.reset();  // of an excerpt: not comparable
  for (const Refined& each : refined) {
    const auto candidate = at(each.kind);
    if (candidate->separable) candidate->why = each.why;
    candidate->separable = each.is_possible();
    if (std::isfinite(each.bic)) candidate->filter_bic = each.bic;
    if (!each.is_possible()) std::rotate(candidate, candidate + 1, candidates.end());
  }
  const auto first = at(chosen);
  std::rotate(candidates.begin(), first, first + 1);
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

Refined refine_best(const std::vector<Rival>& rivals, const Excerpt& whole, bool offset_unknown, FrictionFit& fit) {
  const double fastest = usual_size(whole.blind.velocity, 0.99);
  std::vector<Refined> refined;
  const auto is_any_followed = [&] {
    return std::any_of(refined.begin(), refined.end(), [](const Refined& each) { return each.is_followed(); });
  };
  constexpr std::size_t kTogether = 2;  // the likeliest of an excerpt is not always that of the whole
  for (std::size_t first = 0; first < rivals.size() && !is_any_followed(); first += kTogether) {
    refined.resize(std::min(first + kTogether, rivals.size()));
    for_each_in_parallel(refined.size() - first, [&](std::size_t i) {
      const Rival& rival = rivals[first + i];
      refined[first + i] = refine(rival, parametric_spec(rival.start, fit, whole, offset_unknown), whole.timeline,
                                  fit.given, offset_unknown, fastest);
    });
  }
  auto best = std::max_element(refined.begin(), refined.end(), is_worse);
  // As among the candidates: less is not decisive, and innovations that are alike say less than they count.
  const double close = best->bic + kDecisive * widening(best->tracks);
  for (auto each = refined.begin(); each != refined.end(); ++each) {
    const bool is_as_good = each->is_followed() == best->is_followed() && each->is_possible();
    if (is_as_good && each->bic < close && each->law.parameters() < best->law.parameters()) best = each;
  }
  put_in_order(refined, best->kind, fit.candidates);
  return std::move(*best);
}

double widening(const ParametricTracks& tracks) {
  const double r = std::clamp(largest_autocorrelation(tracks.innovations), 0.0, 0.99);
  return std::max(tracks.mean_nis, 1.0) * (1.0 + r) / (1.0 - r);
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
