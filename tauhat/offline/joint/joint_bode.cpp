#include "tauhat/offline/joint/joint_bode.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/joint/error_response.hpp"
#include "tauhat/offline/joint/frequency_response.hpp"
#include "tauhat/offline/joint/joint_model.hpp"
#include "tauhat/offline/joint/joint_response.hpp"
#include "tauhat/offline/report/series.hpp"

namespace tauhat {
namespace {

constexpr std::size_t kPoints = 300;
constexpr double kLowest = 1.0, kHighest = 60.0;  // Hz: no joint of a robot swings faster

std::vector<double> model_frequencies(double period) {
  return spread_frequencies(kLowest, std::min(kHighest, 0.4 / period), kPoints);
}

double decibel(const std::complex<double>& gain) { return 20.0 * std::log10(std::abs(gain)); }

Plot frequency_plot(const std::string& title, const std::string& unit, const std::string& caption) {
  return {.title = title,
          .x_label = "frequency [Hz]",
          .y_label = unit,
          .caption = caption,
          .series = {},
          .logarithmic_x = true};
}

Series series_of(const BodeCurve& curve, std::vector<double> values) {
  return curve.measured ? markers(curve.name, curve.frequency, std::move(values))
                        : line(curve.name, curve.frequency, std::move(values));
}

}  // namespace

std::vector<Plot> bode_plots(const std::string& title, const std::string& unit, const std::vector<BodeCurve>& curves) {
  Plot magnitude = frequency_plot(title, "dB of " + unit, ""), phase = frequency_plot(title + ": phase", "deg", "");
  for (const BodeCurve& curve : curves) {
    std::vector<double> size, angle;
    for (const auto& gain : curve.gain) {
      size.push_back(decibel(gain));
      angle.push_back(std::arg(gain) * 180.0 / std::numbers::pi);
    }
    magnitude.series.push_back(series_of(curve, std::move(size)));
    phase.series.push_back(series_of(curve, std::move(angle)));
  }
  return {std::move(magnitude), std::move(phase)};
}

BodeCurve plant_curve(const std::string& name, const ElasticJoint<double>& joint, double period) {
  BodeCurve curve{name, model_frequencies(period), {}};
  const SampledJoint sampled(joint, period);
  for (const double f : curve.frequency) curve.gain.push_back(sampled.gain(f));
  return curve;
}

BodeCurve virtual_sensor_curve(const std::string& name, const ElasticJoint<double>& joint, double period) {
  BodeCurve curve{name, model_frequencies(period), {}};
  for (const double f : curve.frequency) curve.gain.push_back(joint.ratio * virtual_sensor_gain(joint, f));
  return curve;
}

std::optional<BodeCurve> measured_curve(const std::string& name, const std::vector<double>& input,
                                        const std::vector<double>& output, double period) {
  constexpr double kResolution = 0.5;  // Hz
  constexpr std::size_t kLeastLines = 10;
  try {
    const FrequencyResponse response = coherent_part(broadband_response(
        input, output,
        {.period = period, .resolution = kResolution, .band = {kLowest, std::min(kHighest, 0.4 / period)}}));
    if (response.size() < kLeastLines) return std::nullopt;
    return BodeCurve{name, response.frequency, response.gain, true};
  } catch (const Error&) {  // too short, holes, or nothing moves: there is nothing to draw
    return std::nullopt;
  }
}

std::vector<Plot> error_plots(const JointSpec& spec, double period, double sensor_variance) {
  const std::vector<double> frequency = spread_frequencies(0.1, 0.45 / period, kPoints);
  Plot friction = frequency_plot("Friction of the motor in the error of the link's velocity", "dB of rad/s per N m",
                                 "A torque at the motor that no model says. Low is good.");
  Plot external = frequency_plot("A torque at the link in it", "dB of rad/s per N m",
                                 "What the observer does not know of gravity, contact and neighbours.");
  Plot noise = frequency_plot("The sensor's noise in it", "dB of rad/s per rad",
                              "Fast observers let it through. A rising line differentiates.");
  for (const ObserverSpec& observer : spec.observers) {
    using Kind = ObserverSpec::Kind;
    if (observer.kind != Kind::luenberger && observer.kind != Kind::kalman) continue;
    const ErrorResponse response = error_response(spec, observer, period, sensor_variance, frequency);
    const auto add = [&](Plot& plot, const std::vector<std::complex<double>>& gains) {
      std::vector<double> size;
      for (const auto& gain : gains) size.push_back(decibel(gain));
      plot.series.push_back(line(observer.name, frequency, std::move(size)));
    };
    add(friction, response.by_motor_torque);
    add(external, response.by_load_torque);
    add(noise, response.by_sensor);
  }
  if (friction.series.empty()) return {};
  return {std::move(friction), std::move(external), std::move(noise)};
}

}  // namespace tauhat
