#include "tauhat/offline/log/formats/mat5_elements.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <memory>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/log/text.hpp"

namespace tauhat {
namespace {

constexpr std::size_t kTagSize = 8, kAlignment = 8;
constexpr std::size_t kMostDimensions = 32, kLongestName = 1024, kLongestTitle = 256;
constexpr std::size_t kDeflateRatio = 1032;  // zlib cannot pack tighter

template <class T>
T load(const char* from, bool swapped) noexcept {
  char raw[sizeof(T)];
  std::memcpy(raw, from, sizeof(T));
  if (swapped) std::reverse(raw, raw + sizeof(T));
  return std::bit_cast<T>(raw);
}

template <class T>
void convert(std::string_view from, bool swapped, std::vector<double>& to) {
  for (std::size_t i = 0; i < to.size(); ++i)
    to[i] = static_cast<double>(load<T>(from.data() + i * sizeof(T), swapped));
}

struct InflateEnd {
  void operator()(z_stream* stream) const noexcept { inflateEnd(stream); }
};

}  // namespace

std::size_t mat5_number_size(Mat5Type type) noexcept {
  switch (type) {
    case Mat5Type::int8:
    case Mat5Type::uint8:
      return 1;
    case Mat5Type::int16:
    case Mat5Type::uint16:
      return 2;
    case Mat5Type::int32:
    case Mat5Type::uint32:
    case Mat5Type::single:
      return 4;
    case Mat5Type::real:
    case Mat5Type::int64:
    case Mat5Type::uint64:
      return 8;
    default:
      return 0;
  }
}

void Mat5Bytes::refuse(const std::string& what) const {
  throw Error(ExitCode::unusable_data, fmt::format("{} is damaged or cut short: {}", place, what));
}

std::string_view Mat5Bytes::part(std::size_t begin, std::size_t count) const {
  if (begin > bytes.size() || count > bytes.size() - begin)
    refuse(fmt::format("{} bytes are expected at {}, {} are there", count, begin,
                       bytes.size() - std::min(begin, bytes.size())));
  return bytes.substr(begin, count);
}

std::uint32_t Mat5Bytes::word(std::size_t at) const { return load<std::uint32_t>(part(at, 4).data(), swapped); }

Mat5Element Mat5Elements::next(std::string_view what) {
  if (done() || end_ - at_ < kTagSize) bytes_.refuse(fmt::format("there is no {}", what));
  const std::uint32_t first = bytes_.word(at_);
  Mat5Element element{Mat5Type{first}, at_ + kTagSize, bytes_.word(at_ + 4)};
  if (const std::uint32_t small = first >> 16; small != 0) {  // up to four bytes lie inside the tag
    if (small > 4) bytes_.refuse(fmt::format("its {} has an impossible size", what));
    element = {Mat5Type{first & 0xFFFF}, at_ + 4, small};
    at_ += kTagSize;
    return element;
  }
  if (element.size > end_ - element.begin)
    bytes_.refuse(
        fmt::format("its {} at byte {} has {} bytes, {} are left", what, at_, element.size, end_ - element.begin));
  // Packed variables follow each other without a gap; all else is filled up to a multiple of eight bytes.
  const std::size_t fill = element.type == Mat5Type::compressed ? 1 : kAlignment;
  at_ = std::min(end_, element.begin + (element.size + fill - 1) / fill * fill);
  return element;
}

std::string Mat5Elements::next_text(std::string_view what) {
  const Mat5Element element = next(what);
  if (element.size > kLongestName) bytes_.refuse(fmt::format("its {} has {} letters", what, element.size));
  const std::string_view text = bytes_.part(element.begin, element.size);
  return std::string(text.substr(0, text.find('\0')));
}

std::vector<std::size_t> Mat5Elements::next_lengths(std::string_view what) {
  const Mat5Element element = next(what);
  const std::size_t count = element.size / sizeof(std::int32_t);
  if (count == 0 || count > kMostDimensions) bytes_.refuse(fmt::format("it has {} {}", count, what));
  std::vector<std::size_t> lengths;
  for (std::size_t i = 0; i < count; ++i) {
    lengths.push_back(bytes_.word(element.begin + i * sizeof(std::int32_t)));
    if (lengths.back() > std::size_t{std::numeric_limits<std::int32_t>::max()})
      bytes_.refuse(fmt::format("one of its {} is negative", what));
  }
  return lengths;
}

std::string mat5_text(const Mat5Bytes& bytes, const Mat5Element& element) {
  if (element.size > kLongestTitle) return "";
  const std::string_view from = bytes.part(element.begin, element.size);
  if (element.type != Mat5Type::uint16 && element.type != Mat5Type::utf16) return utf8_from_unknown(from);
  std::string text = "\xFF\xFE";
  for (std::size_t i = 0; i + 1 < from.size(); i += 2) {
    text += from[bytes.swapped ? i + 1 : i];
    text += from[bytes.swapped ? i : i + 1];
  }
  return utf8_from_utf16(text);
}

std::vector<double> mat5_numbers(const Mat5Bytes& bytes, const Mat5Element& element) {
  const std::string_view from = bytes.part(element.begin, element.size);
  std::vector<double> numbers(element.size / mat5_number_size(element.type));
  switch (element.type) {
    case Mat5Type::int8:
      convert<std::int8_t>(from, bytes.swapped, numbers);
      break;
    case Mat5Type::uint8:
      convert<std::uint8_t>(from, bytes.swapped, numbers);
      break;
    case Mat5Type::int16:
      convert<std::int16_t>(from, bytes.swapped, numbers);
      break;
    case Mat5Type::uint16:
      convert<std::uint16_t>(from, bytes.swapped, numbers);
      break;
    case Mat5Type::int32:
      convert<std::int32_t>(from, bytes.swapped, numbers);
      break;
    case Mat5Type::uint32:
      convert<std::uint32_t>(from, bytes.swapped, numbers);
      break;
    case Mat5Type::single:
      convert<float>(from, bytes.swapped, numbers);
      break;
    case Mat5Type::int64:
      convert<std::int64_t>(from, bytes.swapped, numbers);
      break;
    case Mat5Type::uint64:
      convert<std::uint64_t>(from, bytes.swapped, numbers);
      break;
    default:
      convert<double>(from, bytes.swapped, numbers);
      break;
  }
  return numbers;
}

std::string mat5_unpacked(const Mat5Bytes& file, const Mat5Element& packed, std::size_t most) {
  std::string_view from = file.part(packed.begin, packed.size);
  const std::size_t possible = kDeflateRatio * from.size();
  // One byte more than asked for: zlib checks the sum only when there is room behind the last byte.
  std::string to(std::min(most, possible) + 1, '\0');
  if (to.size() > std::numeric_limits<uInt>::max()) file.refuse("it is larger than 4 GB");
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) file.refuse("zlib cannot be started");
  const std::unique_ptr<z_stream, InflateEnd> end(&stream);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(from.data()));
  stream.avail_in = static_cast<uInt>(from.size());
  stream.next_out = reinterpret_cast<Bytef*>(to.data());
  stream.avail_out = static_cast<uInt>(to.size());
  const int status = inflate(&stream, Z_SYNC_FLUSH);
  if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR)
    file.refuse(fmt::format("it cannot be unpacked ({})", stream.msg != nullptr ? stream.msg : "zlib"));
  to.resize(std::min(most, to.size() - stream.avail_out));
  return to;
}

}  // namespace tauhat
