// tauhat compare: every observer of a study on one log, side by side.
#include <fmt/format.h>

#include "tauhat/cli/commands.hpp"
#include "tauhat/cli/output.hpp"
#include "tauhat/cli/progress.hpp"
#include "tauhat/offline/joint/compare.hpp"
#include "tauhat/offline/joint/compare_axes.hpp"
#include "tauhat/offline/report/verdict.hpp"

namespace tauhat::cli {
namespace {

struct Arguments {
  std::string study, log;
  std::vector<std::string> others;
  ReportPaths paths;
};

Study joint_study(const std::string& path) {
  Study study = read_study(path);
  if (!study.joint && !study.elastic_axes)
    throw Error(ExitCode::wrong_use,
                fmt::format("{}: compare needs model = \"elastic-joint\" or \"elastic-axes\" in [drive]", path));
  return study;
}

ExitCode run(const Arguments& arguments) {
  require_writable(arguments.paths);
  const Study study = joint_study(arguments.study);
  std::vector<Study> others;
  for (const std::string& path : arguments.others) {
    others.push_back(joint_study(path));
    if (others.back().joint.has_value() != study.joint.has_value())
      throw Error(ExitCode::wrong_use,
                  fmt::format("{}: --with needs the model of {} in [drive]", path, arguments.study));
  }
  const Log log = read_log(arguments.log, study.log_spec());
  Progress progress;
  const auto show = [&](const std::string& stage, double share) { progress.show(stage, share); };
  const Report report = study.joint
                            ? comparison_report(study, compare_observers(study, others, log, show), arguments.log)
                            : compare_axes(study, others, log, show);
  publish(report, arguments.paths);
  return exit_code_of(report);
}

}  // namespace

void add_compare(CommandLine& line) {
  auto arguments = std::make_shared<Arguments>();
  auto command = line.add_command(
      "compare", "every observer of a study on one log, side by side",
      "A channel load.velocity or load.position in the study is the reference; without one, what a loop would reach\n"
      "with each estimate is compared.\n\n"
      "Example: tauhat compare studies/elastic-joint/elastic-joint.toml run.csv --report report.html");
  command.add_option("STUDY", arguments->study, "study file (TOML)").required();
  command.add_option("LOG", arguments->log, "log file; - is CSV on standard input").required();
  command.add_option("--with", arguments->others, "a study with other parameters for the same observers");
  command.add_report(arguments->paths);
  command.runs(run, arguments);
}

}  // namespace tauhat::cli
