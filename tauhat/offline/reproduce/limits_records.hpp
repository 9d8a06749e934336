// What became of each record of the grid, kept in a file: a run that was cut off goes on where it stopped.
#pragma once

#include <cstdint>
#include <fstream>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "tauhat/offline/reproduce/limits_grid.hpp"

namespace tauhat::limits {

// One line of JSON a record. They are those of one build of the program: another one begins another file.
class KeptRecords {
 public:
  // Without a path nothing is kept. Throws Error (wrong_use) where the file cannot be read or written.
  explicit KeptRecords(const std::string& path);

  const Judged* find(const std::string& cell, std::uint64_t seed) const;
  std::vector<Judged> all_of(const std::string& cell) const;  // by seed
  // From any thread.
  void add(const std::string& cell, std::uint64_t seed, const Judged& record);

 private:
  std::map<std::pair<std::string, std::uint64_t>, Judged> records_;
  std::ofstream file_;
  std::mutex mutex_;
};

}  // namespace tauhat::limits
