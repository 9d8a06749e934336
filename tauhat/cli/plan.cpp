// tauhat plan: an excitation for the quantity that is asked for, and the interval it will give.
#include <fmt/format.h>

#include "tauhat/cli/commands.hpp"
#include "tauhat/cli/csv_text.hpp"
#include "tauhat/cli/output.hpp"
#include "tauhat/cli/progress.hpp"
#include "tauhat/offline/gearbox/hysteresis_report.hpp"
#include "tauhat/offline/plan/bench_plan.hpp"
#include "tauhat/offline/plan/plan_trials.hpp"

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
  if (study.bench_plan) return study;
  require(study.plan.has_value(), "[plan] is missing: it says which result is to be told, and what the drive may do");
  require(study.simulation.has_value(), "[simulate] is missing: it gives duration, rate and the sensors' faults");
  require(!study.channels.empty(), "[log] is missing: it says what will be recorded");
  return study;
}

std::string to_csv(const std::string& input, const std::vector<double>& time, const std::vector<double>& values) {
  std::string text = "time," + quoted(input) + "\n";
  for (std::size_t k = 0; k < time.size(); ++k) {
    append_number(text, time[k]);
    text += ',';
    append_number(text, values[k]);
    text += '\n';
  }
  return text;
}

// The torque of one position, on the side where the bench measures it.
std::string to_csv(const Study& study, const TorqueLoops& ramps) {
  const bool at_output = study.find_channel("transmission.torque") != nullptr;
  const double factor = at_output ? 1.0 : 1.0 / study.test->ratio;
  std::vector<double> time, torque;
  for (std::size_t k = 0; k < ramps.samples(); ++k) {
    time.push_back(static_cast<double>(k) * ramps.period);
    torque.push_back(factor * ramps.torque(time.back()));
  }
  return to_csv(at_output ? "transmission.torque" : "motor.torque", time, torque);
}

void plan_test(const Study& study, const Arguments& arguments) {
  Progress progress;
  const BenchPlan plan = plan_bench_test(*study.bench_plan, hysteresis_test_of(study), arguments.seed,
                                         [&](double share) { progress.show("trying", share); });
  write_whole(arguments.output, to_csv(study, plan.chosen.schedule.ramps));
  publish(bench_plan_report(plan, *study.bench_plan, arguments.study), arguments.paths, arguments.output != "-");
}

void plan_motion(const Study& study, const Arguments& arguments) {
  const PlanTrials trials = trials_of(study);
  Progress progress;
  const Plan plan =
      make_plan(*study.plan, trials, arguments.seed, [&](double share) { progress.show("trying", share); });
  write_whole(arguments.output, to_csv(input_signal(study), plan.motion.time, plan.input));
  const PlanUnits units{input_signal(study), force_unit(study), unit_in(study, "rad/s"), unit_in(study, "rad")};
  publish(plan_report(plan, *study.plan, trials, units, arguments.study), arguments.paths, arguments.output != "-");
}

ExitCode run(const Arguments& arguments) {
  require_writable(arguments.output);
  require_writable(arguments.paths);
  const Study study = study_of(arguments);
  study.bench_plan ? plan_test(study, arguments) : plan_motion(study, arguments);
  return ExitCode::done;
}

}  // namespace

void add_plan(CommandLine& line) {
  auto arguments = std::make_shared<Arguments>();
  auto command = line.add_command("plan", "what to play to the drive so that a record tells what is asked for",
                                  "Example: tauhat plan studies/demo/demo.toml -o excitation.csv --report plan.html");
  command.add_option("STUDY", arguments->study, "study file (TOML) with [plan]").required();
  command.add_option("-o,--output", arguments->output, "the input over time (CSV, SI); - is standard output");
  command.add_option("--seed", arguments->seed, "random phases, bits and noise; the same seed gives the same bytes");
  command.add_report(arguments->paths);
  command.runs(run, arguments);
}

}  // namespace tauhat::cli
