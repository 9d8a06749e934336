#include "tauhat/offline/gap/tooth_tables.hpp"

#include <cmath>

#include "tauhat/offline/gap/tooth_learner.hpp"

namespace tauhat {
namespace {

struct Wheel {
  std::size_t sensor;  // of the timeline
  ToothLearner learner;
};

void sweep(const GapSpec& spec, const Timeline& timeline, std::vector<Wheel>& wheels) {
  const auto estimator = make_gap_estimator(spec);
  for (Wheel& wheel : wheels) wheel.learner.begin_sweep();
  for (std::size_t k = 0; k < timeline.size(); ++k) {
    for (std::size_t i = 0; i < timeline.sensors.size(); ++i) {
      const Timeline::Sensor& sensor = timeline.sensors[i];
      Wheel* wheel = nullptr;
      for (Wheel& w : wheels)
        if (w.sensor == i && !sensor.tooth.empty() && sensor.tooth[k] >= 0) wheel = &w;
      Measurement<double> z{sensor.output, sensor.value[k], sensor.variance};
      if (wheel) {
        z.value += wheel->learner.error(static_cast<std::size_t>(sensor.tooth[k]));
        z.variance *= ToothLearner::kCaution * ToothLearner::kCaution;
      }
      const Correction<double> done = estimator->correct(z);
      if (wheel && done.status == StepStatus::ok)
        wheel->learner.learn(static_cast<std::size_t>(sensor.tooth[k]), done.innovation, done.variance);
    }
    if (k + 1 < timeline.size()) estimator->predict({&timeline.inputs[0][k], 1}, timeline.interval(k));
  }
}

}  // namespace

std::vector<ToothTable> learn_tooth_tables(const GapSpec& spec, const Timeline& timeline, const std::vector<int>& teeth,
                                           const std::function<void(double)>& progress) {
  std::vector<Wheel> wheels;
  for (std::size_t i = 0; i < timeline.sensors.size(); ++i) {
    if (teeth[i] > 0)
      wheels.push_back({i, ToothLearner(static_cast<std::size_t>(teeth[i]), std::sqrt(timeline.sensors[i].variance))});
  }
  for (int pass = 0; pass < ToothLearner::kSweeps; ++pass) {
    sweep(spec, timeline, wheels);
    if (progress) progress((pass + 1.0) / ToothLearner::kSweeps);
  }
  std::vector<ToothTable> tables;
  for (const Wheel& wheel : wheels) {
    ToothTable table{timeline.sensors[wheel.sensor].signal, wheel.learner.errors(), {}};
    for (std::size_t i = 0; i < table.error.size(); ++i) table.std.push_back(std::sqrt(wheel.learner.variance(i)));
    tables.push_back(std::move(table));
  }
  return tables;
}

}  // namespace tauhat
