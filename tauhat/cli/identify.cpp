// tauhat identify, and tauhat check, which asks of the same fit only whether it can be trusted.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tauhat/cli/commands.hpp"
#include "tauhat/cli/output.hpp"
#include "tauhat/cli/progress.hpp"
#include "tauhat/offline/certified_log.hpp"
#include "tauhat/offline/friction/friction_report.hpp"
#include "tauhat/offline/gap/gap_report.hpp"
#include "tauhat/offline/gearbox/hysteresis_report.hpp"
#include "tauhat/offline/identify/combine.hpp"
#include "tauhat/offline/joint/axes_check_report.hpp"
#include "tauhat/offline/joint/joint_report.hpp"
#include "tauhat/offline/log/distinct_logs.hpp"
#include "tauhat/offline/log/part.hpp"
#include "tauhat/offline/report/sensitivity.hpp"
#include "tauhat/offline/report/verdict.hpp"
#include "tauhat/offline/robot/robot_report.hpp"
#include "tauhat/offline/robot/urdf.hpp"
#include "tauhat/offline/robot/urdf_write.hpp"
#include "tauhat/offline/study/rewrite.hpp"
#include "tauhat/offline/study/robot_rewrite.hpp"

namespace tauhat::cli {
namespace {

struct Arguments {
  std::string study;
  std::vector<std::string> logs;
  std::string tooth_table;          // to write
  std::string urdf, new_study;      // to write: a robot's URDF, a study with what was identified
  std::string validation, payload;  // further logs of a robot
  ReportPaths paths;
};

Study study_of(const Arguments& arguments) {
  Study study = read_study(arguments.study);
  if (study.channels.empty())
    throw Error(ExitCode::wrong_use,
                fmt::format("{}: [log] is missing: it says what the log's columns mean", arguments.study));
  return study;
}

BacklashAnswer answer(const Study& study, const Log& log) {
  Progress progress;
  return answer_backlash(study, log, [&](const std::string& stage, double share) { progress.show(stage, share); });
}

// A verdict comes with a page to sign, which names the logs by their fingerprints.
Log read_for(const Study& study, const std::string& path, Certificate& certificate) {
  return study.limits.empty() ? read_log(path, study.log_spec())
                              : read_certified_log(path, study.log_spec(), certificate);
}

// What is missing of the torque of a drive, or of the force of an axis, can be bridged neither by a filter nor by a
// regression, which would take the last one held for one that acted.
Log whole_part(const Study& study, const Log& log) {
  return study.is_drive() || study.axis ? without_holes(log, input_signal(study)) : log;
}

ExitCode conclude(const Study& study, Report report, const Certificate& certificate, const ReportPaths& paths,
                  bool table_on_standard_output = true) {
  if (!study.limits.empty()) report.certificate = certificate;
  publish(report, paths, table_on_standard_output);
  return exit_code_of(report);
}

// Of a log, where it is only to be seen what the answer depends on.
constexpr std::size_t kAnsweredAgain = 4000;  // samples

// The answer of a study whose random walk of the transmission's torque is so many times as fast.
Report answer_again(const Study& study, const std::vector<Log>& logs, double factor) {
  Study other = study;
  other.identification.intensity_scale = factor;
  std::vector<BacklashAnswer> runs;
  for (const Log& log : logs) runs.push_back(answer_backlash(other, log));
  return combine_runs(other, runs);
}

ExitCode identify_axis(const Study& study, const Arguments& arguments) {
  if (arguments.logs.size() > 1)
    throw Error(ExitCode::wrong_use, fmt::format("{}: friction is identified from one log at a time", study.source));
  Progress progress;
  Certificate certificate;
  const Log log = whole_part(study, read_for(study, arguments.logs.front(), certificate));
  Report report =
      answer_friction(study, log, [&](const std::string& stage, double share) { progress.show(stage, share); });
  // Laws are tried anew for each walk, which takes its time: where a verdict hangs on it.
  if (study.axis->method == StudyAxis::Method::two_step && !study.limits.empty()) {
    const Log part = middle_of(log, kAnsweredAgain);
    show_sensitivity(
        [&](double factor) {
          Study other = study;
          other.axis->intensity_scale = factor;
          return answer_friction(other, part);
        },
        is_longer(log, kAnsweredAgain), "the friction", report);
  }
  return conclude(study, std::move(report), certificate, arguments.paths);
}

ExitCode identify_gap(const Study& study, const Arguments& arguments) {
  if (arguments.logs.size() > 1)
    throw Error(ExitCode::wrong_use, fmt::format("{}: a gap is learned from one log at a time", study.source));
  const std::string& path = arguments.logs.front();
  Progress progress;
  Certificate certificate;
  const Log log = read_for(study, path, certificate);
  GapAnswer answer = answer_gap(study, log, read_gap_truth(path, study), !arguments.tooth_table.empty(),
                                [&](const std::string& stage, double share) { progress.show(stage, share); });
  show_sensitivity(
      [&](double factor) {
        Study other = study;
        other.powertrain->drive.noise *= factor * factor;  // densities
        return answer_gap(other, log, {}, false).report;
      },
      false, "load and motor torque", answer.report);
  if (!answer.tables.empty()) write_whole(arguments.tooth_table, tooth_table_text(answer.tables));
  const bool table_is_the_output = arguments.tooth_table == "-" && !answer.tables.empty();
  return conclude(study, answer.report, certificate, arguments.paths, !table_is_the_output);
}

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// The joint's numbers, where the study has them in [drive] and they can be trusted.
void write_identified(const Study& study, const Report& report, const std::string& path) {
  std::vector<NewNumber> numbers;
  ElasticJoint<double>::visit_parameters(study.joint->joint, [&](const ParameterInfo& info, const double&) {
    const std::string name = fmt::format("{}.{}", info.group, info.name);
    for (const Result& result : report.results)
      if (result.name == name)
        numbers.push_back({{"drive", std::string(info.group), std::string(info.name)}, result.value, result.unit});
  });
  write_whole(path, with_numbers(text_of(study.source), study.source, numbers));
}

ExitCode identify_joint(const Study& study, const Arguments& arguments) {
  if (arguments.logs.size() > 1)
    throw Error(ExitCode::wrong_use, fmt::format("{}: a joint is identified from one log at a time", study.source));
  Certificate certificate;
  const Log log = read_for(study, arguments.logs.front(), certificate);
  const Report report = answer_joint(study, log);
  if (!arguments.new_study.empty() && is_trusted(report.diagnostics))
    write_identified(study, report, arguments.new_study);
  return conclude(study, report, certificate, arguments.paths, arguments.new_study != "-");
}

// The URDF as the study at `study` has to call it.
std::string urdf_beside(const std::string& urdf, const std::string& study) {
  namespace fs = std::filesystem;
  if (urdf.empty() || study == "-") return "";
  return fs::proximate(fs::absolute(urdf), fs::absolute(study).parent_path()).generic_string();
}

// All texts are made before the first is written.
void write_identified(const Study& study, const RobotSpec& identified, const Arguments& arguments) {
  const std::string& urdf = study.robot->urdf;
  std::string new_urdf, new_study;
  if (!arguments.urdf.empty()) new_urdf = corrected_urdf(read_urdf_text(urdf), urdf, identified);
  if (!arguments.new_study.empty()) {
    const bool has_file = !arguments.urdf.empty() && arguments.urdf != "-";
    new_study = study_with_robot(text_of(arguments.study), arguments.study, identified,
                                 urdf_beside(has_file ? arguments.urdf : urdf, arguments.new_study));
  }
  if (!new_urdf.empty()) write_whole(arguments.urdf, new_urdf);
  if (!new_study.empty()) write_whole(arguments.new_study, new_study);
}

ExitCode identify_robot(const Study& study, const Arguments& arguments) {
  if (!arguments.urdf.empty() && study.robot->urdf.empty())
    throw Error(ExitCode::wrong_use,
                fmt::format("{}: has no urdf to correct; --study writes its table of joints", study.source));
  Certificate certificate;
  RobotLogs logs;
  DistinctLogs distinct;
  for (const std::string& path : arguments.logs) {
    logs.motion.push_back(read_for(study, path, certificate));
    distinct.add(logs.motion.back());
  }
  const auto read_further = [&](const std::string& path, std::optional<Log>& log) {
    if (path.empty()) return;
    log = read_log(path, study.log_spec());
    distinct.add(*log);
  };
  read_further(arguments.validation, logs.validation);
  read_further(arguments.payload, logs.with_payload);
  RobotAnswer answer = answer_robot(study, std::move(logs));
  if (answer.identified) write_identified(study, *answer.identified, arguments);
  if (answer.identified && !arguments.urdf.empty())
    for (Diagnostic& found : diagnose_urdf(*answer.identified)) answer.report.diagnostics.push_back(std::move(found));
  return conclude(study, answer.report, certificate, arguments.paths,
                  arguments.urdf != "-" && arguments.new_study != "-");
}

// Options that other studies have no use for are refused, rather than passed over.
void refuse_options_of_others(const Study& study, const Arguments& arguments) {
  const auto refuse = [&](const char* option, const std::string& value) {
    if (!value.empty() && !study.robot)
      throw Error(ExitCode::wrong_use, fmt::format("{}: {} is for a study with [robot]", study.source, option));
  };
  refuse("--urdf", arguments.urdf);
  if (!arguments.new_study.empty() && !study.robot && !study.joint)
    throw Error(
        ExitCode::wrong_use,
        fmt::format("{}: --study is for a study with [robot], or with model = \"elastic-joint\"", study.source));
  refuse("--validation", arguments.validation);
  refuse("--payload", arguments.payload);
}

void refuse_axes(const Study& study) {
  if (study.elastic_axes)
    throw Error(ExitCode::wrong_use,
                fmt::format("{}: elastic axes are identified one at a time, the others braked: by model = "
                            "\"elastic-joint\", whose neighbour is the next axis",
                            study.source));
}

ExitCode identify(const Arguments& arguments) {
  require_writable(arguments.paths);
  for (const std::string& path : {arguments.tooth_table, arguments.urdf, arguments.new_study}) require_writable(path);
  const Study study = study_of(arguments);
  refuse_options_of_others(study, arguments);
  refuse_axes(study);
  if (study.test) {
    const Report report = answer_hysteresis(study, arguments.logs);
    publish(report, arguments.paths);
    return exit_code_of(report);
  }
  if (study.axis) return identify_axis(study, arguments);
  if (study.powertrain) return identify_gap(study, arguments);
  if (study.joint) return identify_joint(study, arguments);
  if (study.robot) return identify_robot(study, arguments);
  // All are read before the long work begins.
  std::vector<Log> logs;
  DistinctLogs distinct;
  Certificate certificate;
  for (const std::string& path : arguments.logs) {
    logs.push_back(read_for(study, path, certificate));
    distinct.add(logs.back());
    logs.back() = whole_part(study, logs.back());
  }
  std::vector<BacklashAnswer> runs;
  for (const Log& log : logs) runs.push_back(answer(study, log));
  Report report = combine_runs(study, runs);
  bool of_a_part = false;
  for (Log& log : logs) {
    of_a_part = of_a_part || is_longer(log, kAnsweredAgain);
    log = middle_of(log, kAnsweredAgain);
  }
  show_sensitivity([&](double factor) { return answer_again(study, logs, factor); }, of_a_part,
                   "the transmission's torque", report);
  return conclude(study, std::move(report), certificate, arguments.paths);
}

// Measures instead of results: what the diagnostics looked at.
Report measures_of(const Study& study, const Log& log) {
  BacklashAnswer found = answer(study, log);
  const BacklashMeasures& m = found.measures;
  Report& report = found.report;
  report.results.clear();
  const auto add = [&](const char* name, double value) {
    report.results.push_back({.name = name, .value = value, .unit = "1"});
  };
  add("excitation.share_on_upper_flank", m.share_positive);
  add("excitation.share_on_lower_flank", m.share_negative);
  add("excitation.presses_on_upper_flank", m.presses_positive);
  add("excitation.presses_on_lower_flank", m.presses_negative);
  add("excitation.stiffness_spread", m.stiffness_spread);
  add("excitation.torque_over_noise", m.torque_over_noise);
  add("drift.share_of_range", m.drift_over_range);
  add("filter.mean_nis", m.mean_nis);
  add("model.reduced_chi_square", m.reduced_chi_square);
  add("model.residual_autocorrelation", m.autocorrelation);
  return std::move(report);
}

Report checked(const Study& study, const Arguments& arguments) {
  if (study.test) return answer_hysteresis(study, arguments.logs);
  const std::string& path = arguments.logs.front();
  const Log log = whole_part(study, read_log(path, study.log_spec()));
  if (study.elastic_axes) return check_axes(study, log);
  if (study.axis) return answer_friction(study, log);
  if (study.powertrain) return answer_gap(study, log, read_gap_truth(path, study), false).report;
  if (study.joint) return answer_joint(study, log);
  if (study.robot) return check_robot(study, log);
  return measures_of(study, log);
}

// Whether the answer can be trusted, whatever it is: no verdicts, nothing to sign.
ExitCode check(const Arguments& arguments) {
  require_writable(arguments.paths);
  Report report = checked(study_of(arguments), arguments);
  const bool trusted = is_trusted(report.diagnostics);
  report.command = "check";
  const auto warnings = std::count_if(report.diagnostics.begin(), report.diagnostics.end(),
                                      [](const Diagnostic& d) { return d.severity == Severity::warning; });
  report.headline = !trusted ? "This log does not give an answer that can be trusted."
                    : warnings > 0
                        ? "An answer can be given; what the warnings below say may make it worse than it looks."
                        : "The data are good enough and the model fits.";
  report.verdicts.clear();
  report.certificate.reset();
  publish(report, arguments.paths);
  return trusted ? ExitCode::done : ExitCode::untrusted;
}

Option declare(CommandLine& line, const char* name, const char* what, const char* example,
               ExitCode (*run)(const Arguments&)) {
  auto arguments = std::make_shared<Arguments>();
  auto command = line.add_command(name, what, example);
  command.add_option("STUDY", arguments->study, "study file (TOML)").required();
  Option logs = command.add_option("LOG", arguments->logs,
                                   "log file: CSV, MATLAB, HDF5, MDF4 or MCAP; - is CSV on standard input");
  logs.required();
  if (run == identify) {
    command.add_option("--tooth-table", arguments->tooth_table,
                       "learned errors of the wheels' teeth (CSV), for `table` in [log.channels]");
    command.add_option("--urdf", arguments->urdf, "a robot's URDF to write, with inertias and friction as identified");
    command.add_option("--study", arguments->new_study,
                       "the study with what was identified of a robot or an elastic joint, to write");
    command.add_option("--validation", arguments->validation,
                       "log of another motion of the robot, to judge the fit by");
    command.add_option("--payload", arguments->payload, "log of the robot with a load: what it carries");
  }
  command.add_report(arguments->paths);
  command.runs(run, arguments);
  return logs;
}

}  // namespace

void add_identify(CommandLine& line) {
  declare(line, "identify", "numbers with intervals: gap, stiffness, friction, parameters",
          "Example: tauhat identify studies/demo/demo.toml run.csv --report report.html", identify);
}

void add_check(CommandLine& line) {
  declare(line, "check", "is this data good enough, does the model fit?",
          "Example: tauhat check studies/demo/demo.toml run.csv", check)
      .once();
}

}  // namespace tauhat::cli
