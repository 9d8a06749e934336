// MATLAB files, written by an independent library (matio), and read again.
#include "tauhat/offline/log/formats/mat.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <matio.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "support/mat_writer.hpp"
#include "support/paths.hpp"
#include "tauhat/offline/error.hpp"

namespace tauhat {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

// A file that lives as long as its test; takes the variables.
class MatFile {
 public:
  MatFile(const std::vector<matvar_t*>& variables, const MatVersion& version)
      : path_((std::filesystem::path(testing::TempDir()) / std::to_string(std::hash<std::string>{}(test_name())) +=
               ".mat")
                  .string()) {
    EXPECT_TRUE(write_mat(path_, variables, version));
  }
  ~MatFile() { std::filesystem::remove(path_); }
  MatFile(const MatFile&) = delete;
  MatFile& operator=(const MatFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  static std::string test_name() {
    const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
    return std::string(test->test_suite_name()) + test->name();
  }
  std::string path_;
};

std::vector<double> ramp(std::size_t count) {
  std::vector<double> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 1.0);
  return numbers;
}

std::string refusal(const MatFile& file, const std::vector<std::string>& wanted) {
  try {
    read_mat(file.path(), wanted);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::unusable_data);
    return std::string(error.what()).substr(file.path().size());
  }
  return "accepted";
}

std::vector<std::string> names_of(const std::vector<ColumnInfo>& columns) {
  std::vector<std::string> names;
  for (const ColumnInfo& column : columns) names.push_back(column.name);
  return names;
}

// Version 5 plainly, version 7, which packs each variable, and 7.3, which is HDF5 and has its variables by the
// alphabet.
class ReadMat : public testing::TestWithParam<MatVersion> {};
INSTANTIATE_TEST_SUITE_P(Versions, ReadMat, testing::ValuesIn(kMatVersions), by_name);

TEST_P(ReadMat, ReadsEveryClassOfNumbers) {
  std::array<std::size_t, 2> three{1, 3};
  std::array<mat_uint8_t, 3> flags{1, 0, 1};
  const MatFile file(
      {mat_array<double>("real", {-1.5, 2, 1e300}), mat_array<float>("single", {-1.5F, 2, 3}),
       mat_array<std::int8_t>("i8", {-128, 0, 127}), mat_array<std::uint8_t>("u8", {0, 1, 255}),
       mat_array<std::int16_t>("i16", {-32768, 0, 5}), mat_array<std::uint16_t>("u16", {0, 1, 65535}),
       mat_array<std::int32_t>("i32", {-70000, 0, 5}), mat_array<std::uint32_t>("u32", {0, 1, 4000000000}),
       mat_array<std::int64_t>("i64", {-5000000000, 0, 5}), mat_array<std::uint64_t>("u64", {0, 1, 5000000000}),
       Mat_VarCreate("flag", MAT_C_UINT8, MAT_T_UINT8, 2, three.data(), flags.data(), MAT_F_LOGICAL)},
      GetParam());
  const Recording recording =
      read_mat(file.path(), {"real", "single", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "flag"});
  EXPECT_EQ(recording.source, file.path());
  std::vector<std::vector<double>> values;
  for (const Column& column : recording.columns) values.push_back(column.values);
  EXPECT_THAT(values, ElementsAre(ElementsAre(-1.5, 2, 1e300), ElementsAre(-1.5, 2, 3), ElementsAre(-128, 0, 127),
                                  ElementsAre(0, 1, 255), ElementsAre(-32768, 0, 5), ElementsAre(0, 1, 65535),
                                  ElementsAre(-70000, 0, 5), ElementsAre(0, 1, 4e9), ElementsAre(-5e9, 0, 5),
                                  ElementsAre(0, 1, 5e9), ElementsAre(1, 0, 1)));
}

TEST_P(ReadMat, NamesFieldsByTheirPath) {
  const MatFile file(
      {mat_struct("rec", {"t", "axis"}, {mat_array("", ramp(4)), mat_struct("", {"w"}, {mat_array("", ramp(5))})}),
       mat_struct("runs", {"t", "w"},
                  {mat_array("", ramp(2)), mat_array("", ramp(3)), mat_array("", ramp(6)), mat_array("", ramp(7))}),
       mat_cells("cases", {mat_array("", ramp(8)), mat_struct("", {"w"}, {mat_array("", ramp(9))})}),
       mat_array("gain", ramp(1))},
      GetParam());
  EXPECT_THAT(names_of(list_mat(file.path())),
              UnorderedElementsAre("rec.t", "rec.axis.w", "runs(1).t", "runs(1).w", "runs(2).t", "runs(2).w",
                                   "cases{1}", "cases{2}.w", "gain"));
  const Recording recording = read_mat(file.path(), {"runs(2).w", "gain", "cases{2}.w"});
  EXPECT_EQ(recording.columns[0].values, ramp(7));
  EXPECT_EQ(recording.columns[1].values, ramp(1));
  EXPECT_EQ(recording.columns[2].values, ramp(9));
}

// MATLAB counts down the columns: of 1 to 6 in 2 by 3, the first row is 1, 3, 5.
TEST_P(ReadMat, SplitsAMatrixAlongItsShorterSide) {
  const MatFile file({mat_array("wide", ramp(6), {2, 3}), mat_array("tall", ramp(6), {3, 2}),
                      mat_array("square", ramp(4), {2, 2}), mat_array("page", ramp(4), {1, 1, 4}),
                      mat_array("large", ramp(65 * 66), {65, 66}), mat_array("solid", ramp(8), {2, 2, 2})},
                     GetParam());
  const Recording recording = read_mat(file.path(), {"wide[1]", "tall[2]", "square[2]", "page"});
  EXPECT_THAT(recording.columns[0].values, ElementsAre(1, 3, 5));
  EXPECT_THAT(recording.columns[1].values, ElementsAre(4, 5, 6));
  EXPECT_THAT(recording.columns[2].values, ElementsAre(3, 4));
  EXPECT_THAT(recording.columns[3].values, ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(list_mat(file.path()).size(), 7u);
  EXPECT_EQ(refusal(file, {"wide"}), ": \"wide\" has 2 columns; name one of them, \"wide[1]\" to \"wide[2]\"");
  EXPECT_THAT(refusal(file, {"large"}), HasSubstr("\"large\" is a matrix of 65 by 66"));
  EXPECT_THAT(refusal(file, {"solid"}), HasSubstr("\"solid\" has 3 dimensions"));
}

// A timeseries saved as a struct, and Simulink's "structure with time": their data bring their clock along, and their
// signals' names.
TEST_P(ReadMat, KnowsTheClockOfATimeSeries) {
  const auto signal = [](std::size_t width) { return mat_array("", ramp(9 * width), {9, width}); };
  const MatFile file({mat_struct("ts", {"Name", "Time", "Data"},
                                 {mat_text("", "phase"), mat_array("", ramp(3)), mat_array("", ramp(15), {3, 5})}),
                      mat_struct("out", {"time", "signals"},
                                 {mat_array("", ramp(9)),
                                  mat_struct("", {"values", "label"},
                                             {signal(1), mat_text("", "speed"), signal(2), mat_text("", "torque")})}),
                      mat_struct("odd", {"Time", "Data"}, {mat_array("", ramp(4)), mat_array("", ramp(5))})},
                     GetParam());
  const Recording recording = read_mat(file.path(), {"ts.Data[5]", "out.signals(2).values[2]", "odd.Data"});
  ASSERT_EQ(recording.columns.size(), 5u);
  EXPECT_THAT(recording.columns[0].values, ElementsAre(13, 14, 15));  // along Time, though that is the shorter side
  EXPECT_EQ(recording.columns[0].clock, "ts.Time");
  EXPECT_EQ(recording.columns[1].clock, "out.time");
  EXPECT_EQ(recording.columns[2].clock, "");  // lengths differ
  EXPECT_EQ(recording.columns[3].name, "ts.Time");
  EXPECT_EQ(recording.columns[4].values, ramp(9));
  std::map<std::string, std::string> titles;
  for (const ColumnInfo& column : list_mat(file.path())) titles[column.name] = column.title;
  EXPECT_EQ(titles.at("ts.Data[5]"), "phase");
  EXPECT_EQ(titles.at("out.signals(1).values"), "speed");
  EXPECT_EQ(titles.at("out.signals(2).values[2]"), "torque");
  EXPECT_EQ(titles.at("odd.Data"), "");
}

TEST_P(ReadMat, SaysWhatIsNoColumn) {
  std::array<std::size_t, 2> two{1, 2}, none{0, 0};
  std::array<double, 2> part{1, 2};
  mat_complex_split_t both{part.data(), part.data()};
  std::string text = "ab";
  const MatFile file({Mat_VarCreate("z", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, two.data(), &both, MAT_F_COMPLEX),
                      Mat_VarCreate("note", MAT_C_CHAR, MAT_T_UTF8, 2, two.data(), text.data(), 0),
                      Mat_VarCreate("empty", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, none.data(), nullptr, 0),
                      mat_struct("rec", {"act_vel"}, {mat_array("", ramp(3))})},
                     GetParam());
  EXPECT_THAT(names_of(list_mat(file.path())), ElementsAre("rec.act_vel"));
  EXPECT_EQ(refusal(file, {"z"}), ": \"z\" holds complex numbers");
  EXPECT_EQ(refusal(file, {"note"}), ": \"note\" holds text, not numbers");
  EXPECT_EQ(refusal(file, {"empty"}), ": \"empty\" is empty");
  EXPECT_THAT(refusal(file, {"rec.vel"}), HasSubstr(": no column \"rec.vel\""));
  EXPECT_THAT(refusal(file, {"rec.act_val"}), HasSubstr("did you mean \"rec.act_vel\"?"));
}

std::size_t samples_of(const std::vector<ColumnInfo>& columns, const std::string& name) {
  for (const ColumnInfo& column : columns)
    if (column.name == name) return column.samples;
  return 0;
}

// 10 s at 250 Hz, six axes (shared/data/README.md).
TEST(RealMat, Kr300) {
  const auto path = source_dir() / "../shared/data/kr300/trajectory_a.mat";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no recording of the KR300 beside the repository";
  const Recording recording = read_mat(path.string(), {"rec.time_cont", "rec.act_pos_mot_deg[6]"});
  const std::vector<double>& time = recording.columns[0].values;
  EXPECT_NEAR(time.back() - time.front(), 10.0, 0.1);
  EXPECT_TRUE(std::is_sorted(time.begin(), time.end()));
  EXPECT_EQ(recording.columns[1].values.size(), time.size());
  const auto columns = list_mat(path.string());
  for (int axis = 1; axis <= 6; ++axis)
    EXPECT_EQ(samples_of(columns, "rec.act_pos_mot_deg[" + std::to_string(axis) + "]"), time.size()) << axis;
  EXPECT_EQ(samples_of(columns, "rec.act_pos_mot_deg[7]"), 0u);
}

// 24.8 s at 1 kHz; the drive's gain is 35.15 N/V (shared/data/README.md).
TEST(RealMat, Emps) {
  const auto path = source_dir() / "../shared/data/emps/DATA_EMPS.mat";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no recording of the EMPS beside the repository";
  const Recording recording = read_mat(path.string(), {"t", "qm", "qg", "vir", "gtau"});
  for (std::size_t c = 0; c < 4; ++c) EXPECT_EQ(recording.columns[c].values.size(), 24841u) << c;
  EXPECT_NEAR(recording.columns[0].values.back(), 24.84, 1e-9);
  EXPECT_NEAR(recording.columns[4].values.front(), 35.15, 0.01);
}

}  // namespace
}  // namespace tauhat
