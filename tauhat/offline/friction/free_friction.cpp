#include "tauhat/offline/friction/free_friction.hpp"

#include <algorithm>
#include <cmath>

#include "tauhat/core/filters/ekf.hpp"
#include "tauhat/offline/identify/intensity.hpp"
#include "tauhat/offline/quantile.hpp"
#include "tauhat/offline/replay/estimator_of.hpp"

namespace tauhat {
namespace {

const Timeline::Sensor* find_sensor(const Timeline& timeline, int output) {
  for (const auto& sensor : timeline.sensors) {
    if (sensor.output == output) return &sensor;
  }
  return nullptr;
}

double first_finite(const std::vector<double>& values) {
  const auto found = std::find_if(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
  return found == values.end() ? 0.0 : *found;
}

// Means of what is there, over so many samples each.
std::vector<double> block_means(const std::vector<double>& values, std::size_t block) {
  std::vector<double> means;
  for (std::size_t first = 0; first + block <= values.size(); first += block) {
    double sum = 0.0, count = 0.0;
    for (std::size_t k = first; k < first + block; ++k) {
      if (std::isfinite(values[k])) sum += values[k], count += 1.0;
    }
    if (count > 0.0) means.push_back(sum / count);
  }
  return means;
}

// Speeds over a five-hundredth of the record each: short beside its motion, long beside the sensor's noise.
std::vector<double> rough_velocity(const Timeline& timeline) {
  const std::size_t reach = std::max<std::size_t>(1, timeline.size() / 500);
  if (const auto* velocity = find_sensor(timeline, Axis<double>::velocity_output))
    return block_means(velocity->value, reach);
  const auto& x = find_sensor(timeline, Axis<double>::position_output)->value;
  std::vector<double> v;
  for (std::size_t k = reach; k + reach < x.size(); k += reach)
    v.push_back((x[k + reach] - x[k - reach]) / (timeline.time[k + reach] - timeline.time[k - reach]));
  std::erase_if(v, [](double value) { return !std::isfinite(value); });
  return v;
}

// The force that friction can at most be: what is applied, and what slows the axis down.
double usual_force(const Axis<double>& axis, const Timeline& timeline, const std::vector<double>& velocity) {
  double applied = 0.0;
  for (const double u : timeline.inputs[0]) {
    if (std::isfinite(u)) applied += u * u;
  }
  applied = std::sqrt(applied / static_cast<double>(timeline.size()));
  const double duration = timeline.time.back() - timeline.time.front();
  double change = 0.0;
  for (std::size_t i = 1; i < velocity.size(); ++i) change += std::abs(velocity[i] - velocity[i - 1]);
  return std::max(applied, axis.mass * change / std::max(duration, 1e-300));
}

}  // namespace

std::unique_ptr<Estimator> make_friction_estimator(const Axis<double>& axis, const BlindOptions& options) {
  using F = Ekf<FreeFriction>;
  EstimatorTraits<F> traits;
  for (const Signal& signal : Axis<double>::kOutputs)
    traits.outputs.push_back({std::string(signal.name), std::string(signal.unit)});
  traits.set_intensity = [](FreeFriction& m, double value) { m.intensity = value; };
  traits.intensity = [](const FreeFriction& m) { return m.intensity; };
  const auto prior = Gaussian<double, FreeFriction::kStates>::from_variances(
      {options.start[0], options.start[1], options.start[2]},
      {options.variances[0], options.variances[1], options.variances[2]});
  return std::make_unique<EstimatorOf<F>>(F(FreeFriction{axis, options.intensity, 0.0}, prior), std::move(traits));
}

BlindOptions blind_options_for(Axis<double>& axis, const Timeline& timeline, const BlindPrior& prior) {
  const std::vector<double> velocity = rough_velocity(timeline);
  const double force = std::max(usual_force(axis, timeline, velocity), 1e-300);
  std::vector<double> speeds;
  for (const double v : velocity) speeds.push_back(std::abs(v));
  const double fast = quantile(speeds, 0.95);
  BlindOptions options;
  const auto* position = find_sensor(timeline, Axis<double>::position_output);
  const auto* speed = find_sensor(timeline, Axis<double>::velocity_output);
  options.start[0] = position ? first_finite(position->value) : prior.start;
  options.start[1] = speed ? first_finite(speed->value) : 0.0;
  options.variances[0] = position ? 4.0 * position->variance : std::max(1e-12, std::pow(prior.start_std, 2));
  options.variances[1] = speed ? 4.0 * speed->variance : fast * fast;
  options.variances[2] = force * force;
  // Motion that no force explains: next to none. It keeps the filter awake.
  axis.noise[Axis<double>::velocity] = timeline.median_interval() * std::pow(3e-4 * force / axis.mass, 2);
  options.intensity = prior.intensity.value_or(force);
  if (!prior.intensity) {
    // From the start on, where the prior holds: an excerpt from the middle begins at another position.
    constexpr std::size_t kJudged = 24000;
    const auto estimator = make_friction_estimator(axis, options);
    options.intensity = choose_intensity(*estimator, timeline.part(0, kJudged), options.intensity).intensity;
  }
  // A reversal is clear beyond five deviations of the smoothed speed; friction behind it may be a quarter off.
  BlindOptions first = options;
  first.reversal_passes = 0;
  const BlindSmoothing rough = smooth_blindly(axis, timeline, first);
  options.reversal_speed = std::max(5.0 * median(rough.velocity.std), 0.005 * fast);
  std::vector<double> sizes;
  for (const double f : rough.friction.value) sizes.push_back(std::abs(f));
  options.flip_variance = std::pow(0.25 * median(std::move(sizes)), 2);
  return options;
}

}  // namespace tauhat
