#include "tauhat/offline/replay/step_by_step.hpp"

#include <cmath>
#include <limits>

namespace tauhat {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

void correct(Estimator& estimator, const Timeline& timeline, std::size_t k, const ReplayOptions& options,
             Replay& result) {
  for (std::size_t i = 0; i < timeline.sensors.size(); ++i) {
    const auto& sensor = timeline.sensors[i];
    const Correction<double> done = estimator.correct({sensor.output, sensor.value[k], sensor.variance});
    const bool used = done.status == StepStatus::ok;
    if (options.tracks) {
      result.innovations[i].innovation.push_back(used ? done.innovation : kUnknown);
      result.innovations[i].std.push_back(used ? std::sqrt(done.variance) : kUnknown);
    }
    if (!sensor.assumed && k >= options.settling) result.count(done);
  }
}

void read(const Estimator& estimator, Replay& result) {
  for (std::size_t i = 0; i < result.filtered.size(); ++i) {
    double value = 0.0, std = 0.0;
    estimator.estimate(static_cast<int>(i), value, std);
    result.filtered[i].value.push_back(value);
    result.filtered[i].std.push_back(std);
  }
}

}  // namespace

Replay replay_step_by_step(Estimator& estimator, const Timeline& timeline, const ReplayOptions& options) {
  estimator.reset();
  Replay result;
  if (options.tracks) {
    result.filtered.resize(estimator.outputs().size());
    result.innovations.resize(timeline.sensors.size());
    for (Track& track : result.filtered) track.value.reserve(timeline.size()), track.std.reserve(timeline.size());
    for (Innovations& each : result.innovations)
      each.innovation.reserve(timeline.size()), each.std.reserve(timeline.size());
  }
  std::vector<double> input(timeline.inputs.size());
  for (std::size_t k = 0; k < timeline.size(); ++k) {
    correct(estimator, timeline, k, options, result);
    read(estimator, result);
    if (k + 1 < timeline.size()) {
      for (std::size_t i = 0; i < input.size(); ++i) input[i] = timeline.inputs[i][k];
      const StepStatus status = estimator.predict(input, timeline.interval(k));
      result.failed += status != StepStatus::ok;
    }
    if (options.progress && k % 4096 == 0)
      options.progress(static_cast<double>(k) / static_cast<double>(timeline.size()));
  }
  return result;
}

}  // namespace tauhat
