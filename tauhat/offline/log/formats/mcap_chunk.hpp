// A chunk of an MCAP file: records that were compressed together.
#pragma once

#include <cstdint>
#include <vector>

#include "tauhat/offline/log/formats/binary_file.hpp"

namespace tauhat::mcap {

struct UnpackedChunk {
  std::vector<std::uint8_t> owned;  // empty where the chunk is not compressed
  Bytes records;
  Place place;  // of the first record
};

// The chunk record's content, which outlives the result; `offset` is the record's own place. Throws Error
// (unusable_data) where it cannot be unpacked or its checksum is another.
UnpackedChunk unpack_chunk(Fields fields, std::uint64_t offset);

}  // namespace tauhat::mcap
