#include "tauhat/offline/unreadable.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace tauhat {

void require_readable(const std::string& path, ExitCode code) {
  if (path == "-") return;
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    throw Error(code, fmt::format("{}: is a directory, not a file", path));
  if (::access(path.c_str(), R_OK) == 0) return;
  const bool missing = errno == ENOENT || errno == ENOTDIR;
  throw Error(code, missing ? fmt::format("{}: no such file", path)
                            : fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
}

}  // namespace tauhat
