// tauhat tune: an observer's noise and friction by the likelihood of motor signals alone; its poles by a sweep.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>

#include "tauhat/cli/commands.hpp"
#include "tauhat/cli/output.hpp"
#include "tauhat/cli/progress.hpp"
#include "tauhat/offline/identify/online.hpp"
#include "tauhat/offline/joint/pole_sweep.hpp"
#include "tauhat/offline/joint/tune.hpp"
#include "tauhat/offline/report/series.hpp"
#include "tauhat/offline/report/verdict.hpp"
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

// The tuned study, with all else as it was.
void write_study(const Arguments& arguments, const std::vector<NewNumber>& edits) {
  std::ifstream file(arguments.study, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  write_whole(arguments.output, with_numbers(text, arguments.study, edits));
}

void tune_by_likelihood(const Tuning& tuning, Report& report) {
  report.headline = fmt::format("The samples of the motor are {:.3g} times likelier each than before, after {} trials.",
                                std::exp(tuning.before - tuning.after), tuning.evaluations);
  Table table{"What was tuned", {"number", "before", "after", "unit"}, {}};
  for (const TunedNumber& number : tuning.numbers) {
    report.results.push_back({.name = number.key, .value = number.after, .unit = number.unit});
    table.rows.push_back({number.key, fmt::format("{:.5g}", number.before),
                          number.is_told ? fmt::format("{:.5g}", number.after) : "not told, as before", number.unit});
  }
  report.sections.push_back({"The numbers", "", {}, {std::move(table)}});
}

std::vector<NewNumber> edits_of(const ObserverSpec& poles, std::size_t observer) {
  std::vector<NewNumber> edits;
  for (std::size_t i = 0; i < poles.poles.size(); ++i)
    edits.push_back({{"observer", fmt::format("{}", observer), "poles", fmt::format("{}", i), "frequency"},
                     poles.poles[i].frequency,
                     "Hz"});
  return edits;
}

void tune_by_sweep(const PoleSweep& sweep, Report& report) {
  const SweptPoles& best = sweep.points[sweep.best];
  const auto given = std::find_if(sweep.points.begin(), sweep.points.end(),
                                  [](const SweptPoles& point) { return std::abs(point.factor - 1.0) < 1e-9; });
  report.headline = fmt::format(
      "Poles {:.3g} times as fast: an error of {:.3g} mrad/s is expected, {:.3g} with those of the study. The motor is "
      "shaken by {:.3g} N m/sqrt(Hz), as its record shows.",
      best.factor, 1e3 * best.error(), 1e3 * given->error(), sweep.torque_noise);
  report.results = {{.name = "poles.factor", .value = best.factor, .unit = "1"},
                    {.name = "poles.settling", .value = best.settling, .unit = "s"},
                    {.name = "poles.noise", .value = best.noise, .unit = "rad/s"},
                    {.name = "poles.remainder", .value = best.remainder, .unit = "rad/s"}};
  Table table{"Sweep", {"factor", "settles in ms", "noise mrad/s", "left by friction mrad/s", "both mrad/s"}, {}};
  std::vector<double> settling, noise, remainder, error;
  for (const SweptPoles& point : sweep.points) {
    settling.push_back(1e3 * point.settling), noise.push_back(1e3 * point.noise);
    remainder.push_back(1e3 * point.remainder), error.push_back(1e3 * point.error());
    table.rows.push_back({fmt::format("{:.3g}", point.factor), fmt::format("{:.3g}", settling.back()),
                          fmt::format("{:.3g}", noise.back()), fmt::format("{:.3g}", remainder.back()),
                          fmt::format("{:.3g}", error.back())});
  }
  Plot plot{.title = "Noise against convergence",
            .x_label = "settling time [ms]",
            .y_label = "rms of the link velocity's error [mrad/s]",
            .caption = "Fast poles stand on the left: noise grows there, and what friction leaves on the right.",
            .series = {curve("by the sensor's noise", settling, noise), curve("left by friction", settling, remainder),
                       curve("both", settling, error)},
            .logarithmic_x = true};
  report.sections.push_back({"The poles", "", {std::move(plot)}, {std::move(table)}});
}

// A motor that rests nearly all the time tells nothing, however long the log is.
void require_motion(const Arguments& arguments, const std::vector<Timeline>& records, Report& report) {
  constexpr double kLeast = 1.0, kMost = 0.5;  // s in motion, and the share of rest that is not worth a word
  double moving = 0.0, all = 0.0;
  for (const Timeline& record : records) {
    const std::vector<bool> motion = in_motion(record);
    moving += record.median_interval() * static_cast<double>(std::count(motion.begin(), motion.end(), true));
    all += record.median_interval() * static_cast<double>(motion.size());
  }
  if (moving < kLeast)
    throw Error(ExitCode::untrusted,
                fmt::format("{}: the motor moves for {:.2g} s of {:.3g} s: too little to tune by. Record at least {:g} "
                            "s of motion, with reversals",
                            fmt::join(arguments.logs, ", "), moving, all, kLeast));
  if (all - moving > kMost * all)
    report.diagnostics.push_back({"excitation.no_motion", Severity::warning,
                                  fmt::format("The motor rests for {:.0f} % of the time: only the {:.3g} s in motion "
                                              "were used.",
                                              1e2 * (1.0 - moving / all), moving)});
}

void require_told(const Arguments& arguments, const Tuning& tuning) {
  if (std::any_of(tuning.numbers.begin(), tuning.numbers.end(), [](const TunedNumber& n) { return n.is_told; })) return;
  throw Error(ExitCode::untrusted,
              fmt::format("{}: {}", fmt::join(arguments.logs, ", "), tuning.diagnostics().front().message));
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
  for (const std::string& path : arguments.logs) {
    const Log log = read_log(path, study.log_spec());
    if (log.find("motor.position")->constant)
      throw Error(ExitCode::untrusted, fmt::format("{}: the motor never moves: nothing can be tuned by it", path));
    report.diagnostics.insert(report.diagnostics.end(), log.diagnostics.begin(), log.diagnostics.end());
    records.push_back(online_timeline(study, log, report.diagnostics));
  }
  Progress progress;
  const double period = spec.period > 0.0 ? spec.period : records.front().median_interval();
  const ObserverSpec& observer = spec.observers[which];
  report.command = "tune";
  report.title = fmt::format("Tuning of {} in {}", observer.name, arguments.study);
  require_motion(arguments, records, report);
  if (observer.kind == ObserverSpec::Kind::luenberger) {
    const PoleSweep sweep = sweep_poles(spec, observer, records, period);
    write_study(arguments, edits_of(sweep.observer, which));
    tune_by_sweep(sweep, report);
  } else {
    const Tuning tuning =
        tune_observer(spec, observer, records, period,
                      {.evaluations = arguments.evaluations, .in_motion_only = true, .progress = [&](double share) {
                         progress.show("tuning", share);
                       }});
    require_told(arguments, tuning);
    for (Diagnostic& said : tuning.diagnostics()) report.diagnostics.push_back(std::move(said));
    write_study(arguments, edits_of(tuning, which));
    tune_by_likelihood(tuning, report);
  }
  publish(report, arguments.paths, arguments.output != "-");
  return exit_code_of(report);
}

}  // namespace

void add_tune(CommandLine& line) {
  auto arguments = std::make_shared<Arguments>();
  auto command =
      line.add_command("tune", "noise and friction of an observer, or its poles, by motor signals alone",
                       "Example: tauhat tune studies/elastic-joint/elastic-joint.toml run.csv -o tuned.toml");
  command.add_option("STUDY", arguments->study, "study file (TOML)").required();
  command.add_option("LOG", arguments->logs, "log files; several are weighed alike").required();
  command.add_option("-o,--output", arguments->output, "tuned study to write; - is standard output");
  command.add_option("--observer", arguments->observer, "which one; else that of [estimator]").name();
  command.add_option("--evaluations", arguments->evaluations, "trials at most").from_to(10, 100000);
  command.add_report(arguments->paths);
  command.runs(run, arguments);
}

}  // namespace tauhat::cli
