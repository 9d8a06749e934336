// The records that an MCAP file is made of: a kind, a length, and fields.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "tauhat/offline/log/formats/binary_file.hpp"

namespace tauhat::mcap {

inline constexpr std::uint64_t kMagicBytes = 8;
inline constexpr std::uint64_t kRecordHeaderBytes = 9;

enum class Kind : std::uint8_t {
  header = 1,
  footer = 2,
  schema = 3,
  channel = 4,
  message = 5,
  chunk = 6,
  chunk_index = 8,
  statistics = 11,
  data_end = 15
};

struct Schema {
  std::string name, encoding;
  bool operator==(const Schema&) const = default;
};

struct Channel {
  std::uint16_t schema = 0;  // 0: none
  std::string topic, encoding;
  bool operator==(const Channel&) const = default;
};

struct Message {
  std::uint16_t channel = 0;
  std::uint64_t log_time = 0;  // ns
  Bytes data;
  Place place;  // of the data
};

// What messages refer to.
class Definitions {
 public:
  // Throw Error (unusable_data) where an id means two things.
  void add_schema(Fields fields);
  void add_channel(Fields fields);

  const Channel& channel(std::uint16_t id, const Place& place) const;  // refuses an unknown one
  const Schema* schema_of(const Channel& channel) const noexcept;      // none, where it has none
  const std::map<std::uint16_t, Channel>& channels() const noexcept { return channels_; }

 private:
  std::map<std::uint16_t, Schema> schemas_;
  std::map<std::uint16_t, Channel> channels_;
};

bool has_magic(const BinaryFile& file, std::uint64_t offset);
std::string_view next_text(Fields& fields);  // led by its length
Message read_message(Fields fields);

// A record's kind, and where it stands.
struct RecordPlace {
  Kind kind;
  std::uint64_t content, length;
  std::uint64_t end() const noexcept { return content + length; }
};
// None where the file ends before the record does.
std::optional<RecordPlace> record_at(const BinaryFile& file, Window& window, std::uint64_t offset);

// The records within bytes that are in memory. Throws Error (unusable_data) where the last one is not whole.
void for_each_record(Bytes bytes, const Place& place, const std::function<void(Kind, Fields)>& use);

// The CRC-32 of a part of the file.
std::uint32_t checksum(const BinaryFile& file, std::uint64_t start, std::uint64_t end);

}  // namespace tauhat::mcap
