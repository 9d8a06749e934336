// A channel's raw number in a record: integers of 1 to 64 bits anywhere in the bits, and IEEE floats.
#pragma once

#include <cstdint>

#include "tauhat/offline/log/formats/binary_file.hpp"

namespace tauhat::mdf4 {

struct RawNumber {
  enum class Kind { unsigned_integer, signed_integer, real, record_number };  // the last one: a virtual channel
  Kind kind = Kind::record_number;
  bool big_endian = false;
  std::uint32_t byte_offset = 0;
  std::uint32_t bit_offset = 0;  // 0 to 7
  std::uint32_t bits = 0;

  std::uint64_t bytes() const noexcept { return (std::uint64_t{bit_offset} + bits + 7) / 8; }
  std::uint64_t end() const noexcept { return kind == Kind::record_number ? 0 : byte_offset + bytes(); }
  bool is_readable() const noexcept;  // a width that exists

  // `record` reaches beyond end().
  double from(Bytes record, std::uint64_t record_number) const noexcept;
};

double from_half(std::uint16_t bits) noexcept;  // IEEE 754 binary16

}  // namespace tauhat::mdf4
