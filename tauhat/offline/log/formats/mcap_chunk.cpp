#include "tauhat/offline/log/formats/mcap_chunk.hpp"

#include <fmt/format.h>
#include <lz4frame.h>
#include <zlib.h>
#include <zstd.h>

#include <memory>

#include "tauhat/offline/log/formats/mcap_record.hpp"
#include "tauhat/offline/log/text.hpp"

namespace tauhat::mcap {
namespace {

// Bytes out of one byte in, at best: a run of LZ4 takes one byte for 255 more, a block of Zstandard four for 128 KiB.
constexpr std::uint64_t kLz4AtMost = 256, kZstdAtMost = 1 << 15;

struct FreeLz4 {
  void operator()(LZ4F_dctx* context) const noexcept { LZ4F_freeDecompressionContext(context); }
};

[[noreturn]] void refuse_damaged(const Place& place, std::string_view method, std::string_view reason) {
  place.refuse(fmt::format("the chunk cannot be unpacked by {}: {}", method, reason));
}

std::vector<std::uint8_t> room_for(std::uint64_t size, Bytes packed, std::uint64_t at_most, const Place& place) {
  if (size > kLargestBlock || size / at_most > packed.size())
    place.refuse(fmt::format("{} compressed bytes cannot hold {} bytes of records", packed.size(), size));
  return std::vector<std::uint8_t>(size);
}

std::vector<std::uint8_t> unpack_lz4(Bytes packed, std::uint64_t size, const Place& place) {
  std::vector<std::uint8_t> bytes = room_for(size, packed, kLz4AtMost, place);
  LZ4F_dctx* created = nullptr;
  if (LZ4F_isError(LZ4F_createDecompressionContext(&created, LZ4F_VERSION)))
    refuse_damaged(place, "lz4", "out of memory");
  const std::unique_ptr<LZ4F_dctx, FreeLz4> context(created);
  std::size_t done = 0;
  while (!packed.empty()) {
    std::size_t written = bytes.size() - done, taken = packed.size();
    const std::size_t status =
        LZ4F_decompress(context.get(), bytes.data() + done, &written, packed.data(), &taken, nullptr);
    if (LZ4F_isError(status)) refuse_damaged(place, "lz4", LZ4F_getErrorName(status));
    if (written == 0 && taken == 0) refuse_damaged(place, "lz4", "it holds more than it declares");
    done += written;
    packed = packed.subspan(taken);
  }
  if (done != size) refuse_damaged(place, "lz4", fmt::format("{} of {} bytes", done, size));
  return bytes;
}

std::vector<std::uint8_t> unpack_zstd(Bytes packed, std::uint64_t size, const Place& place) {
  std::vector<std::uint8_t> bytes = room_for(size, packed, kZstdAtMost, place);
  const std::size_t done = ZSTD_decompress(bytes.data(), bytes.size(), packed.data(), packed.size());
  if (ZSTD_isError(done)) refuse_damaged(place, "zstd", ZSTD_getErrorName(done));
  if (done != size) refuse_damaged(place, "zstd", fmt::format("{} of {} bytes", done, size));
  return bytes;
}

}  // namespace

UnpackedChunk unpack_chunk(Fields fields, std::uint64_t offset) {
  const Place chunk{fields.place().file, offset};
  fields.take(16);  // its first and last time
  const auto size = fields.next<std::uint64_t>();
  const auto crc = fields.next<std::uint32_t>();
  const std::string_view method = next_text(fields);
  const auto length = fields.next<std::uint64_t>();
  UnpackedChunk unpacked{{}, {}, fields.place()};
  const Bytes packed = fields.take(length);
  if (method.empty()) {
    unpacked.records = packed;
    if (size != length) chunk.refuse(fmt::format("a plain chunk of {} bytes says that it has {}", length, size));
  } else {
    if (method == "lz4")
      unpacked.owned = unpack_lz4(packed, size, chunk);
    else if (method == "zstd")
      unpacked.owned = unpack_zstd(packed, size, chunk);
    else
      chunk.refuse(fmt::format("a chunk compressed by \"{}\"; tauhat reads lz4, zstd and none", shown(method)));
    unpacked.records = unpacked.owned;
    unpacked.place = {chunk.file, 0, offset};
  }
  const uLong found = ::crc32_z(::crc32_z(0, nullptr, 0), unpacked.records.data(), unpacked.records.size());
  if (crc != 0 && crc != found)
    chunk.refuse(fmt::format("the chunk is damaged: its checksum is {:08x}, not {:08x}", found, crc));
  return unpacked;
}

}  // namespace tauhat::mcap
