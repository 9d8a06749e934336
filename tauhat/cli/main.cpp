// tauhat: what a drive's log says of friction, backlash, stiffness and load.
#include <fmt/format.h>

#include <cstdio>

#include "tauhat/cli/commands.hpp"

int main(int argc, char** argv) {
  using namespace tauhat;
  CLI::App app{"tauhat: friction, backlash, stiffness and load of a drive, from motor encoder and current"};
  app.set_version_flag("--version", TAUHAT_VERSION);
  app.require_subcommand(1);
  cli::Chosen chosen;
  cli::add_init(app, chosen);
  cli::add_plot(app, chosen);
  cli::add_convert(app, chosen);
  cli::add_simulate(app, chosen);
  cli::add_estimate(app, chosen);
  cli::add_identify(app, chosen);
  cli::add_check(app, chosen);
  cli::add_reproduce(app, chosen);
  cli::add_describe(app, chosen);
  cli::add_completion(app, chosen);
  cli::add_man(app, chosen);
  try {
    app.parse(argc, argv);
    return static_cast<int>(chosen());
  } catch (const CLI::ParseError& problem) {
    // Help and version are no errors; all else is wrong use.
    return app.exit(problem) == 0 ? 0 : static_cast<int>(ExitCode::wrong_use);
  } catch (const Error& problem) {
    fmt::print(stderr, "{}\n", problem.what());
    return static_cast<int>(problem.code());
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "out of memory: the log is too long for this machine\n");
    return static_cast<int>(ExitCode::unusable_data);
  }
}
