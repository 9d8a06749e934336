// tauhat plot: every channel of a log, to look at.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include "tauhat/cli/commands.hpp"
#include "tauhat/cli/output.hpp"
#include "tauhat/offline/init/guess.hpp"
#include "tauhat/offline/log/formats/formats.hpp"
#include "tauhat/offline/report/series.hpp"
#include "tauhat/offline/units.hpp"

namespace tauhat::cli {
namespace {

struct Arguments {
  std::string log, output;
};

struct Axis {
  std::vector<double> values;
  std::string label;
};

// What a column is drawn over: its clock in the file, the log's clock, or the number of the sample.
Axis axis_of(const Column& column, const Recording& recording, const GuessedTime& time) {
  const std::optional<double> tick = column.clock.empty() ? clock_tick(time.unit) : 1.0;  // a file's own clock is in s
  const std::string& clock = column.clock.empty() ? time.column : column.clock;
  for (const Column& stamps : recording.columns) {
    if (clock.empty() || stamps.name != clock || stamps.values.size() != column.values.size()) continue;
    Axis axis{stamps.values, tick ? "time [s]" : "time, in the clock's own unit"};
    const auto first = std::find_if(axis.values.begin(), axis.values.end(), [](double t) { return std::isfinite(t); });
    const double begin = first == axis.values.end() ? 0.0 : *first;
    for (double& t : axis.values) t = (t - begin) * tick.value_or(1.0);
    return axis;
  }
  Axis axis{std::vector<double>(column.values.size()), "sample"};
  for (std::size_t k = 0; k < axis.values.size(); ++k) axis.values[k] = static_cast<double>(k);
  return axis;
}

ExitCode run(const Arguments& arguments) {
  const std::string output =
      arguments.output.empty() ? std::filesystem::path(arguments.log).stem().string() + ".html" : arguments.output;
  require_writable(output);
  const Survey survey = survey_log(arguments.log);
  const GuessedTime time = guess_channels(survey).time;
  std::vector<std::string> names;
  for (const SurveyedColumn& column : survey.columns) names.push_back(column.info.name);
  Recording recording = format_of(arguments.log).read(arguments.log, names);
  for (std::size_t i = 0; i < names.size(); ++i) recording.columns[i].name = names[i];
  Report report;
  report.command = "plot";
  report.title = std::filesystem::path(arguments.log).filename().string();
  report.headline = fmt::format("{} columns, {}{}.", names.size(), survey.format,
                                survey.dialect.empty() ? "" : ", " + survey.dialect);
  Section section{"Every column", "Plots are thinned; each extreme is kept.", {}, {}};
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Column& column = recording.columns[i];
    if (column.name == time.column) continue;
    Axis axis = axis_of(column, recording, time);
    Plot plot{.title = column.name, .x_label = axis.label, .y_label = column.unit, .caption = {}, .series = {}};
    plot.series = {line(column.name, std::move(axis.values), column.values)};
    section.plots.push_back(std::move(plot));
  }
  report.sections.push_back(std::move(section));
  report.diagnostics = diagnose_skipped(survey);
  write_whole(output, to_html(report));
  if (output == "-") return ExitCode::done;
  std::string said;
  for (const std::string& what : survey.skipped) said += fmt::format("skipped: {}\n", what);
  write_whole("-", said + fmt::format("{} plots in {}\n", report.sections.front().plots.size(), output));
  return ExitCode::done;
}

}  // namespace

void add_plot(CommandLine& line) {
  auto arguments = std::make_shared<Arguments>();
  auto command =
      line.add_command("plot", "every channel of a log, as an HTML page", "Example: tauhat plot run.csv -o run.html");
  command.add_option("LOG", arguments->log, "log file: CSV, MATLAB, HDF5, MDF4 or MCAP").required();
  command.add_option("-o,--output", arguments->output, "page to write; by default the log's name with .html, here");
  command.runs(run, arguments);
}

}  // namespace tauhat::cli
