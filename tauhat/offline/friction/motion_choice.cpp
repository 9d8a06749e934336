#include "tauhat/offline/friction/motion_choice.hpp"

#include <algorithm>
#include <cmath>

#include "tauhat/offline/friction/law_motion.hpp"
#include "tauhat/offline/friction/law_parameters.hpp"
#include "tauhat/offline/friction/rival_spec.hpp"
#include "tauhat/offline/friction/unexplained_motion.hpp"
#include "tauhat/offline/parallel.hpp"

namespace tauhat {
namespace {

// By the regression, and by the curve of the blind friction where that says something else.
std::vector<Start> starts_of(const FrictionFit& fit, bool smooth) {
  std::vector<Start> starts;
  for (const auto* fits : {&fit.candidates, &fit.curves}) {
    for (const LawFit& each : *fits) {
      if (each.separable && can_move_by(each.law.kind) && has_width(each.law.kind) == smooth)
        starts.push_back({each.law, each.offset});
    }
  }
  return starts;
}

// The smooth form of this, with the width that the regression has.
std::vector<Start> smooth_form_of(const MotionFit& hard, const FrictionFit& fit) {
  std::vector<Start> starts;
  for (const Start& each : starts_of(fit, true)) {
    if (hard_form(each.law.kind) != hard.law.kind) continue;
    starts.push_back({hard.law, hard.offset - fit.axis.offset});
    starts.back().law.kind = each.law.kind, starts.back().law.shape.width = each.law.shape.width;
  }
  return starts;
}

// Those that follow the record, and can be friction; the likeliest first.
std::vector<MotionFit> followers(const std::vector<Start>& starts, const FrictionFit& fit, const Excerpt& whole,
                                 bool offset_unknown) {
  std::vector<MotionFit> fits(starts.size());
  for_each_in_parallel(starts.size(), [&](std::size_t i) {
    fits[i] = fit_motion(parametric_spec(starts[i], fit, whole, offset_unknown), whole.timeline);
  });
  const double fastest = usual_size(whole.blind.velocity, 0.99);
  std::erase_if(fits, [&](const MotionFit& each) { return !each.follows || !each.is_friction(fastest); });
  std::stable_sort(fits.begin(), fits.end(), [](const MotionFit& a, const MotionFit& b) { return a.bic < b.bic; });
  return fits;
}

std::vector<double> deviations_of(const MotionFit& fit) {
  std::vector<double> all;
  for (Eigen::Index i = 0; i < fit.covariance.rows(); ++i)
    all.push_back(std::sqrt(std::max(fit.covariance(i, i), 0.0)));
  return all;
}

LawFit& candidate_of(LawKind kind, FrictionFit& fit) {
  return *std::find_if(fit.candidates.begin(), fit.candidates.end(),
                       [&](const LawFit& each) { return each.law.kind == kind; });
}

// What followed stands before the others, the chosen one first of all.
void put_first(const std::vector<MotionFit>& followed, const MotionFit& chosen, FrictionFit& fit) {
  for (LawFit& each : fit.candidates) each.filter_bic.reset();
  for (const MotionFit& each : followed) {
    std::optional<double>& bic = candidate_of(each.law.kind, fit).filter_bic;
    bic = std::min(bic.value_or(each.bic), each.bic);
  }
  std::stable_sort(fit.candidates.begin(), fit.candidates.end(), [](const LawFit& a, const LawFit& b) {
    return a.filter_bic.value_or(std::numeric_limits<double>::infinity()) <
           b.filter_bic.value_or(std::numeric_limits<double>::infinity());
  });
  LawFit& first = candidate_of(chosen.law.kind, fit);
  first.separable = true, first.why.clear();
  std::rotate(fit.candidates.begin(), fit.candidates.begin() + (&first - fit.candidates.data()),
              fit.candidates.begin() + (&first - fit.candidates.data()) + 1);
}

}  // namespace

std::optional<MotionFit> choose_by_motion(FrictionFit& fit, const Excerpt& whole, bool offset_unknown) {
  std::vector<MotionFit> fits = followers(starts_of(fit, false), fit, whole, offset_unknown);
  // Smooth signs take longer: of laws that follow with a hard one the likeliest is tried, else all.
  const std::vector<Start> smooth = fits.empty() ? starts_of(fit, true) : smooth_form_of(fits.front(), fit);
  for (MotionFit& each : followers(smooth, fit, whole, offset_unknown)) fits.push_back(std::move(each));
  if (fits.empty()) return {};
  std::stable_sort(fits.begin(), fits.end(), [](const MotionFit& a, const MotionFit& b) { return a.bic < b.bic; });
  auto chosen = fits.begin();
  for (auto each = fits.begin(); each != fits.end() && each->bic < fits.front().bic + kDecisive; ++each) {
    if (each->law.parameters() < chosen->law.parameters()) chosen = each;
  }
  put_first(fits, *chosen, fit);
  return *chosen;
}

std::optional<Refined> refine_by_motion(const MotionFit& chosen, const FrictionFit& fit, const Excerpt& tuned,
                                        const Excerpt& whole, bool offset_unknown) {
  const Start start{chosen.law, chosen.offset - fit.axis.offset};
  const std::vector<double> deviations = deviations_of(chosen);
  const auto spec_of = [&](const Excerpt& excerpt) {
    ParametricSpec spec = parametric_spec(start, fit, excerpt, offset_unknown);
    spec.std.assign(deviations.begin(), deviations.end() - 1);
    if (spec.offset_std > 0.0) spec.offset_std = deviations.back();
    return spec;
  };
  Rival rival{{}, start, spec_of(tuned)};
  fit_unexplained_motion(rival.spec, tuned.timeline, usual_size(tuned.blind.velocity, 0.99),
                         usual_size(tuned.blind.friction, 0.5));
  Refined refined{chosen.law.kind, on_terms(rival, spec_of(whole))};
  refined.spec.smooth = true;
  refined.tracks = run_parametric(refined.spec, whole.timeline);
  if (!refined.is_followed()) return {};
  refined.law = chosen.law, refined.bic = chosen.bic;
  const ParametricSpec before = parametric_spec(start, fit, whole, offset_unknown);
  ParametricTracks& tracks = refined.tracks;
  for (std::size_t i = 0; i < tracks.parameters.size(); ++i) {
    LawParameter& p = tracks.parameters[i];
    for_each_fitted(chosen.law, [&](const ParameterInfo&, const std::string& name, double value) {
      if (name == p.name) p.value = value;
    });
    p.std = deviations[i], p.prior = p.value, p.prior_std = deviation_before(before, p.name, p.value);
  }
  const Eigen::Index count = chosen.covariance.rows() - 1;
  tracks.covariance = chosen.covariance.topLeftCorner(count, count);
  tracks.offset.value = chosen.offset, tracks.offset.std = before.offset_std > 0.0 ? deviations.back() : 0.0;
  return refined;
}

}  // namespace tauhat
