// The summary at the end of an MCAP file.
#include <fmt/format.h>

#include <algorithm>

#include "tauhat/offline/log/formats/mcap_scan.hpp"

namespace tauhat::mcap {
namespace {

constexpr std::uint64_t kFooterBytes = 20;
constexpr std::uint64_t kEndBytes = kRecordHeaderBytes + kFooterBytes + kMagicBytes;

struct Statistics {
  std::uint64_t messages = 0;
  std::uint32_t channels = 0, chunks = 0;
};

ChunkPlace read_chunk_index(Fields fields) {
  fields.take(16);  // first and last time
  ChunkPlace chunk;
  chunk.offset = fields.next<std::uint64_t>();
  chunk.length = fields.next<std::uint64_t>();
  const auto map_bytes = fields.next<std::uint32_t>();
  const Place place = fields.place();
  for (Fields map(place, fields.take(map_bytes)); map.left() > 0; map.take(8))
    chunk.channels.push_back(map.next<std::uint16_t>());
  return chunk;
}

Statistics read_statistics(Fields fields, Index& index) {
  Statistics statistics;
  statistics.messages = fields.next<std::uint64_t>();
  fields.take(2);  // schemas
  statistics.channels = fields.next<std::uint32_t>();
  fields.take(8);  // attachments, metadata
  statistics.chunks = fields.next<std::uint32_t>();
  index.start_time = fields.next<std::uint64_t>();
  fields.take(8);  // the last time
  const auto map_bytes = fields.next<std::uint32_t>();
  const Place place = fields.place();
  for (Fields map(place, fields.take(map_bytes)); map.left() > 0;) {
    const auto channel = map.next<std::uint16_t>();
    index.messages[channel] = map.next<std::uint64_t>();
  }
  return statistics;
}

bool is_complete(const Index& index, const std::optional<Statistics>& statistics) {
  if (!statistics || index.chunks.size() != statistics->chunks) return false;
  std::uint64_t messages = 0;
  for (const auto& [channel, count] : index.messages) messages += count;
  return messages == statistics->messages && index.definitions.channels().size() == statistics->channels;
}

// Where the summary stands; none: there is none.
struct Span {
  std::uint64_t start, end;
};

std::optional<Span> find_summary(const BinaryFile& file) {
  if (!is_closed(file)) return std::nullopt;
  const std::uint64_t footer = file.size() - kEndBytes;
  const std::vector<std::uint8_t> bytes = file.read(footer + kRecordHeaderBytes, kFooterBytes);
  Fields fields({&file, footer + kRecordHeaderBytes}, bytes);
  const auto start = fields.next<std::uint64_t>();
  fields.take(8);  // where the offsets of the summary's groups stand
  const std::uint64_t checked_end = fields.place().offset;
  const auto crc = fields.next<std::uint32_t>();
  if (start == 0) return std::nullopt;
  const Place place{&file, footer};
  if (start < kMagicBytes || start > footer) place.refuse(fmt::format("the summary cannot stand at byte {}", start));
  const std::uint32_t found = crc == 0 ? 0 : checksum(file, start, checked_end);
  if (crc != found) place.refuse(fmt::format("the summary is damaged: its checksum is {:08x}, not {:08x}", found, crc));
  if (footer - start > kLargestBlock) place.refuse(fmt::format("a summary of {} bytes", footer - start));
  return Span{start, footer};
}

}  // namespace

bool is_closed(const BinaryFile& file) {
  if (file.size() < kMagicBytes + kEndBytes || !has_magic(file, file.size() - kMagicBytes)) return false;
  Window window(file);
  const auto footer = record_at(file, window, file.size() - kEndBytes);
  return footer && footer->kind == Kind::footer && footer->length == kFooterBytes;
}

std::optional<Index> read_index(const BinaryFile& file) {
  const std::optional<Span> summary = find_summary(file);
  if (!summary) return std::nullopt;
  Index index;
  std::optional<Statistics> statistics;
  const std::vector<std::uint8_t> bytes = file.read(summary->start, summary->end - summary->start);
  for_each_record(bytes, {&file, summary->start}, [&](Kind kind, const Fields& fields) {
    if (kind == Kind::schema) index.definitions.add_schema(fields);
    if (kind == Kind::channel) index.definitions.add_channel(fields);
    if (kind == Kind::chunk_index) index.chunks.push_back(read_chunk_index(fields));
    if (kind == Kind::statistics) statistics = read_statistics(fields, index);
  });
  if (!is_complete(index, statistics)) return std::nullopt;
  std::sort(index.chunks.begin(), index.chunks.end(),
            [](const ChunkPlace& a, const ChunkPlace& b) { return a.offset < b.offset; });
  const auto overlap =
      std::adjacent_find(index.chunks.begin(), index.chunks.end(),
                         [](const ChunkPlace& a, const ChunkPlace& b) { return b.offset - a.offset < a.length; });
  if (overlap != index.chunks.end())
    Place{&file, overlap->offset}.refuse("the index names two chunks that share bytes here");
  return index;
}

}  // namespace tauhat::mcap
