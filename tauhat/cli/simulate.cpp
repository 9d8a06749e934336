// tauhat simulate: a log with known truth.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>

#include "tauhat/cli/commands.hpp"
#include "tauhat/cli/csv_text.hpp"
#include "tauhat/cli/output.hpp"
#include "tauhat/cli/progress.hpp"
#include "tauhat/cli/pulse_csv.hpp"
#include "tauhat/cli/simulated.hpp"
#include "tauhat/core/models/axis_with_friction.hpp"
#include "tauhat/core/models/with_bristles.hpp"
#include "tauhat/offline/joint/axes_simulation.hpp"
#include "tauhat/offline/joint/joint_model.hpp"
#include "tauhat/offline/joint/moving_axis.hpp"
#include "tauhat/offline/report/series.hpp"
#include "tauhat/offline/simulate/powertrain_log.hpp"
#include "tauhat/offline/simulate/sampled_wheels.hpp"
#include "tauhat/offline/simulate/simulated_log.hpp"
#include "tauhat/offline/study/study.hpp"

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

// What the study's sensors are, in their order: wheels, or none where they are sampled.
std::vector<PulseSpec> wheels_of(const Study& study) {
  std::vector<PulseSpec> wheels;
  for (const StudyChannel& channel : study.channels)
    if (channel.spec.signal != input_signal(study)) wheels.push_back(channel.spec.pulses.value_or(PulseSpec{}));
  return wheels;
}

// The same, with the pulses of wheels where the study has some.
std::string to_log(const Study& study, const Simulated& data, const std::vector<OutputInfo>& outputs,
                   std::uint64_t seed) {
  const std::vector<PulseSpec> wheels = wheels_of(study);
  if (std::all_of(wheels.begin(), wheels.end(), [](const PulseSpec& wheel) { return wheel.teeth == 0; }))
    return to_csv(study, data, outputs);
  std::vector<std::vector<Pulse>> pulses(wheels.size());
  for (std::size_t i = 0; i < wheels.size(); ++i) {
    const Sensor& sensor = study.simulation->sensors[i];
    if (wheels[i].teeth > 0)
      pulses[i] = passages(draw_wheel(wheels[i], sensor.tooth_error, seed, i), data, outputs, sensor.output);
  }
  return pulse_csv(study, data, pulses, outputs);
}

std::vector<OutputInfo> named(std::span<const Signal> signals) {
  std::vector<OutputInfo> outputs;
  for (const Signal& signal : signals) outputs.push_back({std::string(signal.name), std::string(signal.unit)});
  return outputs;
}

SimulatedModel simulate_axis(const Study& study, std::uint64_t seed, const std::function<void(double)>& progress) {
  const StudyAxis& axis = *study.axis;
  if (!axis.law)
    throw Error(ExitCode::wrong_use,
                fmt::format("{}: drive.friction.law is missing: simulate needs the friction's law", study.source));
  if (const auto* law = std::get_if<AnyFriction<double>>(&*axis.law);
      law && law->kind != FrictionKind::viscous && !(law->smoothing_width() > 0.0))
    throw Error(ExitCode::wrong_use, fmt::format("{}: drive.friction.width must be positive for simulate: it cannot "
                                                 "integrate a jump (lugre sticks, too)",
                                                 study.source));
  const auto simulate_model = [&](const auto& model) {
    SimulationSpec spec = *study.simulation;
    spec.start.resize(static_cast<std::size_t>(model.kStates), 0.0);
    return simulate(truth_of(model), spec, seed, progress);
  };
  const auto data = std::visit(
      [&](const auto& law) {
        using Law = std::decay_t<decltype(law)>;
        if constexpr (std::is_same_v<Law, Dahl<double>>) {
          return simulate_model(AxisWithFriction<double, Dahl>{axis.axis, law});
        } else if constexpr (std::is_same_v<Law, LuGre<double>>) {
          return simulate_model(AxisWithFriction<double, LuGre>{axis.axis, law});
        } else if constexpr (std::is_same_v<Law, MaxwellSlip<double>>) {
          return simulate_model(AxisWithFriction<double, MaxwellSlipOfFour>{axis.axis, law});
        } else {
          return simulate_model(AxisWithFriction<double, AnyFriction>{axis.axis, law});
        }
      },
      *axis.law);
  const std::vector<OutputInfo> outputs = named(Axis<double>::kOutputs);
  return {data, outputs, to_log(study, data, outputs, seed)};
}

SimulatedModel simulate_wheels(const Study& study, std::uint64_t seed, const std::function<void(double)>& progress) {
  const auto simulated = simulate_powertrain(*study.powertrain, *study.simulation, wheels_of(study), seed, progress);
  const std::vector<OutputInfo> outputs = named(std::span(kGapSignals).first(mode_output + 1));
  return {simulated.rows, outputs, pulse_csv(study, simulated.rows, simulated.pulses, outputs)};
}

SimulatedModel simulate_joint(const Study& study, std::uint64_t seed, const std::function<void(double)>& progress) {
  const JointSpec& spec = *study.joint;
  const ElasticAxis<double> axis = axis_in_study(spec);
  const Truth truth = spec.pose
                          ? truth_of(MovingAxis{axis, *spec.pose, spec.pose_motion.centre, spec.pose_motion.frequency})
                          : truth_of(axis);
  const auto data = simulate(truth, *study.simulation, seed, progress);
  const std::vector<OutputInfo> outputs = named(truth.outputs);
  return {data, outputs, to_log(study, data, outputs, seed)};
}

SimulatedModel simulate_several(const Study& study, std::uint64_t seed, const std::function<void(double)>& progress) {
  SimulatedAxes axes = simulate_axes(*study.elastic_axes, *study.simulation, seed, progress);
  std::string csv = to_csv(study, axes.data, axes.outputs);
  return {std::move(axes.data), std::move(axes.outputs), std::move(csv)};
}

SimulatedModel simulate_arm(const Study& study, std::uint64_t seed, const std::function<void(double)>& progress) {
  SimulatedRobot robot = simulate_robot(*study.robot, *study.robot_simulation, study.source, seed, progress);
  std::vector<OutputInfo> outputs;
  for (std::size_t i = 0; i < robot.truth.size(); ++i) outputs.push_back({robot.truth_names[i], robot.truth_units[i]});
  Simulated data;
  data.time = std::move(robot.time), data.sensors = std::move(robot.sensors), data.truth = std::move(robot.truth);
  std::string csv = to_csv(study, data, outputs);
  return {std::move(data), std::move(outputs), std::move(csv)};
}

// The drive with the study's bristles, if it has any.
template <class M>
Truth truth_with(const M& drive, const std::optional<AnyBristles>& bristles) {
  if (!bristles) return truth_of(drive);
  return std::visit(
      [&]<template <class> class Friction>(const Friction<double>& law) {
        return truth_of(WithBristles<M, Friction>{drive, law});
      },
      *bristles);
}

}  // namespace

SimulatedModel simulated_by(const Study& study, std::uint64_t seed, const std::function<void(double)>& progress) {
  if (study.axis) return simulate_axis(study, seed, progress);
  if (study.powertrain) return simulate_wheels(study, seed, progress);
  if (study.joint) return simulate_joint(study, seed, progress);
  if (study.elastic_axes) return simulate_several(study, seed, progress);
  if (study.robot) return simulate_arm(study, seed, progress);
  if (!study.law)
    throw Error(
        ExitCode::wrong_use,
        fmt::format("{}: drive.transmission.law is missing: simulate needs the transmission's law", study.source));
  const auto data = std::visit(
      [&]<template <class> class Law>(const Law<double>& law) {
        const DriveWithLaw<double, AnyFriction, Law> drive{study.drive, law};
        return simulate(truth_with(drive, study.bristles), *study.simulation, seed, progress);
      },
      *study.law);
  const std::vector<OutputInfo> outputs = named(Drive::kOutputs);
  return {data, outputs, to_log(study, data, outputs, seed)};
}

namespace {

// Each quantity of all joints in one plot.
std::vector<Plot> robot_plots(const Study& study, const SimulatedModel& simulated) {
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

std::vector<Plot> plots_of(const Study& study, const SimulatedModel& simulated) {
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
  const SimulatedModel simulated = simulated_by(study, seed, [&](double share) { progress.show("simulating", share); });
  write_whole(log_path, simulated.csv);
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

void add_simulate(CLI::App& app, Chosen& chosen) {
  auto arguments = std::make_shared<Arguments>();
  auto* command = app.add_subcommand("simulate", "a log with known truth (truth.* columns)");
  command->footer("Example: tauhat simulate studies/demo/demo.toml -o run.csv --seed 7");
  command->add_option("STUDY", arguments->study, "study file (TOML)")->required();
  command->add_option("-o,--output", arguments->log, "log to write (CSV); - is standard output");
  command->add_option("--seed", arguments->seed, "noise and random phases; the same seed gives the same bytes");
  command->add_option("--trajectory", arguments->trajectory,
                      "motion of a robot's joints (CSV of `excite`), instead of the study's");
  command->add_flag("--without-contact", arguments->without_contact,
                    "leave out what pushes a robot, [[simulate.force]]: a log for estimate --floor");
  command->add_option("--json", arguments->paths.json, "results as JSON; - is standard output");
  command->add_option("--report", arguments->paths.html, "report to look at (HTML)");
  command->callback([arguments, &chosen] { chosen = [arguments] { return run(*arguments); }; });
}

}  // namespace tauhat::cli
