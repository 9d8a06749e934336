// A binary log file, read by place: one piece at a time, so that a log may be larger than the memory. Whatever is
// refused is refused by file and byte.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tauhat {

static_assert(std::endian::native == std::endian::little, "fields are copied as the formats store them");

using Bytes = std::span<const std::uint8_t>;

// What is decompressed at once. Recorders write some megabytes; more is a damaged size.
inline constexpr std::uint64_t kLargestBlock = std::uint64_t{1} << 30;

// More numbers than any log of this size can hold: a damaged counter, or blocks that were made to unpack into more than
// the memory.
constexpr std::uint64_t most_values(std::uint64_t file_bytes) noexcept {
  constexpr std::uint64_t kAlways = std::uint64_t{1} << 26, kPerByte = 64;
  return file_bytes > kAlways / kPerByte ? kPerByte * file_bytes : kAlways;
}
void check_values(const std::string& source, std::uint64_t file_bytes, std::uint64_t values);  // throws Error

class BinaryFile {
 public:
  explicit BinaryFile(const std::string& path);  // throws Error (unusable_data)
  BinaryFile(std::string source, Bytes bytes);   // a file's bytes in memory, which outlive this
  ~BinaryFile();
  BinaryFile(const BinaryFile&) = delete;
  BinaryFile& operator=(const BinaryFile&) = delete;

  const std::string& source() const noexcept { return source_; }
  std::uint64_t size() const noexcept { return size_; }
  bool holds(std::uint64_t offset, std::uint64_t length) const noexcept {
    return offset <= size_ && length <= size_ - offset;
  }

  // Throw Error (unusable_data) where the file ends before.
  void read(std::uint64_t offset, std::span<std::uint8_t> into) const;
  std::vector<std::uint8_t> read(std::uint64_t offset, std::uint64_t length) const;

  void check_values(std::uint64_t values) const { tauhat::check_values(source_, size_, values); }

 private:
  std::string source_;
  std::uint64_t size_ = 0;
  int descriptor_ = -1;  // none: the bytes are in memory
  Bytes memory_;
};

// Where bytes stand: in the file, or in what one of its compressed blocks holds.
struct Place {
  const BinaryFile* file;
  std::uint64_t offset;
  std::optional<std::uint64_t> block{};  // the block's own offset; the other one counts inside it

  Place after(std::uint64_t bytes) const noexcept { return {file, offset + bytes, block}; }
  [[noreturn]] void refuse(std::string_view finding) const;  // throws Error (unusable_data)
};

// Many small records in a row, read from the disk in larger pieces.
class Window {
 public:
  explicit Window(const BinaryFile& file) : file_(file) {}
  Bytes at(std::uint64_t offset, std::uint64_t length);  // valid until the next call

 private:
  const BinaryFile& file_;
  std::uint64_t start_ = 0;
  std::vector<std::uint8_t> bytes_;
};

// The fields of a record, one after the other, little-endian. A field beyond the record's end is refused.
class Fields {
 public:
  Fields(Place place, Bytes bytes) : place_(place), rest_(bytes) {}

  template <class T>
  T next() {
    T value;
    std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
    return value;
  }
  Bytes take(std::uint64_t bytes);
  std::string_view text(std::uint64_t bytes);

  const Place& place() const noexcept { return place_; }
  std::size_t left() const noexcept { return rest_.size(); }

 private:
  Place place_;  // of the next field
  Bytes rest_;
};

}  // namespace tauhat
