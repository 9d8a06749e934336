#include "tauhat/offline/log/formats/mdf4.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "support/log_in_memory.hpp"
#include "support/mdf4_samples.hpp"
#include "support/named.hpp"

namespace tauhat {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::NanSensitiveDoubleEq;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
using Cn = Mdf4Channel;

Recording read(const std::string& bytes, const std::vector<std::string>& wanted = {}) {
  return read_mdf4(in_memory(bytes, "run.mf4"), wanted);
}

std::vector<ColumnInfo> list(const std::string& bytes) { return list_mdf4(in_memory(bytes, "run.mf4")); }

std::vector<std::string> names(const std::string& bytes) {
  std::vector<std::string> names;
  for (const ColumnInfo& info : list(bytes)) names.push_back(info.name);
  return names;
}

std::string refusal(const std::string& bytes, const std::vector<std::string>& wanted) {
  return refusal_of([&] { read(bytes, wanted); });
}

class SortedMdf4 : public testing::TestWithParam<Mdf4Data> {};

// torque = 0.1 raw - 5; flags are bits 2 to 4 of 0, 100 = 0b01100100, 200 = 0b11001000; speed doubles; one sample of it
// is invalid.
TEST_P(SortedMdf4, GivesColumnsWithUnitsAndClock) {
  const Recording recording = read(sorted_mdf4(GetParam()));
  ASSERT_EQ(recording.columns.size(), 4u);
  EXPECT_EQ(recording.source, "run.mf4");
  const auto& [time, torque, flags, speed] =
      std::tie(recording.columns[0], recording.columns[1], recording.columns[2], recording.columns[3]);
  EXPECT_THAT(time.values, ElementsAre(0.0, 0.5, 1.0));
  EXPECT_THAT(torque.values, ElementsAre(DoubleEq(-5.0), DoubleEq(5.0), DoubleEq(15.0)));
  EXPECT_THAT(flags.values, ElementsAre(0.0, 1.0, 2.0));
  EXPECT_THAT(speed.values, ElementsAre(0.5, NanSensitiveDoubleEq(kNaN), 4.5));
  EXPECT_EQ(time.unit, "s");
  EXPECT_EQ(time.clock, "");
  EXPECT_EQ(torque.unit, "N m");
  EXPECT_EQ(torque.clock, "time");
  EXPECT_EQ(speed.unit, "rad/s");
}

INSTANTIATE_TEST_SUITE_P(Data, SortedMdf4,
                         testing::Values(Mdf4Data::plain, Mdf4Data::deflated, Mdf4Data::transposed, Mdf4Data::list),
                         by_name);

TEST(Mdf4, ListsColumnsWithoutTexts) {
  const std::vector<ColumnInfo> infos = list(sorted_mdf4(Mdf4Data::plain));
  EXPECT_THAT(names(sorted_mdf4(Mdf4Data::plain)), ElementsAre("time", "torque", "flags", "speed"));
  EXPECT_EQ(infos[1].samples, 3u);
  EXPECT_EQ(infos[1].clock, "time");
}

TEST(Mdf4, ReadsTheWantedColumnsAndTheirClock) {
  const Recording recording = read(sorted_mdf4(Mdf4Data::transposed), {"speed", "#2"});
  ASSERT_EQ(recording.columns.size(), 3u);
  EXPECT_EQ(recording.columns[0].name, "speed");
  EXPECT_EQ(recording.columns[1].name, "torque");
  EXPECT_EQ(recording.columns[2].name, "time");
  EXPECT_EQ(recording.columns[2].values.size(), 3u);
}

TEST(Mdf4, ReadsAFile) {
  const auto path = std::filesystem::path(testing::TempDir()) / "Mdf4_ReadsAFile.mf4";
  std::ofstream(path, std::ios::binary) << sorted_mdf4(Mdf4Data::list);
  EXPECT_THAT(read_mdf4(path.string(), {"torque"}).columns.at(0).values,
              ElementsAre(DoubleEq(-5.0), DoubleEq(5.0), DoubleEq(15.0)));
  EXPECT_EQ(list_mdf4(path.string()).size(), 4u);
  std::filesystem::remove(path);
  EXPECT_THROW(list_mdf4(path.string()), Error);
  EXPECT_THROW(list_mdf4(testing::TempDir()), Error);
}

class UnsortedMdf4 : public testing::TestWithParam<std::uint8_t> {};

// "t" occurs in both groups, so it takes their names.
TEST_P(UnsortedMdf4, SortsRecordsByTheirIds) {
  const Recording recording = read(unsorted_mdf4(GetParam()));
  ASSERT_EQ(recording.columns.size(), 4u);
  EXPECT_EQ(recording.columns[0].name, "fast.t");
  EXPECT_THAT(recording.columns[0].values, ElementsAre(0.0, 1.0));
  EXPECT_THAT(recording.columns[1].values, ElementsAre(-1.0, -2.0));
  EXPECT_EQ(recording.columns[3].clock, "slow.t");
  EXPECT_THAT(recording.columns[2].values, ElementsAre(0.0, 10.0));
  EXPECT_THAT(recording.columns[3].values, ElementsAre(300.0, -300.0));
}

INSTANTIATE_TEST_SUITE_P(RecordIdBytes, UnsortedMdf4, testing::Values(1, 2, 4, 8));

TEST(Mdf4, RefusesByNameWhatIsNoNumber) {
  const std::string bytes = sorted_mdf4(Mdf4Data::plain);
  EXPECT_EQ(refusal(bytes, {"label"}), "run.mf4: channel \"label\" holds text");
  EXPECT_THAT(refusal(bytes, {"torqe"}), HasSubstr("did you mean \"torque\"?"));
}

// A virtual channel has no bytes: its raw number is the record's, from 0.
TEST(Mdf4, CountsVirtualChannels) {
  Mdf4Writer writer;
  const auto period = writer.conversion(1, {1.0, 0.25});
  const auto channels = writer.channels(
      {{.name = "time", .bits = 0, .type = Cn::virtual_master, .synchronised_by = 1, .conversion = period},
       {.name = "x", .bits = 8}});
  writer.data_group({{.cycles = 3, .data_bytes = 1, .first_channel = channels}}, writer.plain("abc"));
  const auto alone = writer.channels({{.name = "row", .bits = 0, .type = Cn::virtual_data}});
  writer.data_group({{.cycles = 2, .data_bytes = 0, .first_channel = alone}}, 0);
  const Recording recording = read(writer.bytes());
  EXPECT_THAT(recording.columns.at(0).values, ElementsAre(1.0, 1.25, 1.5));
  EXPECT_EQ(recording.columns.at(1).clock, "time");
  EXPECT_THAT(recording.columns.at(2).values, ElementsAre(0.0, 1.0));
}

// An angle may lead a group as well, but it is no clock.
TEST(Mdf4, TakesOnlyTimeForAClock) {
  Mdf4Writer writer;
  const auto channels = writer.channels({{.name = "angle", .type = Cn::master, .synchronised_by = 2}, {.name = "x"}});
  writer.data_group({{.cycles = 1, .data_bytes = 1, .first_channel = channels}}, writer.plain("a"));
  EXPECT_EQ(read(writer.bytes(), {"x"}).columns.size(), 1u);
}

// Members of a structure are channels; an array, a date and a value of variable length are not.
TEST(Mdf4, SkipsWhatIsNoScalar) {
  Mdf4Writer writer;
  const auto members = writer.channels({{.name = "frame.id"}, {.name = "frame.length", .byte_offset = 1}});
  const auto array = writer.block("CA", {0}, std::string(16, '\0'));
  const auto channels = writer.channels({{.name = "frame", .data_type = Cn::bytes, .bits = 16, .composition = members},
                                         {.name = "curve", .composition = array},
                                         {.name = "date", .data_type = Cn::date, .bits = 56},
                                         {.name = "notes", .bits = 8, .type = Cn::variable_length},
                                         {.name = "beyond", .byte_offset = 2},
                                         {.name = "wide", .bits = 65}});
  writer.data_group({{.cycles = 1, .data_bytes = 2, .first_channel = channels}}, writer.plain("ab"));
  EXPECT_THAT(names(writer.bytes()), ElementsAre("frame.id", "frame.length"));
  EXPECT_THAT(read(writer.bytes(), {"frame.length"}).columns.at(0).values, ElementsAre('b'));
  EXPECT_THAT(refusal(writer.bytes(), {"curve"}), HasSubstr("is an array"));
  EXPECT_THAT(refusal(writer.bytes(), {"beyond"}), HasSubstr("reaches to byte 3 of a record of 2 bytes"));
}

// Without an acquisition name, or where two groups share it, the group's number tells them apart.
TEST(Mdf4, NamesColumnsThatOccurTwice) {
  Mdf4Writer writer;
  for (const std::string group : {"", "Bus", "Bus", "Motor"}) {
    const auto channels = writer.channels({{.name = "x"}, {.name = group == "Motor" ? "x" : "y" + group}});
    writer.data_group({{.name = group, .cycles = 1, .data_bytes = 1, .first_channel = channels}}, writer.plain("a"));
  }
  EXPECT_THAT(names(writer.bytes()),
              ElementsAre("cg1.x", "y", "cg2.x", "cg2.yBus", "cg3.x", "cg3.yBus", "Motor.x", "Motor.x[2]"));
}

// Units may be XML, with its escapes, and in Latin-1.
TEST(Mdf4, ReadsTextsOfAllKinds) {
  Mdf4Writer writer;
  const auto xml = writer.metadata("<CNunit>\n <TX xml:space=\"preserve\"> m&lt;s&amp; </TX>\n</CNunit>");
  const auto channels = writer.channels({{.name = "a", .unit = xml},
                                         {.name = "b",
                                          .unit = writer.text("\xB0"
                                                              "C")},
                                         {.name = "c", .unit = writer.metadata("<CNunit/>")}});
  writer.data_group({{.cycles = 0, .data_bytes = 1, .first_channel = channels}}, 0);
  const std::vector<ColumnInfo> infos = list(writer.bytes());
  EXPECT_EQ(infos[0].unit, "m<s&");
  EXPECT_EQ(infos[1].unit,
            "\xC2\xB0"
            "C");
  EXPECT_EQ(infos[2].unit, "");
}

}  // namespace
}  // namespace tauhat
