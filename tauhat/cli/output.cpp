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

[[noreturn]] void fail(const std::string& path, const std::string& what) {
  throw Error(ExitCode::wrong_use, fmt::format("{}: cannot be written: {}", path, what));
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

WholeFile::WholeFile(const std::string& path) : path_(path) {
  if (path_ == "-") {
    path_ = "standard output";
    file_ = stdout;
    return;
  }
  if (!is_device(path_)) beside_ = fmt::format("{}.{}.part", path_, ::getpid());
  file_ = std::fopen((beside_.empty() ? path_ : beside_).c_str(), "wb");
  if (!file_) fail(path_, std::strerror(errno));
}

WholeFile::~WholeFile() {
  if (file_ && file_ != stdout) std::fclose(file_);
  std::error_code ignored;
  if (file_ && !beside_.empty()) std::filesystem::remove(beside_, ignored);
}

void WholeFile::append(std::string_view piece) {
  if (std::fwrite(piece.data(), 1, piece.size(), file_) != piece.size()) fail(path_, std::strerror(errno));
}

void WholeFile::finish() {
  if (std::fflush(file_) != 0) fail(path_, std::strerror(errno));
  std::error_code problem;
  if (!beside_.empty()) std::filesystem::rename(beside_, path_, problem);
  if (problem) fail(path_, problem.message());
  if (file_ != stdout) std::fclose(file_);
  file_ = nullptr;
}

void write_whole(const std::string& path, std::string_view content) {
  WholeFile file(path);
  file.append(content);
  file.finish();
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
    write_whole("-", text);
  }
}

}  // namespace tauhat::cli
