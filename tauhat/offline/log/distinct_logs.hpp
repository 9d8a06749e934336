// Repeats count as independent: the same recording given twice would narrow an interval by nothing.
#pragma once

#include <map>
#include <string>

#include "tauhat/offline/log/log.hpp"

namespace tauhat {

class DistinctLogs {
 public:
  // Throws Error (wrong_use) where an earlier log holds the same samples, whatever its file is called.
  void add(const Log& log);

 private:
  std::map<std::string, std::string> sources_;  // by the hash of what was read
};

// Every channel of `other`, sample for sample, whatever else the log holds.
bool holds_samples_of(const Log& log, const Log& other);

}  // namespace tauhat
