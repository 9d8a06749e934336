// tauhat completion and tauhat man: what the shell and `man` need, made from the commands as they are declared.
#include <fmt/format.h>

#include <algorithm>

#include "tauhat/cli/commands.hpp"
#include "tauhat/cli/output.hpp"

namespace tauhat::cli {
namespace {

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* command) { return !command->get_name().empty(); });
}

// "-o,--output" as its names; positionals have none.
std::vector<std::string> flags_of(const CLI::App& command) {
  std::vector<std::string> flags;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_snames()) flags.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
  }
  return flags;
}

std::string names_of(const CLI::App& app) {
  std::string names;
  for (const CLI::App* command : commands_of(app)) names += (names.empty() ? "" : " ") + command->get_name();
  return names;
}

std::string bash_completion(const CLI::App& app) {
  std::string cases;
  for (const CLI::App* command : commands_of(app))
    cases += fmt::format("    {}) flags=\"{}\" ;;\n", command->get_name(), fmt::join(flags_of(*command), " "));
  return fmt::format(
      "# bash completion of tauhat\n"
      "_tauhat() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} flags=\n"
      "  if [[ $COMP_CWORD -eq 1 ]]; then\n"
      "    COMPREPLY=($(compgen -W \"{} --help --version\" -- \"$word\"))\n"
      "    return\n"
      "  fi\n"
      "  case ${{COMP_WORDS[1]}} in\n{}  esac\n"
      "  if [[ $word == -* ]]; then COMPREPLY=($(compgen -W \"$flags\" -- \"$word\"))\n"
      "  else mapfile -t COMPREPLY < <(compgen -f -- \"$word\"); fi\n"
      "}}\n"
      "complete -o filenames -F _tauhat tauhat\n",
      names_of(app), cases);
}

// zsh's brackets and quotes must not be in a description.
std::string plain(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\'' || c == '[' || c == ']' || c == ':'; }, ' ');
  return text;
}

std::string zsh_completion(const CLI::App& app) {
  std::string list, cases;
  for (const CLI::App* command : commands_of(app)) {
    list += fmt::format("    '{}:{}'\n", command->get_name(), plain(command->get_description()));
    cases += fmt::format("    {})\n      _arguments", command->get_name());
    for (const CLI::Option* option : command->get_options()) {
      for (const std::string& name : option->get_lnames())
        cases += fmt::format(" \\\n        '--{}[{}]{}'", name, plain(option->get_description()),
                             option->get_expected_max() > 0 && option->get_type_size() > 0 ? ":value:_files" : "");
    }
    cases += " \\\n        '*:file:_files'\n      ;;\n";
  }
  return fmt::format(
      "#compdef tauhat\n"
      "local -a commands=(\n{}  )\n"
      "if (( CURRENT == 2 )); then\n  _describe command commands\nelse\n  local command=$words[2]\n  shift words\n"
      "  (( CURRENT-- ))\n  case $command in\n{}  esac\nfi\n",
      list, cases);
}

// A leading dot or quote would be a command of roff; a minus is not a hyphen.
std::string roff(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '\\' || c == '-') safe += '\\';
    if ((c == '.' || c == '\'') && (safe.empty() || safe.back() == '\n')) safe += "\\&";
    safe += c;
  }
  return safe;
}

std::string manual(const CLI::App& app) {
  std::string text = fmt::format(
      ".TH TAUHAT 1 \"\" \"tauhat {0}\" \"User Commands\"\n.SH NAME\ntauhat \\- friction, backlash, stiffness and load "
      "of a "
      "drive, from motor encoder and current\n.SH SYNOPSIS\n.B tauhat\n.I COMMAND\n[\\fIoptions\\fR] "
      "\\fIfiles\\fR\n.SH COMMANDS\n",
      TAUHAT_VERSION);
  for (const CLI::App* command : commands_of(app)) {
    text += fmt::format(".SS {}\n{}.\n", roff(command->get_name()), roff(command->get_description()));
    for (const CLI::Option* option : command->get_options()) {
      if (option->get_name() == "--help") continue;
      text += fmt::format(".TP\n.B {}\n{}\n", roff(option->get_name(false, true)), roff(option->get_description()));
    }
    text += fmt::format(".PP\n.nf\n{}\n.fi\n", roff(command->get_footer()));
  }
  return text +
         ".SH EXIT STATUS\n0 done and conforming; 1 not conforming; 2 wrong use or study; 3 unusable data; 4 the "
         "estimate cannot be trusted; 5 inconclusive; 70 the program failed, and should not have.\n";
}

}  // namespace

void add_completion(CLI::App& app, Chosen& chosen) {
  auto shell = std::make_shared<std::string>();
  auto* command = app.add_subcommand("completion", "completion of commands and options for a shell");
  command->footer("Example: tauhat completion bash > ~/.local/share/bash-completion/completions/tauhat");
  command->add_option("SHELL", *shell, "bash or zsh")->required()->check(CLI::IsMember({"bash", "zsh"}));
  command->callback([shell, &app, &chosen] {
    chosen = [shell, &app] {
      write_whole("-", *shell == "bash" ? bash_completion(app) : zsh_completion(app));
      return ExitCode::done;
    };
  });
}

void add_man(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand("man", "the manual page, in roff");
  command->footer("Example: tauhat man | man -l -");
  command->callback([&app, &chosen] {
    chosen = [&app] {
      write_whole("-", manual(app));
      return ExitCode::done;
    };
  });
}

}  // namespace tauhat::cli
