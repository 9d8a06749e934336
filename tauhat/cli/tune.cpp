// tauhat tune: an observer's noise and friction by the likelihood of motor signals alone.
#include <fmt/format.h>

#include <fstream>
#include <iterator>

#include "tauhat/cli/commands.hpp"
#include "tauhat/cli/output.hpp"
#include "tauhat/cli/progress.hpp"
#include "tauhat/offline/identify/online.hpp"
#include "tauhat/offline/joint/tune.hpp"
#include "tauhat/offline/study/rewrite.hpp"
#include "tauhat/offline/unreadable.hpp"

namespace tauhat::cli {
namespace {

struct Arguments {
  std::string study, output = "-", observer;
  std::vector<std::string> logs;
  int evaluations = 140;
  ReportPaths paths;
};

std::size_t chosen_observer(const JointSpec& spec, const Arguments& arguments) {
  if (spec.observers.empty())
    throw Error(ExitCode::wrong_use, fmt::format("{}: has no [[observer]] to tune", arguments.study));
  if (arguments.observer.empty()) return spec.chosen;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < spec.observers.size(); ++i) {
    if (spec.observers[i].name == arguments.observer) return i;
    names.push_back(spec.observers[i].name);
  }
  throw Error(ExitCode::wrong_use, fmt::format("{}: has no observer \"{}\"; there are {}", arguments.study,
                                               arguments.observer, fmt::join(names, ", ")));
}

std::vector<NewNumber> edits_of(const Tuning& tuning, std::size_t observer) {
  std::vector<NewNumber> edits;
  for (const TunedNumber& number : tuning.numbers) {
    NewNumber edit{{number.table}, number.after, number.unit};
    if (number.table == "observer") edit.path.push_back(fmt::format("{}", observer));
    for (std::size_t from = 0; from <= number.key.size();) {
      const std::size_t dot = std::min(number.key.find('.', from), number.key.size());
      edit.path.push_back(number.key.substr(from, dot - from));
      from = dot + 1;
    }
    edits.push_back(std::move(edit));
  }
  return edits;
}

ExitCode run(const Arguments& arguments) {
  require_writable(arguments.output);
  require_writable(arguments.paths);
  const Study study = read_study(arguments.study);
  if (!study.joint)
    throw Error(ExitCode::wrong_use,
                fmt::format("{}: tune needs model = \"elastic-joint\" in [drive]", arguments.study));
  const JointSpec& spec = *study.joint;
  const std::size_t which = chosen_observer(spec, arguments);
  Report report;
  std::vector<Timeline> records;
  for (const std::string& path : arguments.logs)
    records.push_back(online_timeline(study, read_log(path, study.log_spec()), report.diagnostics));
  Progress progress;
  const double period = spec.period > 0.0 ? spec.period : records.front().median_interval();
  const Tuning tuning = tune_observer(
      spec, spec.observers[which], records, period,
      {.evaluations = arguments.evaluations, .progress = [&](double share) { progress.show("tuning", share); }});
  std::ifstream file(arguments.study, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  write_whole(arguments.output, with_numbers(text, arguments.study, edits_of(tuning, which)));
  report.command = "tune";
  report.title = fmt::format("Tuning of {} in {}", tuning.observer.name, arguments.study);
  report.headline = fmt::format("The samples of the motor are {:.3g} times likelier each than before, after {} trials.",
                                std::exp(tuning.before - tuning.after), tuning.evaluations);
  Table table{"What was tuned", {"number", "before", "after", "unit"}, {}};
  for (const TunedNumber& number : tuning.numbers) {
    report.results.push_back({.name = number.key, .value = number.after, .unit = number.unit});
    table.rows.push_back(
        {number.key, fmt::format("{:.5g}", number.before), fmt::format("{:.5g}", number.after), number.unit});
  }
  report.sections.push_back({"The numbers", "", {}, {std::move(table)}});
  publish(report, arguments.paths, arguments.output != "-");
  return ExitCode::done;
}

}  // namespace

void add_tune(CLI::App& app, Chosen& chosen) {
  auto arguments = std::make_shared<Arguments>();
  auto* command = app.add_subcommand("tune", "noise and friction of an observer, by motor signals alone");
  command->footer("Example: tauhat tune studies/elastic-joint/elastic-joint.toml run.csv -o tuned.toml");
  command->add_option("STUDY", arguments->study, "study file (TOML)")->required();
  command->add_option("LOG", arguments->logs, "log files; several are weighed alike")->required();
  command->add_option("-o,--output", arguments->output, "tuned study to write; - is standard output");
  command->add_option("--observer", arguments->observer, "which one; else that of [estimator]");
  command->add_option("--evaluations", arguments->evaluations, "trials at most")->check(CLI::Range(10, 100000));
  command->add_option("--json", arguments->paths.json, "results as JSON; - is standard output");
  command->add_option("--report", arguments->paths.html, "report to look at (HTML)");
  command->callback([arguments, &chosen] { chosen = [arguments] { return run(*arguments); }; });
}

}  // namespace tauhat::cli
