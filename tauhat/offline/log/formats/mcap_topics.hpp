// The topics of an MCAP file. Channels that share a topic, an encoding and a schema are several writers of one topic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "tauhat/offline/log/formats/mcap_scan.hpp"
#include "tauhat/offline/log/formats/mcap_topic.hpp"
#include "tauhat/offline/log/formats/unique_names.hpp"

namespace tauhat::mcap {

std::string dotted(std::string topic);  // "/arm/joint_states" -> "arm.joint_states"

class Topics {
 public:
  // The first and the second time through the file, as Topic has them.
  void look_at(const Definitions& definitions, const Message& message);
  void read(const Definitions& definitions, const Message& message, std::uint64_t origin);

  std::vector<Topic>& all() noexcept { return topics_; }
  const std::vector<Topic>& all() const noexcept { return topics_; }
  std::uint64_t start_time() const noexcept { return start_time_; }  // the earliest that was looked at, ns
  // Whether all messages of the channels that can be decoded were looked at.
  bool agree_with(const Index& index) const;
  bool is_wanted(std::uint16_t channel) const;  // its topic has a wanted column

 private:
  Topic* topic_of(const Definitions& definitions, const Message& message);

  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  std::vector<Topic> topics_;
  UniqueNames names_;
  std::map<std::vector<std::string>, std::size_t> place_of_key_;  // topic, encoding, schema
  std::map<std::uint16_t, std::size_t> place_of_channel_;         // kNone: it cannot be decoded
  std::map<std::uint16_t, std::uint64_t> messages_;               // of a channel
  std::uint64_t name_bytes_ = 0;                                  // of all columns
  std::uint64_t start_time_ = std::numeric_limits<std::uint64_t>::max();
};

}  // namespace tauhat::mcap
