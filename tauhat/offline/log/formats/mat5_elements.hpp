// The grammar of MATLAB 5 and 7 files ("MAT-File Format", MathWorks): elements, each a tag of type and size before its
// data, one inside the other. Nothing in the file is trusted: what does not fit into its surroundings throws Error
// (unusable_data).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tauhat {

enum class Mat5Type : std::uint32_t {
  int8 = 1,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  single,
  real = 9,
  int64 = 12,
  uint64,
  matrix,
  compressed,
  utf8,
  utf16,
};

// Bytes of one number; 0 where the type is none of numbers.
std::size_t mat5_number_size(Mat5Type type) noexcept;

// Bytes of a file or of an unpacked variable. Of a variable whose head suffices, only the first ones are here.
struct Mat5Bytes {
  std::string_view bytes;
  std::size_t size = 0;  // as the file says
  bool swapped = false;  // the other byte order
  std::string place;     // for messages: "run3.mat: the variable at byte 128"

  [[noreturn]] void refuse(const std::string& what) const;
  std::string_view part(std::size_t begin, std::size_t count) const;
  std::uint32_t word(std::size_t at) const;
};

struct Mat5Element {
  Mat5Type type{};
  std::size_t begin = 0, size = 0;
};

// The elements between two places, one after the other.
class Mat5Elements {
 public:
  Mat5Elements(const Mat5Bytes& bytes, std::size_t begin, std::size_t end) : bytes_(bytes), at_(begin), end_(end) {}

  bool done() const noexcept { return at_ >= end_; }
  Mat5Element next(std::string_view what);  // `what` is for the message when there is none
  std::string next_text(std::string_view what);
  std::vector<std::size_t> next_lengths(std::string_view what);

 private:
  const Mat5Bytes& bytes_;
  std::size_t at_, end_;
};

// The text of an element of letters, in UTF-8; empty where it is too long for a name.
std::string mat5_text(const Mat5Bytes& bytes, const Mat5Element& element);

// The numbers of an element of numbers.
std::vector<double> mat5_numbers(const Mat5Bytes& bytes, const Mat5Element& element);

// The first bytes of a zlib stream, `most` or all; where all are asked for, its checksum is checked.
std::string mat5_unpacked(const Mat5Bytes& file, const Mat5Element& packed, std::size_t most);

}  // namespace tauhat
