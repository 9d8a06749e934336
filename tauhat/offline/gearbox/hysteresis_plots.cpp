// What a hysteresis-curve test looks like: the loops, their middle, the loops side by side.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "tauhat/offline/gearbox/hysteresis_report.hpp"
#include "tauhat/offline/report/series.hpp"
#include "tauhat/offline/report/spoken.hpp"

namespace tauhat {
namespace {

// Twist over torque, the loops of one file one after the other, counted from their middle at zero torque.
void add_loop(const HysteresisRecord& record, const Loop& loop, double middle, double widest, Series& series) {
  const std::size_t count = loop.last() - loop.first();
  const auto smooth = [&](const std::vector<double>& values) {
    return moving_average(std::span(values).subspan(loop.first(), count), count / 400);
  };
  const std::vector<double> torque = smooth(record.ramp.torque), twist = smooth(record.ramp.displacement);
  bool drawing = false;
  for (std::size_t k = 0; k < count; ++k) {
    const bool inside = std::abs(torque[k]) <= widest;
    if (inside || drawing) {
      // A number that is none lifts the pen.
      series.x.push_back(torque[k]);
      series.y.push_back(inside ? (twist[k] - middle) / kArcmin : std::numeric_limits<double>::quiet_NaN());
    }
    drawing = inside;
  }
  series.x.push_back(0.0);
  series.y.push_back(std::numeric_limits<double>::quiet_NaN());
}

double middle_of(const std::vector<LoopResult>& loops, std::size_t file) {
  double sum = 0.0, count = 0.0;
  for (const LoopResult& loop : loops) {
    if (loop.ramp == file && loop.hysteresis_loss) sum += 0.5 * (loop.zero[0] + loop.zero[1]), count += 1.0;
  }
  return count > 0.0 ? sum / count : 0.0;
}

Plot loops_plot(const std::vector<HysteresisRecord>& records, const HysteresisOutcome& outcome, double widest,
                const char* title, const char* caption) {
  Plot plot{title, "torque at the output, N m", "twist, arcmin", caption, {}};
  for (std::size_t file = 0; file < records.size(); ++file) {
    Series& series =
        plot.series.emplace_back(curve(std::filesystem::path(records[file].ramp.source).filename().string(), {}, {}));
    const double middle = middle_of(outcome.loops, file);
    for (const LoopResult& loop : outcome.loops) {
      if (loop.ramp == file) add_loop(records[file], loop.loop, middle, widest, series);
    }
  }
  return plot;
}

// The loading lines of the last loop that has them, down to zero torque: their distance there is the gap.
void add_loading_lines(const HysteresisOutcome& outcome, Plot& plot) {
  const auto last =
      std::find_if(outcome.loops.rbegin(), outcome.loops.rend(), [](const LoopResult& l) { return l.gap.has_value(); });
  if (last == outcome.loops.rend()) return;
  const double middle = middle_of(outcome.loops, last->ramp);
  for (std::size_t side = 0; side < 2; ++side) {
    const double end = side == 0 ? last->loop.largest_torque : last->loop.smallest_torque;
    const double intercept = last->loading_intercept[side];
    plot.series.push_back(dashed(curve(
        side == 0 ? "loading line, upper" : "loading line, lower", {0.0, end},
        {(intercept - middle) / kArcmin, (intercept + last->loading_compliance[side] * end - middle) / kArcmin})));
  }
}

Table table_of(const std::vector<HysteresisRecord>& records, const HysteresisOutcome& outcome) {
  Table table{"Each loop by itself",
              {"log", "begins at, s", "lost motion, arcmin", "hysteresis loss, arcmin", "gap, arcmin",
               "rigidity, N m/arcmin", "rate, N m/s"},
              {}};
  const auto cell = [](const std::optional<LoopValue>& value, double factor) {
    return value ? fmt::format("{:.4g}", value->value * factor) : "–";
  };
  for (const LoopResult& loop : outcome.loops) {
    const TorqueRamp& ramp = records[loop.ramp].ramp;
    table.rows.push_back({std::filesystem::path(ramp.source).filename().string(),
                          fmt::format("{:.2f}", ramp.time[loop.loop.first()]), cell(loop.lost_motion, 1.0 / kArcmin),
                          cell(loop.hysteresis_loss, 1.0 / kArcmin), cell(loop.gap, 1.0 / kArcmin),
                          cell(loop.rigidity, kArcmin), fmt::format("{:.3g}", std::abs(loop.loading_rate))});
  }
  return table;
}

}  // namespace

std::vector<Section> hysteresis_sections(const std::vector<HysteresisRecord>& records, const HysteresisOutcome& outcome,
                                         const HysteresisSpec& spec) {
  Section curve{"The hysteresis curve",
                "Twist of the gear over the torque at its output, loop by loop, counted from the middle of the loops.",
                {},
                {}};
  curve.plots.push_back(loops_plot(records, outcome, 1e300, "All loops",
                                   "The slope of the outer parts is the compliance. The dashed loading lines meet zero "
                                   "torque one gap apart."));
  add_loading_lines(outcome, curve.plots.back());
  const double small = std::max(4.0 * spec.lost_motion_share() * spec.rated_torque, 0.1 * spec.rated_torque);
  curve.plots.push_back(loops_plot(records, outcome, small, "Around zero torque",
                                   "The width at zero torque is the hysteresis loss, friction included; lost motion is "
                                   "read on the middle between the two branches."));
  Section repeats{
      "The loops", "Loops that differ by more than their noise widen the interval.", {}, {table_of(records, outcome)}};
  return {curve, repeats};
}

}  // namespace tauhat
