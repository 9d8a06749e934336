// MATLAB files byte by byte: what no library writes here, and what damage does. Seed 13.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/log/formats/mat.hpp"

namespace tauhat {
namespace {

using namespace std::string_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// Elements as "MAT-File Format" (MathWorks) describes them.
struct MatBytes {
  bool big_endian = false;

  template <class T>
  std::string number(T value) const {
    std::string bytes(sizeof(T), '\0');
    std::copy_n(reinterpret_cast<const char*>(&value), sizeof(T), bytes.begin());
    if (big_endian) std::reverse(bytes.begin(), bytes.end());
    return bytes;
  }
  std::string element(std::uint32_t type, std::string data) const {
    const std::string tag = number(type) + number(static_cast<std::uint32_t>(data.size()));
    data.resize((data.size() + 7) / 8 * 8);
    return tag + data;
  }
  std::string lengths(const std::vector<std::int32_t>& all) const {
    std::string data;
    for (const std::int32_t each : all) data += number(each);
    return element(5, data);
  }
  std::string flags(std::uint32_t kind) const { return element(6, number(kind) + number(std::uint32_t{0})); }
  std::string matrix(std::uint32_t kind, const std::vector<std::int32_t>& dimensions, const std::string& name,
                     const std::string& content) const {
    return element(14, flags(kind) + lengths(dimensions) + element(1, name) + content);
  }
  std::string reals(const std::string& name, const std::vector<double>& values) const {
    std::string data;
    for (const double value : values) data += number(value);
    return matrix(6, {static_cast<std::int32_t>(values.size()), 1}, name, element(9, data));
  }
  std::string structure(const std::string& name, std::string field, const std::string& value) const {
    field.resize(8);
    return matrix(2, {1, 1}, name, number(std::uint32_t{4 << 16 | 5}) + number(8) + element(1, field) + value);
  }
  std::string object(const std::string& name, const std::string& class_name) const {
    return element(14, flags(17) + element(1, name) + element(1, "MCOS") + element(1, class_name));
  }
  std::string file(const std::string& variables) const {
    std::string header = "MATLAB 5.0 MAT-file";
    header.resize(124, ' ');
    return header + number(std::uint16_t{0x100}) + (big_endian ? "MI" : "IM") + variables;
  }
  std::string packed(const std::string& variable) const {
    uLongf size = compressBound(variable.size());
    std::string data(size, '\0');
    compress(reinterpret_cast<Bytef*>(data.data()), &size, reinterpret_cast<const Bytef*>(variable.data()),
             variable.size());
    data.resize(size);
    return number(std::uint32_t{15}) + number(static_cast<std::uint32_t>(size)) + data;
  }
};

class BytesFile {
 public:
  explicit BytesFile(const std::string& bytes)
      : path_((std::filesystem::path(testing::TempDir()) /
               (testing::UnitTest::GetInstance()->current_test_info()->name() + ".mat"s))
                  .string()) {
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  ~BytesFile() { std::filesystem::remove(path_); }
  BytesFile(const BytesFile&) = delete;
  BytesFile& operator=(const BytesFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string refusal(const std::string& bytes, const std::vector<std::string>& wanted = {}) {
  const BytesFile file(bytes);
  try {
    read_mat(file.path(), wanted);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::unusable_data);
    return std::string(error.what()).substr(file.path().size());
  }
  return "accepted";
}

TEST(MatBytes, ReadsTheOtherByteOrder) {
  const MatBytes big{.big_endian = true};
  const BytesFile file(big.file(big.reals("w", {1.5, -2}) + big.packed(big.structure("r", "x", big.reals("", {7})))));
  const Recording recording = read_mat(file.path(), {"w", "r.x"});
  EXPECT_THAT(recording.columns[0].values, ElementsAre(1.5, -2));
  EXPECT_THAT(recording.columns[1].values, ElementsAre(7));
}

// Data of a class may be stored in a shorter type, and four bytes or fewer inside their tag.
TEST(MatBytes, ReadsShortenedNumbers) {
  const MatBytes mat;
  const std::string inside_tag = mat.number(std::uint32_t{3 << 16 | 2}) + "\x01\x02\xFF\0"s;
  const BytesFile file(mat.file(mat.matrix(6, {1, 3}, "w", inside_tag)));
  EXPECT_THAT(read_mat(file.path(), {}).columns[0].values, ElementsAre(1, 2, 255));
}

TEST(MatBytes, ExplainsAnObject) {
  const MatBytes mat;
  const std::string file = mat.file(mat.object("tt", "timetable") + mat.packed(mat.object("d", "drive")) +
                                    mat.reals("", {1}) + mat.reals("w", {1, 2}));
  const BytesFile listed(file);
  EXPECT_EQ(list_mat(listed.path()).size(), 1u);  // the array without a name is MATLAB's own
  EXPECT_EQ(refusal(file, {"tt.speed"}),
            ": \"tt\" is of class timetable, which MATLAB alone can open; save it as a struct of numbers: "
            "s = table2struct(timetable2table(tt), 'ToScalar', true); s.Time = seconds(tt.Time - tt.Time(1))");
  EXPECT_EQ(refusal(file, {"d"}),
            ": \"d\" is of class drive, which MATLAB alone can open; save it as a struct of numbers");
}

TEST(MatBytes, RefusesWhatIsNotOfMatlab) {
  const MatBytes mat;
  EXPECT_EQ(refusal(""), ": has 0 bytes, too few for a MATLAB file");
  EXPECT_EQ(refusal("t,w\n0,1\n"), ": is not a MATLAB file; it starts with \"t,w\\x0a0,1\\x0a\"");
  EXPECT_THAT(refusal("\0\0\0\0\x03\0\0\0\x01\0\0\0\0\0\0\0\x02\0\0\0w\0"s), HasSubstr("no MATLAB file of version 5"));
  EXPECT_EQ(refusal(mat.file("")), ": holds no arrays of numbers");
  EXPECT_THROW(list_mat("nowhere.mat"), Error);
  EXPECT_THROW(list_mat(testing::TempDir()), Error);
  std::string later = mat.file("");
  later[125] = 2;
  EXPECT_EQ(refusal(later), ": is a MATLAB 7.3 file that is cut short or damaged");
}

// Sizes that the file cannot have, in each place where it states one.
TEST(MatBytes, RefusesImpossibleSizes) {
  const MatBytes mat;
  const std::string zeros(64, '\0'), real = mat.reals("w", {1, 2});
  const auto claim = [&](std::string variable, std::uint32_t size) { return variable.replace(4, 4, mat.number(size)); };
  const std::vector<std::string> cases = {claim(real, 0xFFFFFFF8),
                                          mat.packed(claim(real, 0xFFFFFFF8)),
                                          mat.packed(claim(real, 10000)),
                                          mat.matrix(6, {1 << 30, 1 << 30}, "w", mat.element(9, zeros)),
                                          mat.matrix(6, {-8, -1}, "w", mat.element(9, zeros)),
                                          mat.matrix(6, {9, 1}, "w", mat.element(9, zeros)),
                                          mat.matrix(6, {8, 1}, "w", mat.element(10, zeros)),
                                          mat.matrix(6, std::vector<std::int32_t>(100, 1), "w", mat.element(9, zeros)),
                                          mat.matrix(2, {1, 1}, "r", mat.lengths({0}) + mat.element(1, zeros)),
                                          mat.matrix(2, {1, 2}, "r", mat.lengths({64}) + mat.element(1, zeros) + real),
                                          mat.element(14, zeros),
                                          "abcd"};
  for (const std::string& variables : cases)
    EXPECT_THAT(refusal(mat.file(variables)), HasSubstr("is damaged or cut short: "));
  std::string nested = real;
  for (int depth = 0; depth < 1000; ++depth) nested = mat.structure("r", "x", nested);
  EXPECT_THAT(refusal(mat.file(nested)), HasSubstr("holds no arrays of numbers"));
  EXPECT_THAT(refusal(mat.file(nested), {"r.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x.x"}), HasSubstr("lies too deep"));
}

TEST(MatBytes, DamagedFilesParseOrAreRefused) {
  const MatBytes mat;
  const std::vector<double> numbers(40, 0.125);
  const std::string rec = mat.structure("rec", "w", mat.structure("", "x", mat.reals("", numbers)));
  const std::string plain = mat.file(mat.reals("t", numbers) + rec + mat.object("tt", "timetable"));
  const std::string packed = mat.file(mat.packed(mat.reals("t", numbers)) + mat.packed(rec));
  std::mt19937 random(13);
  int parsed = 0, refused = 0;
  for (int i = 0; i < 1500; ++i) {
    std::string damaged = i % 2 == 0 ? plain : packed;
    const auto below = [&random](std::size_t limit) { return random() % limit; };
    if (i % 5 == 0) damaged.resize(below(damaged.size()));
    for (std::size_t flips = below(4); flips > 0 && !damaged.empty(); --flips)
      damaged[below(damaged.size())] ^= static_cast<char>(1U << below(8));
    const std::string sentence = refusal(damaged);
    if (sentence == "accepted") {
      ++parsed;
    } else {
      EXPECT_THAT(sentence, StartsWith(": "));
      ++refused;
    }
  }
  EXPECT_GT(parsed, 200);
  EXPECT_GT(refused, 200);
}

}  // namespace
}  // namespace tauhat
