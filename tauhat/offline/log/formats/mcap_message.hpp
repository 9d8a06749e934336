// The numbers within a message, each with the path that leads to it.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "tauhat/offline/log/formats/mcap_record.hpp"

namespace tauhat::mcap {

// Apart, because nanoseconds since 1970 are more than a double can tell apart.
struct Stamp {
  double seconds = 0.0, nanoseconds = 0.0;
  bool is_set() const noexcept { return seconds != 0.0 || nanoseconds != 0.0; }
};

using UseNumber = std::function<void(std::string_view path, double value)>;

// Gives the message's numbers and its own stamp, header.stamp, where it has one that is set. Throws Error
// (unusable_data) where the message is not what its channel says.
using Decode = std::optional<Stamp> (*)(const Message& message, const UseNumber& use);

std::optional<Stamp> decode_json(const Message& message, const UseNumber& use);
std::optional<Stamp> decode_joint_state(const Message& message, const UseNumber& use);  // ROS 2's, in CDR

// None where tauhat does not know the messages' encoding.
Decode decoder_of(const Channel& channel, const Schema* schema);

}  // namespace tauhat::mcap
