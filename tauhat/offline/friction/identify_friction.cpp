#include "tauhat/offline/friction/identify_friction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tauhat/offline/error.hpp"
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

// How a law's smoother starts on an excerpt.
ParametricSpec parametric_spec(const LawFit& candidate, const FrictionFit& fit, const Excerpt& excerpt,
                               bool offset_unknown) {
  ParametricSpec spec;
  spec.axis = fit.axis;
  spec.axis.offset += candidate.offset;
  spec.law = candidate.law;
  // A law with a level for each direction has the constant force in it.
  if (offset_unknown && !is_asymmetric(candidate.law.kind)) spec.offset_std = usual_size(excerpt.blind.friction, 0.5);
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

// Near rivals of the best law, and the simplest one, are judged again by the filter that runs with each, which is exact
// where the regression is not: around reversals. Each with the unexplained motion that suits it. They come first, the
// likeliest before the others; their specs are returned, in this order.
std::vector<ParametricSpec> rank_by_likelihood(FrictionFit& fit, const Excerpt& excerpt, bool offset_unknown) {
  constexpr std::ptrdiff_t kNearest = 3;
  std::vector<LawFit>& candidates = fit.candidates;
  const auto simplest = std::find_if(candidates.begin(), candidates.end(),
                                     [](const LawFit& each) { return each.law.kind == LawKind::coulomb_viscous; });
  const auto after_nearest = candidates.begin() + kNearest;
  if (simplest >= after_nearest) std::rotate(after_nearest, simplest, simplest + 1);
  const double fastest = usual_size(excerpt.blind.velocity, 0.99), friction = usual_size(excerpt.blind.friction, 0.5);
  const auto samples = static_cast<double>(excerpt.timeline.size());
  struct Rival {
    LawFit law;
    ParametricSpec spec;
    double bic = std::numeric_limits<double>::infinity();
  };
  std::vector<Rival> rivals;
  for (auto each = candidates.begin(); each != after_nearest + (simplest >= after_nearest ? 1 : 0); ++each)
    rivals.push_back({*each, parametric_spec(*each, fit, excerpt, offset_unknown)});
  for_each_in_parallel(rivals.size(), [&](std::size_t i) {
    Rival& rival = rivals[i];
    if (!rival.law.separable) return;
    const double likelihood = fit_unexplained_motion(rival.spec, excerpt.timeline, fastest, friction);
    rival.bic = -2.0 * likelihood + fitted_parameters(rival.law.law, offset_unknown) * std::log(samples);
    rival.law.filter_bic = rival.bic;
  });
  std::stable_sort(rivals.begin(), rivals.end(), [](const Rival& a, const Rival& b) { return a.bic < b.bic; });
  std::vector<ParametricSpec> specs;
  for (std::size_t i = 0; i < rivals.size(); ++i) {
    candidates[i] = rivals[i].law;
    specs.push_back(rivals[i].spec);
  }
  return specs;
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
  const std::vector<ParametricSpec> rivals = rank_by_likelihood(fit, tuned, options.offset);
  show("refining", 0.8);
  ParametricSpec spec;
  for (std::size_t i = 0; i < rivals.size(); ++i) {
    LawFit& best = fit.candidates.front();
    spec = parametric_spec(best, fit, whole, options.offset);
    spec.axis.noise = rivals[i].axis.noise, spec.slow = rivals[i].slow, spec.slow_noise = rivals[i].slow_noise;
    spec.smooth = true;
    fit.parametric = run_parametric(spec, whole.timeline);
    fit.law = law_from(fit.parametric.parameters, best.law);
    if (best.separable) best.why = fit.law.why_impossible(usual_size(whole.blind.velocity, 0.99));
    best.separable = best.why.empty();
    if (best.separable || i + 1 == rivals.size() || !fit.candidates[1].separable) break;
    // As the smoother sees it no friction is like this: the next likely one, and this one last.
    std::rotate(fit.candidates.begin(), fit.candidates.begin() + 1, fit.candidates.end());
  }
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
