// Many seeded runs of a drive and its filter, and what they say of each other.
#pragma once

#include <numbers>
#include <vector>

#include "support/bands.hpp"
#include "support/drives.hpp"
#include "support/random.hpp"
#include "support/recorded_run.hpp"
#include "support/truth.hpp"

namespace tauhat {

struct MonteCarlo {
  int runs = 200, instants = 100;
  double interval = 5e-4, variance = 0.01;  // of both velocity sensors, (rad/s)^2
  double amplitude = 0.6, frequency = 5.0;  // of the motor's torque: it turns back and forth
};

// Per run: NEES of the filter at its end and of the smoother in its middle, smoothed errors there in
// deviations, and the normalised innovations of all runs in order.
struct Consistency {
  std::vector<double> filter_nees, smoother_nees, innovations;
  std::vector<Vector<double, 5>> smoothed_errors;

  std::vector<double> nis() const {
    std::vector<double> squares;
    for (const double e : innovations) squares.push_back(e * e);
    return squares;
  }
  double coverage(int state) const {
    double inside = 0.0;
    for (const auto& error : smoothed_errors) inside += std::abs(error[state]) < kNormal95 ? 1.0 : 0.0;
    return inside / static_cast<double>(smoothed_errors.size());
  }
};

// `next(x, u, draw)` is the truth's step; the first state is drawn from the prior.
template <class Next>
Consistency run_monte_carlo(const FreeTorqueDrive<double>& model, const MonteCarlo& plan, const Next& next) {
  using Drive = TwoMassDrive<double>;
  Consistency result;
  for (int run = 0; run < plan.runs; ++run) {
    Draw draw(static_cast<std::uint64_t>(1000 + run));
    const auto prior = hovland_prior();
    std::vector<Vector<double, 5>> truth{prior.mean + draw.sample<5>(prior.covariance())};
    std::vector<std::vector<Measurement<double>>> samples;
    std::vector<Vector<double, 1>> inputs;
    for (int k = 0; k < plan.instants; ++k) {
      inputs.emplace_back(plan.amplitude * std::sin(2.0 * std::numbers::pi * plan.frequency * k * plan.interval));
      const double noise = std::sqrt(plan.variance);
      samples.push_back({{Drive::motor_velocity_output, truth.back()[2] + noise * draw.normal(), plan.variance},
                         {Drive::load_velocity_output, truth.back()[3] + noise * draw.normal(), plan.variance}});
      if (k + 1 < plan.instants) truth.push_back(next(truth.back(), inputs.back(), draw));
    }
    HovlandFilter filter(model, prior);
    auto recorded = record_run(filter, samples, inputs, plan.interval);
    result.filter_nees.push_back(nees(filter.belief(), truth.back()));
    for (const auto& c : recorded.all) result.innovations.push_back(c.innovation / std::sqrt(c.variance));
    smooth_run(recorded);
    const auto middle = static_cast<std::size_t>(plan.instants / 2);
    const auto& smoothed = recorded.steps[middle].posterior;
    result.smoother_nees.push_back(nees(smoothed, truth[middle]));
    result.smoothed_errors.push_back(
        (truth[middle] - smoothed.mean).cwiseQuotient(smoothed.covariance().diagonal().cwiseSqrt()));
  }
  return result;
}

}  // namespace tauhat
