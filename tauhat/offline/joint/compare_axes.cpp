#include "tauhat/offline/joint/compare_axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/identify/online.hpp"
#include "tauhat/offline/joint/axes_check_report.hpp"
#include "tauhat/offline/joint/axes_estimator.hpp"
#include "tauhat/offline/joint/axes_response.hpp"
#include "tauhat/offline/joint/compare.hpp"
#include "tauhat/offline/joint/damping_trial.hpp"
#include "tauhat/offline/joint/naive_check.hpp"
#include "tauhat/offline/report/series.hpp"

namespace tauhat {
namespace {

constexpr const char* kNaive = "naive";

struct AxisVelocity {
  std::vector<double> velocity;
  FollowedSwing response;  // by the model
  VelocityQuality quality{};
  std::optional<double> damping{};  // of a loop that uses it
};
// An observer's velocities, axis by axis.
struct Row {
  std::string label;
  std::vector<AxisVelocity> axes;
  std::optional<double> cost{}, mean_nis{};  // s a step of all axes
  double worst_fit = std::numeric_limits<double>::infinity();
  double worst_missed = 0.0;  // share of a swing, by the model
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
  Comparison(const Study& study, const Log& log) : spec_(*study.elastic_axes) {
    if (spec_.observers.empty())
      throw Error(ExitCode::wrong_use, fmt::format("{}: has no [[observer]] to compare", study.source));
    report_.diagnostics = log.diagnostics;
    for (Diagnostic& still : axes_at_rest(spec_, log)) report_.diagnostics.push_back(std::move(still));
    timeline_ = online_timeline(study, log, report_.diagnostics);
    period_ = spec_.period > 0.0 ? spec_.period : timeline_.median_interval();
    model_ = model_axes(weightless(spec_), period_);
    const auto responses = naive_axes_response(model_);
    naive_.label = kNaive;
    for (std::size_t axis = 0; axis < spec_.count(); ++axis) {
      references_.push_back(reference_of(timeline_, spec_, axis, period_));
      const auto& position = motor(axis);
      variances_.push_back(position.variance);
      trials_.push_back(plan_damping_trial(model_, axis));
      // The motor's velocity says nothing that its loop does not know.
      naive_.axes.push_back(
          {central_velocity(position.value, spec_.ratio[axis], period_), responses[axis], {}, trials_.back().without});
    }
    has_reference_ = std::any_of(references_.begin(), references_.end(), [](const auto& r) { return r.has_value(); });
  }

  void run(const AxesSpec& believed, const AxesObserver& observer, const std::string& label) {
    const auto estimator = make_axes_estimator(believed, observer, period_, variances_);
    const Replay replay = estimator->replay(timeline_, {});
    if (rows_.empty())
      for (Diagnostic& remark : estimator->remarks()) report_.diagnostics.push_back(std::move(remark));
    for (Diagnostic& failed : diagnose_steps(replay.failed, timeline_.size())) {
      failed.message = fmt::format("{}: {}", label, failed.message);
      report_.diagnostics.push_back(std::move(failed));
    }
    const auto responses = axes_response(model_, believed, observer, variances_);
    const auto at_rest = make_axes_estimator(weightless(believed), observer, period_, variances_);
    Row row{label, {}};
    for (std::size_t axis = 0; axis < spec_.count(); ++axis)
      row.axes.push_back({replay.filtered[axis * kAxisOutputs + axis_load_velocity].value,
                          responses[axis],
                          {},
                          damping_with(model_, trials_[axis], *at_rest, loop_signals(axis))});
    row.cost = seconds_per_step(*estimator, timeline_);
    if (replay.corrections > 0) row.mean_nis = replay.mean_nis();
    add(std::move(row));
  }

  Report finish(const Study& study, const std::string& log) {
    say_where_naive_is_nearer();
    say_where_less_is_damped();
    add(std::move(naive_));
    std::stable_sort(rows_.begin(), rows_.end(), [&](const Row& a, const Row& b) {
      return has_reference_ ? a.worst_fit > b.worst_fit : a.worst_missed < b.worst_missed;
    });
    report_.command = "compare";
    report_.title = fmt::format("Link velocities: {} on {}", study.source, log);
    report_.headline = headline();
    add_tables();
    Section velocities{"The velocities", "The best and the naive one; a click on its name shows another.", {}, {}};
    for (std::size_t axis = 0; axis < spec_.count(); ++axis) velocities.plots.push_back(plot(axis));
    report_.sections.push_back(std::move(velocities));
    report_.assumptions = study.assumptions;
    return std::move(report_);
  }

 private:
  LoopSignals loop_signals(std::size_t struck) const {
    LoopSignals signals{{}, variances_, static_cast<int>(struck) * kAxisOutputs + axis_load_velocity};
    for (int axis = 0; axis < static_cast<int>(spec_.count()); ++axis)
      signals.motor_positions.push_back(axis * kAxisSignals + axis_motor_position);
    return signals;
  }

  const Timeline::Sensor& motor(std::size_t axis) const {
    return *std::find_if(timeline_.sensors.begin(), timeline_.sensors.end(),
                         [&](const auto& sensor) { return sensor.signal == spec_.signal(axis, axis_motor_position); });
  }

  void say_where_less_is_damped() {
    for (std::size_t axis = 0; axis < spec_.count(); ++axis) {
      std::vector<TriedDamping> tried;
      for (const Row& row : rows_)
        if (row.axes[axis].damping) tried.push_back({row.label, *row.axes[axis].damping});
      if (auto said = damps_less(tried, trials_[axis], spec_.names[axis]))
        report_.diagnostics.push_back(std::move(*said));
    }
  }

  void say_where_naive_is_nearer() {
    const QualityOptions options;
    const auto first = static_cast<std::size_t>(std::ceil(options.settling / period_));
    for (std::size_t axis = 0; axis < spec_.count(); ++axis) {
      if (!references_[axis]) continue;
      const JudgedBy by{references_[axis]->velocity, first, period_};
      std::vector<JudgedVelocity> observers;
      for (const Row& row : rows_)
        observers.push_back({row.label, &row.axes[axis].velocity, row.axes[axis].quality.error->fit});
      const auto naive = judge_naive(naive_.axes[axis].velocity, motor(axis).value, spec_.ratio[axis], by);
      if (auto said = compare_with_naive(observers, naive, by, spec_.names[axis]))
        report_.diagnostics.push_back(std::move(*said));
    }
  }

  void add(Row row) {
    for (std::size_t axis = 0; axis < spec_.count(); ++axis) {
      AxisVelocity& each = row.axes[axis];
      const auto& reference = references_[axis];
      each.quality = judge_velocity(each.velocity, reference ? &reference->velocity : nullptr, period_,
                                    {.resonance = each.response.resonance});
      const auto result = [&](const char* what, double value, const char* unit) {
        report_.results.push_back(
            {.name = fmt::format("{}.{}.{}", row.label, spec_.names[axis], what), .value = value, .unit = unit});
      };
      if (const auto& error = each.quality.error) {
        row.worst_fit = std::min(row.worst_fit, error->fit);
        result("fit", error->fit, "%");
        result("rms", error->rms, "rad/s");
        result("delay", error->delay, "s");
        if (error->phase_lag) result("phase_lag", *error->phase_lag, "rad");
      }
      if (each.quality.noise) result("noise", *each.quality.noise, "rad/s");
      result("modelled.phase_lag", each.response.phase_lag(), "rad");
      result("modelled.delay", each.response.delay, "s");
      result("modelled.missed", each.response.missed(), "1");
      if (each.damping) result("damping", *each.damping, "1");
      row.worst_missed = std::max(row.worst_missed, each.response.missed());
    }
    if (row.cost) report_.results.push_back({.name = row.label + ".cost", .value = *row.cost, .unit = "s"});
    if (row.mean_nis) report_.results.push_back({.name = row.label + ".mean_nis", .value = *row.mean_nis, .unit = "1"});
    rows_.push_back(std::move(row));
  }

  std::string headline() const {
    const auto naive = std::find_if(rows_.begin(), rows_.end(), [](const Row& row) { return row.label == kNaive; });
    if (has_reference_)
      return fmt::format(
          "{} is best in its worst axis: FIT {:.2f} %, the motors' velocities over their ratios alone {:.2f} %.",
          rows_.front().label, rows_.front().worst_fit, naive->worst_fit);
    return fmt::format(
        "Without a reference, by the model alone: {} misses least of a swing that unknown friction starts, {:.1f} % in "
        "its worst axis; the motors' velocities over their ratios alone {:.1f} %.",
        rows_.front().label, 1e2 * rows_.front().worst_missed, 1e2 * naive->worst_missed);
  }

  void add_tables() {
    using Cell = std::function<std::string(const AxisVelocity&)>;
    const auto of_error = [](auto text) -> Cell {
      return [text](const AxisVelocity& v) { return v.quality.error ? text(*v.quality.error) : std::string(); };
    };
    constexpr double kDegree = std::numbers::pi / 180.0;
    Section section{"Which observer",
                    fmt::format("By the model, not by the data: friction that nobody knows shakes a motor at its axis' "
                                "resonance; the share of the link's swing that the estimate misses, and by how much it "
                                "follows. The loop's damping is that of the study's axes in a simulation: one is "
                                "struck, and its controller uses the estimate. {}.",
                                bounds_of_damping()),
                    {},
                    {}};
    const auto add_table = [&](const char* title, const Cell& cell) { section.tables.push_back(table(title, cell)); };
    if (has_reference_) {
      add_table("FIT %", of_error([](const VelocityError& e) { return fmt::format("{:.2f}", e.fit); }));
      add_table("rms mrad/s", of_error([](const VelocityError& e) { return fmt::format("{:.2f}", 1e3 * e.rms); }));
      add_table("delay ms", of_error([](const VelocityError& e) { return fmt::format("{:.2f}", 1e3 * e.delay); }));
      add_table("phase lag at the resonance, deg", of_error([](const VelocityError& e) {
                  return e.phase_lag ? fmt::format("{:.1f}", *e.phase_lag / kDegree) : std::string();
                }));
    }
    add_table("noise mrad/s", [](const AxisVelocity& v) {
      return v.quality.noise ? fmt::format("{:.3f}", 1e3 * *v.quality.noise) : std::string();
    });
    add_table("missed by the model, %",
              [](const AxisVelocity& v) { return fmt::format("{:.1f}", 1e2 * v.response.missed()); });
    add_table("phase lag by the model, deg",
              [](const AxisVelocity& v) { return fmt::format("{:.1f}", v.response.phase_lag() / kDegree); });
    add_table("delay by the model, ms",
              [](const AxisVelocity& v) { return fmt::format("{:.2f}", 1e3 * v.response.delay); });
    add_table("damping in the loop",
              [](const AxisVelocity& v) { return v.damping ? fmt::format("{:.3f}", *v.damping) : std::string(); });
    Table costs{"cost", {"observer", "ns a step, all axes", "mean NIS"}, {}};
    for (const Row& row : rows_)
      costs.rows.push_back({row.label, row.cost ? fmt::format("{:.0f}", 1e9 * *row.cost) : "",
                            row.mean_nis ? fmt::format("{:.3g}", *row.mean_nis) : ""});
    section.tables.push_back(std::move(costs));
    report_.sections.push_back(std::move(section));
  }

  std::string bounds_of_damping() const {
    std::vector<std::string> bounds;
    for (const DampingTrial& trial : trials_)
      bounds.push_back(fmt::format("{}: {:.3f} without it, {:.3f} with the true velocity", spec_.names[trial.axis],
                                   trial.without, trial.with_truth));
    return fmt::format("{}", fmt::join(bounds, "; "));
  }

  Table table(const char* title, const std::function<std::string(const AxisVelocity&)>& cell) const {
    Table table{title, {"observer"}, {}};
    table.columns.insert(table.columns.end(), spec_.names.begin(), spec_.names.end());
    for (const Row& row : rows_) {
      table.rows.push_back({row.label});
      for (const AxisVelocity& axis : row.axes) table.rows.back().push_back(cell(axis));
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
      plot.series.back().hidden = i > 0 && rows_[i].label != kNaive;
    }
    return plot;
  }

  const AxesSpec& spec_;
  Timeline timeline_;
  double period_ = 0.0;
  ModelAxes model_;
  std::vector<DampingTrial> trials_;  // one an axis
  std::vector<std::optional<Reference>> references_;
  bool has_reference_ = false;
  std::vector<double> variances_;
  Row naive_;
  std::vector<Row> rows_;
  Report report_;
};

}  // namespace

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
