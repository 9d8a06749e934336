// All messages of an MCAP file, one chunk in memory at a time: by the index at its end, which names the chunks that
// have the wanted channels, or from the first record to the last.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "tauhat/offline/log/formats/mcap_record.hpp"

namespace tauhat::mcap {

struct ChunkPlace {
  std::uint64_t offset = 0, length = 0;  // of the whole record
  std::vector<std::uint16_t> channels;   // that have messages in it; none: not said
};

// The summary at a file's end.
struct Index {
  Definitions definitions;
  std::vector<ChunkPlace> chunks;                   // in the order of the file
  std::map<std::uint16_t, std::uint64_t> messages;  // how many a channel has
  std::uint64_t start_time = 0;                     // of the first message, ns
};

// None where the file has no summary, or one that does not name every chunk and count every message. Throws Error
// (unusable_data) where it is damaged.
std::optional<Index> read_index(const BinaryFile& file);

bool is_closed(const BinaryFile& file);  // ends as the format says; else it was cut off

using UseMessage = std::function<void(const Definitions&, const Message&)>;
using WantChannel = std::function<bool(std::uint16_t channel)>;

void scan_chunks(const BinaryFile& file, const Index& index, const WantChannel& want, const UseMessage& use);
// Ends with the last whole record where the file was cut off. What was defined on the way.
Definitions scan_file(const BinaryFile& file, const UseMessage& use);

}  // namespace tauhat::mcap
