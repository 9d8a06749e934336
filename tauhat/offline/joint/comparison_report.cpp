// What a comparison of observers looks like: the table that says which to take, bars, and the velocities themselves.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <numbers>

#include "tauhat/offline/joint/compare.hpp"
#include "tauhat/offline/joint/error_spectrum.hpp"
#include "tauhat/offline/joint/sample_response.hpp"

namespace tauhat {
namespace {

std::string label_of(const ObservedVelocity& row, bool with_parameters) {
  return with_parameters && !row.parameters.empty() ? fmt::format("{} ({})", row.observer, row.parameters)
                                                    : row.observer;
}

std::string cell(const std::optional<double>& value, double factor, int digits) {
  return value && std::isfinite(*value) ? fmt::format("{:.{}f}", factor * *value, digits) : "";
}

Table table_of(const ObserverComparison& comparison) {
  Table table{
      "Observers, best first",
      {"observer", "parameters", "states", "FIT %", "rms mrad/s", "standstill mrad/s", "noise mrad/s", "delay ms",
       fmt::format("phase lag at {:.1f} Hz, deg", comparison.resonance), "damping in the loop", "ns a step"},
      {}};
  for (const ObservedVelocity& row : comparison.rows) {
    const auto& error = row.quality.error;
    const auto of_error = [&](auto member) { return error ? std::optional<double>((*error).*member) : std::nullopt; };
    table.rows.push_back({row.observer, row.parameters, row.states > 0 ? fmt::format("{}", row.states) : "",
                          cell(of_error(&VelocityError::fit), 1.0, 2), cell(of_error(&VelocityError::rms), 1e3, 2),
                          cell(error ? error->standstill : std::nullopt, 1e3, 3), cell(row.quality.noise, 1e3, 3),
                          cell(of_error(&VelocityError::delay), 1e3, 2),
                          cell(error ? error->phase_lag : std::nullopt, 180.0 / std::numbers::pi, 1),
                          cell(row.damping, 1.0, 3), cell(row.cost, 1e9, 0)});
  }
  return table;
}

// What needs no reference.
Table modelled_table(const ObserverComparison& comparison) {
  Table table{"By the model, not by the data",
              {"observer", "parameters", "delay ms", fmt::format("phase lag at {:.1f} Hz, deg", comparison.resonance),
               "missed there, %"},
              {}};
  for (const ObservedVelocity& row : comparison.rows) {
    const auto of_model = [&](auto member) {
      return row.modelled ? std::optional<double>(std::invoke(member, *row.modelled)) : std::nullopt;
    };
    table.rows.push_back({row.observer, row.parameters, cell(of_model(&FollowedSwing::delay), 1e3, 2),
                          cell(of_model(&FollowedSwing::phase_lag), 180.0 / std::numbers::pi, 1),
                          cell(of_model(&FollowedSwing::missed), 1e2, 1)});
  }
  return table;
}

// By FIT where there is a reference, else by what the loop reaches.
std::vector<ObservedVelocity> best_first(std::vector<ObservedVelocity> rows) {
  const auto worth = [](const ObservedVelocity& row) {
    const double value = row.quality.error ? row.quality.error->fit : row.damping.value_or(-1.0);
    return std::isfinite(value) ? value : -1e9;
  };
  std::stable_sort(rows.begin(), rows.end(), [&](const auto& a, const auto& b) { return worth(a) > worth(b); });
  return rows;
}

Plot bars(const char* title, const char* unit, const ObserverComparison& comparison,
          const std::function<std::optional<double>(const ObservedVelocity&)>& value, bool with_parameters) {
  Plot plot{.title = title, .x_label = "", .y_label = unit};
  Series series{.kind = Series::Kind::bars, .name = title, .is_time_series = false};
  for (const ObservedVelocity& row : comparison.rows) {
    const auto shown = value(row);
    if (!shown) continue;
    series.x.push_back(static_cast<double>(series.x.size()));
    series.y.push_back(*shown);
    series.labels.push_back(label_of(row, with_parameters));
  }
  plot.series = {std::move(series)};
  return plot;
}

// Where observers differ: the link turns back, or comes to rest.
enum class Turn { reversal, stop };

// The turn of this kind at which an estimate is furthest from the reference, or from the best estimate.
std::optional<double> most_telling(const ObserverComparison& comparison, Turn kind) {
  const auto& v = comparison.reference ? *comparison.reference : comparison.rows.front().velocity;
  double most = 0.0, fastest = 0.0;
  std::optional<double> at;
  for (const double one : v)
    if (std::isfinite(one)) fastest = std::max(fastest, std::abs(one));
  const auto beside = static_cast<std::size_t>(0.1 / comparison.period),
             settling = std::max(static_cast<std::size_t>(0.5 / comparison.period), beside);
  const double slow = 0.02 * fastest;
  for (std::size_t k = settling; k + beside < v.size(); ++k) {
    const double before = v[k - beside], after = v[k + beside];
    const bool turns =
        kind == Turn::reversal ? before * after < -slow * slow : std::abs(before) > slow && std::abs(after) < slow;
    if (!turns || !(std::abs(v[k]) < slow)) continue;
    double disagreement = 0.0;
    for (const ObservedVelocity& row : comparison.rows)
      if (row.observer != "naive" && std::isfinite(row.velocity[k]))
        disagreement = std::max(disagreement, std::abs(row.velocity[k] - v[k]));
    if (disagreement > most) most = disagreement, at = comparison.time[k];
  }
  return at;
}

Plot velocity_plot(const ObserverComparison& comparison, const char* title, double from, double to,
                   bool with_parameters) {
  Plot plot{.title = title, .x_label = "time [s]", .y_label = "rad/s"};
  const auto within = [&](const std::vector<double>& values) {
    Series part{.kind = Series::Kind::line};
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (comparison.time[k] < from || comparison.time[k] > to) continue;
      part.x.push_back(comparison.time[k]), part.y.push_back(values[k]);
    }
    return part;
  };
  if (comparison.reference) {
    plot.series.push_back(within(*comparison.reference));
    plot.series.back().name = "reference";
    plot.series.back().dashed = true;
  }
  constexpr std::size_t kShown = 3;
  for (std::size_t i = 0; i < comparison.rows.size(); ++i) {
    plot.series.push_back(within(comparison.rows[i].velocity));
    plot.series.back().name = label_of(comparison.rows[i], with_parameters);
    plot.series.back().hidden = i >= kShown && comparison.rows[i].observer != "naive";
  }
  return plot;
}

Plot spectrum_plot(const ObserverComparison& comparison, bool with_parameters) {
  Plot plot{.title = "Spectrum of the error",
            .x_label = "frequency [Hz]",
            .y_label = "rad/s/sqrt(Hz)",
            .caption =
                "Amplitude density of estimate minus reference. What stands at the resonance is what a damping "
                "loop will fight with.",
            .series = {},
            .logarithmic_x = true};
  for (const ObservedVelocity& row : comparison.rows) {
    std::vector<double> error(row.velocity.size());
    for (std::size_t k = 0; k < error.size(); ++k) error[k] = row.velocity[k] - (*comparison.reference)[k];
    const Spectrum spectrum = amplitude_density(error, comparison.period);
    Series series{.kind = Series::Kind::line,
                  .name = label_of(row, with_parameters),
                  .x = spectrum.frequency,
                  .y = spectrum.density};
    series.hidden = plot.series.size() >= 3 && row.observer != "naive";
    plot.series.push_back(std::move(series));
  }
  return plot;
}

// The axis, its links behind the motor, and what each fixed gain lets through.
Section responses_of(const Study& study, const ObserverComparison& comparison) {
  Section section{"Responses", "As measured where the log shows it, and as each set of parameters says.", {}, {}};
  const auto add = [&](std::vector<Plot> plots) {
    for (Plot& plot : plots) section.plots.push_back(std::move(plot));
  };
  add(bode_plots("Motor torque to motor position", "rad/(N m)", comparison.plant));
  add(bode_plots("Motor velocity over the ratio to link velocity: the virtual sensor", "1", comparison.virtual_sensor));
  add(error_plots(*study.joint, comparison.period, comparison.sensor_variance));
  return section;
}

std::string headline(const ObserverComparison& comparison, bool several) {
  const ObservedVelocity& best = comparison.rows.front();
  const auto naive = std::find_if(comparison.rows.begin(), comparison.rows.end(),
                                  [](const ObservedVelocity& row) { return row.observer == "naive"; });
  const auto next = std::find_if(comparison.rows.begin(), comparison.rows.end(),
                                 [](const ObservedVelocity& row) { return row.observer != "naive"; });
  return comparison.reference && best.observer == "naive"
             ? fmt::format(
                   "No observer is nearer to {} than the motor's velocity over the ratio: FIT {:.2f} %, {} {:.2f} "
                   "%.",
                   comparison.reference_signal, best.quality.error->fit, label_of(*next, several),
                   next->quality.error->fit)
         : comparison.reference
             ? fmt::format("{} is nearest to {}: FIT {:.2f} %, the motor's velocity over the ratio alone {:.2f} %.",
                           label_of(best, several), comparison.reference_signal, best.quality.error->fit,
                           naive->quality.error->fit)
             : fmt::format(
                   "Without a reference: {} damps best, {:.3f} of critical ({:.3f} with the true velocity, {:.3f} "
                   "without any).",
                   label_of(best, several), best.damping.value_or(0.0), comparison.trial.with_truth,
                   comparison.trial.without);
}

void add_results(const Study& study, const ObserverComparison& comparison, bool several, Report& report) {
  for (const ObservedVelocity& row : comparison.rows) {
    const std::string prefix = several && row.parameters != study.source && !row.parameters.empty()
                                   ? fmt::format("{}.{}", row.parameters, row.observer)
                                   : row.observer;
    const auto add = [&](const char* what, std::optional<double> value, const char* unit) {
      if (value && std::isfinite(*value))
        report.results.push_back({.name = fmt::format("{}.{}", prefix, what), .value = *value, .unit = unit});
    };
    if (const auto& error = row.quality.error) {
      add("fit", error->fit, "%");
      add("rms", error->rms, "rad/s");
      add("standstill", error->standstill, "rad/s");
      add("delay", error->delay, "s");
      add("phase_lag", error->phase_lag, "rad");
    }
    add("noise", row.quality.noise, "rad/s");
    if (row.modelled) {
      add("modelled.phase_lag", row.modelled->phase_lag(), "rad");
      add("modelled.delay", row.modelled->delay, "s");
      add("modelled.missed", row.modelled->missed(), "1");
    }
    add("damping", row.damping, "1");
    add("cost", row.cost, "s");
    add("mean_nis", row.mean_nis, "1");
  }
}

}  // namespace

Report comparison_report(const Study& study, const ObserverComparison& unsorted, const std::string& log) {
  ObserverComparison comparison = unsorted;
  comparison.rows = best_first(comparison.rows);
  const bool several = std::any_of(comparison.rows.begin(), comparison.rows.end(), [&](const ObservedVelocity& row) {
    return !row.parameters.empty() && row.parameters != study.source;
  });
  Report report;
  report.command = "compare";
  report.title = fmt::format("Link velocity: {} on {}", study.source, log);
  report.diagnostics = comparison.diagnostics;
  report.headline = headline(comparison, several);
  add_results(study, comparison, several, report);
  Section table{
      "Which observer",
      fmt::format(
          "The loop's damping is that of the study's axis struck in a simulation, whose controller uses "
          "the estimate: {:.3f} without it, {:.3f} with the true velocity. What stands under \"by the model\" "
          "needs no reference: friction that nobody knows shakes the study's axis while it travels; by how much "
          "the estimate follows the link, and the share of its swing that it misses. Empty where an observer "
          "does not forget a sample within {:.0f} s.",
          comparison.trial.without, comparison.trial.with_truth, kLongestMemory),
      {},
      {table_of(comparison), modelled_table(comparison)}};
  if (comparison.reference)
    table.plots.push_back(bars(
        "FIT", "%", comparison,
        [](const ObservedVelocity& row) {
          return row.quality.error ? std::optional<double>(std::max(row.quality.error->fit, 0.0)) : std::nullopt;
        },
        several));
  table.plots.push_back(bars(
      "Damping in the loop", "1", comparison, [](const ObservedVelocity& row) { return row.damping; }, several));
  report.sections.push_back(std::move(table));
  Section velocities{
      "The velocity", "The three best and the naive one are drawn; a click on its name shows another.", {}, {}};
  velocities.plots.push_back(velocity_plot(comparison, "Whole record", -1e300, 1e300, several));
  for (const auto& [kind, title] : {std::pair{Turn::reversal, "At a reversal, where they differ most"},
                                    std::pair{Turn::stop, "At a stop, where they differ most"}})
    if (const auto at = most_telling(comparison, kind))
      velocities.plots.push_back(velocity_plot(comparison, title, *at - 0.15, *at + 0.25, several));
  if (comparison.reference) velocities.plots.push_back(spectrum_plot(comparison, several));
  report.sections.push_back(std::move(velocities));
  report.sections.push_back(responses_of(study, comparison));
  report.assumptions = study.assumptions;
  return report;
}

}  // namespace tauhat
