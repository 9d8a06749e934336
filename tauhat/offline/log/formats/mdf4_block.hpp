// The blocks that an MDF 4 file is made of: a name of two letters, links to other blocks, and data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tauhat/offline/log/formats/binary_file.hpp"

namespace tauhat::mdf4 {

using Link = std::uint64_t;  // a block's place in the file; 0: none

inline constexpr std::uint64_t kIdentificationBytes = 64;  // what stands before the first block
inline constexpr std::uint64_t kHeaderBytes = 24;          // id, reserved, length, number of links

struct Block {
  std::string id;  // "CN"
  Link offset = 0;
  std::uint64_t length = 0;  // with its header and links
  std::vector<Link> links;
  std::uint64_t data_offset = 0;  // where links end and data begin
  std::uint64_t data_length = 0;

  Link link(std::size_t i) const noexcept { return i < links.size() ? links[i] : 0; }
  std::uint64_t end() const noexcept { return offset + length; }
};

// Throws Error (unusable_data) where there is no whole block. Its data need not be there yet: a log that was not closed
// ends inside of them.
Block read_block(const BinaryFile& file, Link offset);
// And where it is another block than expected.
Block read_block(const BinaryFile& file, Link offset, std::string_view id);
Fields data_of(const BinaryFile& file, const Block& block, std::vector<std::uint8_t>& bytes);

bool is_block(const BinaryFile& file, Link offset);

// The text of a TX block, or of the TX element of an MD block (XML); empty where there is no link.
std::string read_text_block(const BinaryFile& file, Link offset);

}  // namespace tauhat::mdf4
