// HDF5 files and MATLAB 7.3 files, written by the HDF5 library as h5py and MATLAB do, and read again. Seed 17.
#include "tauhat/offline/log/formats/hdf5.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <new>
#include <random>
#include <string>
#include <vector>

#include "hdf5_writer.hpp"
#include "tauhat/offline/error.hpp"
#include "tauhat/offline/log/formats/hdf5_rehearsal.hpp"
#include "tauhat/offline/log/formats/mat.hpp"

namespace tauhat {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> names_of(const std::vector<ColumnInfo>& columns) {
  std::vector<std::string> names;
  for (const ColumnInfo& column : columns) names.push_back(column.name);
  return names;
}

std::string refusal(const std::string& path, const std::vector<std::string>& wanted) {
  try {
    path.ends_with(".mat") ? read_mat(path, wanted) : read_hdf5(path, wanted);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::unusable_data);
    return std::string(error.what()).substr(path.size());
  }
  return "accepted";
}

TEST(ReadHdf5, NamesDatasetsByTheirPath) {
  Hdf5Writer writer;
  writer.group("axis1");
  writer.ramp_of("axis1/velocity", {5}, H5T_IEEE_F32BE);
  writer.text("axis1/velocity", "units", "rad/s", true);
  writer.ramp_of("count", {4}, H5T_STD_U16LE);
  writer.ramp_of("gain", {});
  writer.text("gain", "unit", "N m/A ");
  const std::string path = writer.close();
  EXPECT_THAT(names_of(list_hdf5(path)), ElementsAre("axis1.velocity", "count", "gain"));
  const Recording recording = read_hdf5(path, {"gain", "axis1.velocity", "#2"});
  EXPECT_EQ(recording.source, path);
  EXPECT_EQ(recording.columns[0].unit, "N m/A");
  EXPECT_EQ(recording.columns[0].values, ramp(1));
  EXPECT_EQ(recording.columns[1].unit, "rad/s");
  EXPECT_EQ(recording.columns[1].values, ramp(5));
  EXPECT_EQ(recording.columns[2].values, ramp(4));
  EXPECT_THAT(refusal(path, {"axis1.velocty"}), HasSubstr("did you mean \"axis1.velocity\"?"));
}

// Rows of a dataset lie one after the other: of 1 to 6 in 3 by 2, the first column is 1, 3, 5.
TEST(ReadHdf5, SplitsAMatrixAlongItsShorterSide) {
  Hdf5Writer writer;
  writer.ramp_of("tall", {3, 2});
  writer.ramp_of("wide", {2, 3});
  writer.ramp_of("square", {2, 2});
  writer.ramp_of("solid", {2, 2, 2});
  const std::string path = writer.close();
  const Recording recording = read_hdf5(path, {"tall[1]", "wide[2]", "square[1]"});
  EXPECT_THAT(recording.columns[0].values, ElementsAre(1, 3, 5));
  EXPECT_THAT(recording.columns[1].values, ElementsAre(4, 5, 6));
  EXPECT_THAT(recording.columns[2].values, ElementsAre(1, 3));
  EXPECT_EQ(refusal(path, {"tall"}), ": \"tall\" has 2 columns; name one of them, \"tall[1]\" to \"tall[2]\"");
  EXPECT_THAT(refusal(path, {"solid"}), HasSubstr("\"solid\" has 3 dimensions"));
}

TEST(ReadHdf5, FindsTheClock) {
  Hdf5Writer writer;
  for (const char* name : {"a", "b", "c"}) writer.group(name);
  writer.ramp_of("stamps", {7});
  writer.ramp_of("a/t", {7});
  writer.ramp_of("a/w", {7});
  writer.ramp_of("a/longer", {8});
  writer.ramp_of("a/named", {7});
  writer.text("a/named", "clock", "/stamps");
  writer.ramp_of("b/time", {7});
  writer.text("b/time", "unit", "ms");  // a clock is in seconds; the study has to say what this is
  writer.ramp_of("b/w", {7});
  writer.ramp_of("c/Time", {3});
  writer.ramp_of("c/w", {3, 5});
  const std::string path = writer.close();
  const Recording recording = read_hdf5(path, {"a.w", "a.longer", "a.named", "b.w", "c.w[5]"});
  std::vector<std::string> clocks, names;
  for (const Column& column : recording.columns) {
    clocks.push_back(column.clock);
    names.push_back(column.name);
  }
  EXPECT_THAT(clocks, ElementsAre("a.t", "", "stamps", "", "c.Time", "", "", ""));
  EXPECT_THAT(names, ElementsAre("a.w", "a.longer", "a.named", "b.w", "c.w[5]", "a.t", "stamps", "c.Time"));
  EXPECT_THAT(recording.columns[4].values, ElementsAre(5, 10, 15));
}

TEST(ReadHdf5, SaysWhatIsNoColumn) {
  Hdf5Writer writer;
  const hid_t flag = H5Tenum_create(H5T_STD_I8LE), word = H5Tcopy(H5T_C_S1);
  const std::array<signed char, 2> values{0, 1};
  H5Tenum_insert(flag, "FALSE", values.data());  // as h5py writes booleans
  H5Tenum_insert(flag, "TRUE", &values[1]);
  H5Tset_size(word, 2);
  writer.dataset("flag", flag, {2}, flag, values.data());
  writer.dataset("note", word, {1}, word, "ab");
  writer.dataset("empty", H5T_IEEE_F64LE, {0}, H5T_NATIVE_DOUBLE, nullptr);
  H5Lcreate_external("other.h5", "/x", writer.file(), "elsewhere", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_soft("/nowhere", writer.file(), "loose", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_hard(writer.file(), "/", writer.file(), "circle", H5P_DEFAULT, H5P_DEFAULT);
  H5Tclose(flag);
  H5Tclose(word);
  const std::string path = writer.close();
  EXPECT_THAT(names_of(list_hdf5(path)), ElementsAre("flag"));
  EXPECT_THAT(read_hdf5(path, {}).columns[0].values, ElementsAre(0, 1));
  EXPECT_EQ(refusal(path, {"note"}), ": \"note\" holds text, not numbers");
  EXPECT_EQ(refusal(path, {"empty"}), ": \"empty\" is empty");
  EXPECT_EQ(refusal(path, {"loose"}), ": \"loose\" is damaged, or a link to nothing");
}

// MATLAB's dimensions are stored in reverse: 2 by 3 as 3 by 2. Its own groups have names with #.
TEST(ReadHdf5, ReadsMatlab73AsMatlabShowsIt) {
  Hdf5Writer writer(true);
  for (const char* name : {"#refs#", "rec", "rec/ts", "runs"}) writer.group(name);
  writer.ramp_of("#refs#/a", {1, 3});
  writer.ramp_of("#refs#/b", {1, 4});
  writer.references("runs/w", {"#refs#/a", "#refs#/b"});
  writer.references("cases", {"#refs#/b"});
  writer.text("cases", "MATLAB_class", "cell");
  writer.ramp_of("rec/wide", {3, 2});
  writer.ramp_of("rec/square", {2, 2});
  writer.ramp_of("rec/ts/Time", {1, 3});
  writer.ramp_of("rec/ts/Data", {5, 3});
  writer.ramp_of("rec/note", {1, 2}, H5T_STD_U16LE, "char");
  writer.ramp_of("tt", {1, 6}, H5T_STD_U32LE, "timetable");
  writer.ramp_of("nothing", {2});
  writer.text("nothing", "MATLAB_empty", "1");
  const std::string path = writer.close();
  EXPECT_THAT(names_of(list_mat(path)),
              ElementsAre("cases{1}", "rec.square[1]", "rec.square[2]", "rec.ts.Data[1]", "rec.ts.Data[2]",
                          "rec.ts.Data[3]", "rec.ts.Data[4]", "rec.ts.Data[5]", "rec.ts.Time", "rec.wide[1]",
                          "rec.wide[2]", "runs(1).w", "runs(2).w"));
  const Recording recording =
      read_mat(path, {"rec.wide[1]", "rec.square[2]", "rec.ts.Data[5]", "runs(2).w", "cases{1}"});
  EXPECT_THAT(recording.columns[0].values, ElementsAre(1, 3, 5));
  EXPECT_THAT(recording.columns[1].values, ElementsAre(3, 4));
  EXPECT_THAT(recording.columns[2].values, ElementsAre(13, 14, 15));
  EXPECT_EQ(recording.columns[2].clock, "rec.ts.Time");
  EXPECT_EQ(recording.columns[3].values, ramp(4));
  EXPECT_EQ(recording.columns[4].values, ramp(4));
  EXPECT_EQ(refusal(path, {"rec.note"}), ": \"rec.note\" holds text, not numbers");
  EXPECT_THAT(refusal(path, {"tt.w"}), HasSubstr("\"tt\" is of class timetable, which MATLAB alone can open"));
  EXPECT_EQ(refusal(path, {"nothing"}), ": \"nothing\" is empty");
}

TEST(WriteHdf5, GivesTheSameColumnsAgain) {
  const std::string path = temporary(".h5");
  Recording recording{"run3.csv", {}};
  recording.columns.push_back({"w.x[2]", "rad/s", ramp(5), false, "t/ms"});
  recording.columns.push_back({"t/ms", "s", ramp(5)});
  recording.columns.push_back({"\xC3\xA9\x63\x61rt", "", {}});
  recording.columns.push_back({"a", "", ramp(3)});
  write_hdf5(path, recording);
  const auto listed = list_hdf5(path);
  EXPECT_THAT(names_of(listed), ElementsAre("w.x[2]", "t_ms", "a"));  // in their order; an empty one is no column
  EXPECT_EQ(listed[0].clock, "t_ms");
  EXPECT_EQ(listed[0].unit, "rad/s");
  EXPECT_EQ(read_hdf5(path, {"w.x[2]"}).columns[0].values, ramp(5));
  recording.columns.push_back({"t_ms", "", ramp(5)});
  EXPECT_THROW(write_hdf5(path, recording), Error);
  EXPECT_THROW(write_hdf5("/nowhere/run3.h5", recording), Error);
  std::filesystem::remove(path);
}

TEST(ReadHdf5, RefusesWhatItCannotRead) {
  Hdf5Writer writer;
  const hid_t chunked = H5Pcreate(H5P_DATASET_CREATE);
  const hsize_t chunk = 1 << 20;
  H5Pset_chunk(chunked, 1, &chunk);
  writer.dataset("huge", H5T_IEEE_F64LE, {hsize_t{1} << 30}, H5T_NATIVE_DOUBLE, nullptr, chunked);
  writer.dataset("absurd", H5T_IEEE_F64LE, {hsize_t{1} << 60}, H5T_NATIVE_DOUBLE, nullptr, chunked);
  for (const char* half : {"one", "other"})
    writer.dataset(half, H5T_IEEE_F64LE, {hsize_t{1} << 26}, H5T_NATIVE_DOUBLE, nullptr, chunked);
  const hsize_t dust = 1;
  H5Pset_chunk(chunked, 1, &dust);
  writer.dataset("dust", H5T_IEEE_F64LE, {hsize_t{1} << 20}, H5T_NATIVE_DOUBLE, nullptr, chunked);
  H5Pclose(chunked);
  const hid_t wide = H5Tcopy(H5T_STD_I64LE);
  H5Tset_size(wide, 1'000'000);
  writer.dataset("wide", wide, {2}, wide, nullptr);
  H5Tclose(wide);
  const std::string path = writer.close();
  EXPECT_EQ(list_hdf5(path).size(), 4u);
  EXPECT_THAT(refusal(path, {"dust"}), HasSubstr("\"dust\" is cut into 1048576 chunks of 8 bytes, which do not fit"));
  EXPECT_THAT(refusal(path, {"wide"}), HasSubstr("\"wide\" holds numbers of 1000000 bytes; at most 16 are read"));
  EXPECT_THAT(refusal(path, {"one", "other"}), HasSubstr("claim to hold 134217728 numbers, which no log does"));
  EXPECT_THAT(refusal(path, {"huge"}), HasSubstr("\"huge\" should have 1073741824 numbers, which do not fit into"));
  EXPECT_THAT(refusal(path, {"absurd"}), HasSubstr("\"absurd\" has more than 2147483648 numbers"));
  std::ofstream(path, std::ios::binary) << "t,w\n0,1\n";
  EXPECT_EQ(refusal(path, {}), ": is not an HDF5 file");
  EXPECT_THAT(refusal("nowhere.h5", {}), ": no such file");
  EXPECT_THROW(list_hdf5(testing::TempDir()), Error);
}

// What the library does on a damaged file, it does in another process first.
TEST(ReadHdf5, SurvivesACrashOfTheLibrary) {
  const auto rehearsal = [](const std::function<void()>& reading) {
    try {
      rehearse_hdf5("run3.h5", reading);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(rehearsal([] { std::abort(); }), "run3.h5: is damaged: the HDF5 library crashes on it");
  EXPECT_EQ(rehearsal([] { throw std::bad_alloc(); }), "run3.h5: is damaged: the HDF5 library crashes on it");
  EXPECT_EQ(rehearsal([] { throw Error(ExitCode::unusable_data, "said later"); }), "no error");
}

TEST(ReadHdf5, DamagedFilesParseOrAreRefused) {
  Hdf5Writer writer;
  writer.group("a");
  for (const char* name : {"a/t", "a/w", "x"}) writer.ramp_of(name, {50});
  writer.text("a/w", "unit", "rad/s", true);
  const std::string path = writer.close();
  std::ifstream file(path, std::ios::binary);
  const std::string whole(std::istreambuf_iterator<char>(file), {});
  std::mt19937 random(17);
  int parsed = 0, refused = 0;
  for (int i = 0; i < 600; ++i) {
    std::string damaged = whole;
    if (i % 4 == 0) damaged.resize(random() % damaged.size());
    for (std::size_t flips = random() % 4; flips > 0 && !damaged.empty(); --flips)
      damaged[random() % damaged.size()] ^= static_cast<char>(1U << random() % 8);
    std::ofstream(path, std::ios::binary) << damaged;
    refusal(path, {}) == "accepted" ? ++parsed : ++refused;
  }
  EXPECT_GT(parsed, 100);
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace tauhat
