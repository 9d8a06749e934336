// tauhat: what a drive's log says of friction, backlash, stiffness and load.
#include <cstdio>
#include <exception>
#include <new>

#include "tauhat/cli/commands.hpp"

namespace tauhat::cli {
namespace {

// A mistake of the program, which no data or study is to blame for: EX_SOFTWARE of sysexits.h.
constexpr int kInternalFailure = 70;

ExitCode run(int argc, char** argv) {
  CommandLine line("tauhat: friction, backlash, stiffness and load of a drive, from motor encoder and current",
                   TAUHAT_VERSION);
  add_init(line);
  add_plot(line);
  add_convert(line);
  add_simulate(line);
  add_estimate(line);
  add_stream(line);
  add_excite(line);
  add_plan(line);
  add_identify(line);
  add_check(line);
  add_reproduce(line);
  add_compare(line);
  add_tune(line);
  add_describe(line);
  add_completion(line);
  add_man(line);
  return line.run(argc, argv);
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
