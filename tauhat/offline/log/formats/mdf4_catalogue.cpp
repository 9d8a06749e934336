#include "tauhat/offline/log/formats/mdf4_catalogue.hpp"

#include <fmt/format.h>

#include <unordered_set>

#include "tauhat/offline/log/text.hpp"

namespace tauhat::mdf4 {
namespace {

constexpr Link kFirstBlock = kIdentificationBytes;
enum HdLink : std::size_t { first_data_group };
enum DgLink : std::size_t { next_data_group, first_group, data };
enum CgLink : std::size_t { next_group, first_channel, acquisition_name };
enum CnLink : std::size_t { next_channel, composition };
enum CgFlag : std::uint16_t { variable_length = 1 };
enum UnfinalisedFlag : std::uint16_t { cycles_need_update = 1 };

// The tree from the header block down. Lists of blocks are chained by links, so a damaged one may bite its own tail:
// every block is entered once.
class CatalogueReader {
 public:
  explicit CatalogueReader(const BinaryFile& file) : file_(file), conversions_(file) {}

  void read_data_groups(Catalogue& catalogue) {
    const Block header = read_block(file_, kFirstBlock, "HD");
    for (Link next = header.link(first_data_group); next != 0;) {
      const Block block = enter(next, "DG");
      catalogue.data_groups.push_back(read_data_group(block));
      next = block.link(next_data_group);
    }
  }

 private:
  Block enter(Link offset, std::string_view id) {
    if (!entered_.insert(offset).second)
      Place{&file_, offset}.refuse(fmt::format("this {} block is listed twice: the file's links are damaged", id));
    return read_block(file_, offset, id);
  }

  DataGroup read_data_group(const Block& block) {
    std::vector<std::uint8_t> bytes;
    DataGroup data_group{block.offset, block.link(data), data_of(file_, block, bytes).next<std::uint8_t>(), {}};
    const unsigned id_bytes = data_group.record_id_bytes;
    if (id_bytes > 8 || (id_bytes & (id_bytes - 1)) != 0)
      Place{&file_, block.offset}.refuse(
          fmt::format("records with an id of {} bytes; 0, 1, 2, 4 or 8 exist", id_bytes));
    for (Link next = block.link(first_group); next != 0;) {
      const Block group = enter(next, "CG");
      data_group.groups.push_back(read_group(group));
      next = group.link(next_group);
    }
    if (id_bytes == 0 && data_group.groups.size() > 1)
      Place{&file_, block.offset}.refuse(
          fmt::format("{} channel groups share their data, but the records have no ids", data_group.groups.size()));
    return data_group;
  }

  Group read_group(const Block& block) {
    std::vector<std::uint8_t> bytes;
    Fields fields = data_of(file_, block, bytes);
    Group group;
    group.name = read_text_block(file_, block.link(acquisition_name));
    group.record_id = fields.next<std::uint64_t>();
    group.cycles = fields.next<std::uint64_t>();
    group.variable_length = fields.next<std::uint16_t>() & variable_length;
    fields.take(6);  // path separator, reserved
    group.data_bytes = fields.next<std::uint32_t>();
    group.invalidation_bytes = fields.next<std::uint32_t>();
    if (!group.variable_length) read_channels(group, block.link(first_channel));
    return group;
  }

  // Members of a structure are channels of their own, with places in the same record.
  void read_channels(Group& group, Link first) {
    std::vector<Link> waiting{first};
    while (!waiting.empty()) {
      const Link next = waiting.back();
      waiting.pop_back();
      if (next == 0) continue;
      const Block block = enter(next, "CN");
      group.channels.push_back(read_channel(file_, block, group, conversions_));
      if (group.channels.back().name.empty())
        group.channels.back().name = fmt::format("channel{}", group.channels.size());
      waiting.push_back(block.link(next_channel));
      const Link member = block.link(composition);
      if (member != 0 && read_block(file_, member).id == "CN") waiting.push_back(member);
    }
  }

  const BinaryFile& file_;
  Conversions conversions_;
  std::unordered_set<Link> entered_;
};

// "MDF     4.10    " or "UnFinMF 4.10    ", then how far the recorder got.
Catalogue read_identification(const BinaryFile& file) {
  const Place place{&file, 0};
  const std::vector<std::uint8_t> bytes = file.read(0, std::min(file.size(), kIdentificationBytes));
  Fields fields(place, bytes);
  const std::string_view kind = fields.text(std::min<std::size_t>(8, fields.left()));
  if (kind != "MDF     " && kind != "UnFinMF ")
    place.refuse(fmt::format("not an MDF file: it begins with \"{}\"", shown(kind)));
  const std::string_view version = fields.text(8);
  if (!version.starts_with("4."))
    place.refuse(fmt::format("an MDF file of version \"{}\"; tauhat reads version 4", shown(version)));
  fields.take(44);
  const bool finalised = kind == "MDF     ";
  const bool cycles_are_valid = finalised || !(fields.next<std::uint16_t>() & cycles_need_update);
  return {finalised, cycles_are_valid, {}};
}

}  // namespace

Catalogue read_catalogue(const BinaryFile& file) {
  Catalogue catalogue = read_identification(file);
  CatalogueReader(file).read_data_groups(catalogue);
  return catalogue;
}

}  // namespace tauhat::mdf4
