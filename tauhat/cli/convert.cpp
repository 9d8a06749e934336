// tauhat convert: a log in another format, its columns as they are. --list only names them.
#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <iterator>

#include "tauhat/cli/commands.hpp"
#include "tauhat/cli/output.hpp"
#include "tauhat/offline/log/formats/formats.hpp"
#include "tauhat/offline/log/formats/hdf5.hpp"
#include "tauhat/offline/log/formats/unique_names.hpp"

namespace tauhat::cli {
namespace {

struct Arguments {
  std::string log, output;
  std::vector<std::string> columns;
  bool list = false;
};

std::string list_of(const std::string& path) {
  std::string text = fmt::format("{:<48} {:>10} {:<10} {}\n", "column", "samples", "unit", "clock");
  for (const ColumnInfo& column : format_of(path).list(path))
    text += fmt::format("{:<48} {:>10} {:<10} {}\n", column.name, column.samples, column.unit, column.clock);
  if (const auto objects = format_of(path).objects)
    for (const std::string& what : objects(path)) text += fmt::format("skipped: {}\n", what);
  return text;
}

// A heading that begins with '#' would be taken for a comment.
std::string cell_of(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos && !text.starts_with('#')) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

// Columns side by side; the shorter ones end with empty cells.
std::string to_csv(const Recording& recording) {
  std::string text;
  std::size_t rows = 0;
  for (const Column& column : recording.columns) {
    text += text.empty() ? "" : ",";
    text += cell_of(column.unit.empty() ? column.name : fmt::format("{} [{}]", column.name, column.unit));
    rows = std::max(rows, column.values.size());
  }
  text += '\n';
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < recording.columns.size(); ++i) {
      const auto& values = recording.columns[i].values;
      if (i > 0) text += ',';
      if (row < values.size() && std::isfinite(values[row]))
        fmt::format_to(std::back_inserter(text), "{}", values[row]);
    }
    text += '\n';
  }
  return text;
}

// Written beside its place, then renamed.
void write_hdf5_whole(const std::string& path, const Recording& recording) {
  const std::string unfinished = fmt::format("{}.{}.unfinished", path, ::getpid());
  std::error_code failed, ignored;
  try {
    write_hdf5(unfinished, recording);
  } catch (const Error& problem) {
    std::filesystem::remove(unfinished, ignored);
    // What is wrong, of the file that was asked for.
    const std::string what = problem.what();
    throw Error(ExitCode::wrong_use, what.starts_with(unfinished) ? path + what.substr(unfinished.size()) : what);
  }
  std::filesystem::rename(unfinished, path, failed);
  if (!failed) return;
  std::filesystem::remove(unfinished, ignored);
  throw Error(ExitCode::wrong_use, fmt::format("{}: cannot be written: {}", path, failed.message()));
}

// The columns under names of their own: headings that the file repeats are numbered, one without a name is called by
// its place.
Recording read_columns(const Arguments& arguments) {
  const Format& format = format_of(arguments.log);
  std::vector<std::string> wanted = arguments.columns;
  if (wanted.empty()) {
    for (const ColumnInfo& column : format.list(arguments.log)) wanted.push_back(column.name);
  }
  Recording recording = format.read(arguments.log, wanted);
  UniqueNames names;
  for (std::size_t i = 0; i < recording.columns.size(); ++i) {
    Column& column = recording.columns[i];
    column.name = names.add(column.name.empty() && i < wanted.size() ? wanted[i] : column.name);
  }
  return recording;
}

ExitCode run(const Arguments& arguments) {
  if (arguments.list) {
    write_whole("-", list_of(arguments.log));
    return ExitCode::done;
  }
  if (arguments.output.empty())
    throw Error(ExitCode::wrong_use, "convert: say where to write with -o OUT.csv or -o OUT.h5, or ask for --list");
  const std::string extension = std::filesystem::path(arguments.output).extension().string();
  const bool as_hdf5 = extension == ".h5" || extension == ".hdf5";
  if (!as_hdf5 && extension != ".csv" && arguments.output != "-")
    throw Error(
        ExitCode::wrong_use,
        fmt::format("convert: cannot write \"{}\"; -o takes a name that ends in .csv or .h5", arguments.output));
  require_writable(arguments.output);
  const Recording recording = read_columns(arguments);
  if (as_hdf5)
    write_hdf5_whole(arguments.output, recording);
  else
    write_whole(arguments.output, to_csv(recording));
  return ExitCode::done;
}

}  // namespace

void add_convert(CommandLine& line) {
  auto arguments = std::make_shared<Arguments>();
  auto command =
      line.add_command("convert", "a log as CSV or HDF5; --list names its columns",
                       "Example: tauhat convert run.mf4 -o run.csv\n         tauhat convert run.mcap --list");
  command.add_option("LOG", arguments->log, "log file: CSV, MATLAB, HDF5, MDF4 or MCAP").required();
  command.add_option("-o,--output", arguments->output, "file to write: .csv or .h5; - is CSV on standard output");
  command.add_option("--column", arguments->columns, "only this column (may be repeated)").name();
  command.add_flag("--list", arguments->list, "list the columns with their units and clocks");
  command.runs(run, arguments);
}

}  // namespace tauhat::cli
