// tauhat plan: an excitation for the quantity that is asked for, and the interval it will give.
#include <fmt/format.h>

#include <cmath>

#include "tauhat/cli/commands.hpp"
#include "tauhat/cli/csv_text.hpp"
#include "tauhat/cli/output.hpp"
#include "tauhat/cli/progress.hpp"
#include "tauhat/offline/friction/friction_report.hpp"
#include "tauhat/offline/identify/backlash_report.hpp"
#include "tauhat/offline/joint/joint_report.hpp"
#include "tauhat/offline/plan/plan.hpp"
#include "tauhat/offline/simulate/simulated_log.hpp"
#include "tauhat/offline/simulate/simulated_study.hpp"

namespace tauhat::cli {
namespace {

struct Arguments {
  std::string study, output = "-";
  std::uint64_t seed = 1;
  ReportPaths paths;
};

Study study_of(const Arguments& arguments) {
  Study study = read_study(arguments.study);
  const auto require = [&](bool there, const char* what) {
    if (!there) throw Error(ExitCode::wrong_use, fmt::format("{}: {}", arguments.study, what));
  };
  require(study.plan.has_value(), "[plan] is missing: it says which result is to be told, and what the drive may do");
  require(study.simulation.has_value(), "[simulate] is missing: it gives duration, rate and the sensors' faults");
  require(!study.channels.empty(), "[log] is missing: it says what will be recorded");
  return study;
}

Report identified(const Study& study, const Log& log) {
  if (study.axis) return answer_friction(study, log);
  if (study.joint) return answer_joint(study, log);
  return answer_backlash(study, log).report;
}

std::size_t column_of(const std::vector<OutputInfo>& outputs, const std::string& name) {
  std::size_t i = 0;
  while (i < outputs.size() && outputs[i].name != name) ++i;
  return i;
}

PlanTrials trials_of(const Study& study) {
  PlanTrials trials;
  const SimulationSpec& simulation = *study.simulation;
  trials.rows = {static_cast<std::size_t>(std::lround(simulation.duration / simulation.period)) + 1, simulation.period};
  trials.given = simulation.excitation;
  trials.record = [&study](const std::vector<double>& input, std::uint64_t seed) {
    Study played = study;
    Excitation& excitation = played.simulation->excitation = {};
    excitation.kind = Excitation::Kind::samples;
    excitation.samples = input;
    return simulate_study(played, seed).data;
  };
  trials.identify = [&study](const Simulated& data) { return identified(study, simulated_log(study, data)); };
  const std::string side = study.axis ? "axis" : "motor";
  const std::vector<OutputInfo> outputs = simulate_study(study, 1).outputs;
  trials.speed = column_of(outputs, side + ".velocity");
  trials.travel = column_of(outputs, side + ".position");
  return trials;
}

std::string to_csv(const std::string& input, const Plan& plan) {
  std::string text = "time," + quoted(input) + "\n";
  for (std::size_t k = 0; k < plan.input.size(); ++k) {
    append_number(text, plan.motion.time[k]);
    text += ',';
    append_number(text, plan.input[k]);
    text += '\n';
  }
  return text;
}

ExitCode run(const Arguments& arguments) {
  require_writable(arguments.output);
  require_writable(arguments.paths);
  const Study study = study_of(arguments);
  const PlanTrials trials = trials_of(study);
  Progress progress;
  const Plan plan =
      make_plan(*study.plan, trials, arguments.seed, [&](double share) { progress.show("trying", share); });
  write_whole(arguments.output, to_csv(input_signal(study), plan));
  const PlanUnits units{input_signal(study), force_unit(study), unit_in(study, "rad/s"), unit_in(study, "rad")};
  publish(plan_report(plan, *study.plan, trials, units, arguments.study), arguments.paths, arguments.output != "-");
  return ExitCode::done;
}

}  // namespace

void add_plan(CLI::App& app, Chosen& chosen) {
  auto arguments = std::make_shared<Arguments>();
  auto* command = app.add_subcommand("plan", "what to play to the drive so that a record tells what is asked for");
  command->footer("Example: tauhat plan studies/plan/gear.toml -o excitation.csv --report plan.html");
  command->add_option("STUDY", arguments->study, "study file (TOML) with [plan]")->required();
  command->add_option("-o,--output", arguments->output, "the input over time (CSV, SI); - is standard output");
  command->add_option("--seed", arguments->seed, "random phases, bits and noise; the same seed gives the same bytes");
  command->add_option("--json", arguments->paths.json, "results as JSON; - is standard output");
  command->add_option("--report", arguments->paths.html, "report to look at (HTML)");
  command->callback([arguments, &chosen] { chosen = [arguments] { return run(*arguments); }; });
}

}  // namespace tauhat::cli
