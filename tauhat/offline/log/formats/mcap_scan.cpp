#include "tauhat/offline/log/formats/mcap_scan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tauhat/offline/log/formats/mcap_chunk.hpp"

namespace tauhat::mcap {
namespace {

class Scanner {
 public:
  Scanner(Definitions definitions, const UseMessage& use) : definitions_(std::move(definitions)), use_(use) {}

  // Other records say nothing of messages, and are passed over.
  void take(Kind kind, const Fields& fields) {
    if (kind == Kind::schema) definitions_.add_schema(fields);
    if (kind == Kind::channel) definitions_.add_channel(fields);
    if (kind == Kind::message) use_(definitions_, read_message(fields));
  }

  void take_chunk(const Fields& fields, std::uint64_t offset) {
    const UnpackedChunk chunk = unpack_chunk(fields, offset);
    for_each_record(chunk.records, chunk.place, [this](Kind kind, const Fields& inner) { take(kind, inner); });
  }

  const Definitions& definitions() const noexcept { return definitions_; }

 private:
  Definitions definitions_;
  const UseMessage& use_;
};

void check_length(std::uint64_t length, const Place& place) {
  if (length > kLargestBlock)
    place.refuse(fmt::format("a record of {} bytes; at most {} are read", length, kLargestBlock));
}

void check_data_section(const BinaryFile& file, std::uint64_t end, Fields fields) {
  const auto crc = fields.next<std::uint32_t>();
  if (crc == 0) return;
  const std::uint32_t found = checksum(file, 0, end);
  if (crc != found)
    Place{&file, end}.refuse(fmt::format("the file is damaged: its checksum is {:08x}, not {:08x}", found, crc));
}

bool is_read(Kind kind) {
  return kind == Kind::schema || kind == Kind::channel || kind == Kind::message || kind == Kind::chunk ||
         kind == Kind::data_end;
}

}  // namespace

void scan_chunks(const BinaryFile& file, const Index& index, const WantChannel& want, const UseMessage& use) {
  Scanner scanner(index.definitions, use);
  Window window(file);
  for (const ChunkPlace& chunk : index.chunks) {
    if (!chunk.channels.empty() && std::none_of(chunk.channels.begin(), chunk.channels.end(), want)) continue;
    const Place place{&file, chunk.offset};
    const auto record = record_at(file, window, chunk.offset);
    if (!record || record->kind != Kind::chunk || record->length + kRecordHeaderBytes != chunk.length)
      place.refuse(fmt::format("the index names a chunk of {} bytes here, but there is none", chunk.length));
    check_length(record->length, place);
    scanner.take_chunk(Fields({&file, record->content}, window.at(record->content, record->length)), chunk.offset);
  }
}

Definitions scan_file(const BinaryFile& file, const UseMessage& use) {
  const bool closed = is_closed(file);
  Scanner scanner({}, use);
  Window window(file);
  std::uint64_t offset = kMagicBytes;
  for (;;) {
    const auto record = record_at(file, window, offset);
    const Place place{&file, offset};
    if (!record && closed) place.refuse("a record is expected here, but it does not end within the file");
    if (!record || record->kind == Kind::footer) return scanner.definitions();
    if (offset == kMagicBytes && record->kind != Kind::header) place.refuse("the first record is not a header");
    if (is_read(record->kind)) {
      check_length(record->length, place);
      const Fields fields({&file, record->content}, window.at(record->content, record->length));
      if (record->kind == Kind::chunk) scanner.take_chunk(fields, offset);
      if (record->kind == Kind::data_end) {
        check_data_section(file, offset, fields);
        return scanner.definitions();
      }
      scanner.take(record->kind, fields);
    }
    offset = record->end();
  }
}

}  // namespace tauhat::mcap
