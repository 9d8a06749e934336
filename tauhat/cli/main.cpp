// tauhat: what a drive's log says of friction, backlash, stiffness and load.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>

#include "tauhat/cli/commands.hpp"
#include "tauhat/offline/spelling.hpp"

namespace tauhat::cli {
namespace {

// A mistake of the program, which no data or study is to blame for: EX_SOFTWARE of sysexits.h.
constexpr int kInternalFailure = 70;

// CLI11 would only say that a command is required.
void refuse_unknown_command(const CLI::App& app, const std::string& word) {
  if (word.starts_with('-')) return;
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  if (std::find(names.begin(), names.end(), word) != names.end()) return;
  const std::string nearest = nearest_name(word, names);
  throw Error(ExitCode::wrong_use, fmt::format("unknown command \"{}\"{} The commands are {}.", word,
                                               nearest.empty() ? "." : fmt::format("; did you mean \"{}\"?", nearest),
                                               fmt::join(names, ", ")));
}

ExitCode run(int argc, char** argv) {
  CLI::App app{"tauhat: friction, backlash, stiffness and load of a drive, from motor encoder and current"};
  app.set_version_flag("--version", TAUHAT_VERSION);
  app.require_subcommand(1);
  Chosen chosen;
  add_init(app, chosen);
  add_plot(app, chosen);
  add_convert(app, chosen);
  add_simulate(app, chosen);
  add_estimate(app, chosen);
  add_stream(app, chosen);
  add_excite(app, chosen);
  add_plan(app, chosen);
  add_identify(app, chosen);
  add_check(app, chosen);
  add_reproduce(app, chosen);
  add_compare(app, chosen);
  add_tune(app, chosen);
  add_describe(app, chosen);
  add_completion(app, chosen);
  add_man(app, chosen);
  if (argc > 1) refuse_unknown_command(app, argv[1]);
  try {
    app.parse(argc, argv);
    return chosen();
  } catch (const CLI::ParseError& problem) {
    // Help and version are no errors; all else is wrong use.
    return app.exit(problem) == 0 ? ExitCode::done : ExitCode::wrong_use;
  }
}

}  // namespace
}  // namespace tauhat::cli

int main(int argc, char** argv) {
  using tauhat::ExitCode;
  try {
    return static_cast<int>(tauhat::cli::run(argc, argv));
  } catch (const tauhat::Error& problem) {
    std::fprintf(stderr, "%s\n", problem.what());
    return static_cast<int>(problem.code());
  } catch (const std::bad_alloc&) {
    std::fputs("out of memory: the log is too long for this machine\n", stderr);
    return static_cast<int>(ExitCode::unusable_data);
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "tauhat failed, and should not have: %s\n", problem.what());
    return tauhat::cli::kInternalFailure;
  }
}
