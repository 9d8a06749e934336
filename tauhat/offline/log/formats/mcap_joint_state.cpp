// sensor_msgs/msg/JointState of ROS 2, as the middleware stores it (OMG CDR, version 1): each field aligned to its own
// size, counted from behind the first four bytes.
//   header: stamp (int32 s, uint32 ns), frame (string); names (strings); position, velocity, effort (doubles)
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "tauhat/offline/log/formats/mcap_message.hpp"
#include "tauhat/offline/log/text.hpp"

namespace tauhat::mcap {
namespace {

constexpr std::size_t kEncapsulationBytes = 4;
constexpr std::size_t kMostJoints = 1 << 16;

class CdrFields {
 public:
  explicit CdrFields(const Message& message) : fields_(message.place, message.data) {
    const Place place = fields_.place();
    const Bytes encapsulation = fields_.take(kEncapsulationBytes);
    if (encapsulation[0] != 0 || encapsulation[1] > 1)
      place.refuse(fmt::format("a message in representation {:02x}{:02x}; tauhat reads 0000 and 0001 (plain CDR)",
                               encapsulation[0], encapsulation[1]));
    big_endian_ = encapsulation[1] == 0;
    start_ = fields_.place().offset;
  }

  template <class T>
  T next() {
    const std::uint64_t position = fields_.place().offset - start_;
    fields_.take((sizeof(T) - position % sizeof(T)) % sizeof(T));
    const Bytes bytes = fields_.take(sizeof(T));
    std::array<std::uint8_t, sizeof(T)> ordered{};
    std::copy(bytes.begin(), bytes.end(), ordered.begin());
    if (big_endian_) std::reverse(ordered.begin(), ordered.end());
    return std::bit_cast<T>(ordered);
  }

  std::string next_string() {
    const std::string_view text = fields_.text(next<std::uint32_t>());
    return utf8_from_unknown(text.substr(0, text.find('\0')));
  }

  // How many elements follow, each of `bytes` at least.
  std::size_t next_count(std::size_t bytes) {
    const Place place = fields_.place();
    const auto count = next<std::uint32_t>();
    if (count > std::min(fields_.left() / bytes, kMostJoints))
      place.refuse(fmt::format("a sequence of {} elements in {} bytes", count, fields_.left()));
    return count;
  }

  std::vector<double> next_doubles() {
    std::vector<double> values(next_count(sizeof(double)));
    for (double& value : values) value = next<double>();
    return values;
  }

  // Middleware pads the end. More is a message of another kind.
  void end() const {
    if (fields_.left() > 8) fields_.place().refuse(fmt::format("{} bytes follow the joint states", fields_.left()));
  }

 private:
  Fields fields_;
  bool big_endian_ = false;
  std::uint64_t start_ = 0;
};

}  // namespace

std::optional<Stamp> decode_joint_state(const Message& message, const UseNumber& use) {
  CdrFields fields(message);
  Stamp stamp;
  stamp.seconds = fields.next<std::int32_t>();
  stamp.nanoseconds = fields.next<std::uint32_t>();
  fields.next_string();  // the frame
  std::vector<std::string> names(fields.next_count(sizeof(std::uint32_t)));
  for (std::string& name : names) name = fields.next_string();
  constexpr std::array<std::string_view, 3> kQuantities{"position", "velocity", "effort"};
  std::array<std::vector<double>, kQuantities.size()> values;
  for (std::vector<double>& each : values) each = fields.next_doubles();
  fields.end();
  const std::size_t joints = std::max({values[0].size(), values[1].size(), values[2].size()});
  for (std::size_t joint = 0; joint < joints; ++joint) {
    const bool named = joint < names.size() && !names[joint].empty();
    std::string path = (named ? names[joint] : fmt::format("[{}]", joint + 1)) + '.';
    const std::size_t joint_path = path.size();
    for (std::size_t q = 0; q < kQuantities.size(); ++q) {
      if (joint >= values[q].size()) continue;
      path.resize(joint_path);
      use(path += kQuantities[q], values[q][joint]);
    }
  }
  return stamp.is_set() ? std::optional(stamp) : std::nullopt;
}

Decode decoder_of(const Channel& channel, const Schema* schema) {
  if (channel.encoding == "json") return decode_json;
  const bool is_ros2 = schema != nullptr && (schema->encoding == "ros2msg" || schema->encoding == "ros2idl");
  if (channel.encoding == "cdr" && is_ros2 && schema->name == "sensor_msgs/msg/JointState") return decode_joint_state;
  return nullptr;
}

}  // namespace tauhat::mcap
