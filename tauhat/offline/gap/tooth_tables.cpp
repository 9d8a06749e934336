#include "tauhat/offline/gap/tooth_tables.hpp"

#include <cmath>
#include <optional>

#include "tauhat/offline/gap/tooth_learner.hpp"

namespace tauhat {
namespace {

void sweep(GapSpec spec, const Timeline& timeline, std::size_t learned, ToothLearner& learner) {
  spec.wheels[static_cast<std::size_t>(timeline.sensors[learned].output)].is_true = true;
  const auto estimator = make_gap_estimator(spec);
  learner.begin_sweep();
  for (std::size_t k = 0; k < timeline.size(); ++k) {
    for (std::size_t i = 0; i < timeline.sensors.size(); ++i) {
      const Timeline::Sensor& sensor = timeline.sensors[i];
      const bool learns = i == learned && !sensor.tooth.empty() && sensor.tooth[k] >= 0;
      const auto tooth = learns ? static_cast<std::size_t>(sensor.tooth[k]) : 0;
      Measurement<double> z{sensor.output, sensor.value[k], sensor.variance};
      if (learns) {
        z.value += learner.error(tooth);
        z.variance *= ToothLearner::kCaution * ToothLearner::kCaution;
      }
      const Correction<double> done = estimator->correct(z);
      if (learns && done.status == StepStatus::ok) learner.learn(tooth, done.innovation, done.variance);
    }
    if (k + 1 < timeline.size()) estimator->predict({&timeline.inputs[0][k], 1}, timeline.interval(k));
  }
}

}  // namespace

bool keeps_its_count(const GapSpec& spec, const Timeline& timeline, const Replay& replay, std::size_t sensor) {
  const Timeline::Sensor& wheel = timeline.sensors[sensor];
  const auto output = static_cast<std::size_t>(wheel.output);
  std::optional<double> first;
  for (std::size_t k = 0; k < timeline.size(); ++k) {
    if (!std::isfinite(replay.innovations[sensor].innovation[k])) continue;  // refused
    const double slipped = std::round((wheel.value[k] - replay.filtered[output].value[k]) / spec.wheels[output].pitch);
    if (!std::isfinite(slipped)) continue;  // no pulse, or not started yet
    if (!first) first = slipped;
    if (slipped != *first) return false;
  }
  return true;
}

ToothTable learn_tooth_table(const GapSpec& spec, const Timeline& timeline, std::size_t sensor, const PulseSpec& wheel,
                             const std::function<void(double)>& progress) {
  ToothLearner learner(static_cast<std::size_t>(wheel.teeth), std::sqrt(timeline.sensors[sensor].variance),
                       static_cast<std::size_t>(wheel.missing));
  for (int pass = 0; pass < ToothLearner::kSweeps; ++pass) {
    sweep(spec, timeline, sensor, learner);
    if (progress) progress((pass + 1.0) / ToothLearner::kSweeps);
  }
  ToothTable table{timeline.sensors[sensor].signal, learner.errors(), {}};
  for (std::size_t i = 0; i < table.error.size(); ++i) table.std.push_back(std::sqrt(learner.variance(i)));
  return table;
}

}  // namespace tauhat
