// MATLAB files, written by an independent library (matio), and read again.
#include "tauhat/offline/log/formats/mat.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <matio.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

#include "support/paths.hpp"
#include "tauhat/offline/error.hpp"

namespace tauhat {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

template <class T>
constexpr std::pair<matio_classes, matio_types> kKind = {MAT_C_DOUBLE, MAT_T_DOUBLE};
template <>
constexpr std::pair<matio_classes, matio_types> kKind<float> = {MAT_C_SINGLE, MAT_T_SINGLE};
template <>
constexpr std::pair<matio_classes, matio_types> kKind<std::int8_t> = {MAT_C_INT8, MAT_T_INT8};
template <>
constexpr std::pair<matio_classes, matio_types> kKind<std::uint8_t> = {MAT_C_UINT8, MAT_T_UINT8};
template <>
constexpr std::pair<matio_classes, matio_types> kKind<std::int16_t> = {MAT_C_INT16, MAT_T_INT16};
template <>
constexpr std::pair<matio_classes, matio_types> kKind<std::uint16_t> = {MAT_C_UINT16, MAT_T_UINT16};
template <>
constexpr std::pair<matio_classes, matio_types> kKind<std::int32_t> = {MAT_C_INT32, MAT_T_INT32};
template <>
constexpr std::pair<matio_classes, matio_types> kKind<std::uint32_t> = {MAT_C_UINT32, MAT_T_UINT32};
template <>
constexpr std::pair<matio_classes, matio_types> kKind<std::int64_t> = {MAT_C_INT64, MAT_T_INT64};
template <>
constexpr std::pair<matio_classes, matio_types> kKind<std::uint64_t> = {MAT_C_UINT64, MAT_T_UINT64};

template <class T>
matvar_t* array(const char* name, std::vector<T> numbers, std::vector<std::size_t> dimensions = {}) {
  if (dimensions.empty()) dimensions = {numbers.size(), 1};
  return Mat_VarCreate(name, kKind<T>.first, kKind<T>.second, static_cast<int>(dimensions.size()), dimensions.data(),
                       numbers.data(), 0);
}

// A struct of one element after the other: fields times elements.
matvar_t* structure(const char* name, std::vector<const char*> fields, const std::vector<matvar_t*>& values) {
  std::array<std::size_t, 2> dimensions{1, values.size() / fields.size()};
  matvar_t* made = Mat_VarCreateStruct(name, 2, dimensions.data(), fields.data(), static_cast<unsigned>(fields.size()));
  for (std::size_t i = 0; i < values.size(); ++i)
    Mat_VarSetStructFieldByName(made, fields[i % fields.size()], i / fields.size(), values[i]);
  return made;
}

matvar_t* cells(const char* name, std::vector<matvar_t*> values) {
  std::array<std::size_t, 2> dimensions{1, values.size()};
  return Mat_VarCreate(name, MAT_C_CELL, MAT_T_CELL, 2, dimensions.data(), values.data(), 0);
}

std::vector<double> ramp(std::size_t count) {
  std::vector<double> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 1.0);
  return numbers;
}

// A file that lives as long as its test; takes the variables.
class MatFile {
 public:
  MatFile(const std::vector<matvar_t*>& variables, matio_compression packed)
      : path_((std::filesystem::path(testing::TempDir()) / std::to_string(std::hash<std::string>{}(test_name())) +=
               ".mat")
                  .string()) {
    mat_t* file = Mat_CreateVer(path_.c_str(), nullptr, MAT_FT_MAT5);
    for (matvar_t* variable : variables) {
      EXPECT_EQ(Mat_VarWrite(file, variable, packed), 0);
      Mat_VarFree(variable);
    }
    Mat_Close(file);
  }
  ~MatFile() { std::filesystem::remove(path_); }
  MatFile(const MatFile&) = delete;
  MatFile& operator=(const MatFile&) = delete;
  const std::string& path() const { return path_; }

  std::string refusal(const std::vector<std::string>& wanted) const {
    try {
      read_mat(path_, wanted);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::unusable_data);
      return std::string(error.what()).substr(path_.size());
    }
    return "accepted";
  }

 private:
  static std::string test_name() {
    const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
    return std::string(test->test_suite_name()) + test->name();
  }
  std::string path_;
};

std::vector<std::string> names_of(const std::vector<ColumnInfo>& columns) {
  std::vector<std::string> names;
  for (const ColumnInfo& column : columns) names.push_back(column.name);
  return names;
}

// Version 5 plainly, and version 7, which packs each variable.
class ReadMat : public testing::TestWithParam<matio_compression> {};
INSTANTIATE_TEST_SUITE_P(PlainAndPacked, ReadMat, testing::Values(MAT_COMPRESSION_NONE, MAT_COMPRESSION_ZLIB));

TEST_P(ReadMat, ReadsEveryClassOfNumbers) {
  std::array<std::size_t, 2> three{1, 3};
  std::array<mat_uint8_t, 3> flags{1, 0, 1};
  const MatFile file({array<double>("real", {-1.5, 2, 1e300}), array<float>("single", {-1.5F, 2, 3}),
                      array<std::int8_t>("i8", {-128, 0, 127}), array<std::uint8_t>("u8", {0, 1, 255}),
                      array<std::int16_t>("i16", {-32768, 0, 5}), array<std::uint16_t>("u16", {0, 1, 65535}),
                      array<std::int32_t>("i32", {-70000, 0, 5}), array<std::uint32_t>("u32", {0, 1, 4000000000}),
                      array<std::int64_t>("i64", {-5000000000, 0, 5}), array<std::uint64_t>("u64", {0, 1, 5000000000}),
                      Mat_VarCreate("flag", MAT_C_UINT8, MAT_T_UINT8, 2, three.data(), flags.data(), MAT_F_LOGICAL)},
                     GetParam());
  const Recording recording = read_mat(file.path(), {});
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
      {structure("rec", {"t", "axis"}, {array("", ramp(4)), structure("", {"w"}, {array("", ramp(5))})}),
       structure("runs", {"t", "w"}, {array("", ramp(2)), array("", ramp(3)), array("", ramp(6)), array("", ramp(7))}),
       cells("cases", {array("", ramp(8)), structure("", {"w"}, {array("", ramp(9))})}), array("gain", ramp(1))},
      GetParam());
  EXPECT_THAT(names_of(list_mat(file.path())), ElementsAre("rec.t", "rec.axis.w", "runs(1).t", "runs(1).w", "runs(2).t",
                                                           "runs(2).w", "cases{1}", "cases{2}.w", "gain"));
  const Recording recording = read_mat(file.path(), {"runs(2).w", "gain", "#2"});
  EXPECT_EQ(recording.columns[0].values, ramp(7));
  EXPECT_EQ(recording.columns[1].values, ramp(1));
  EXPECT_EQ(recording.columns[2].name, "rec.axis.w");
}

// MATLAB counts down the columns: of 1 to 6 in 2 by 3, the first row is 1, 3, 5.
TEST_P(ReadMat, SplitsAMatrixAlongItsShorterSide) {
  const MatFile file(
      {array("wide", ramp(6), {2, 3}), array("tall", ramp(6), {3, 2}), array("square", ramp(4), {2, 2}),
       array("page", ramp(4), {1, 1, 4}), array("large", ramp(65 * 66), {65, 66}), array("solid", ramp(8), {2, 2, 2})},
      GetParam());
  const Recording recording = read_mat(file.path(), {"wide[1]", "tall[2]", "square[2]", "page"});
  EXPECT_THAT(recording.columns[0].values, ElementsAre(1, 3, 5));
  EXPECT_THAT(recording.columns[1].values, ElementsAre(4, 5, 6));
  EXPECT_THAT(recording.columns[2].values, ElementsAre(3, 4));
  EXPECT_THAT(recording.columns[3].values, ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(list_mat(file.path()).size(), 7u);
  EXPECT_EQ(file.refusal({"wide"}), ": \"wide\" has 2 columns; name one of them, \"wide[1]\" to \"wide[2]\"");
  EXPECT_THAT(file.refusal({"large"}), HasSubstr("\"large\" is a matrix of 65 by 66"));
  EXPECT_THAT(file.refusal({"solid"}), HasSubstr("\"solid\" has 3 dimensions"));
}

// A timeseries saved as a struct, and Simulink's "structure with time": their data bring their clock along.
TEST_P(ReadMat, KnowsTheClockOfATimeSeries) {
  const auto signal = [](std::size_t width) { return array("", ramp(9 * width), {9, width}); };
  const MatFile file(
      {structure("ts", {"Name", "Time", "Data"}, {array("", ramp(1)), array("", ramp(3)), array("", ramp(15), {3, 5})}),
       structure("out", {"time", "signals"}, {array("", ramp(9)), structure("", {"values"}, {signal(1), signal(2)})}),
       structure("odd", {"Time", "Data"}, {array("", ramp(4)), array("", ramp(5))})},
      GetParam());
  const Recording recording = read_mat(file.path(), {"ts.Data[5]", "out.signals(2).values[2]", "odd.Data"});
  ASSERT_EQ(recording.columns.size(), 5u);
  EXPECT_THAT(recording.columns[0].values, ElementsAre(13, 14, 15));  // along Time, though that is the shorter side
  EXPECT_EQ(recording.columns[0].clock, "ts.Time");
  EXPECT_EQ(recording.columns[1].clock, "out.time");
  EXPECT_EQ(recording.columns[2].clock, "");  // lengths differ
  EXPECT_EQ(recording.columns[3].name, "ts.Time");
  EXPECT_EQ(recording.columns[4].values, ramp(9));
}

TEST_P(ReadMat, SaysWhatIsNoColumn) {
  std::array<std::size_t, 2> two{1, 2}, none{0, 0};
  std::array<double, 2> part{1, 2};
  mat_complex_split_t both{part.data(), part.data()};
  std::string text = "ab";
  const MatFile file({Mat_VarCreate("z", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, two.data(), &both, MAT_F_COMPLEX),
                      Mat_VarCreate("note", MAT_C_CHAR, MAT_T_UTF8, 2, two.data(), text.data(), 0),
                      Mat_VarCreate("empty", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, none.data(), nullptr, 0),
                      structure("rec", {"act_vel"}, {array("", ramp(3))})},
                     GetParam());
  EXPECT_THAT(names_of(list_mat(file.path())), ElementsAre("rec.act_vel"));
  EXPECT_EQ(file.refusal({"z"}), ": \"z\" holds complex numbers");
  EXPECT_EQ(file.refusal({"note"}), ": \"note\" holds text, not numbers");
  EXPECT_EQ(file.refusal({"empty"}), ": \"empty\" is empty");
  EXPECT_THAT(file.refusal({"rec.vel"}), HasSubstr(": no column \"rec.vel\""));
  EXPECT_THAT(file.refusal({"rec.act_val"}), HasSubstr("did you mean \"rec.act_vel\"?"));
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
