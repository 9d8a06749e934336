#include "tauhat/offline/log/formats/mat5.hpp"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <utility>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/log/formats/binary_file.hpp"
#include "tauhat/offline/log/formats/matlab_class.hpp"

namespace tauhat {
namespace {

constexpr std::size_t kHeaderSize = 128, kTagSize = 8;
constexpr std::size_t kHeadSize = 4096;  // holds flags, dimensions, name and the tag of the numbers
constexpr int kDeepest = 16;

enum Mat5Class : std::uint32_t {
  cell = 1,
  structure,
  object,
  text,
  sparse,
  first_number,
  last_number = 15,
  function,
  opaque
};

constexpr std::uint32_t kClassMask = 0xFF, kComplexFlag = 0x800;

std::string name_of_class(std::uint32_t number) {
  if (number == text) return "char";
  if (number == sparse) return "sparse";
  if (number == function) return "function_handle";
  return fmt::format("number {}", number);
}

// One variable, with all that is inside.
class Walk {
 public:
  Walk(const Mat5Bytes& bytes, std::size_t variable, NumberArrays& arrays, std::vector<Mat5File::Numbers>& numbers)
      : bytes_(bytes), variable_(variable), arrays_(arrays), numbers_(numbers) {}

  // `path` is empty for the variable itself: it brings its name.
  void matrix(std::string path, const Mat5Element& element, int depth) {
    if (element.type != Mat5Type::matrix)
      bytes_.refuse(fmt::format("it holds an element of type {}", fmt::underlying(element.type)));
    if (element.size == 0) return add_no_column(path, "is empty");
    Mat5Elements elements(bytes_, element.begin, element.begin + element.size);
    const Mat5Element flags = elements.next("flags");
    const std::uint32_t word = bytes_.word(flags.begin), kind = word & kClassMask;
    if (kind == opaque) return object_of_matlab(path, elements);
    const std::vector<std::size_t> dimensions = elements.next_lengths("dimensions");
    const std::string name = utf8_from_unknown(elements.next_text("name"));
    if (depth == 0) path = name;
    if (path.empty()) return;  // what MATLAB keeps for its objects has no name
    if (kind >= first_number && kind <= last_number) {
      if ((word & kComplexFlag) != 0) return add_no_column(path, "holds complex numbers");
      return numbers(path, dimensions, elements);
    }
    if (kind == text && depth > 0) return arrays_.add_text(path, mat5_text(bytes_, elements.next("text")));
    if (kind != cell && kind != structure && kind != object)
      return add_no_column(path, reason_of_class(path, name_of_class(kind)));
    if (kind == object) elements.next_text("class name");
    container(path, kind, dimensions, elements, depth);
  }

 private:
  void add_no_column(const std::string& path, const std::string& reason) {
    if (!path.empty()) arrays_.add_no_column(path, reason);
  }

  void object_of_matlab(std::string path, Mat5Elements& elements) {
    const std::string name = utf8_from_unknown(elements.next_text("name"));
    elements.next_text("type system");
    const std::string class_name = elements.next_text("class name");
    if (path.empty()) path = name;
    add_no_column(path, reason_of_class(path, class_name));
  }

  void numbers(const std::string& path, const std::vector<std::size_t>& dimensions, Mat5Elements& elements) {
    const Mat5Element element = elements.next("data");
    const std::size_t size = mat5_number_size(element.type);
    if (size == 0) bytes_.refuse(fmt::format("its numbers have the type {}", fmt::underlying(element.type)));
    std::size_t count = 1;
    for (const std::size_t length : dimensions) {
      if (length != 0 && count > NumberArrays::kMostElements / length) bytes_.refuse("it is too large");
      count *= length;
    }
    if (count * size != element.size)
      bytes_.refuse(fmt::format("{} numbers should take {} bytes, not {}", count, count * size, element.size));
    if (arrays_.add({.path = path}, dimensions)) numbers_.push_back({variable_, element});
  }

  void container(const std::string& path, std::uint32_t kind, const std::vector<std::size_t>& dimensions,
                 Mat5Elements& elements, int depth) {
    if (depth >= kDeepest) return add_no_column(path, "lies too deep inside others");
    std::size_t count = 1;
    for (const std::size_t length : dimensions) {
      if (length > NumberArrays::kMostAlongside) count = std::numeric_limits<std::uint16_t>::max();
      if (count <= NumberArrays::kMostAlongside) count *= length;
    }
    if (count == 0) return add_no_column(path, "is empty");
    if (count > NumberArrays::kMostAlongside)
      return add_no_column(path, fmt::format("is an array of more than {} {}", NumberArrays::kMostAlongside,
                                             kind == cell ? "cells" : "structs"));
    const std::vector<std::string> fields = kind == cell ? std::vector<std::string>{} : field_names(elements);
    for (std::size_t i = 1; i <= count; ++i) {
      if (kind == cell) matrix(fmt::format("{}{{{}}}", path, i), elements.next("cell"), depth + 1);
      const std::string prefix = count == 1 ? path : fmt::format("{}({})", path, i);
      for (const std::string& field : fields)
        matrix(fmt::format("{}.{}", prefix, field), elements.next("field"), depth + 1);
    }
  }

  // Names of one length, each filled up with zeros.
  std::vector<std::string> field_names(Mat5Elements& elements) {
    const std::size_t length = elements.next_lengths("field name length").front();
    const Mat5Element names = elements.next("field names");
    const std::string_view all = bytes_.part(names.begin, names.size);
    if (all.empty()) return {};
    constexpr std::size_t kLongest = 256;
    if (length == 0 || length > kLongest || all.size() % length != 0)
      bytes_.refuse(fmt::format("its field names have {} bytes, in steps of {}", all.size(), length));
    std::vector<std::string> fields;
    for (std::size_t at = 0; at < all.size(); at += length) {
      const std::string_view name = all.substr(at, length);
      fields.push_back(utf8_from_unknown(name.substr(0, name.find('\0'))));
    }
    return fields;
  }

  const Mat5Bytes& bytes_;
  std::size_t variable_;
  NumberArrays& arrays_;
  std::vector<Mat5File::Numbers>& numbers_;
};

}  // namespace

Mat5File::Mat5File(const std::string& path) : text_(read_file_text(path)), arrays_(source_name(path), text_.size) {
  const std::string_view bytes = text_.view();
  if (bytes.size() < kHeaderSize)
    throw Error(ExitCode::unusable_data,
                fmt::format("{}: has {} bytes, too few for a MATLAB file", arrays_.source(), bytes.size()));
  file_ = {bytes, bytes.size(), bytes.substr(kHeaderSize - 2, 2) == "MI", arrays_.source() + ": the file"};
  Mat5Elements elements(file_, kHeaderSize, bytes.size());
  while (!elements.done()) {
    variables_.push_back(elements.next("variable"));
    walk(variables_.size() - 1);
  }
  arrays_.find_clocks(ClockRule::matlab);
}

// Without its tag.
Mat5Bytes Mat5File::body(std::size_t variable, bool whole) {
  const Mat5Element& element = variables_[variable];
  Mat5Bytes body = file_;
  body.place = fmt::format("{}: the variable at byte {}", arrays_.source(), element.begin - kTagSize);
  if (element.type == Mat5Type::matrix) {
    body.bytes = file_.part(element.begin, element.size);
    body.size = element.size;
    return body;
  }
  if (element.type != Mat5Type::compressed)
    body.refuse(fmt::format("it has the type {}", fmt::underlying(element.type)));
  if (unpacked_variable_ != variable) unpacked_ = mat5_unpacked(body, element, kHeadSize);
  unpacked_variable_ = variable;
  const auto use_unpacked = [&] {
    body.bytes = unpacked_;
    body.size = body.word(4);
    if (Mat5Type{body.word(0)} != Mat5Type::matrix) body.refuse("what is packed in it is no variable");
    body.bytes = body.bytes.substr(kTagSize, body.size);
  };
  const Mat5Bytes file = body;
  use_unpacked();
  if (!whole || body.bytes.size() == body.size) return body;
  if (body.size / sizeof(double) > most_values(text_.size))
    body.refuse(fmt::format("{} packed bytes should hold {}", element.size, body.size));
  unpacked_ = mat5_unpacked(file, element, kTagSize + body.size);
  use_unpacked();
  if (body.bytes.size() < body.size)
    body.refuse(fmt::format("it unpacks to {} bytes instead of {}", body.bytes.size(), body.size));
  return body;
}

void Mat5File::walk(std::size_t variable) {
  Mat5Bytes bytes = body(variable, false);
  if (bytes.size == 0) return;
  const std::uint32_t kind = bytes.word(kTagSize) & kClassMask;
  if (kind == cell || kind == structure || kind == object) bytes = body(variable, true);
  Walk(bytes, variable, arrays_, numbers_).matrix("", {Mat5Type::matrix, 0, bytes.size}, 0);
}

std::vector<double> Mat5File::values(std::size_t array) {
  const Numbers& numbers = numbers_.at(array);
  return mat5_numbers(body(numbers.variable, true), numbers.element);
}

}  // namespace tauhat
