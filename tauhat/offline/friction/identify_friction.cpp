#include "tauhat/offline/friction/identify_friction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/friction/curve_fit.hpp"
#include "tauhat/offline/friction/excerpt.hpp"
#include "tauhat/offline/friction/free_friction.hpp"
#include "tauhat/offline/friction/selection.hpp"
#include "tauhat/offline/friction/unexplained_motion.hpp"
#include "tauhat/offline/parallel.hpp"
#include "tauhat/offline/quantile.hpp"

namespace tauhat {
namespace {

constexpr std::size_t kFewestSamples = 200;
// Of a longer record the smoother, which keeps all that it did, takes the most telling part; a law is chosen by less,
// and its noise by less still.
constexpr std::size_t kLongestSmoothed = 200'000, kLongestJudged = 40'000, kLongestTuned = 12'000;

// The parametric smoother's numbers in the form of a fitted law.
FittedLaw law_from(const std::vector<LawParameter>& parameters, const FittedLaw& start) {
  const auto value = [&](std::size_t i) { return parameters[i].value; };
  FittedLaw law = start;
  switch (start.kind) {
    case LawKind::coulomb_viscous:
    case LawKind::asymmetric_coulomb:
    case LawKind::lugre:
      for (std::size_t i = 0; i < law.coefficients.size(); ++i) law.coefficients[i] = value(i);
      break;
    case LawKind::tanh_viscous:
      law.coefficients = {value(0), value(1)}, law.shape.width = value(2);
      break;
    case LawKind::exponential:
    case LawKind::hyperbolic:
      law.coefficients = {value(0), value(1)}, law.shape.fall = value(2);
      break;
    case LawKind::exponential_viscous:
      law.coefficients = {value(0), value(1), value(3)}, law.shape.fall = value(2);
      break;
    case LawKind::gaussian_viscous:
    case LawKind::smooth_gaussian_viscous:
      law.coefficients = {value(0), value(1) - value(0), value(3)}, law.shape.fall = 1.0 / value(2);
      if (has_width(law.kind)) law.shape.width = value(4);
      break;
    case LawKind::smooth_asymmetric_coulomb:
      law.coefficients = {value(0), value(1), value(3), value(4), value(2), value(5)};
      law.shape.width = std::min(value(2), value(5));
      break;
    case LawKind::asymmetric_exponential:
      law.coefficients = {value(0), value(1), value(3), value(4), value(2), value(5)};
      break;
  }
  return law;
}

double usual_size(const Track& track, double share) {
  std::vector<double> sizes;
  for (const double value : track.value) sizes.push_back(std::abs(value));
  return quantile(std::move(sizes), share);
}

const Timeline::Sensor* position_sensor(const Timeline& timeline) {
  for (const auto& sensor : timeline.sensors) {
    if (sensor.output == Axis<double>::position_output) return &sensor;
  }
  return nullptr;
}

// Without a position sensor the position is the smoother's, from the velocity, and so is its noise.
double position_variance(const Timeline& timeline, const BlindSmoothing& blind) {
  const auto* sensor = position_sensor(timeline);
  return sensor ? sensor->variance : std::pow(median(blind.position.std), 2);
}

// Where a law's smoother starts from.
struct Start {
  FittedLaw law;
  double offset = 0.0;
};

ParametricSpec parametric_spec(const Start& start, const FrictionFit& fit, const Excerpt& excerpt,
                               bool offset_unknown) {
  ParametricSpec spec;
  spec.axis = fit.axis;
  spec.axis.offset += start.offset;
  spec.law = start.law;
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

// A candidate that is judged by the filter.
struct Rival {
  LawFit law;
  Start start;
  ParametricSpec spec{};
  double bic = std::numeric_limits<double>::infinity();
};

LawFit& candidate_of(LawKind kind, FrictionFit& fit) {
  return *std::find_if(fit.candidates.begin(), fit.candidates.end(),
                       [&](const LawFit& each) { return each.law.kind == kind; });
}

// The nearest by the regression and the simplest law. And the nearest to the curve of the blind friction, from there,
// unless the regression has it as near: an axis that mostly sticks leads the regression astray.
std::vector<Rival> rivals_of(FrictionFit& fit, const FrictionCurve& blind) {
  constexpr std::size_t kNearest = 3;
  std::vector<Rival> rivals;
  const auto from_regression = [&](const LawFit& each) {
    if (each.separable) rivals.push_back({each, {each.law, each.offset}});
  };
  for (std::size_t i = 0; i < kNearest; ++i) from_regression(fit.candidates[i]);
  const LawFit& simplest = candidate_of(LawKind::coulomb_viscous, fit);
  if (&simplest >= &fit.candidates[kNearest]) from_regression(simplest);
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

// Rivals are judged again by the filter that runs with each, which is exact where the regression is not: around
// reversals. Each with the unexplained motion that suits it. They come first among the candidates, the likeliest before
// the others; they are returned in this order, one of a law.
std::vector<Rival> rank_by_likelihood(FrictionFit& fit, const FrictionCurve& blind, const Excerpt& excerpt,
                                      bool offset_unknown) {
  const double fastest = usual_size(excerpt.blind.velocity, 0.99), friction = usual_size(excerpt.blind.friction, 0.5);
  const auto samples = static_cast<double>(excerpt.timeline.size());
  std::vector<Rival> rivals = rivals_of(fit, blind);
  for_each_in_parallel(rivals.size(), [&](std::size_t i) {
    Rival& rival = rivals[i];
    rival.spec = parametric_spec(rival.start, fit, excerpt, offset_unknown);
    if (!rival.law.separable) return;
    const double likelihood = fit_unexplained_motion(rival.spec, excerpt.timeline, fastest, friction);
    rival.bic = -2.0 * likelihood + fitted_parameters(rival.law.law, offset_unknown) * std::log(samples);
    rival.law.filter_bic = rival.bic;
  });
  std::stable_sort(rivals.begin(), rivals.end(), [](const Rival& a, const Rival& b) { return a.bic < b.bic; });
  std::vector<Rival> ranked;
  std::vector<LawFit> candidates;
  const auto is_ranked = [&](LawKind kind) {
    return std::any_of(candidates.begin(), candidates.end(), [&](const LawFit& each) { return each.law.kind == kind; });
  };
  for (Rival& rival : rivals) {
    if (is_ranked(rival.law.law.kind)) continue;
    candidates.push_back(rival.law);
    ranked.push_back(std::move(rival));
  }
  for (const LawFit& each : fit.candidates) {
    if (!is_ranked(each.law.kind)) candidates.push_back(each);
  }
  fit.candidates = std::move(candidates);
  return ranked;
}

// Innovations that are larger than they should be, or alike from sample to sample, say less than the filter believes: n
// of them count as n (1 - r) / (1 + r) / nis.
void widen(ParametricTracks& tracks) {
  const double r = std::clamp(largest_autocorrelation(tracks.innovations), 0.0, 0.99);
  const double factor = std::max(tracks.mean_nis, 1.0) * (1.0 + r) / (1.0 - r);
  tracks.covariance *= factor;
  for (LawParameter& p : tracks.parameters) p.std *= std::sqrt(factor);
  tracks.offset.std *= std::sqrt(factor);
}

void require_enough(const Timeline& timeline, const std::string& source) {
  if (timeline.size() < kFewestSamples)
    throw Error(ExitCode::unusable_data,
                fmt::format("{}: {} samples; friction needs at least {}, over several reversals", source,
                            timeline.size(), kFewestSamples));
}

}  // namespace

FrictionFit identify_friction(const Axis<double>& axis, const Timeline& timeline, const FrictionOptions& options) {
  require_enough(timeline, options.source);
  const auto show = [&](const char* stage, double share) {
    if (options.progress) options.progress(stage, share);
  };
  FrictionFit fit;
  fit.axis = axis;
  show("smoothing", 0.0);
  fit.blind_options = blind_options_for(fit.axis, timeline, {options.start, options.start_std, options.intensity});
  fit.blind_options.intensity *= options.intensity_scale;
  fit.blind = smooth_blindly(fit.axis, timeline, fit.blind_options);
  fit.noise_variance = position_variance(timeline, fit.blind);
  Excerpt whole = telling_excerpt(timeline, fit.blind, kLongestSmoothed);
  fit.timeline = whole.timeline;
  fit.blind = whole.blind;
  show("fitting laws", 0.3);
  const Excerpt judged = telling_excerpt(whole.timeline, whole.blind, kLongestJudged);
  fit.candidates = fit_all_laws(
      fit.axis, judged.timeline, judged.blind,
      {.bandwidth = observer_bandwidth(fit.axis, judged.blind, fit.noise_variance), .offset = options.offset});
  show("comparing", 0.5);
  const Excerpt tuned = telling_excerpt(judged.timeline, judged.blind, kLongestTuned);
  const FrictionCurve curve = moving_curve(judged.blind, fit.clearly_moving());
  fit.curves = fit_all_curves(curve, options.offset);
  const std::vector<Rival> rivals = rank_by_likelihood(fit, curve, tuned, options.offset);
  show("refining", 0.8);
  ParametricSpec spec;
  const auto refine = [&](const Rival& rival) {
    LawFit& best = fit.candidates.front();
    spec = parametric_spec(rival.start, fit, whole, options.offset);
    spec.axis.noise = rival.spec.axis.noise, spec.slow = rival.spec.slow, spec.slow_noise = rival.spec.slow_noise;
    spec.smooth = true;
    fit.parametric = run_parametric(spec, whole.timeline);
    fit.law = law_from(fit.parametric.parameters, rival.start.law);
    if (best.separable) best.why = fit.law.why_impossible(usual_size(whole.blind.velocity, 0.99));
    best.separable = best.separable && best.why.empty();
  };
  for (std::size_t i = 0; i < rivals.size(); ++i) {
    refine(rivals[i]);
    if (fit.candidates.front().separable || i + 1 == rivals.size()) break;
    // As the smoother sees it no friction is like this: the next likely one, and this one last.
    std::rotate(fit.candidates.begin(), fit.candidates.begin() + 1, fit.candidates.end());
  }
  fit.spec = spec;
  fit.slow = spec.slow;
  fit.axis = spec.axis;
  fit.axis.offset = fit.parametric.offset.value;
  // The blind friction had to carry the constant force; the law does not.
  for (Track* track : {&fit.blind.friction, &fit.blind.filtered_friction}) {
    for (double& value : track->value) value -= fit.axis.offset - axis.offset;
  }
  fit.untold = untold_parameters(fit);
  widen(fit.parametric);
  show("refining", 1.0);
  return fit;
}

FittedLaw FrictionFit::law_with(std::size_t parameter, double moved_by) const {
  std::vector<LawParameter> parameters = parametric.parameters;
  parameters[parameter].value += moved_by;
  return law_from(parameters, law);
}

bool FrictionFit::is_told(const std::string& parameter) const {
  return candidates.front().separable && std::none_of(untold.begin(), untold.end(), [&](const UntoldParameter& each) {
           return each.name == parameter;
         });
}

double FrictionFit::steady_force_std(double velocity) const {
  // Through the gradient by differences, a ten thousandth of each parameter's size.
  const auto n = static_cast<Eigen::Index>(parametric.parameters.size());
  Eigen::VectorXd gradient(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double step = 1e-4 * std::max(std::abs(parametric.parameters[at].value), 1e-9);
    gradient[i] = (law_with(at, step).steady_force(velocity) - law.steady_force(velocity)) / step;
  }
  return std::sqrt(std::max(gradient.dot(parametric.covariance * gradient), 0.0));
}

}  // namespace tauhat
