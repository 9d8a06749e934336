// tauhat excite: a motion of a robot that tells its parameters apart.
#include <fmt/format.h>

#include <cmath>

#include "tauhat/cli/commands.hpp"
#include "tauhat/cli/csv_text.hpp"
#include "tauhat/cli/output.hpp"
#include "tauhat/cli/progress.hpp"
#include "tauhat/offline/robot/excitation_report.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat::cli {
namespace {

struct Arguments {
  std::string study, output = "-";
  std::uint64_t seed = 1;
  double period = 0.0, rate = 0.0;     // s, Hz; 0: as the study says
  int harmonics = 0, evaluations = 0;  // 0: as the study says
  ReportPaths paths;
};

RobotSpec robot_of(const Study& study, const Arguments& arguments) {
  if (!study.robot)
    throw Error(ExitCode::wrong_use, fmt::format("{}: excite needs [robot]: joints and their limits", arguments.study));
  RobotSpec robot = *study.robot;
  ExciteSpec& asked = robot.excite;
  if (arguments.period > 0.0) asked.period = arguments.period;
  if (arguments.rate > 0.0) asked.rate = arguments.rate;
  if (arguments.harmonics > 0) asked.harmonics = arguments.harmonics;
  if (arguments.evaluations > 0) asked.evaluations = arguments.evaluations;
  // A series is told by some samples of its fastest part.
  constexpr double kSamplesOfFastest = 10.0;
  const double least = kSamplesOfFastest * asked.harmonics / asked.period;
  if (asked.rate < least)
    throw Error(ExitCode::wrong_use,
                fmt::format("{}: a rate of {:g} Hz is too low for {} harmonics in {:g} s: at least {:g} Hz",
                            arguments.study, asked.rate, asked.harmonics, asked.period, least));
  return robot;
}

// One period, its end included, where the joints are back.
std::string to_csv(const RobotSpec& robot, const FourierTrajectory& trajectory) {
  std::string text = "time";
  for (const RobotJoint& joint : robot.joints)
    for (const char* quantity : {"position", "velocity", "acceleration"})
      text += "," + quoted(fmt::format("{}.{}", joint.name, quantity));
  text += '\n';
  const long samples = std::lround(robot.excite.rate * trajectory.period);
  for (long k = 0; k <= samples; ++k) {
    const double time = static_cast<double>(k) / robot.excite.rate;
    append_number(text, time);
    const JointMotion at = trajectory.at(time);
    for (int j = 0; j < robot.count(); ++j) {
      for (const double value : {at.position[j], at.velocity[j], at.acceleration[j]}) {
        text += ',';
        append_number(text, value);
      }
    }
    text += '\n';
  }
  return text;
}

// Of a sample of each joint's torque, where [log.channels] says it of all; a motor's at its joint.
std::optional<Eigen::VectorXd> torque_std_of(const Study& study) {
  const RobotSpec& robot = *study.robot;
  Eigen::VectorXd std(robot.count());
  for (int j = 0; j < robot.count(); ++j) {
    const std::string& name = robot.joints[static_cast<std::size_t>(j)].name;
    const StudyChannel *at_joint = study.find_channel(name + ".torque"),
                       *at_motor = study.find_channel(name + ".motor.torque");
    const StudyChannel* channel = at_joint ? at_joint : at_motor;
    if (!channel || !channel->std) return {};
    std[j] = *channel->std * (at_joint ? 1.0 : std::abs(robot.robot.transmission().ratio()[j]));
  }
  return std;
}

ExitCode run(const Arguments& arguments) {
  require_writable(arguments.output);
  require_writable(arguments.paths);
  const Study study = read_study(arguments.study);
  const RobotSpec robot = robot_of(study, arguments);
  Progress progress;
  const ExcitationAnswer answer = answer_excitation(robot, arguments.study, arguments.seed, torque_std_of(study),
                                                    [&](double share) { progress.show("searching", share); });
  write_whole(arguments.output, to_csv(robot, answer.motion.trajectory));
  publish(answer.report, arguments.paths, arguments.output != "-");
  return ExitCode::done;
}

}  // namespace

void add_excite(CommandLine& line) {
  auto arguments = std::make_shared<Arguments>();
  auto command =
      line.add_command("excite", "a motion of a robot that tells its parameters apart",
                       "Example: tauhat excite studies/robot/robot.toml -o trajectory.csv --report motion.html");
  command.add_option("STUDY", arguments->study, "study file (TOML) with [robot]").required();
  command.add_option("-o,--output", arguments->output,
                     "trajectory to write (CSV): position, velocity and acceleration; - is standard output");
  command.add_option("--seed", arguments->seed, "of the search; another seed finds another motion");
  command.add_option("--period", arguments->period, "s; without it that of [excite]").positive();
  command.add_option("--harmonics", arguments->harmonics, "of the Fourier series").from_to(1, 50);
  command.add_option("--evaluations", arguments->evaluations, "motions that are tried").from_to(1, 1000000);
  command.add_option("--rate", arguments->rate, "Hz, of the trajectory").positive();
  command.add_report(arguments->paths);
  command.runs(run, arguments);
}

}  // namespace tauhat::cli
