#include "tauhat/cli/output.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "tauhat/offline/error.hpp"

namespace tauhat::cli {
namespace {

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw Error(ExitCode::wrong_use, fmt::format("{}: cannot be written: {}", path, what));
}

void write_to(std::FILE* file, const std::string& path, std::string_view content) {
  const bool written = std::fwrite(content.data(), 1, content.size(), file) == content.size() && std::fflush(file) == 0;
  if (!written) fail(path, std::strerror(errno));
}

}  // namespace

void write_whole(const std::string& path, std::string_view content) {
  if (path == "-") {
    write_to(stdout, "standard output", content);
    return;
  }
  const std::string beside = fmt::format("{}.{}.part", path, ::getpid());
  std::FILE* file = std::fopen(beside.c_str(), "wb");
  if (!file) fail(path, std::strerror(errno));
  try {
    write_to(file, path, content);
  } catch (...) {
    std::fclose(file);
    std::filesystem::remove(beside);
    throw;
  }
  std::fclose(file);
  std::error_code problem;
  std::filesystem::rename(beside, path, problem);
  if (problem) {
    std::filesystem::remove(beside);
    fail(path, problem.message().c_str());
  }
}

void publish(const Report& report, const ReportPaths& paths, bool table_on_standard_output) {
  if (!paths.html.empty()) write_whole(paths.html, to_html(report));
  if (!paths.json.empty()) write_whole(paths.json, to_json(report));
  const bool taken = paths.json == "-" || paths.html == "-" || !table_on_standard_output;
  std::FILE* stream = taken ? stderr : stdout;
  const std::string text = to_text(report, ::isatty(::fileno(stream)) == 1);
  std::fwrite(text.data(), 1, text.size(), stream);
}

}  // namespace tauhat::cli
