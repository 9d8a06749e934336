// tauhat init: a study for a log that nobody has described yet.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <string_view>

#include "tauhat/cli/commands.hpp"
#include "tauhat/cli/output.hpp"
#include "tauhat/offline/init/init.hpp"

namespace tauhat::cli {
namespace {

struct Arguments {
  std::string log, test, model, output = "-";
  bool force = false;
};

std::size_t lines_with(std::string_view text, std::string_view word) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, text.find('\n', at)))
    ++count;
  return count;
}

ExitCode run(const Arguments& arguments) {
  const StudyKind kind = !arguments.test.empty()     ? StudyKind::hysteresis_curve
                         : arguments.model == "axis" ? StudyKind::axis
                                                     : StudyKind::two_mass;
  require_writable(arguments.output);
  if (arguments.output != "-" && !arguments.force && std::filesystem::exists(arguments.output))
    throw Error(ExitCode::wrong_use,
                fmt::format("{}: exists already; --force writes over it, answers included", arguments.output));
  const std::string study = study_for(arguments.log, kind);
  write_whole(arguments.output, study);
  // Standard output may be the study.
  if (arguments.output != "-")
    fmt::print(stderr, "{}: written. Answer its {} lines with a TODO, then run: tauhat identify {} {}\n",
               arguments.output, lines_with(study, "\"TODO"), arguments.output, arguments.log);
  return ExitCode::done;
}

}  // namespace

void add_init(CommandLine& line) {
  auto arguments = std::make_shared<Arguments>();
  auto command = line.add_command("init", "a study for a log, with a TODO for what it cannot know",
                                  "Example: tauhat init run.csv -o axis.toml\n"
                                  "         tauhat init bench.csv --test hysteresis-curve -o gearbox.toml");
  command.add_option("LOG", arguments->log, "log file").required();
  const Option test =
      command.add_option("--test", arguments->test, "a bench test: hysteresis-curve").one_of({"hysteresis-curve"});
  command.add_option("--model", arguments->model, "a model of what moves: two-mass (default) or axis")
      .one_of({"two-mass", "axis"})
      .excludes(test);
  command.add_option("-o,--output", arguments->output, "study to write (TOML); - is standard output");
  command.add_flag("--force", arguments->force, "write over a study that exists");
  command.runs(run, arguments);
}

}  // namespace tauhat::cli
