#include "tauhat/offline/certified_log.hpp"

#include <fmt/format.h>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/hash.hpp"

namespace tauhat {

Log read_certified_log(const std::string& path, const LogSpec& spec, Certificate& certificate) {
  const std::string fingerprint = sha256_of_log(path);
  Log log = read_log(path, spec);
  if (sha256_of_log(path) != fingerprint)
    throw Error(ExitCode::unusable_data, fmt::format("{}: changed while it was read; test it when it is whole", path));
  certificate.files.push_back({log.source, fingerprint});
  return log;
}

}  // namespace tauhat
