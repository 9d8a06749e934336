#include "tauhat/offline/simulate/simulate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "tauhat/offline/simulate/excitation.hpp"
#include "tauhat/offline/simulate/integration.hpp"
#include "tauhat/offline/simulate/require.hpp"
#include "tauhat/offline/simulate/sensors.hpp"
#include "tauhat/offline/simulate/timetable.hpp"

namespace tauhat {
namespace {

constexpr double kMostRows = 1e8;

Rows rows_of(const SimulationSpec& spec) {
  require_positive("simulation.duration", spec.duration, "s");
  require_positive("simulation.period", spec.period, "s");
  const double intervals = std::round(spec.duration / spec.period);
  if (intervals < 1.0) refuse("simulation.duration", spec.duration, "s", "is shorter than one sample");
  if (intervals > kMostRows) {
    refuse("simulation.period", spec.period, "s", fmt::format("gives more than {:.0e} samples", kMostRows));
  }
  return {static_cast<std::size_t>(intervals) + 1, spec.period};
}

void check_integration(const Truth& truth, const SimulationSpec& spec) {
  require_not_negative("simulation.input_delay", spec.input_delay, "s");
  const bool usable = spec.tolerance >= 1e-14 && spec.tolerance <= 1e-2;
  if (!usable) {
    refuse("simulation.tolerance", spec.tolerance, "", "must lie between 1e-14 and 0.01");
  }
  require_positive("simulation.substeps", spec.substeps, "");
  if (!spec.start.empty() && spec.start.size() != static_cast<std::size_t>(truth.states)) {
    throw Error(ExitCode::wrong_use, fmt::format("simulation.start has {} values: the drive has {} states",
                                                 spec.start.size(), truth.states));
  }
  for (const double x : spec.start) require_finite("simulation.start", x, "");
}

std::vector<double> start_of(const Truth& truth, const SimulationSpec& spec) {
  if (!spec.start.empty()) return spec.start;
  return truth.rest.empty() ? std::vector<double>(static_cast<std::size_t>(truth.states), 0.0) : truth.rest;
}

double substeps_for(const Truth& truth, const SimulationSpec& spec) {
  const double needed = std::ceil(truth.fastest_rate * spec.period / kRateTimesLongestStep);
  if (needed > std::max<double>(kMostStepsUnasked, spec.substeps)) {
    refuse("simulation.substeps", spec.substeps, "",
           fmt::format("this drive's fastest motion, {:.2g} 1/s, needs {:.0f} a sample; the integrator cvode is faster "
                       "for it",
                       truth.fastest_rate, needed));
  }
  return std::max<double>(needed, spec.substeps);
}

std::unique_ptr<Integration> start_integration(const Truth& truth, const SimulationSpec& spec) {
  std::vector<double> start = start_of(truth, spec);
  if (spec.integrator == Integrator::cvode) return integrate_by_cvode(truth, std::move(start), spec.tolerance);
  return integrate_by_runge_kutta(truth, std::move(start), spec.period / substeps_for(truth, spec));
}

// For each row, the next one whose input differs.
std::vector<std::size_t> next_changes(const std::vector<double>& input) {
  std::vector<std::size_t> next(input.size(), input.size());
  for (std::size_t row = input.size() - 1; row-- > 0;) {
    next[row] = input[row + 1] != input[row] ? row + 1 : next[row + 1];
  }
  return next;
}

// Carries a drive from sample to sample and notes what it does.
class Run {
 public:
  Run(const Truth& truth, const SimulationSpec& spec, const Rows& rows, Simulated& result)
      : truth_(truth),
        rows_(rows),
        result_(result),
        table_(make_timetable(spec)),
        next_change_(next_changes(result.input)),
        drive_(start_integration(truth, spec)) {
    result_.truth.assign(truth.outputs.size(), std::vector<double>(rows.count));
    // Until a sensor has seen the drive move it reports the start.
    for (const Sensor& sensor : spec.sensors) {
      outputs_.push_back(index_of(truth.outputs, sensor.output));
      result_.sensors.emplace_back(rows.count, drive_->output(outputs_.back()));
    }
    drive_->hold(0.0, arrival(0));  // and before the first torque arrives there is none
  }

  void pass(std::size_t row) {
    const bool last = row + 1 == rows_.count;
    for (const Instant& instant : table_.instants) {
      if (last && instant.offset > 0.0) break;
      drive_->advance(rows_.time(row) + instant.offset);
      if (instant.input_arrives && row >= table_.input_rows) hold(row - table_.input_rows);
      if (instant.offset == 0.0) note_truth(row);
      for (const std::size_t sensor : instant.sensors) look(sensor, row);
    }
    result_.contacts = static_cast<long>(drive_->contacts().size());
  }

 private:
  double arrival(std::size_t logged_row) const {
    const auto instant =
        std::find_if(table_.instants.begin(), table_.instants.end(), [](const Instant& i) { return i.input_arrives; });
    return rows_.time(logged_row + table_.input_rows) + instant->offset;
  }

  void hold(std::size_t logged_row) {
    const bool same = logged_row > 0 && result_.input[logged_row] == result_.input[logged_row - 1];
    if (!same) drive_->hold(result_.input[logged_row], arrival(next_change_[logged_row]));
  }

  void note_truth(std::size_t row) {
    for (std::size_t output = 0; output < truth_.outputs.size(); ++output) {
      result_.truth[output][row] = drive_->output(static_cast<int>(output));
    }
  }

  void look(std::size_t sensor, std::size_t row) {
    const std::size_t reported = row + table_.look_rows[sensor];
    if (reported < rows_.count) result_.sensors[sensor][reported] = drive_->output(outputs_[sensor]);
  }

  const Truth& truth_;
  Rows rows_;
  Simulated& result_;
  Timetable table_;
  std::vector<std::size_t> next_change_;
  std::unique_ptr<Integration> drive_;
  std::vector<int> outputs_;  // that the sensors see
};

}  // namespace

Simulated simulate(const Truth& truth, const SimulationSpec& spec, std::uint64_t seed,
                   const std::function<void(double)>& progress) {
  const Rows rows = rows_of(spec);
  check_integration(truth, spec);
  for (const Sensor& sensor : spec.sensors) check_sensor(sensor, truth.outputs);

  Simulated result;
  result.input = excite(spec.excitation, rows, seed);
  Run run(truth, spec, rows, result);
  const std::size_t rows_per_report = std::max<std::size_t>(1, rows.count / 200);
  for (std::size_t row = 0; row < rows.count; ++row) {
    result.time.push_back(rows.time(row));
    run.pass(row);
    if (progress && row % rows_per_report == 0)
      progress(static_cast<double>(row + 1) / static_cast<double>(rows.count));
  }
  for (std::size_t i = 0; i < spec.sensors.size(); ++i) {
    read_sensor(spec.sensors[i], seed, i, result.sensors[i]);
    if (!spec.sample_at_start) result.sensors[i].front() = std::numeric_limits<double>::quiet_NaN();
  }
  if (progress) progress(1.0);
  return result;
}

}  // namespace tauhat
