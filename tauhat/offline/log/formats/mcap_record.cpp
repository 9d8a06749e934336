#include "tauhat/offline/log/formats/mcap_record.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>

#include "tauhat/offline/log/text.hpp"

namespace tauhat::mcap {
namespace {

constexpr std::size_t kLongestTopic = 1024;

template <class Definition>
void define(std::map<std::uint16_t, Definition>& definitions, std::uint16_t id, const Definition& definition,
            std::string_view what, const Place& place) {
  if (!(definitions.try_emplace(id, definition).first->second == definition))
    place.refuse(fmt::format("{} {} is defined a second time, and differently", what, id));
}

}  // namespace

void Definitions::add_schema(Fields fields) {
  const Place place = fields.place();
  const auto id = fields.next<std::uint16_t>();
  Schema schema;
  schema.name = utf8_from_unknown(next_text(fields));
  schema.encoding = utf8_from_unknown(next_text(fields));
  if (id != 0) define(schemas_, id, schema, "schema", place);  // the format says to leave 0 out
}

void Definitions::add_channel(Fields fields) {
  const Place place = fields.place();
  const auto id = fields.next<std::uint16_t>();
  Channel channel;
  channel.schema = fields.next<std::uint16_t>();
  channel.topic = utf8_from_unknown(next_text(fields));
  if (channel.topic.size() > kLongestTopic)
    place.refuse(fmt::format("a topic's name has {} bytes; at most {} are read", channel.topic.size(), kLongestTopic));
  channel.encoding = utf8_from_unknown(next_text(fields));
  define(channels_, id, channel, "channel", place);
}

const Channel& Definitions::channel(std::uint16_t id, const Place& place) const {
  const auto found = channels_.find(id);
  if (found == channels_.end()) place.refuse(fmt::format("a message of channel {}, which is not defined", id));
  return found->second;
}

const Schema* Definitions::schema_of(const Channel& channel) const noexcept {
  const auto found = schemas_.find(channel.schema);
  return found == schemas_.end() ? nullptr : &found->second;
}

bool has_magic(const BinaryFile& file, std::uint64_t offset) {
  constexpr std::string_view kMagic = "\x89MCAP0\r\n";
  if (!file.holds(offset, kMagicBytes)) return false;
  const std::vector<std::uint8_t> bytes = file.read(offset, kMagicBytes);
  return std::equal(bytes.begin(), bytes.end(), kMagic.begin(),
                    [](std::uint8_t byte, char c) { return byte == static_cast<std::uint8_t>(c); });
}

std::string_view next_text(Fields& fields) { return fields.text(fields.next<std::uint32_t>()); }

Message read_message(Fields fields) {
  const auto channel = fields.next<std::uint16_t>();
  fields.take(4);  // sequence
  const auto log_time = fields.next<std::uint64_t>();
  fields.take(8);  // when it was published
  const Place place = fields.place();
  return {channel, log_time, fields.take(fields.left()), place};
}

std::optional<RecordPlace> record_at(const BinaryFile& file, Window& window, std::uint64_t offset) {
  if (!file.holds(offset, kRecordHeaderBytes)) return std::nullopt;
  Fields fields({&file, offset}, window.at(offset, kRecordHeaderBytes));
  const auto kind = static_cast<Kind>(fields.next<std::uint8_t>());
  const RecordPlace record{kind, offset + kRecordHeaderBytes, fields.next<std::uint64_t>()};
  return file.holds(record.content, record.length) ? std::optional(record) : std::nullopt;
}

void for_each_record(Bytes bytes, const Place& place, const std::function<void(Kind, Fields)>& use) {
  Fields fields(place, bytes);
  while (fields.left() > 0) {
    const auto kind = static_cast<Kind>(fields.next<std::uint8_t>());
    const auto length = fields.next<std::uint64_t>();
    const Place content = fields.place();
    use(kind, Fields(content, fields.take(length)));
  }
}

std::uint32_t checksum(const BinaryFile& file, std::uint64_t start, std::uint64_t end) {
  constexpr std::uint64_t kPiece = 1 << 20;
  uLong crc = ::crc32_z(0, nullptr, 0);
  while (start < end) {
    const std::vector<std::uint8_t> piece = file.read(start, std::min(kPiece, end - start));
    crc = ::crc32_z(crc, piece.data(), piece.size());
    start += piece.size();
  }
  return static_cast<std::uint32_t>(crc);
}

}  // namespace tauhat::mcap
