// One function a command: it declares its arguments and what runs when it was chosen.
#pragma once

#include "tauhat/cli/command_line.hpp"

namespace tauhat::cli {

void add_init(CommandLine& line);
void add_plot(CommandLine& line);
void add_convert(CommandLine& line);
void add_simulate(CommandLine& line);
void add_estimate(CommandLine& line);
void add_stream(CommandLine& line);
void add_excite(CommandLine& line);
void add_plan(CommandLine& line);
void add_identify(CommandLine& line);
void add_check(CommandLine& line);
void add_reproduce(CommandLine& line);
void add_compare(CommandLine& line);
void add_tune(CommandLine& line);
void add_describe(CommandLine& line);
void add_completion(CommandLine& line);
void add_man(CommandLine& line);

}  // namespace tauhat::cli
