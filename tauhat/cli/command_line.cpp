#include "tauhat/cli/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>

#include "tauhat/offline/spelling.hpp"

namespace tauhat::cli {
namespace {

// What the numbers of options must be, said in words: CLI11's own checks print the largest double in full.
template <class Number, class Allowed>
CLI::Validator number_that(Allowed is_allowed, const std::string& sentence) {
  return {[=](std::string& text) {
            Number value{};
            const char* const end = text.data() + text.size();
            const auto [stopped, problem] = std::from_chars(text.data(), end, value);
            const bool is_number = problem == std::errc() && stopped == end;
            return is_number && is_allowed(value) ? std::string() : text + ": " + sentence;
          },
          ""};
}

OptionInfo info_of(const CLI::Option& option) {
  return {option.get_name(false, true), option.get_snames(), option.get_lnames(), option.get_description(),
          option.get_expected_max() > 0 && option.get_type_size() > 0};
}

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

}  // namespace

Option& Option::required() {
  option_->required();
  return *this;
}
Option& Option::once() {
  option_->expected(1);
  return *this;
}
Option& Option::name() {
  option_->type_name("NAME");
  return *this;
}
Option& Option::one_of(std::initializer_list<const char*> words) {
  name().option_->check(CLI::IsMember(std::vector<std::string>(words.begin(), words.end())));
  return *this;
}
Option& Option::from_to(int least, int most) {
  option_->check(CLI::Range(least, most));
  return *this;
}
Option& Option::whole_from_one() {
  option_->check(number_that<int>([](int value) { return value >= 1; }, "must be a whole number from 1"));
  return *this;
}
Option& Option::positive() {
  option_->check(number_that<double>([](double value) { return value > 0.0 && std::isfinite(value); },
                                     "must be a positive number"));
  return *this;
}
Option& Option::excludes(const Option& other) {
  option_->excludes(other.option_);
  return *this;
}

Option Command::add_option(const char* name, std::string& value, const char* meaning) {
  return Option(*app_->add_option(name, value, meaning)->type_name("FILE"));
}
Option Command::add_option(const char* name, std::vector<std::string>& values, const char* meaning) {
  return Option(*app_->add_option(name, values, meaning)->type_name("FILE"));
}
Option Command::add_option(const char* name, int& value, const char* meaning) {
  return Option(*app_->add_option(name, value, meaning));
}
Option Command::add_option(const char* name, double& value, const char* meaning) {
  return Option(*app_->add_option(name, value, meaning));
}
Option Command::add_option(const char* name, std::uint64_t& value, const char* meaning) {
  // CLI11 would take -1 for the largest there is.
  return Option(*app_->add_option(name, value, meaning)
                     ->check(number_that<std::uint64_t>([](std::uint64_t) { return true; },
                                                        "must be a whole number from 0 to 2^64 - 1")));
}
void Command::add_flag(const char* name, bool& value, const char* meaning) { app_->add_flag(name, value, meaning); }
void Command::add_report(ReportPaths& paths, const char* json, const char* html) {
  add_option("--json", paths.json, json);
  add_option("--report", paths.html, html);
}
void Command::runs(std::function<ExitCode()> work) {
  app_->callback([work = std::move(work), chosen = chosen_] { *chosen = work; });
}

CommandLine::CommandLine(const char* what, const char* version) : app_(std::make_unique<CLI::App>(what)) {
  app_->set_version_flag("--version", version);
  app_->require_subcommand(1);
}
CommandLine::~CommandLine() = default;

Command CommandLine::add_command(const char* name, const char* meaning, const char* footer) {
  CLI::App* command = app_->add_subcommand(name, meaning);
  command->footer(footer);
  return {*command, chosen_};
}

std::vector<CommandInfo> CommandLine::commands() const {
  std::vector<CommandInfo> commands;
  for (const CLI::App* app : std::as_const(*app_).get_subcommands([](const CLI::App*) { return true; })) {
    CommandInfo& command =
        commands.emplace_back(CommandInfo{app->get_name(), app->get_description(), app->get_footer(), {}});
    for (const CLI::Option* option : app->get_options()) command.options.push_back(info_of(*option));
  }
  return commands;
}

ExitCode CommandLine::run(int argc, char** argv) {
  if (argc > 1) refuse_unknown_command(*app_, argv[1]);
  try {
    app_->parse(argc, argv);
  } catch (const CLI::ParseError& problem) {
    // Help and version are no errors; all else is wrong use.
    return app_->exit(problem) == 0 ? ExitCode::done : ExitCode::wrong_use;
  }
  return chosen_();
}

}  // namespace tauhat::cli
