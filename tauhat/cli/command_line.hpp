// The program's commands and their options. CLI11 stands behind them, in command_line.cpp alone: every file that
// includes it takes ten seconds to compile.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "tauhat/cli/output.hpp"
#include "tauhat/offline/error.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): theirs
class App;
class Option;
}  // namespace CLI

namespace tauhat::cli {

// What is asked of an option's value.
class Option {
 public:
  explicit Option(CLI::Option& option) : option_(&option) {}

  Option& required();
  Option& once();  // not several
  Option& name();  // of something else than a file, which a text is otherwise
  Option& one_of(std::initializer_list<const char*> words);
  Option& from_to(int least, int most);
  Option& whole_from_one();
  Option& positive();
  Option& excludes(const Option& other);

 private:
  CLI::Option* option_;
};

// One command, as it is declared. Options write to where they are told, which must live until the command has run.
class Command {
 public:
  Command(CLI::App& app, std::function<ExitCode()>& chosen) : app_(&app), chosen_(&chosen) {}

  // A name in capitals is an argument without a dash: "STUDY", "-o,--output".
  Option add_option(const char* name, std::string& value, const char* meaning);
  Option add_option(const char* name, std::vector<std::string>& values, const char* meaning);
  Option add_option(const char* name, int& value, const char* meaning);
  Option add_option(const char* name, double& value, const char* meaning);
  Option add_option(const char* name, std::uint64_t& value, const char* meaning);
  void add_flag(const char* name, bool& value, const char* meaning);
  // --json and --report.
  void add_report(ReportPaths& paths, const char* json = "results as JSON; - is standard output",
                  const char* html = "report to look at (HTML)");

  // What runs when this command was chosen, with its arguments.
  void runs(std::function<ExitCode()> work);
  template <class Arguments>
  void runs(ExitCode (*work)(const Arguments&), const std::shared_ptr<Arguments>& arguments) {
    runs([=] { return work(*arguments); });
  }

 private:
  CLI::App* app_;
  std::function<ExitCode()>* chosen_;
};

// What completions and the manual say of a command.
struct OptionInfo {
  std::string names;                                 // "-o,--output", or "STUDY"
  std::vector<std::string> short_names, long_names;  // without dashes
  std::string meaning;
  bool takes_value = true;
};
struct CommandInfo {
  std::string name, meaning, footer;
  std::vector<OptionInfo> options;
};

class CommandLine {
 public:
  CommandLine(const char* what, const char* version);
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;
  ~CommandLine();

  Command add_command(const char* name, const char* meaning, const char* footer);
  std::vector<CommandInfo> commands() const;
  // Help and version are printed; what was not understood is said on standard error, and is wrong use.
  ExitCode run(int argc, char** argv);

 private:
  std::unique_ptr<CLI::App> app_;
  std::function<ExitCode()> chosen_;
};

}  // namespace tauhat::cli
