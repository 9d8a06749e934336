// Columns are found by name, but the files' own names need not be unique: "torque", "torque[2]", "torque[3]".
#pragma once

#include <fmt/format.h>

#include <string>
#include <unordered_map>
#include <unordered_set>

namespace tauhat {

class UniqueNames {
 public:
  // The name, or the first of its numbered forms that is still free.
  std::string add(const std::string& name) {
    std::string free = name;
    while (!taken_.insert(free).second) free = fmt::format("{}[{}]", name, ++uses_.try_emplace(name, 1).first->second);
    return free;
  }

 private:
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, std::size_t> uses_;  // of those that were not free: no long search for the next
};

}  // namespace tauhat
