#include "tauhat/offline/log/formats/mdf4_raw.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace tauhat::mdf4 {
namespace {

// The number's bits, whichever bytes they straddle; 64 bits at an offset of 7 take nine.
std::uint64_t bits_of(const RawNumber& number, Bytes record) noexcept {
  const std::size_t count = number.bytes();
  const std::uint8_t* const bytes = record.data() + number.byte_offset;
  const auto byte = [&](std::size_t i) { return std::uint64_t{number.big_endian ? bytes[count - 1 - i] : bytes[i]}; };
  std::uint64_t bits = 0;
  for (std::size_t i = std::min<std::size_t>(count, 8); i-- > 0;) bits = bits << 8 | byte(i);
  bits >>= number.bit_offset;
  if (count > 8) bits |= byte(8) << (64 - number.bit_offset);
  return number.bits < 64 ? bits & ((std::uint64_t{1} << number.bits) - 1) : bits;
}

double signed_value(std::uint64_t bits, unsigned width) noexcept {
  const unsigned unused = 64 - width;
  return static_cast<double>(static_cast<std::int64_t>(bits << unused) >> unused);
}

double real_value(std::uint64_t bits, unsigned width) noexcept {
  if (width == 64) return std::bit_cast<double>(bits);
  if (width == 32) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  return from_half(static_cast<std::uint16_t>(bits));
}

}  // namespace

bool RawNumber::is_readable() const noexcept {
  if (kind == Kind::record_number) return true;
  if (kind == Kind::real) return bit_offset == 0 && (bits == 16 || bits == 32 || bits == 64);
  return bit_offset < 8 && bits >= 1 && bits <= 64;
}

double RawNumber::from(Bytes record, std::uint64_t record_number) const noexcept {
  switch (kind) {
    case Kind::unsigned_integer:
      return static_cast<double>(bits_of(*this, record));
    case Kind::signed_integer:
      return signed_value(bits_of(*this, record), bits);
    case Kind::real:
      return real_value(bits_of(*this, record), bits);
    case Kind::record_number:
      break;
  }
  return static_cast<double>(record_number);
}

double from_half(std::uint16_t bits) noexcept {
  const int exponent = bits >> 10 & 0x1F, fraction = bits & 0x3FF;
  double magnitude = std::ldexp(fraction, -24);  // subnormal
  if (exponent == 0x1F)
    magnitude = fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  else if (exponent > 0)
    magnitude = std::ldexp(1024 + fraction, exponent - 25);
  return bits & 0x8000 ? -magnitude : magnitude;
}

}  // namespace tauhat::mdf4
