// MCAP files that between them use every record that tauhat reads; they are damaged in tests, and seed the fuzzer.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "support/mcap_writer.hpp"

namespace tauhat {

inline constexpr std::uint64_t kSecond = 1'000'000'000;           // ns
inline constexpr std::uint64_t kStart = 1'700'000'000 * kSecond;  // November 2023

// sensor_msgs/msg/JointState as ROS 2 stores it.
struct JointStateMessage {
  std::int32_t seconds = 0;
  std::uint32_t nanoseconds = 0;
  std::vector<std::string> names{};
  std::vector<double> position{}, velocity{}, effort{};
  bool big_endian = false;

  std::string bytes() const {
    std::string body;
    number(body, seconds);
    number(body, nanoseconds);
    text(body, "base");
    number(body, static_cast<std::uint32_t>(names.size()));
    for (const std::string& name : names) text(body, name);
    for (const std::vector<double>& values : {position, velocity, effort}) {
      number(body, static_cast<std::uint32_t>(values.size()));
      for (const double value : values) number(body, value);
    }
    return std::string("\0", 1) + (big_endian ? '\0' : '\1') + std::string(2, '\0') + body;
  }

 private:
  template <class T>
  void number(std::string& body, T value) const {
    body.resize((body.size() + sizeof(T) - 1) / sizeof(T) * sizeof(T));
    std::string raw(sizeof(T), '\0');
    std::memcpy(raw.data(), &value, sizeof(T));
    if (big_endian) std::reverse(raw.begin(), raw.end());
    body += raw;
  }
  void text(std::string& body, const std::string& text) const {
    number(body, static_cast<std::uint32_t>(text.size() + 1));
    body += text + '\0';
  }
};

// Two chunks: joint states and JSON in the first, JSON and an unknown encoding in the second.
inline McapWriter robot_log(const std::string& method, bool checksums = true) {
  McapWriter writer;
  writer.checksums = checksums;
  writer.open_chunk();
  writer.define_schema(1, "sensor_msgs/msg/JointState", "ros2msg");
  writer.define_channel(1, 1, "/arm/joint_states", "cdr");
  writer.define_channel(2, 0, "/drive", "json");
  writer.write(1, kStart,
               JointStateMessage{1'700'000'000, 500'000'000, {"elbow", "wrist"}, {0.5, -0.5}, {}, {3.0, 4.0}}.bytes());
  writer.write(2, kStart + 250'000'000, R"({"speed": 10, "gear": {"ratio": [50, 51.5]}, "on": true, "name": "A"})");
  writer.close_chunk(method);
  writer.open_chunk();
  writer.define_schema(2, "sensor_msgs/msg/Image", "ros2msg");
  writer.define_channel(3, 2, "/camera", "cdr");
  writer.write(3, kStart + kSecond, "picture");
  writer.write(2, kStart + 2 * kSecond, R"({"speed": 11, "gear": {"ratio": [52, null]}, "torque": -1e-3})");
  writer.close_chunk(method);
  return writer;
}

inline std::vector<std::string> mcap_samples() {
  std::vector<std::string> samples;
  for (const std::string method : {"", "lz4", "zstd"}) {
    samples.push_back(robot_log(method).closed());
    samples.push_back(robot_log(method, false).closed());
  }
  McapWriter plain = robot_log("", false);
  plain.write(2, kStart + 3 * kSecond,
              R"({"header": {"stamp": {"sec": 1700000003, "nsec": 5}}, "speed": [1, [2, {"a": 3}]]})");
  samples.push_back(plain.closed(false));
  samples.push_back(plain.cut_off());
  samples.push_back(plain.closed());
  return samples;
}

}  // namespace tauhat
