#include "tauhat/offline/joint/joint_results.hpp"

#include "tauhat/offline/report/series.hpp"

namespace tauhat {

const Timeline::Sensor* find_sensor(const Timeline& timeline, const char* signal) {
  for (const auto& sensor : timeline.sensors)
    if (sensor.signal == signal) return &sensor;
  return nullptr;
}

void add_result(const std::string& name, double value, const std::string& unit, const UncertaintyBudget& budget,
                double lowest, const std::string& note, Report& report) {
  Result& result = report.results.emplace_back(with_interval(name, value, budget.total(), unit, lowest));
  result.budget = budget, result.note = note;
}

}  // namespace tauhat
