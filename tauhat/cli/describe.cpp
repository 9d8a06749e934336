// tauhat describe: models, parameters, outputs, units, and a complete study to begin with.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <span>

#include "tauhat/cli/commands.hpp"
#include "tauhat/cli/output.hpp"
#include "tauhat/core/models/elastic_axes.hpp"
#include "tauhat/offline/joint/axes_report.hpp"
#include "tauhat/offline/joint/design_report.hpp"
#include "tauhat/offline/joint/joint_estimator.hpp"
#include "tauhat/offline/report/verdict.hpp"
#include "tauhat/offline/robot/robot_report.hpp"
#include "tauhat/offline/study/keys.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat::cli {
namespace {

// What is to be said, until it is whole and can be written.
class Text {
 public:
  template <class... T>
  void print(fmt::format_string<T...> format, T&&... arguments) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<T>(arguments)...);
  }
  void write() const { write_whole("-", text_); }

 private:
  std::string text_;
};

// `group` for a part whose owner names its group.
template <class T, class... Group>
void print_parameters(Text& text, const T& owner, Group... group) {
  const auto print = [&](const ParameterInfo& info, const double& value) {
    text.print("  {:<34} {:<10} default {:<8g} {}; {}\n", full_name(info), info.unit == "1" ? "" : info.unit, value,
               info.meaning, allowed_text(info.range, info.unit));
  };
  T::visit_parameters(owner, print, group...);
}

template <class Law>
void print_law(Text& text) {
  text.print("\ntransmission.law = \"{}\"\n", Law::kName);
  print_parameters(text, Law{});
}

void print_friction(Text& text, const std::string& name) {
  text.print("\nmotor.friction.law = \"{}\"\n", name);
  AnyFriction<double> law;
  law.kind = friction_kind(name);
  print_parameters(text, law, "motor.friction");
}

void describe_two_mass(Text& text) {
  text.print(
      "two-mass: motor and load joined by a transmission whose torque nobody measures\n\nparameters, in [drive]:\n");
  print_parameters(text, Drive{});
  for (const std::string& name : friction_names()) print_friction(text, name);
  for_each_bristles([&](const auto& law) {
    text.print("\nmotor.friction.law = \"{}\"  (with memory: for simulate and estimate)\n", law.kName);
    print_parameters(text, law, "motor.friction");
  });
  print_law<DeadZone<double>>(text);
  print_law<SoftDeadZone<double>>(text);
  print_law<LinearSpring<double>>(text);
  print_law<StiffeningSpring<double>>(text);
  print_law<HystereticDeadZone<double>>(text);
  text.print("\ninput:\n  motor.torque                       N m\n\noutputs, and sensors in [log.channels]:\n");
  for (const Signal& output : Drive::kOutputs) text.print("  {:<34} {}\n", output.name, output.unit);
  text.print(
      "\nunknowns, in [[unknown]]:\n  signal = \"transmission.torque\", kind = \"random-walk\", intensity = \"auto\" "
      "or in N m/sqrt(s)\n"
      "  parameter = any of the above, kind = \"constant\", std = its uncertainty (30 % by default)\n");
}

void print_axis_law(Text& text, std::string_view name, const auto& law) {
  text.print("\nfriction.law = \"{}\"\n", name);
  print_parameters(text, law, "friction");
}

void describe_axis(Text& text) {
  text.print(
      "axis: one body that turns or slides, whose friction is asked for\n\nparameters, in [drive], in the units of a "
      "turning axis (motion = \"linear\": N for N m, m for rad, kg for kg m^2):\n");
  print_parameters(text, Axis<double>{});
  text.print("\nfriction laws, for simulate; identify finds the law out:\n");
  for (const std::string& name : friction_names()) {
    AnyFriction<double> law;
    law.kind = friction_kind(name);
    if (law.kind == FrictionKind::load_dependent) continue;  // one body passes no torque on
    print_axis_law(text, name, law);
  }
  for_each_bristles([&](const auto& law) { print_axis_law(text, law.kName, law); });
  text.print(
      "\ninput:\n  axis.force                         N m\n\noutputs; the first two are sensors in "
      "[log.channels]:\n");
  for (const Signal& output : Axis<double>::kOutputs) text.print("  {:<34} {}\n", output.name, output.unit);
  text.print(
      "\nunknown, in [[unknown]]:\n  signal = \"friction.force\", kind = \"random-walk\", intensity = \"auto\" or "
      "in N m/sqrt(s)\n\nhow, in [identify]:\n  method = \"two-step\" (which law), \"regression\" (mass and "
      "friction) or \"constant-speed\" (the curve)\n");
}

void describe_powertrain(Text& text) {
  text.print(
      "powertrain: motor, gear, elastic shaft and load; where in its gap the gear is\n\nparameters, in [drive]:\n");
  print_parameters(text, Powertrain<double>{});
  print_parameters(text, GapSpec{});
  text.print(
      "\nhow they wander, in [noise]: load.torque, motor.torque (N m/sqrt(s)), motor.velocity, load.velocity "
      "(rad/s/sqrt(s))\n\ninput:\n  motor.command                      N m\n\noutputs; the first four are sensors in "
      "[log.channels], positions by samples or by pulses (stamps, teeth):\n");
  for (const Signal& output : kGapSignals)
    text.print("  {:<34} {}\n", output.name, output.unit == "1" ? "" : output.unit);
  text.print(
      "\n{} is -1, 0, 1: contact below, gap, contact above\n\nfilter, in [estimator], kind =\n"
      "  \"ekf\"        direct or imm, as suits\n"
      "  \"direct\"     one that switches, corrected at each pulse\n"
      "  \"imm\"        three in parallel, for a gap that is learned\n"
      "  \"cascade\"    a switching observer behind a filter of each wheel, for a gap and an offset that are known\n"
      "  \"switching\"  the same behind the counters as they stand, half a tooth put right\n"
      "  \"events\"     the filters of both wheels alone: positions, velocities and the displacement\n"
      "  \"staircase\"  the same of the counters as they stand, by stationary gains\n"
      "of the last four: speed (rad/s, of the load: where the gains are best), period (1 ms), motor.acceleration, "
      "load.acceleration (rad/s^2/sqrt(s): how they wander); of cascade and switching, gain = \"stationary\" or "
      "\"time-varying\" (it follows its covariance)\n",
      kGapSignals[mode_output].name);
}

void describe_joint(Text& text) {
  text.print(
      "elastic-joint: motor, elastic gear and link of a robot's axis, with or without the neighbour axis; how fast the "
      "link moves\n\nparameters, in [drive]; without neighbour.* the axis is alone:\n");
  print_parameters(text, ElasticJoint<double>{});
  print_parameters(text, GravityTorque<double>{});
  text.print(
      "\nfriction of the motor, for the observer kind \"lugre-kalman\" and for simulate:\n\n"
      "motor.friction.law = \"lugre\"\n");
  print_parameters(text, MeshLuGre<double>{}, "motor.friction");
  text.print(
      "\ninput:\n  motor.torque                       N m\n\noutputs; in [log.channels], motor.position is the "
      "sensor, load.torque and neighbour.torque what is known to act, the others are references:\n");
  for (const Signal& output : kJointSignals) text.print("  {:<34} {}\n", output.name, output.unit);
  text.print(
      "\nobservers, in [[observer]]: kind = \"luenberger\", \"kalman\", \"lugre-kalman\" or \"virtual-sensor\"; tauhat "
      "describe STUDY.toml prints their gains and poles\n\n"
      "numbers that follow the pose, in [pose], one for each position: load.inertia, neighbour.coupling_inertia, "
      "neighbour.inertia, gravity.sine, gravity.cosine; channels pose.position, pose.velocity, pose.acceleration\n");
}

// Of one axis; a study gives a list.
using OneOfTheAxes = ElasticAxes<double, 1>;
const OneOfTheAxes kOneOfTheAxes;

void describe_axes(Text& text) {
  text.print(
      "elastic-axes: several axes of a robot at once, whose links shake each other; how fast each link moves\n\n"
      "parameters, in [drive]: a list of one number an axis, or one number for all\n");
  OneOfTheAxes::visit_parameters(kOneOfTheAxes, [&](const ParameterInfo& info, const auto&) {
    text.print("  {:<34} {:<10} {}; {}\n", full_name(info), info.unit == "1" ? "" : info.unit, info.meaning,
               allowed_text(info.range, info.unit));
  });
  text.print(
      "  {:<34} {:<10} mass matrix of the links, without rotors, and axes = the axes' names\n"
      "  {:<34} {:<10} or an arm, whose mass matrix and weight follow its pose; with tip, pose, every\n"
      "\nsignals of each axis, in [log.channels]: motor.torque and motor.position are needed, load.torque is what is "
      "known to act, the others are references:\n",
      "load.inertia", "kg m^2", "urdf", "");
  for (const Signal& signal : kSignalsOfAxis) text.print("  AXIS.{:<29} {}\n", signal.name, signal.unit);
  text.print(
      "\nobservers, in [[observer]]: kind = \"kalman\" or \"luenberger\" (with as many poles as there are states, five "
      "an axis); coupled = false takes each axis alone; tauhat describe STUDY.toml prints their gains and poles\n");
}

Report axes_model_report() {
  Report report;
  Table parameters{"parameters", {"name", "unit", "meaning"}, {}}, signals{"signals", {"name", "unit"}, {}};
  OneOfTheAxes::visit_parameters(kOneOfTheAxes, [&](const ParameterInfo& info, const auto&) {
    parameters.rows.push_back({full_name(info), std::string(info.unit), std::string(info.meaning)});
  });
  for (const Signal& signal : kSignalsOfAxis)
    signals.rows.push_back({fmt::format("AXIS.{}", signal.name), std::string(signal.unit)});
  report.sections.push_back({"The axes", "One number an axis.", {}, {std::move(parameters), std::move(signals)}});
  return report;
}

struct RobotKey {
  std::string_view name, unit, meaning;
};
// What a study says of a robot beside its geometry; of a prismatic joint N for N m, m for rad.
constexpr std::array<RobotKey, 27> kRobotKeys{
    {{"robot.urdf", "", "the arm's URDF, beside the study; else a [[robot.joint]] for each joint"},
     {"robot.tip", "", "link at the end of the arm; joints that do not lead to it are held at zero"},
     {"robot.gravity", "m/s^2", "three numbers, in the axes of the base"},
     {"robot.coupling", "", "matrix of a wrist whose motors move more than one joint"},
     {"robot.torque_sensors", "", "true: behind the gears, which see no rotor; else the torques are the motors'"},
     {"robot.torques", "", "held: from the row to the next, as drives command them; sampled: of the row's instant"},
     {"robot.friction.law", "", "coulomb-tanh, exponential, stribeck, hyperbolic; dahl, lugre, maxwell-slip: a memory"},
     {"robot.friction.width", "rad/s", "over which friction changes its sign"},
     {"robot.joint.name", "", "of the URDF's joint, or a new one"},
     {"robot.joint.alpha", "rad", "modified Denavit-Hartenberg, with a, d, theta; type = \"prismatic\" slides"},
     {"robot.joint.inertia", "kg m^2", "Ixx Ixy Ixz Iyy Iyz Izz mX mY mZ m of its link, about the joint's frame"},
     {"robot.joint.actuator_inertia", "kg m^2", "of rotor and gear, at the output side"},
     {"robot.joint.friction", "N m", "viscous, coulomb, offset, asymmetry; excess, decay; reach; load"},
     {"robot.joint.ratio", "", "of the motor, where the log has it"},
     {"robot.joint.limit", "rad", "lower, upper, velocity, acceleration, torque"},
     {"robot.frame.name", "", "a place on a link: on, xyz, rpy"},
     {"excite.height", "m", "no joint and no frame comes lower"},
     {"excite.margin", "%", "of every limit, left free"},
     {"excite.period", "s", "and harmonics, evaluations, rate, from_rest of the motion"},
     {"identify.cut_off", "Hz", "of the zero-phase filter; with decimation, trimmed, filter_torque, rate"},
     {"identify.friction", "", "list of viscous, coulomb, offset, asymmetric, load: what is fitted"},
     {"identify.weights", "", "of the joints: residual or equal; with reweightings"},
     {"identify.robust", "", "true: rows far off count less"},
     {"identify.held_back", "%", "end of the log, to judge the fit by"},
     {"identify.penalty", "", "of the distance from what is known beforehand"},
     {"identify.payload", "", "frame that a payload is told in"},
     {"log.joint_states", "", "topic whose position and effort are the channels"}}};

void describe_arm(Text& text) {
  text.print(
      "robot: an arm or a tree of links; its inertias and friction, and motions that tell them\n\nkeys; a study has "
      "[robot] instead of [drive]:\n");
  for (const RobotKey& key : kRobotKeys) text.print("  {:<34} {:<10} {}\n", key.name, key.unit, key.meaning);
  text.print(
      "\nsignals of each joint, in [log.channels]; NAME.motor.* where the sensor is at the motor:\n"
      "  NAME.position                      rad\n  NAME.velocity                      rad/s\n"
      "  NAME.torque                        N m\n\ntauhat describe STUDY.toml lists joints, frames and base "
      "parameters\n");
}

Report arm_report() {
  Report report;
  Table table{"keys", {"name", "unit", "meaning"}, {}};
  for (const RobotKey& key : kRobotKeys)
    table.rows.push_back({std::string(key.name), std::string(key.unit), std::string(key.meaning)});
  report.sections.push_back({"Keys", "What a study with [robot] may say.", {}, {std::move(table)}});
  return report;
}

template <class T>
void add_parameters(const T& owner, Report& report) {
  T::visit_parameters(owner, [&](const ParameterInfo& info, const double& value) {
    Result result;
    result.name = fmt::format("{}.{}", info.group, info.name);
    result.value = value, result.unit = std::string(info.unit);
    result.note = fmt::format("{}; {}", info.meaning, allowed_text(info.range, info.unit));
    report.results.push_back(std::move(result));
  });
}

// Parameters with their defaults as results, what they mean as notes; signals as a table.
template <class... Owners>
Report report_of(std::span<const Signal> outputs, const Owners&... owners) {
  Report report;
  (add_parameters(owners, report), ...);
  Section signals{"Signals", "What the model gives, and what a log may hold.", {}, {}};
  Table table{"outputs", {"name", "unit"}, {}};
  for (const Signal& output : outputs) table.rows.push_back({std::string(output.name), std::string(output.unit)});
  signals.tables.push_back(std::move(table));
  report.sections.push_back(std::move(signals));
  return report;
}

struct DescribedModel {
  std::string_view name, what;
  void (*describe)(Text&);
  std::string (*study)();
  Report (*report)();
};

constexpr std::array<DescribedModel, 6> kModels{
    {{"two-mass", "motor and load joined by a transmission: backlash, stiffness, friction", describe_two_mass,
      example_study, [] { return report_of(Drive::kOutputs, Drive{}); }},
     {"axis", "one body that turns or slides: its friction, its mass", describe_axis, example_axis_study,
      [] { return report_of(Axis<double>::kOutputs, Axis<double>{}); }},
     {"powertrain", "motor, elastic shaft and load: where in its gap the gear is", describe_powertrain,
      example_powertrain_study, [] { return report_of(kGapSignals, Powertrain<double>{}, GapSpec{}); }},
     {"elastic-joint", "an axis of a robot: how fast its link moves", describe_joint, example_joint_study,
      [] { return report_of(kJointSignals, ElasticJoint<double>{}, GravityTorque<double>{}); }},
     {"elastic-axes", "several axes at once: how fast each link moves", describe_axes, example_axes_study,
      axes_model_report},
     {"robot", "an arm: its inertias and friction, and motions that tell them", describe_arm, example_robot_study,
      arm_report}}};

void print_section(Text& text, const Section& section) {
  text.print("\n{}: {}\n", section.title, section.text);
  for (const Table& table : section.tables) {
    text.print("  {}\n", table.title);
    for (const auto& row : table.rows) {
      text.print("    {:<28}", row[0]);
      for (std::size_t i = 1; i < row.size(); ++i) text.print(" {}", row[i]);
      text.print("\n");
    }
  }
}

struct Arguments {
  std::string model;
  bool as_study = false;
  ReportPaths paths;
};

ExitCode run(const Arguments& arguments) {
  const std::string& name = arguments.model;
  require_writable(arguments.paths);
  Text text;
  if (name.empty()) {
    if (!arguments.paths.json.empty() || !arguments.paths.html.empty())
      throw Error(ExitCode::wrong_use,
                  "describe: --json and --report need a model: two-mass, axis, powertrain, elastic-joint, elastic-axes "
                  "or robot");
    for (const DescribedModel& model : kModels) text.print("{:<14} {}\n", model.name, model.what);
    text.print(
        "\ntauhat describe MODEL lists its parameters; tauhat describe MODEL --study prints a complete study.\n");
    text.write();
    return ExitCode::done;
  }
  if (name.ends_with(".toml")) {
    const Study study = read_study(name);
    Report report = study.robot          ? describe_robot(study)
                    : study.elastic_axes ? axes_design_report(study)
                                         : design_report(study);
    report.command = "describe";
    publish(report, arguments.paths);
    for (const Section& section : report.sections) print_section(text, section);
    text.write();
    return exit_code_of(report);  // an observer that is not stable over its poses is an error
  }
  const auto* const model =
      std::find_if(kModels.begin(), kModels.end(), [&](const DescribedModel& m) { return m.name == name; });
  if (model == kModels.end())
    throw Error(ExitCode::wrong_use,
                fmt::format("unknown model \"{}\"; there are two-mass, axis, powertrain, "
                            "elastic-joint, elastic-axes and robot; STUDY.toml describes its observers or arm",
                            name));
  if (arguments.as_study) {
    text.print("{}", model->study());
  } else if (arguments.paths.json != "-") {
    model->describe(text);
  }
  text.write();
  if (arguments.paths.json.empty() && arguments.paths.html.empty()) return ExitCode::done;
  Report report = model->report();
  report.command = "describe";
  report.title = fmt::format("Model {}", model->name);
  report.headline = std::string(model->what);
  publish(report, arguments.paths, false);
  return ExitCode::done;
}

}  // namespace

void add_describe(CommandLine& line) {
  auto arguments = std::make_shared<Arguments>();
  auto command = line.add_command("describe", "models, parameters, outputs, units",
                                  "Example: tauhat describe two-mass --study > study.toml");
  command
      .add_option("MODEL", arguments->model,
                  "a model's name, or a study whose observers or robot are wanted; without it all models are listed")
      .name();
  command.add_flag("--study", arguments->as_study, "a complete study of the model");
  command.add_report(arguments->paths, "parameters as JSON; - is standard output", "a page to look at (HTML)");
  command.runs(run, arguments);
}

}  // namespace tauhat::cli
