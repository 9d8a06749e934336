// tauhat completion and tauhat man: what the shell and `man` need, made from the commands as they are declared.
#include <fmt/format.h>

#include <algorithm>

#include "tauhat/cli/commands.hpp"
#include "tauhat/cli/output.hpp"

namespace tauhat::cli {
namespace {

// "-o", "--output"; arguments without a dash have none.
std::vector<std::string> flags_of(const CommandInfo& command) {
  std::vector<std::string> flags;
  for (const OptionInfo& option : command.options) {
    for (const std::string& name : option.short_names) flags.push_back("-" + name);
    for (const std::string& name : option.long_names) flags.push_back("--" + name);
  }
  return flags;
}

std::string names_of(const std::vector<CommandInfo>& commands) {
  std::string names;
  for (const CommandInfo& command : commands) names += (names.empty() ? "" : " ") + command.name;
  return names;
}

std::string bash_completion(const std::vector<CommandInfo>& commands) {
  std::string cases;
  for (const CommandInfo& command : commands)
    cases += fmt::format("    {}) flags=\"{}\" ;;\n", command.name, fmt::join(flags_of(command), " "));
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
      names_of(commands), cases);
}

// zsh's brackets and quotes must not be in a description.
std::string plain(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\'' || c == '[' || c == ']' || c == ':'; }, ' ');
  return text;
}

std::string zsh_completion(const std::vector<CommandInfo>& commands) {
  std::string list, cases;
  for (const CommandInfo& command : commands) {
    list += fmt::format("    '{}:{}'\n", command.name, plain(command.meaning));
    cases += fmt::format("    {})\n      _arguments", command.name);
    for (const OptionInfo& option : command.options) {
      for (const std::string& name : option.long_names)
        cases += fmt::format(" \\\n        '--{}[{}]{}'", name, plain(option.meaning),
                             option.takes_value ? ":value:_files" : "");
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

std::string manual(const std::vector<CommandInfo>& commands) {
  std::string text = fmt::format(
      ".TH TAUHAT 1 \"\" \"tauhat {0}\" \"User Commands\"\n.SH NAME\ntauhat \\- friction, backlash, stiffness and load "
      "of a "
      "drive, from motor encoder and current\n.SH SYNOPSIS\n.B tauhat\n.I COMMAND\n[\\fIoptions\\fR] "
      "\\fIfiles\\fR\n.SH COMMANDS\n",
      TAUHAT_VERSION);
  for (const CommandInfo& command : commands) {
    text += fmt::format(".SS {}\n{}.\n", roff(command.name), roff(command.meaning));
    for (const OptionInfo& option : command.options) {
      if (std::ranges::count(option.long_names, "help") > 0) continue;
      text += fmt::format(".TP\n.B {}\n{}\n", roff(option.names), roff(option.meaning));
    }
    text += fmt::format(".PP\n.nf\n{}\n.fi\n", roff(command.footer));
  }
  return text +
         ".SH EXIT STATUS\n0 done and conforming; 1 not conforming; 2 wrong use or study; 3 unusable data; 4 the "
         "estimate cannot be trusted; 5 inconclusive; 70 the program failed, and should not have.\n";
}

}  // namespace

void add_completion(CommandLine& line) {
  auto shell = std::make_shared<std::string>();
  auto command =
      line.add_command("completion", "completion of commands and options for a shell",
                       "Example: tauhat completion bash > ~/.local/share/bash-completion/completions/tauhat");
  command.add_option("SHELL", *shell, "bash or zsh").required().one_of({"bash", "zsh"});
  command.runs([shell, &line] {
    write_whole("-", *shell == "bash" ? bash_completion(line.commands()) : zsh_completion(line.commands()));
    return ExitCode::done;
  });
}

void add_man(CommandLine& line) {
  auto command = line.add_command("man", "the manual page, in roff", "Example: tauhat man | man -l -");
  command.runs([&line] {
    write_whole("-", manual(line.commands()));
    return ExitCode::done;
  });
}

}  // namespace tauhat::cli
