// The columns of one MCAP topic: a clock, and a column for each number that any of its messages has. A message without
// that number has no sample of it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "tauhat/offline/log/formats/mcap_message.hpp"

namespace tauhat::mcap {

class Topic {
 public:
  static constexpr std::size_t kClock = 0;  // the first column; the numbers follow

  Topic(std::string name, Decode decode);

  const std::string& name() const noexcept { return name_; }                 // "arm.joint_states"
  std::uint64_t messages() const noexcept { return messages_; }              // that were looked at
  const std::vector<std::string>& paths() const noexcept { return paths_; }  // of the columns: "time", "elbow.position"

  // The first time through the file: which columns are there? Their names are added to those of all topics; throws
  // Error (unusable_data) where these are too many.
  void look_at(const Message& message, std::uint64_t& name_bytes);

  // The second time: the wanted ones. Stamps count from `origin` (ns).
  void want(std::size_t column) { values_[column].reserve(messages_); }
  bool has_wanted() const noexcept { return !values_.empty(); }
  void read(const Message& message, std::uint64_t origin);
  // A wanted column. Messages are in the order of their recording, whatever order the file has them in.
  std::vector<double> values(std::size_t column) const;

 private:
  std::size_t column_of(std::string_view path);

  std::string name_;
  Decode decode_;
  std::uint64_t messages_ = 0;
  std::vector<std::string> paths_;
  std::unordered_map<std::string, std::size_t> columns_;  // of a path
  std::size_t next_ = kClock + 1;                         // messages repeat their order: the column to expect
  std::map<std::size_t, std::vector<double>> values_;     // of the wanted columns
  std::vector<std::uint64_t> log_times_;
};

}  // namespace tauhat::mcap
