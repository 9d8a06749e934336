// tauhat identify, and tauhat check, which asks of the same fit only whether it can be trusted.
#include <fmt/format.h>

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
#include "tauhat/offline/joint/joint_report.hpp"
#include "tauhat/offline/log/distinct_logs.hpp"
#include "tauhat/offline/report/verdict.hpp"
#include "tauhat/offline/robot/robot_report.hpp"
#include "tauhat/offline/study/rewrite.hpp"

namespace tauhat::cli {
namespace {

struct Arguments {
  std::string study;
  std::vector<std::string> logs;
  std::string tooth_table, identified;  // to write
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

ExitCode conclude(const Study& study, Report report, const Certificate& certificate, const ReportPaths& paths,
                  bool table_on_standard_output = true) {
  if (!study.limits.empty()) report.certificate = certificate;
  publish(report, paths, table_on_standard_output);
  return exit_code_of(report);
}

ExitCode identify_axis(const Study& study, const Arguments& arguments) {
  if (arguments.logs.size() > 1)
    throw Error(ExitCode::wrong_use, fmt::format("{}: friction is identified from one log at a time", study.source));
  Progress progress;
  Certificate certificate;
  const Log log = read_for(study, arguments.logs.front(), certificate);
  return conclude(
      study, answer_friction(study, log, [&](const std::string& stage, double share) { progress.show(stage, share); }),
      certificate, arguments.paths);
}

ExitCode identify_gap(const Study& study, const Arguments& arguments) {
  if (arguments.logs.size() > 1)
    throw Error(ExitCode::wrong_use, fmt::format("{}: a gap is learned from one log at a time", study.source));
  const std::string& path = arguments.logs.front();
  Progress progress;
  Certificate certificate;
  const Log log = read_for(study, path, certificate);
  const GapAnswer answer = answer_gap(study, log, read_gap_truth(path, study), !arguments.tooth_table.empty(),
                                      [&](const std::string& stage, double share) { progress.show(stage, share); });
  if (!arguments.tooth_table.empty()) write_whole(arguments.tooth_table, tooth_table_text(answer.tables));
  return conclude(study, answer.report, certificate, arguments.paths, arguments.tooth_table != "-");
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
  std::ifstream file(study.source, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  write_whole(path, with_numbers(text, study.source, numbers));
}

ExitCode identify_joint(const Study& study, const Arguments& arguments) {
  if (arguments.logs.size() > 1)
    throw Error(ExitCode::wrong_use, fmt::format("{}: a joint is identified from one log at a time", study.source));
  Certificate certificate;
  const Log log = read_for(study, arguments.logs.front(), certificate);
  const Report report = answer_joint(study, log);
  if (!arguments.identified.empty() && is_trusted(report.diagnostics))
    write_identified(study, report, arguments.identified);
  return conclude(study, report, certificate, arguments.paths, arguments.identified != "-");
}

ExitCode identify_robot(const Study& study, const Arguments& arguments) {
  if (arguments.logs.size() > 1)
    throw Error(ExitCode::wrong_use, fmt::format("{}: a robot is identified from one log at a time", study.source));
  Certificate certificate;
  const Log log = read_for(study, arguments.logs.front(), certificate);
  return conclude(study, answer_robot(study, log), certificate, arguments.paths);
}

ExitCode identify(const Arguments& arguments) {
  require_writable(arguments.paths);
  require_writable(arguments.tooth_table);
  require_writable(arguments.identified);
  const Study study = study_of(arguments);
  if (!arguments.identified.empty() && !study.joint)
    throw Error(ExitCode::wrong_use, fmt::format("{}: --study is for model = \"elastic-joint\"", study.source));
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
  }
  std::vector<BacklashAnswer> runs;
  for (const Log& log : logs) runs.push_back(answer(study, log));
  return conclude(study, combine_runs(study, runs), certificate, arguments.paths);
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
  const Log log = read_log(path, study.log_spec());
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
  report.headline = trusted ? "The data are good enough and the model fits."
                            : "This log does not give an answer that can be trusted.";
  report.verdicts.clear();
  report.certificate.reset();
  publish(report, arguments.paths);
  return trusted ? ExitCode::done : ExitCode::untrusted;
}

CLI::Option* declare(CLI::App& app, Chosen& chosen, const char* name, const char* what, const char* example,
                     ExitCode (*run)(const Arguments&)) {
  auto arguments = std::make_shared<Arguments>();
  auto* command = app.add_subcommand(name, what);
  command->footer(example);
  command->add_option("STUDY", arguments->study, "study file (TOML)")->required();
  auto* logs =
      command
          ->add_option("LOG", arguments->logs, "log file: CSV, MATLAB, HDF5, MDF4 or MCAP; - is CSV on standard input")
          ->required();
  if (run == identify)
    command->add_option("--study", arguments->identified,
                        "the study with the joint's identified numbers, for `compare --with`; - is standard output");
  if (run == identify)
    command->add_option("--tooth-table", arguments->tooth_table,
                        "learned errors of the wheels' teeth (CSV), for `table` in [log.channels]");
  command->add_option("--json", arguments->paths.json, "results as JSON; - is standard output");
  command->add_option("--report", arguments->paths.html, "report to look at (HTML)");
  command->callback([arguments, run, &chosen] { chosen = [arguments, run] { return run(*arguments); }; });
  return logs;
}

}  // namespace

void add_identify(CLI::App& app, Chosen& chosen) {
  declare(app, chosen, "identify", "numbers with intervals: gap, stiffness, friction, parameters",
          "Example: tauhat identify studies/demo/demo.toml run.csv --report report.html", identify);
}

void add_check(CLI::App& app, Chosen& chosen) {
  declare(app, chosen, "check", "is this data good enough, does the model fit?",
          "Example: tauhat check studies/demo/demo.toml run.csv", check)
      ->expected(1);
}

}  // namespace tauhat::cli
