// One CN block: where a channel's number stands in its record, or why it is no number.
#include <fmt/format.h>

#include <limits>

#include "tauhat/offline/log/formats/mdf4_catalogue.hpp"

namespace tauhat::mdf4 {
namespace {

// The format's numbers.
enum CnType : std::uint8_t {
  fixed_length,
  variable_length,
  master,
  virtual_master,
  synchronisation,
  max_length,
  virtual_data
};
enum CnDataType : std::uint8_t {
  unsigned_little,
  unsigned_big,
  signed_little,
  signed_big,
  real_little,
  real_big,
  first_text,
  last_text = 9,
  last_bytes = 12,
  last_canopen = 14,
  last_complex = 16
};
enum CnFlag : std::uint32_t { all_values_invalid = 1, has_invalidation_bit = 2 };
constexpr std::uint8_t kSynchronisedByTime = 1;
enum CnLink : std::size_t { composition = 1, name = 2, conversion = 4, unit = 6 };

struct CnFields {
  std::uint8_t type, synchronised_by, data_type, bit_offset;
  std::uint32_t byte_offset, bits, flags, invalidation_bit;
};

CnFields read_fields(const BinaryFile& file, const Block& block) {
  std::vector<std::uint8_t> bytes;
  Fields fields = data_of(file, block, bytes);
  CnFields cn{};
  cn.type = fields.next<std::uint8_t>();
  cn.synchronised_by = fields.next<std::uint8_t>();
  cn.data_type = fields.next<std::uint8_t>();
  cn.bit_offset = fields.next<std::uint8_t>();
  cn.byte_offset = fields.next<std::uint32_t>();
  cn.bits = fields.next<std::uint32_t>();
  cn.flags = fields.next<std::uint32_t>();
  cn.invalidation_bit = fields.next<std::uint32_t>();
  return cn;
}

bool is_virtual(const CnFields& cn) { return cn.type == virtual_master || cn.type == virtual_data; }

RawNumber raw_of(const CnFields& cn) {
  if (is_virtual(cn)) return {};
  RawNumber raw;
  raw.kind = cn.data_type <= unsigned_big ? RawNumber::Kind::unsigned_integer
             : cn.data_type <= signed_big ? RawNumber::Kind::signed_integer
                                          : RawNumber::Kind::real;
  raw.big_endian = cn.data_type % 2 == 1;
  raw.byte_offset = cn.byte_offset;
  raw.bit_offset = cn.bit_offset;
  raw.bits = cn.bits;
  return raw;
}

std::string refusal_of_data_type(std::uint8_t type) {
  if (type <= real_big) return "";
  if (type <= last_text) return "holds text";
  if (type <= last_bytes) return "holds bytes, not numbers";
  if (type <= last_canopen) return "holds CANopen dates";
  if (type <= last_complex) return "holds complex numbers";
  return fmt::format("has the unknown data type {}", type);
}

std::string refusal_of(const CnFields& cn, const Channel& channel, const Group& group) {
  if (cn.type == variable_length || cn.type == max_length) return "holds values of variable length";
  if (cn.type == synchronisation) return "synchronises a media stream";
  if (cn.type > virtual_data) return fmt::format("has the unknown type {}", cn.type);
  if (!is_virtual(cn)) {
    if (std::string refusal = refusal_of_data_type(cn.data_type); !refusal.empty()) return refusal;
    if (!channel.raw.is_readable()) return fmt::format("has {} bits at bit {}", cn.bits, cn.bit_offset);
    if (channel.raw.end() > group.data_bytes)
      return fmt::format("reaches to byte {} of a record of {} bytes", channel.raw.end(), group.data_bytes);
  }
  if (channel.invalidation_bit && *channel.invalidation_bit >= group.record_bytes() * 8)
    return fmt::format("has its invalidation bit {} beyond the record", cn.invalidation_bit);
  return channel.conversion->refusal;
}

bool is_array(const BinaryFile& file, const Block& block) {
  const Link offset = block.link(composition);
  return offset != 0 && read_block(file, offset).id == "CA";
}

}  // namespace

double Channel::value(Bytes record, std::uint64_t record_number) const {
  const bool invalid =
      all_invalid || (invalidation_bit && (record[*invalidation_bit / 8] >> *invalidation_bit % 8 & 1));
  return invalid ? std::numeric_limits<double>::quiet_NaN() : (*conversion)(raw.from(record, record_number));
}

Channel read_channel(const BinaryFile& file, const Block& block, const Group& group, Conversions& conversions) {
  const CnFields cn = read_fields(file, block);
  Channel channel;
  channel.name = read_text_block(file, block.link(name));
  channel.unit = read_text_block(file, block.link(unit));
  channel.conversion = conversions.at(block.link(conversion));
  if (channel.unit.empty()) channel.unit = channel.conversion->unit;
  channel.raw = raw_of(cn);
  channel.all_invalid = cn.flags & all_values_invalid;
  if (cn.flags & has_invalidation_bit)
    channel.invalidation_bit = std::uint64_t{group.data_bytes} * 8 + cn.invalidation_bit;
  channel.refusal = is_array(file, block) ? "is an array" : refusal_of(cn, channel, group);
  channel.is_clock = (cn.type == master || cn.type == virtual_master) && cn.synchronised_by == kSynchronisedByTime &&
                     channel.refusal.empty();
  return channel;
}

}  // namespace tauhat::mdf4
