#include "tauhat/offline/friction/refined_law.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauhat/offline/friction/rival_spec.hpp"
#include "tauhat/offline/friction/selection.hpp"
#include "tauhat/offline/parallel.hpp"

namespace tauhat {
namespace {

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

}  // namespace

bool is_worse(const Refined& a, const Refined& b) {
  if (a.is_possible() != b.is_possible()) return b.is_possible();
  if (a.is_followed() != b.is_followed()) return b.is_followed();
  return a.bic > b.bic;
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
    if (!is_as_good || !(each->bic < close)) continue;
    const int more = each->law.parameters() - best->law.parameters();
    if (more < 0 || (more == 0 && each->bic < best->bic)) best = each;
  }
  put_in_order(refined, best->kind, fit.candidates);
  return std::move(*best);
}

double widening(const ParametricTracks& tracks) {
  const double r = std::clamp(largest_autocorrelation(tracks.innovations), 0.0, 0.99);
  return std::max(tracks.mean_nis, 1.0) * (1.0 + r) / (1.0 - r);
}

}  // namespace tauhat
