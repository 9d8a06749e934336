// Position in the gap with its limits and modes, twist and torque, pulses and predictions (Lagerberg and Egardt,
// figures 2 to 7).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tauhat/offline/gap/gap_report.hpp"
#include "tauhat/offline/report/series.hpp"

namespace tauhat {
namespace {

using P = Powertrain<double>;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kMilli = 1e3;

// Shaded from -height to height while the mode is this one; NaN stands for the unknown.
Series mode_shade(const std::string& name, const std::vector<double>& time, const std::vector<double>& mode,
                  double which, double height) {
  Series shade = line(name, {}, {});
  shade.kind = Series::Kind::band;
  const auto corner = [&](double at, double half) {
    shade.x.push_back(at), shade.y.push_back(-half), shade.upper.push_back(half);
  };
  const auto is_in = [&](std::size_t k) { return std::isnan(which) ? std::isnan(mode[k]) : mode[k] == which; };
  for (std::size_t k = 0; k < time.size(); ++k) {
    if (!is_in(k)) continue;
    corner(time[k], height);
    while (k + 1 < time.size() && is_in(k)) ++k;  // up to the first instant of another mode
    corner(time[k], height);
    corner(time[k], kNone);
  }
  return shade;
}

Plot position_plot(const std::vector<double>& time, const Replay& replay, const std::optional<GapTruth>& truth) {
  const Track &position = replay.filtered[P::gap_position_output], &gap = replay.filtered[P::gap_output];
  const auto& mode = replay.filtered[mode_output].value;
  Plot plot{.title = "Position in the gap",
            .x_label = "time [s]",
            .y_label = "mrad",
            .caption = "From the middle of the gap; dashed, the two contacts. Shaded where one of them carries."};
  double largest = 0.0;
  for (const double g : gap.value)
    if (std::isfinite(g)) largest = std::max(largest, g);
  const double top = kMilli * 0.5 * largest;
  plot.series.push_back(band("95 %", time, position.value, position.std, kMilli));
  plot.series.push_back(line("position", time, scaled(position.value, kMilli)));
  plot.series.push_back(dashed(line("upper contact", time, scaled(gap.value, 0.5 * kMilli))));
  plot.series.push_back(dashed(line("lower contact", time, scaled(gap.value, -0.5 * kMilli))));
  if (truth) plot.series.push_back(line("truth", truth->time, scaled(truth->position, kMilli)));
  // Behind the lines, in colours of their own.
  plot.series.push_back(mode_shade("in contact above", time, mode, 1.0, 1.1 * top));
  plot.series.push_back(mode_shade("in contact below", time, mode, -1.0, 1.1 * top));
  if (std::any_of(mode.begin(), mode.end(), [](double m) { return std::isnan(m); }))
    plot.series.push_back(mode_shade("unknown", time, mode, kNone, 1.1 * top));
  return plot;
}

Plot track_plot(const char* title, const char* unit, double factor, const std::vector<double>& time,
                const Track& track) {
  Plot plot{.title = title, .x_label = "time [s]", .y_label = unit};
  plot.series.push_back(band("95 %", time, track.value, track.std, factor));
  plot.series.push_back(line(title, time, scaled(track.value, factor)));
  return plot;
}

bool is_said(const Track& track) {
  return std::any_of(track.value.begin(), track.value.end(), [](double value) { return std::isfinite(value); });
}

// While the gear is under way; a time longer than any crossing is only a gear that hardly moves.
Plot contact_plot(const std::vector<double>& time, Track contact) {
  constexpr double kLongest = 0.5;  // s: twice the slowest crossing of the paper's manoeuvre
  for (std::size_t k = 0; k < contact.value.size(); ++k) {
    const bool is_shown = contact.value[k] > 0.0 && contact.value[k] + k95 * contact.std[k] < kLongest;
    if (!is_shown) contact.value[k] = contact.std[k] = kNone;
  }
  Plot plot = track_plot("Time to contact", "ms", kMilli, time, contact);
  plot.caption = "If the gear goes on as now; nothing is drawn in contact, or where it hardly moves.";
  return plot;
}

// What a pulse came too late or too early by, as an angle.
Plot pulse_plot(const Timeline& timeline, const Replay& replay) {
  Plot plot{.title = "Pulses and predictions",
            .x_label = "time [s]",
            .y_label = "mrad",
            .caption =
                "Where a tooth stood when its pulse came, minus where it was predicted: tooth errors repeat with "
                "each turn."};
  for (std::size_t i = 0; i < timeline.sensors.size(); ++i) {
    Series series = markers(timeline.sensors[i].signal, {}, {});
    for (std::size_t k = 0; k < timeline.size(); ++k) {
      const double innovation = replay.innovations[i].innovation[k];
      if (!std::isfinite(innovation)) continue;
      series.x.push_back(timeline.time[k]);
      series.y.push_back(kMilli * innovation);
    }
    plot.series.push_back(std::move(series));
  }
  return plot;
}

// Estimated against true modes, in per cent of the time.
Table confusion(const std::vector<double>& time, const std::vector<double>& mode, const GapTruth& truth) {
  std::array<std::array<double, 4>, 3> share{};
  double rows = 0.0;
  std::size_t k = 0;
  for (std::size_t i = 0; i < truth.time.size(); ++i) {
    if (!std::isfinite(truth.mode[i])) continue;
    while (k + 1 < time.size() && time[k + 1] <= truth.time[i]) ++k;
    const auto real = static_cast<std::size_t>(truth.mode[i] + 1.0);
    const auto said = std::isfinite(mode[k]) ? static_cast<std::size_t>(mode[k] + 1.0) : 3;
    share[real][said] += 1.0;
    rows += 1.0;
  }
  Table table{"Modes, % of the time", {"truth"}, {}};
  for (const double each : {-1.0, 0.0, 1.0, kNone}) table.columns.emplace_back(mode_in_words(each));
  for (std::size_t real = 0; real < 3; ++real) {
    std::vector<std::string> row{mode_in_words(static_cast<double>(real) - 1.0)};
    for (const double count : share[real]) row.push_back(fmt::format("{:.2f}", 100.0 * count / std::max(rows, 1.0)));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

std::vector<Section> gap_sections(const std::vector<double>& time, const Replay& replay, const Timeline& timeline,
                                  const std::optional<GapTruth>& truth) {
  // A filter of positions alone says nothing of the rest: no plot.
  const auto add = [&](Section& section, const char* title, const char* unit, double factor, int output) {
    const Track& track = replay.filtered[static_cast<std::size_t>(output)];
    if (is_said(track)) section.plots.push_back(track_plot(title, unit, factor, time, track));
  };
  Section gap{"Where the gear is", "Bands are 95 %.", {}, {}};
  if (is_said(replay.filtered[P::gap_position_output])) {
    gap.plots.push_back(position_plot(time, replay, truth));
    gap.plots.push_back(contact_plot(time, replay.filtered[contact_time_output]));
    if (truth) gap.tables.push_back(confusion(time, replay.filtered[mode_output].value, *truth));
  }
  Section shaft{"The shaft", "", {}, {}};
  add(shaft, "Displacement", "mrad", kMilli, P::displacement_output);
  add(shaft, "Twist", "mrad", kMilli, P::twist_output);
  add(shaft, "Torque", "N m", 1.0, P::shaft_torque_output);
  add(shaft, "Load torque", "N m", 1.0, P::load_torque_output);
  Section learned{"What was learned", "", {}, {}};
  add(learned, "Size of the gap", "mrad", kMilli, P::gap_output);
  add(learned, "Offset of the counters", "mrad", kMilli, P::offset_output);
  add(learned, "Torque per command", "", 1.0, P::gain_output);
  Section pulses{"Sensors", "", {}, {}};
  pulses.plots.push_back(pulse_plot(timeline, replay));
  std::vector<Section> sections{std::move(gap), std::move(shaft), std::move(learned), std::move(pulses)};
  std::erase_if(sections, [](const Section& section) { return section.plots.empty() && section.tables.empty(); });
  return sections;
}

}  // namespace tauhat
