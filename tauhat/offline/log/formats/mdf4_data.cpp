#include "tauhat/offline/log/formats/mdf4_data.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>

#include "tauhat/offline/log/text.hpp"

namespace tauhat::mdf4 {
namespace {

constexpr std::uint64_t kPiece = 1 << 20;       // of a plain block
constexpr std::uint64_t kDeflateAtMost = 1032;  // bytes out of one byte in: what deflate can do at best
constexpr std::uint64_t kDeflatedHeader = 24;   // fields before the compressed bytes
constexpr std::uint64_t kAlignment = 8;

// Undoes a transposition: columns of bytes become records again. Bytes beyond the last whole record were left alone.
std::vector<std::uint8_t> as_records(const std::vector<std::uint8_t>& columns, std::size_t width) {
  const std::size_t rows = columns.size() / width;
  if (rows == 0) return columns;
  std::vector<std::uint8_t> records = columns;
  for (std::size_t column = 0; column < width; ++column)
    for (std::size_t row = 0; row < rows; ++row) records[row * width + column] = columns[column * rows + row];
  return records;
}

std::vector<std::uint8_t> inflated(const BinaryFile& file, const DataPart& part) {
  const std::vector<std::uint8_t> stored = file.read(part.start, part.stored);
  std::vector<std::uint8_t> bytes(part.bytes);
  uLongf length = bytes.size();
  const int status = ::uncompress(bytes.data(), &length, stored.data(), stored.size());
  if (status != Z_OK || length != part.bytes)
    Place{&file, part.offset}.refuse(fmt::format("the compressed data are damaged: {} of {} bytes unpacked",
                                                 status == Z_OK ? length : 0, part.bytes));
  return part.transposed_columns == 0 ? bytes : as_records(bytes, part.transposed_columns);
}

}  // namespace

std::vector<DataPart> DataReader::parts(Link data) {
  std::vector<DataPart> found;
  if (data == 0) return found;
  Block block = read_block(file_, data);
  Link next = data;
  if (block.id == "HL") {  // names the compression and the list
    next = block.link(0);
    if (next == 0) return found;
    block = read_block(file_, next);
  }
  if (block.id != "DL") {
    add_block(next, found);
    return found;
  }
  while (next != 0) {
    if (!finalised_ && !is_block(file_, next)) break;
    enter(next);
    next = add_list(read_block(file_, next, "DL"), found);
  }
  return found;
}

void DataReader::enter(Link offset) {
  if (!entered_.insert(offset).second)
    Place{&file_, offset}.refuse("this data block is listed twice: the file's links are damaged");
}

Link DataReader::add_list(const Block& block, std::vector<DataPart>& parts) {
  for (std::size_t i = 1; i < block.links.size(); ++i) {
    const Link offset = block.links[i];
    if (!finalised_ && (offset == 0 || !is_block(file_, offset))) return 0;
    if (offset == 0) Place{&file_, block.offset}.refuse(fmt::format("data block {} of this list is missing", i));
    add_block(offset, parts);
  }
  return block.link(0);
}

void DataReader::add_block(Link offset, std::vector<DataPart>& parts) {
  const Block block = read_block(file_, offset);
  enter(offset);
  if (block.id == "DT")
    add_plain(block, parts);
  else if (block.id == "DZ")
    add_deflated(block, parts);
  else
    Place{&file_, offset}.refuse(
        fmt::format("data in a block of kind {}; tauhat reads DT, DZ and lists of them{}", block.id,
                    block.id == "DV" || block.id == "LD" ? " (this file is stored column by column)" : ""));
}

// Blocks that lie one in the other could unpack to any amount.
void DataReader::add(const DataPart& part, std::vector<DataPart>& parts) {
  bytes_ += part.bytes;
  if (bytes_ / kDeflateAtMost > file_.size())
    Place{&file_, part.offset}.refuse(fmt::format("the data blocks up to here would unpack to {} bytes", bytes_));
  parts.push_back(part);
}

void DataReader::add_plain(const Block& block, std::vector<DataPart>& parts) {
  std::uint64_t bytes = block.data_length;
  if (!finalised_) {
    // The last block of a log that was not closed has no valid length: it reaches to the end of the file.
    const std::uint64_t next = (block.end() + kAlignment - 1) / kAlignment * kAlignment;
    const std::uint64_t rest = file_.size() - block.data_offset;
    if (bytes > rest || next < block.offset || !is_block(file_, next)) bytes = rest;
  }
  if (!file_.holds(block.data_offset, bytes))
    Place{&file_, block.offset}.refuse(
        fmt::format("a data block of {} bytes, but the file ends at byte {}", block.length, file_.size()));
  add({block.offset, block.data_offset, bytes, bytes}, parts);
}

void DataReader::add_deflated(const Block& block, std::vector<DataPart>& parts) {
  const Place place{&file_, block.offset};
  if (!finalised_ && !file_.holds(block.data_offset, block.data_length)) return;  // cut off while it was written
  const std::vector<std::uint8_t> bytes = file_.read(block.data_offset, kDeflatedHeader);
  Fields fields({&file_, block.data_offset}, bytes);
  const std::string_view original = fields.text(2);
  const auto method = fields.next<std::uint8_t>();
  fields.take(1);
  const auto columns = fields.next<std::uint32_t>();
  DataPart part{block.offset, block.data_offset + kDeflatedHeader, 0, fields.next<std::uint64_t>(), true};
  part.stored = fields.next<std::uint64_t>();
  if (original != "DT") place.refuse(fmt::format("compressed data of kind \"{}\"; tauhat reads DT", shown(original)));
  if (method > 1) place.refuse(fmt::format("data compressed by method {}; tauhat reads 0 and 1 (deflate)", method));
  if (method == 1 && columns == 0) place.refuse("transposed data with 0 columns");
  part.transposed_columns = method == 1 ? columns : 0;
  if (!file_.holds(part.start, part.stored))
    place.refuse(fmt::format("{} compressed bytes, but the file ends at byte {}", part.stored, file_.size()));
  if (part.bytes > kLargestBlock || part.bytes / kDeflateAtMost > part.stored)
    place.refuse(fmt::format("{} compressed bytes cannot hold {} bytes of data", part.stored, part.bytes));
  add(part, parts);
}

void DataReader::for_each_piece(const std::vector<DataPart>& parts, const std::function<void(Bytes)>& use) const {
  for (const DataPart& part : parts) {
    if (part.deflated) {
      use(inflated(file_, part));
      continue;
    }
    for (std::uint64_t done = 0; done < part.stored; done += kPiece)
      use(file_.read(part.start + done, std::min(kPiece, part.stored - done)));
  }
}

}  // namespace tauhat::mdf4
