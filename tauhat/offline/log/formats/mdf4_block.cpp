#include "tauhat/offline/log/formats/mdf4_block.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "tauhat/offline/log/text.hpp"

namespace tauhat::mdf4 {
namespace {

constexpr std::uint64_t kLongestText = 1 << 16;  // a name or a unit, and the XML around it
constexpr std::size_t kLongestName = 1024;       // many channels may share one, and each keeps its own

bool is_capital(std::uint8_t c) { return c >= 'A' && c <= 'Z'; }

bool has_block_id(const std::array<std::uint8_t, kHeaderBytes>& header) {
  return header[0] == '#' && header[1] == '#' && is_capital(header[2]) && is_capital(header[3]);
}

std::string unescaped(std::string_view xml) {
  constexpr std::array<std::pair<std::string_view, char>, 5> kEntities{
      {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}}};
  std::string text;
  while (!xml.empty()) {
    const auto* const entity =
        std::find_if(kEntities.begin(), kEntities.end(), [xml](const auto& e) { return xml.starts_with(e.first); });
    text += entity == kEntities.end() ? xml.front() : entity->second;
    xml.remove_prefix(entity == kEntities.end() ? 1 : entity->first.size());
  }
  return text;
}

// "<CNunit><TX>N m</TX></CNunit>" -> "N m". The TX element may have attributes.
std::string text_element(std::string_view xml) {
  const std::size_t start = xml.find("<TX");
  if (start == std::string_view::npos) return "";
  const std::size_t open = xml.find('>', start);
  if (open == std::string_view::npos || xml[open - 1] == '/') return "";
  const std::string_view content = xml.substr(open + 1);
  return unescaped(content.substr(0, content.find("</TX>")));
}

std::string trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(kBlank) + 1 - first));
}

std::string cut(std::string name) {
  if (name.size() <= kLongestName) return name;
  std::size_t end = kLongestName;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80) --end;  // not inside a character
  return name.substr(0, end);
}

}  // namespace

Block read_block(const BinaryFile& file, Link offset) {
  const Place place{&file, offset};
  std::array<std::uint8_t, kHeaderBytes> header{};
  file.read(offset, header);
  if (offset < kIdentificationBytes || !has_block_id(header))
    place.refuse(fmt::format("a block is expected here, but it begins with \"{}\"",
                             shown({reinterpret_cast<const char*>(header.data()), 4})));
  Fields fields(place, header);
  Block block;
  block.id = fields.text(4).substr(2);
  fields.take(4);  // reserved
  block.offset = offset;
  block.length = fields.next<std::uint64_t>();
  const auto links = fields.next<std::uint64_t>();
  // An unfinished data block may have no length yet.
  block.length = std::max(block.length, kHeaderBytes);
  if (links > (block.length - kHeaderBytes) / sizeof(Link))
    place.refuse(fmt::format("a {} block of {} bytes with {} links", block.id, block.length, links));
  const std::vector<std::uint8_t> bytes = file.read(offset + kHeaderBytes, links * sizeof(Link));
  block.links.resize(links);
  if (links > 0) std::memcpy(block.links.data(), bytes.data(), bytes.size());
  block.data_offset = offset + kHeaderBytes + links * sizeof(Link);
  block.data_length = block.length - kHeaderBytes - links * sizeof(Link);
  return block;
}

Block read_block(const BinaryFile& file, Link offset, std::string_view id) {
  Block block = read_block(file, offset);
  if (block.id != id)
    Place{&file, offset}.refuse(fmt::format("a {} block is expected here, not one of kind {}", id, block.id));
  return block;
}

Fields data_of(const BinaryFile& file, const Block& block, std::vector<std::uint8_t>& bytes) {
  bytes = file.read(block.data_offset, block.data_length);
  return {{&file, block.data_offset}, bytes};
}

bool is_block(const BinaryFile& file, Link offset) {
  if (!file.holds(offset, kHeaderBytes)) return false;
  std::array<std::uint8_t, kHeaderBytes> header{};
  file.read(offset, header);
  return has_block_id(header);
}

std::string read_text_block(const BinaryFile& file, Link offset) {
  if (offset == 0) return "";
  const Block block = read_block(file, offset);
  if (block.id != "TX" && block.id != "MD")
    Place{&file, offset}.refuse(fmt::format("a text is expected here, not a block of kind {}", block.id));
  const std::vector<std::uint8_t> bytes = file.read(block.data_offset, std::min(block.data_length, kLongestText));
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  text = text.substr(0, text.find('\0'));
  return cut(trimmed(utf8_from_unknown(block.id == "TX" ? std::string(text) : text_element(text))));
}

}  // namespace tauhat::mdf4
