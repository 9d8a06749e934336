#include "tauhat/offline/log/distinct_logs.hpp"

#include <fmt/format.h>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/hash.hpp"

namespace tauhat {

void DistinctLogs::add(const Log& log) {
  const auto [first, is_new] = sources_.emplace(sha256_of_samples(log), log.source);
  if (is_new) return;
  const std::string which = first->second == log.source
                                ? fmt::format("{} is given twice", log.source)
                                : fmt::format("{} and {} hold the same samples", first->second, log.source);
  throw Error(ExitCode::wrong_use, which + ": it is one recording, and counts once; give each only once");
}

}  // namespace tauhat
