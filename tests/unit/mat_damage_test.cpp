// MATLAB files byte by byte: what no library writes here, and what damage does. Seed 13.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "support/mat_bytes.hpp"
#include "tauhat/offline/error.hpp"
#include "tauhat/offline/log/formats/mat.hpp"

namespace tauhat {
namespace {

using namespace std::string_literals;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

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
            "s = table2struct(timetable2table(tt), 'ToScalar', true); s.Time = seconds(tt.Time - tt.Time(1)); "
            "save log.mat s");
  EXPECT_EQ(refusal(file, {"d"}),
            ": \"d\" is of class drive, which MATLAB alone can open; save it as a struct of numbers");
}

// Where a file holds nothing else, listing it says so, too: it is what `init` does first.
TEST(MatBytes, AFileOfObjectsAloneIsRefusedByWhatToTypeInstead) {
  const MatBytes mat;
  const std::string note = mat.matrix(4, {1, 2}, "note", mat.element(4, "a\0b\0"s));
  const BytesFile file(mat.file(note + mat.object("speed", "timeseries")));
  try {
    list_mat(file.path());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::unusable_data);
    EXPECT_EQ(error.what(),
              file.path() +
                  ": holds no arrays of numbers; \"speed\" is of class timeseries, which MATLAB alone can "
                  "open; save it as a struct of numbers: s.speed = struct('Time', speed.Time, 'Data', "
                  "speed.Data); save log.mat s");
  }
  EXPECT_THAT(refusal(mat.file(mat.object("out", "Simulink.SimulationOutput"))),
              HasSubstr("s.(matlab.lang.makeValidName(e.Name)) = struct('Time', e.Values.Time"));
  EXPECT_THAT(refusal(mat.file(note)), EndsWith(": holds no arrays of numbers; \"note\" holds text, not numbers"));
}

// A label names its signal in the letters of either byte order, or in UTF-8.
TEST(MatBytes, ReadsTheLabelOfASignal) {
  for (const bool big_endian : {false, true}) {
    const MatBytes mat{.big_endian = big_endian};
    const std::string wide = mat.number(std::uint16_t{'w'}) + mat.number(std::uint16_t{0xB0});
    for (const std::string& letters : {mat.element(4, wide), mat.element(17, wide), mat.element(16, "w\xC2\xB0")}) {
      std::string names = "values"s;
      names.resize(8);
      names += "label";
      names.resize(16);
      const BytesFile file(
          mat.file(mat.matrix(2, {1, 1}, "signals",
                              mat.number(std::uint32_t{4 << 16 | 5}) + mat.number(8) + mat.element(1, names) +
                                  mat.reals("", {1, 2}) + mat.matrix(4, {1, 2}, "", letters))));
      ASSERT_EQ(list_mat(file.path()).size(), 1u);
      EXPECT_EQ(list_mat(file.path())[0].title, "w\xC2\xB0");
    }
  }
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
