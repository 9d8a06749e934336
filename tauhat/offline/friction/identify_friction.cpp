#include "tauhat/offline/friction/identify_friction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/friction/curve_fit.hpp"
#include "tauhat/offline/friction/excerpt.hpp"
#include "tauhat/offline/friction/free_friction.hpp"
#include "tauhat/offline/friction/motion_choice.hpp"
#include "tauhat/offline/friction/refined_law.hpp"
#include "tauhat/offline/friction/selection.hpp"
#include "tauhat/offline/friction/unexplained_motion.hpp"
#include "tauhat/offline/quantile.hpp"

namespace tauhat {
namespace {

constexpr std::size_t kFewestSamples = 200;
// Of a longer record the smoother, which keeps all that it did, takes the most telling part; a law is chosen by less,
// and its noise by less still.
constexpr std::size_t kLongestSmoothed = 200'000, kLongestJudged = 40'000, kLongestTuned = 12'000;

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

void widen(ParametricTracks& tracks, double factor) {
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

// Where a cell holds what no force is, 1e308, there is nothing left that a law could be fitted to.
void require_followed(const BlindSmoothing& blind, const std::string& source) {
  const auto& friction = blind.friction.value;
  if (std::all_of(friction.begin(), friction.end(), [](double f) { return std::isfinite(f); })) return;
  throw Error(ExitCode::untrusted, fmt::format("{}: the filter lost the axis: force or position hold values that no "
                                               "axis follows. Check their units, and the log for broken cells",
                                               source));
}

// The blind smoother takes the axis for what it is told; candidates say how it would rather be, where it is known only
// so well. It is smoothed anew with that of the best.
struct Candidates {
  Excerpt whole, judged;
};
Candidates fit_candidates(FrictionFit& fit, const Timeline& timeline, const FrictionOptions& options) {
  fit.blind_options = blind_options_for(fit.axis, timeline, {options.start, options.start_std, options.intensity});
  fit.blind_options.intensity *= options.intensity_scale;
  fit.blind = smooth_blindly(fit.axis, timeline, fit.blind_options);
  require_followed(fit.blind, options.source);
  fit.noise_variance = position_variance(timeline, fit.blind);
  Candidates found{telling_excerpt(timeline, fit.blind, kLongestSmoothed), {}};
  found.judged = telling_excerpt(found.whole.timeline, found.whole.blind, kLongestJudged);
  const auto& [first, judged, blind] = found.judged;
  const Timeline::Sensor& sensor = observed_sensor(timeline);
  fit.candidates = fit_all_laws(fit.axis, judged, blind,
                                {.bandwidth = observer_bandwidth(fit.axis, blind, sensor),
                                 .offset = options.offset,
                                 .inputs = input_columns(fit.given, fit.axis, judged, blind, sensor.variance)});
  return found;
}

Candidates fit_candidates_and_axis(FrictionFit& fit, const Timeline& timeline, const FrictionOptions& options) {
  constexpr int kRounds = 3;
  for (int round = 1; round < kRounds && !fit.given.empty(); ++round) {
    fit_candidates(fit, timeline, options);
    fit.axis = with_moved(fit.axis, fit.given.uncertain, fit.candidates.front().moved_inputs);
  }
  return fit_candidates(fit, timeline, options);
}

// The best law with its numbers.
void take(const Refined& chosen, const Axis<double>& axis, FrictionFit& fit) {
  fit.parametric = chosen.tracks;
  fit.law = chosen.law;
  fit.spec = chosen.spec;
  fit.slow = chosen.spec.slow;
  fit.axis = chosen.spec.axis;
  fit.axis.offset = fit.parametric.offset.value;
  // The blind friction had to carry the constant force; the law does not.
  for (Track* track : {&fit.blind.friction, &fit.blind.filtered_friction}) {
    for (double& value : track->value) value -= fit.axis.offset - axis.offset;
  }
  fit.unexplained = unexplained_force(fit);
}

// Of shorter to longer excerpts.
struct Excerpts {
  const Excerpt &tuned, &judged, &whole;
};

// The law whose own motion is the record's, which `fit` then has; false: there is none.
bool take_by_motion(FrictionFit& fit, const Axis<double>& axis, const Excerpts& of, bool offset_unknown) {
  // What is known only so well moves along with the filter's numbers.
  if (!fit.given.empty()) return false;
  FrictionFit moved = fit;  // the candidates' order is only changed where the choice stands
  const std::optional<MotionFit> found = choose_by_motion(moved, of.whole, offset_unknown);
  if (!found) return false;
  const std::optional<Refined> refined = refine_by_motion(*found, moved, of.tuned, of.whole, offset_unknown);
  if (!refined) return false;
  take(*refined, axis, moved);
  moved.motion = found, moved.slow = 0.0;
  fit = std::move(moved);
  return true;
}

// The best law, which `fit` then has. Where it leaves more than noise the likeliest are looked at again, from where
// their filters have come to: a regression that is coarse around standstill may have started them beside their numbers.
Refined choose(FrictionFit& fit, const Axis<double>& axis, const FrictionCurve& curve, const Excerpts& of,
               bool offset_unknown) {
  const FrictionFit blind = fit;
  const std::vector<Rival> rivals = rank_by_likelihood(fit, curve, of.tuned, of.judged, offset_unknown);
  Refined chosen = refine_best(rivals, of.whole, offset_unknown, fit);
  take(chosen, axis, fit);
  constexpr double kFarOff = 0.1;  // of the friction: no numbers of these laws come near
  if (!fit.unexplained.is_significant() || fit.unexplained.share > kFarOff) return chosen;
  FrictionFit other = blind;
  const std::vector<Rival> again = rank_again(rivals, other, of.tuned, of.judged, offset_unknown);
  Refined better = refine_best(again, of.whole, offset_unknown, other);
  if (!better.is_followed() || !is_worse(chosen, better)) return chosen;
  take(better, axis, other);
  fit = std::move(other);
  return better;
}

}  // namespace

FrictionFit identify_friction(const Axis<double>& axis, const Timeline& timeline, const FrictionOptions& options) {
  require_enough(timeline, options.source);
  const auto show = [&](const char* stage, double share) {
    if (options.progress) options.progress(stage, share);
  };
  FrictionFit fit;
  fit.axis = axis;
  fit.given = {axis, options.uncertain};
  show("fitting laws", 0.0);
  const auto [whole, judged] = fit_candidates_and_axis(fit, timeline, options);
  fit.timeline = whole.timeline;
  fit.blind = whole.blind;
  show("comparing", 0.5);
  const Excerpt tuned = telling_excerpt(judged.timeline, judged.blind, kLongestTuned);
  const FrictionCurve curve = moving_curve(judged.blind, fit.clearly_moving());
  fit.curves = fit_all_curves(curve, options.offset);
  const Excerpts excerpts{tuned, judged, whole};
  if (take_by_motion(fit, axis, excerpts, options.offset)) {
    fit.untold = untold_parameters(fit);
    show("refining", 1.0);
    return fit;
  }
  const Refined chosen = choose(fit, axis, curve, excerpts, options.offset);
  fit.untold = untold_parameters(fit);
  const double widened = widening(fit.parametric);
  fit.inputs_covariance = covariance_of_inputs(fit.given, chosen.told_of_inputs, widened);
  fit.by_model = spread_by_slow_motion(fit.spec, fit.parametric, fit.timeline, usual_size(fit.blind.velocity, 0.99),
                                       usual_size(fit.blind.friction, 0.5), widened);
  if (fit.unexplained.is_significant()) fit.by_model += spread_by_unexplained(fit, fit.unexplained);
  widen(fit.parametric, widened);
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

double FrictionFit::model_std(std::size_t parameter) const {
  const auto i = static_cast<Eigen::Index>(parameter);
  return by_model.size() > 0 ? std::sqrt(std::max(by_model(i, i), 0.0)) : 0.0;
}

Eigen::VectorXd FrictionFit::steady_gradient(double velocity) const {
  // By differences, a ten thousandth of each parameter's size.
  const auto n = static_cast<Eigen::Index>(parametric.parameters.size());
  Eigen::VectorXd gradient(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double step = 1e-4 * std::max(std::abs(parametric.parameters[at].value), 1e-9);
    gradient[i] = (law_with(at, step).steady_force(velocity) - law.steady_force(velocity)) / step;
  }
  return gradient;
}

double FrictionFit::steady_force_std(double velocity) const {
  const Eigen::VectorXd gradient = steady_gradient(velocity);
  const Eigen::Index n = gradient.size();
  double variance = gradient.dot(parametric.covariance * gradient);
  if (by_inputs.size() > 0) variance += gradient.dot(by_inputs * gradient);
  if (by_model.size() > 0) variance += std::max(gradient.dot(by_model.topLeftCorner(n, n) * gradient), 0.0);
  return std::sqrt(std::max(variance, 0.0));
}

}  // namespace tauhat
