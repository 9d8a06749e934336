#include "tauhat/offline/joint/axes_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/identify/online.hpp"
#include "tauhat/offline/joint/axes_estimator.hpp"
#include "tauhat/offline/joint/design_report.hpp"
#include "tauhat/offline/joint/velocity_quality.hpp"
#include "tauhat/offline/report/series.hpp"

namespace tauhat {
namespace {

const AxesSpec& with_observers(const Study& study, const char* purpose) {
  if (study.elastic_axes->observers.empty())
    throw Error(ExitCode::wrong_use, fmt::format("{}: has no [[observer]] to {}", study.source, purpose));
  return *study.elastic_axes;
}

// ---- design

std::string origin_of(const AxesSpec& spec, const AxesObserver& observer, const AxesDesign& design) {
  return fmt::format(
      "Stationary Kalman gain{}{}; noise torques by spectral density, integrated over a sample. Residual of its "
      "Riccati equation {:.1e}. Spectral radius {:.9g}.",
      observer.coupled ? "" : " of each axis alone",
      spec.robot ? fmt::format(" at the study's pose, the model follows every {} samples", spec.every) : "",
      design.residual, design.radius);
}

void add_design(const AxesSpec& spec, const AxesObserver& observer, const AxesDesign& design, Report& report) {
  Section section{observer.name, origin_of(spec, observer, design), {}, {}};
  Table gains{"gain L, a column for each motor", {"state"}, {}};
  gains.columns.insert(gains.columns.end(), spec.names.begin(), spec.names.end());
  for (std::size_t i = 0; i < design.states.size(); ++i) {
    gains.rows.push_back({design.states[i]});
    for (std::size_t motor = 0; motor < spec.count(); ++motor) {
      const double gain = design.gain(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(motor));
      gains.rows.back().push_back(fmt::format("{:.9g}", gain));
      report.results.push_back(
          {.name = fmt::format("{}.gain.{}.by.{}", observer.name, design.states[i], spec.names[motor]),
           .value = gain,
           .unit = "1"});
    }
  }
  Table poles{"poles of the error", {"frequency [Hz]", "damping"}, {}};
  for (const auto& [frequency, damping] : design.poles)
    poles.rows.push_back({fmt::format("{:.5g}", frequency), fmt::format("{:.4g}", damping)});
  section.tables = {std::move(gains), std::move(poles)};
  report.sections.push_back(std::move(section));
}

// ---- comparison

struct AxisVelocity {
  std::vector<double> velocity;
  VelocityQuality quality;
};
// An observer's velocities, axis by axis.
struct Row {
  std::string label;
  std::vector<AxisVelocity> axes;
  double worst_fit = -std::numeric_limits<double>::infinity();
};

struct Reference {
  std::string signal;
  std::vector<double> velocity;
};

std::optional<Reference> reference_of(const Timeline& timeline, const AxesSpec& spec, std::size_t axis, double period) {
  const auto find = [&](AxisSignal signal) {
    return std::find_if(timeline.sensors.begin(), timeline.sensors.end(),
                        [&](const auto& sensor) { return sensor.signal == spec.signal(axis, signal); });
  };
  if (const auto velocity = find(axis_load_velocity); velocity != timeline.sensors.end())
    return Reference{velocity->signal, velocity->value};
  const auto position = find(axis_load_position);
  if (position == timeline.sensors.end()) return std::nullopt;
  Reference reference{position->signal + ", differentiated", encoder_velocity(without_holes(position->value), period)};
  for (std::size_t k = 0; k < position->value.size(); ++k)
    if (!std::isfinite(position->value[k])) reference.velocity[k] = std::nan("");
  return reference;
}

class Comparison {
 public:
  Comparison(const Study& study, const Log& log) : spec_(with_observers(study, "compare")) {
    report_.diagnostics = log.diagnostics;
    timeline_ = online_timeline(study, log, report_.diagnostics);
    period_ = spec_.period > 0.0 ? spec_.period : timeline_.median_interval();
    for (std::size_t axis = 0; axis < spec_.count(); ++axis)
      references_.push_back(reference_of(timeline_, spec_, axis, period_));
    if (std::none_of(references_.begin(), references_.end(), [](const auto& each) { return each.has_value(); }))
      throw Error(ExitCode::wrong_use,
                  fmt::format("{}: [log.channels] has no {} of any axis: compare needs a reference", study.source,
                              "load.velocity or load.position"));
    for (std::size_t axis = 0; axis < spec_.count(); ++axis) {
      const auto& position = motor(axis);
      variances_.push_back(position.variance);
      naive_.axes.push_back({central_velocity(position.value, spec_.ratio[axis], period_), {}});
    }
    naive_.label = "naive";
  }

  void run(const AxesSpec& spec, const AxesObserver& observer, const std::string& label) {
    const auto estimator = make_axes_estimator(spec, observer, period_, variances_);
    const Replay replay = estimator->replay(timeline_, {});
    if (rows_.empty())
      for (Diagnostic& remark : estimator->remarks()) report_.diagnostics.push_back(std::move(remark));
    Row row{label, {}};
    for (std::size_t axis = 0; axis < spec.count(); ++axis)
      row.axes.push_back({replay.filtered[axis * kAxisOutputs + axis_load_velocity].value, {}});
    add(std::move(row));
  }

  Report finish(const Study& study, const std::string& log) {
    add(std::move(naive_));
    std::stable_sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) { return a.worst_fit > b.worst_fit; });
    const auto naive = std::find_if(rows_.begin(), rows_.end(), [](const Row& row) { return row.label == "naive"; });
    report_.command = "compare";
    report_.title = fmt::format("Link velocities: {} on {}", study.source, log);
    report_.headline = fmt::format(
        "{} is best in its worst axis: FIT {:.2f} %, the motors' velocities over their ratios alone {:.2f} %.",
        rows_.front().label, rows_.front().worst_fit, naive->worst_fit);
    report_.sections.push_back({"Which observer", "", {}, {table("FIT %", &fit_text), table("rms mrad/s", &rms_text)}});
    Section velocities{"The velocities", "The best and the naive one; a click on its name shows another.", {}, {}};
    for (std::size_t axis = 0; axis < spec_.count(); ++axis) velocities.plots.push_back(plot(axis));
    report_.sections.push_back(std::move(velocities));
    report_.assumptions = study.assumptions;
    return std::move(report_);
  }

 private:
  const Timeline::Sensor& motor(std::size_t axis) const {
    return *std::find_if(timeline_.sensors.begin(), timeline_.sensors.end(),
                         [&](const auto& sensor) { return sensor.signal == spec_.signal(axis, axis_motor_position); });
  }

  void add(Row row) {
    row.worst_fit = std::numeric_limits<double>::infinity();
    for (std::size_t axis = 0; axis < spec_.count(); ++axis) {
      AxisVelocity& each = row.axes[axis];
      const auto& reference = references_[axis];
      each.quality = judge_velocity(each.velocity, reference ? &reference->velocity : nullptr, period_, {});
      const auto result = [&](const char* what, double value, const char* unit) {
        report_.results.push_back(
            {.name = fmt::format("{}.{}.{}", row.label, spec_.names[axis], what), .value = value, .unit = unit});
      };
      if (const auto& error = each.quality.error) {
        row.worst_fit = std::min(row.worst_fit, error->fit);
        result("fit", error->fit, "%");
        result("rms", error->rms, "rad/s");
        result("delay", error->delay, "s");
      }
      result("noise", each.quality.noise, "rad/s");
    }
    rows_.push_back(std::move(row));
  }

  static std::string fit_text(const VelocityError& error) { return fmt::format("{:.2f}", error.fit); }
  static std::string rms_text(const VelocityError& error) { return fmt::format("{:.2f}", 1e3 * error.rms); }

  Table table(const char* title, std::string (*text)(const VelocityError&)) const {
    Table table{title, {"observer"}, {}};
    table.columns.insert(table.columns.end(), spec_.names.begin(), spec_.names.end());
    for (const Row& row : rows_) {
      table.rows.push_back({row.label});
      for (const AxisVelocity& axis : row.axes)
        table.rows.back().push_back(axis.quality.error ? text(*axis.quality.error) : "");
    }
    return table;
  }

  Plot plot(std::size_t axis) const {
    Plot plot{.title = spec_.names[axis], .x_label = "time [s]", .y_label = "rad/s"};
    if (const auto& reference = references_[axis]) {
      plot.series.push_back(line(reference->signal, timeline_.time, reference->velocity));
      plot.series.back().dashed = true;
    }
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      plot.series.push_back(line(rows_[i].label, timeline_.time, rows_[i].axes[axis].velocity));
      plot.series.back().hidden = i > 0 && rows_[i].label != "naive";
    }
    return plot;
  }

  const AxesSpec& spec_;
  Timeline timeline_;
  double period_ = 0.0;
  std::vector<std::optional<Reference>> references_;
  std::vector<double> variances_;
  Row naive_;
  std::vector<Row> rows_;
  Report report_;
};

}  // namespace

Report axes_design_report(const Study& study) {
  const AxesSpec& spec = with_observers(study, "describe");
  const double period = required_period(study);
  std::vector<double> variances;
  for (std::size_t axis = 0; axis < spec.count(); ++axis) {
    const StudyChannel* position = study.find_channel(spec.signal(axis, axis_motor_position));
    variances.push_back(std::pow(position ? position->std.value_or(1e-6) : 1e-6, 2));
  }
  Report report;
  report.title = fmt::format("Observers of {}", study.source);
  report.headline =
      fmt::format("Sampled every {:.6g} us. x+ = A x + B u + L (y - C x), y the motors' positions.", 1e6 * period);
  for (const AxesObserver& observer : spec.observers)
    add_design(spec, observer, design_of(spec, observer, period, variances), report);
  return report;
}

Report compare_axes(const Study& study, const std::vector<Study>& others, const Log& log,
                    const std::function<void(const std::string&, double)>& progress) {
  Comparison comparison(study, log);
  std::vector<const Study*> sets{&study};
  for (const Study& other : others) {
    if (other.elastic_axes->count() != study.elastic_axes->count())
      throw Error(ExitCode::wrong_use,
                  fmt::format("{}: has {} axes, and {} has {}", other.source, other.elastic_axes->count(), study.source,
                              study.elastic_axes->count()));
    sets.push_back(&other);
  }
  const auto& observers = study.elastic_axes->observers;
  const auto all = static_cast<double>(sets.size() * observers.size());
  double done = 0.0;
  for (const Study* set : sets) {
    for (const AxesObserver& observer : observers) {
      if (progress) progress(observer.name, done++ / all);
      comparison.run(*set->elastic_axes, observer,
                     set == &study ? observer.name : fmt::format("{}.{}", set->source, observer.name));
    }
  }
  return comparison.finish(study, log.source);
}

}  // namespace tauhat
