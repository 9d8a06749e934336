// tauhat simulate: a log with known truth.
#include <fmt/format.h>

#include <algorithm>

#include "tauhat/cli/commands.hpp"
#include "tauhat/cli/csv_text.hpp"
#include "tauhat/cli/output.hpp"
#include "tauhat/cli/progress.hpp"
#include "tauhat/cli/pulse_csv.hpp"
#include "tauhat/offline/report/series.hpp"
#include "tauhat/offline/simulate/simulated_log.hpp"
#include "tauhat/offline/simulate/simulated_study.hpp"

namespace tauhat::cli {
namespace {

// The columns and units that [log] names, then truth.<signal> in SI. A channel with a clock of its own gets the same
// stamps.
std::string to_csv(const Study& study, const Simulated& data, const std::vector<OutputInfo>& outputs) {
  const std::vector<std::vector<double>> values = logged_values(study, data);
  std::string text = quoted(study.time.column.empty() ? "time" : study.time.column);
  const auto has_clock = [&](const StudyChannel& channel) {
    return !channel.spec.time_column.empty() && channel.spec.time_column != study.time.column;
  };
  for (const auto& channel : study.channels) {
    if (has_clock(channel)) text += "," + quoted(channel.spec.time_column);
    text += "," + quoted(channel.spec.column);
  }
  for (const OutputInfo& output : outputs) text += fmt::format(",truth.{}", output.name);
  text += '\n';
  for (std::size_t k = 0; k < data.time.size(); ++k) {
    append_number(text, data.time[k] / study.time.scale);
    for (std::size_t i = 0; i < study.channels.size(); ++i) {
      const StudyChannel& channel = study.channels[i];
      if (has_clock(channel)) {
        text += ',';
        append_number(text, data.time[k] / study.time.scale);
      }
      text += ',';
      append_number(text, number_of(channel, values[i][k], study.source));
    }
    for (const auto& truth : data.truth) {
      text += ',';
      append_number(text, truth[k]);
    }
    text += '\n';
  }
  return text;
}

// The same, with the pulses of wheels where the study has some.
std::string to_log(const Study& study, const SimulatedStudy& simulated) {
  const auto& [data, outputs, pulses] = simulated;
  return pulses.empty() ? to_csv(study, data, outputs) : pulse_csv(study, data, pulses, outputs);
}

// Each quantity of all joints in one plot.
std::vector<Plot> robot_plots(const Study& study, const SimulatedStudy& simulated) {
  std::vector<Plot> plots;
  for (std::size_t i = 0; i < simulated.outputs.size(); ++i) {
    const auto& [name, unit] = simulated.outputs[i];
    const std::size_t dot = name.rfind('.');
    const bool is_joint = joint_index(*study.robot, name.substr(0, dot)) >= 0;
    const std::string title = is_joint ? name.substr(dot + 1) : name.substr(0, dot);
    auto plot = std::find_if(plots.begin(), plots.end(), [&](const Plot& p) { return p.title == title; });
    if (plot == plots.end())
      plot =
          plots.insert(plot, Plot{.title = title, .x_label = "time [s]", .y_label = unit, .caption = {}, .series = {}});
    plot->series.push_back(
        line(is_joint ? name.substr(0, dot) : name.substr(dot + 1), simulated.data.time, simulated.data.truth[i]));
  }
  return plots;
}

std::vector<Plot> plots_of(const Study& study, const SimulatedStudy& simulated) {
  if (study.robot) return robot_plots(study, simulated);
  std::vector<Plot> plots;
  for (std::size_t i = 0; i < simulated.outputs.size(); ++i) {
    Plot plot{.title = simulated.outputs[i].name,
              .x_label = "time [s]",
              .y_label = unit_in(study, simulated.outputs[i].unit),
              .caption = {},
              .series = {}};
    plot.series.push_back(line("truth", simulated.data.time, simulated.data.truth[i]));
    plots.push_back(std::move(plot));
  }
  return plots;
}

struct Arguments {
  std::string study, log = "-", trajectory;
  bool without_contact = false;
  std::uint64_t seed = 1;
  ReportPaths paths;
};

// What the command line says of a robot's motion: the whole of a trajectory, and nothing that pushes.
void set_robot(const Arguments& arguments, Study& study) {
  if (arguments.trajectory.empty() && !arguments.without_contact) return;
  if (!study.robot_simulation)
    throw Error(ExitCode::wrong_use,
                fmt::format("{}: {} is for robots: the study has no [robot] with [simulate]", study.source,
                            arguments.without_contact ? "--without-contact" : "--trajectory"));
  if (arguments.without_contact) study.robot_simulation->forces.clear();
  if (arguments.trajectory.empty()) return;
  study.robot_simulation->trajectory = arguments.trajectory;
  study.robot_simulation->duration = 0.0;
}

ExitCode run(const Arguments& arguments) {
  const std::string &study_path = arguments.study, &log_path = arguments.log;
  const ReportPaths& paths = arguments.paths;
  const std::uint64_t seed = arguments.seed;
  require_writable(log_path);
  require_writable(paths);
  Study study = read_study(study_path);
  set_robot(arguments, study);
  if (!study.simulation && !study.robot_simulation)
    throw Error(ExitCode::wrong_use,
                fmt::format("{}: [simulate] is missing: it gives duration, rate and input", study_path));
  if (study.channels.empty())
    throw Error(ExitCode::wrong_use, fmt::format("{}: [log] is missing: it names the columns to write", study_path));
  Progress progress;
  const SimulatedStudy simulated =
      simulate_study(study, seed, [&](double share) { progress.show("simulating", share); });
  write_whole(log_path, to_log(study, simulated));
  Report report;
  report.command = "simulate";
  report.title = fmt::format("Simulation of {}", study_path);
  const bool has_corners = !study.axis && !study.joint && !study.elastic_axes && !study.robot;
  report.headline = fmt::format(
      "{} samples, {}seed {}.", simulated.data.time.size(),
      has_corners ? fmt::format("{} passages of a corner of the law, ", simulated.data.contacts) : "", seed);
  report.sections.push_back({"The motion", "", plots_of(study, simulated), {}});
  publish(report, paths, log_path != "-");
  return ExitCode::done;
}

}  // namespace

void add_simulate(CommandLine& line) {
  auto arguments = std::make_shared<Arguments>();
  auto command = line.add_command("simulate", "a log with known truth (truth.* columns)",
                                  "Example: tauhat simulate studies/demo/demo.toml -o run.csv --seed 7");
  command.add_option("STUDY", arguments->study, "study file (TOML)").required();
  command.add_option("-o,--output", arguments->log, "log to write (CSV); - is standard output");
  command.add_option("--seed", arguments->seed, "noise and random phases; the same seed gives the same bytes");
  command.add_option("--trajectory", arguments->trajectory,
                     "motion of a robot's joints (CSV of `excite`), instead of the study's");
  command.add_flag("--without-contact", arguments->without_contact,
                   "leave out what pushes a robot, [[simulate.force]]: a log for estimate --floor");
  command.add_report(arguments->paths);
  command.runs(run, arguments);
}

}  // namespace tauhat::cli
