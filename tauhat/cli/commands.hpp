// One function a subcommand: it declares its arguments and sets what runs when it was chosen.
#pragma once

#include <CLI/CLI.hpp>

#include <functional>

#include "tauhat/offline/error.hpp"

namespace tauhat::cli {

using Chosen = std::function<ExitCode()>;

void add_init(CLI::App& app, Chosen& chosen);
void add_convert(CLI::App& app, Chosen& chosen);
void add_plot(CLI::App& app, Chosen& chosen);
void add_completion(CLI::App& app, Chosen& chosen);
void add_man(CLI::App& app, Chosen& chosen);
void add_simulate(CLI::App& app, Chosen& chosen);
void add_estimate(CLI::App& app, Chosen& chosen);
void add_stream(CLI::App& app, Chosen& chosen);
void add_excite(CLI::App& app, Chosen& chosen);
void add_plan(CLI::App& app, Chosen& chosen);
void add_identify(CLI::App& app, Chosen& chosen);
void add_check(CLI::App& app, Chosen& chosen);
void add_reproduce(CLI::App& app, Chosen& chosen);
void add_compare(CLI::App& app, Chosen& chosen);
void add_tune(CLI::App& app, Chosen& chosen);
void add_describe(CLI::App& app, Chosen& chosen);

}  // namespace tauhat::cli
