// What an MDF 4 file says it holds: data groups, their channel groups (one kind of record each), and the channels in
// those records.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tauhat/offline/log/formats/mdf4_conversion.hpp"
#include "tauhat/offline/log/formats/mdf4_raw.hpp"

namespace tauhat::mdf4 {

struct Channel {
  std::string name, unit;
  RawNumber raw;
  std::shared_ptr<const Conversion> conversion;
  bool is_clock = false;  // the group's time, in s
  bool all_invalid = false;
  std::optional<std::uint64_t> invalidation_bit{};  // counted from the record's begin
  std::string refusal{};                            // why it is no column: "holds text"; empty: it is one

  // NaN where the record says that the sample is invalid.
  double value(Bytes record, std::uint64_t record_number) const;
};

struct Group {
  std::string name;  // of the acquisition; often empty
  std::uint64_t record_id = 0;
  std::uint64_t cycles = 0;  // how many records
  std::uint32_t data_bytes = 0, invalidation_bytes = 0;
  bool variable_length = false;  // its records are one channel's values, which are no numbers
  std::vector<Channel> channels;

  std::uint64_t record_bytes() const noexcept { return std::uint64_t{data_bytes} + invalidation_bytes; }
};

// Channel groups whose records share one stream of data.
struct DataGroup {
  Link offset = 0, data = 0;
  unsigned record_id_bytes = 0;  // 0: there is one group only
  std::vector<Group> groups;
};

struct Catalogue {
  bool finalised = true;         // closed by its recorder; else blocks may be unfinished
  bool cycles_are_valid = true;  // else all records there are
  std::vector<DataGroup> data_groups;
};

// Throws Error (unusable_data).
Catalogue read_catalogue(const BinaryFile& file);

// One CN block; channels of a structure come by a link of their own.
Channel read_channel(const BinaryFile& file, const Block& block, const Group& group, Conversions& conversions);

}  // namespace tauhat::mdf4
