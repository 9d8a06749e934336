#include "tauhat/cli/output.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "tauhat/offline/error.hpp"

namespace tauhat::cli {
namespace {

[[noreturn]] void fail(const std::string& path, const std::string& what) {
  throw Error(ExitCode::wrong_use, fmt::format("{}: cannot be written: {}", path, what));
}

void write_to(std::FILE* file, const std::string& path, std::string_view content) {
  const bool written = std::fwrite(content.data(), 1, content.size(), file) == content.size() && std::fflush(file) == 0;
  if (!written) fail(path, std::strerror(errno));
}

// A device or a pipe is written to, not replaced: what matters is itself, not its folder.
bool is_device(const std::string& path) {
  std::error_code unknown;
  return std::filesystem::exists(path, unknown) && !std::filesystem::is_regular_file(path, unknown);
}

}  // namespace

void require_writable(const std::string& path) {
  if (path.empty() || path == "-") return;
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) fail(path, "it is a folder");
  if (is_device(path)) {
    if (::access(path.c_str(), W_OK) != 0) fail(path, std::strerror(errno));
    return;
  }
  const std::filesystem::path parent = std::filesystem::path(path).parent_path();
  const std::string folder = parent.empty() ? "." : parent.string();
  if (!std::filesystem::exists(folder, ignored)) fail(path, fmt::format("the folder {} does not exist", folder));
  if (!std::filesystem::is_directory(folder, ignored)) fail(path, fmt::format("{} is not a folder", folder));
  if (::access(folder.c_str(), W_OK | X_OK) != 0)
    fail(path, fmt::format("the folder {}: {}", folder, std::strerror(errno)));
}

void require_writable(const ReportPaths& paths) {
  require_writable(paths.json);
  require_writable(paths.html);
}

void write_whole(const std::string& path, std::string_view content) {
  if (path == "-") {
    write_to(stdout, "standard output", content);
    return;
  }
  if (is_device(path)) {
    std::FILE* device = std::fopen(path.c_str(), "wb");
    if (!device) fail(path, std::strerror(errno));
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> closed(device, std::fclose);
    write_to(device, path, content);
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
    fail(path, problem.message());
  }
}

void publish(const Report& report, const ReportPaths& paths, bool table_on_standard_output) {
  if (!paths.html.empty()) write_whole(paths.html, to_html(report));
  if (!paths.json.empty()) write_whole(paths.json, to_json(report));
  const bool taken = paths.json == "-" || paths.html == "-" || !table_on_standard_output;
  std::FILE* stream = taken ? stderr : stdout;
  const std::string text = to_text(report, ::isatty(::fileno(stream)) == 1);
  if (taken) {
    std::fwrite(text.data(), 1, text.size(), stderr);  // beside the answer: the work is done where nobody reads it
  } else {
    write_to(stdout, "standard output", text);
  }
}

}  // namespace tauhat::cli
