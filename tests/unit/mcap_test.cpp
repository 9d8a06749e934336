#include "tauhat/offline/log/formats/mcap.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "support/log_in_memory.hpp"
#include "support/mcap_samples.hpp"

namespace tauhat {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::NanSensitiveDoubleEq;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Recording read(const std::string& bytes, const std::vector<std::string>& wanted = {}) {
  return read_mcap(in_memory(bytes, "run.mcap"), wanted);
}

std::vector<double> values(const std::string& bytes, const std::string& name) {
  return read(bytes, {name}).columns.at(0).values;
}

std::vector<std::string> names(const std::string& bytes) {
  std::vector<std::string> names;
  for (const ColumnInfo& info : list_mcap(in_memory(bytes, "run.mcap"))) names.push_back(info.name);
  return names;
}

// One topic of JSON messages, a second apart.
std::string json_log(const std::vector<std::string>& messages, const std::string& topic = "/a") {
  McapWriter writer;
  writer.define_channel(7, 0, topic, "json");
  for (std::size_t k = 0; k < messages.size(); ++k) writer.write(7, kStart + k * kSecond, messages[k]);
  return writer.cut_off();
}

McapWriter joint_log(const std::vector<JointStateMessage>& messages) {
  McapWriter writer;
  writer.define_schema(1, "sensor_msgs/msg/JointState", "ros2msg");
  writer.define_channel(1, 1, "/joint_states", "cdr");
  for (std::size_t k = 0; k < messages.size(); ++k) writer.write(1, kStart + k * kSecond, messages[k].bytes());
  return writer;
}

void expect_robot_log(const std::string& bytes) {
  const Recording recording = read(bytes);
  EXPECT_EQ(recording.source, "run.mcap");
  EXPECT_THAT(names(bytes),
              ElementsAre("arm.joint_states.time", "arm.joint_states.elbow.position", "arm.joint_states.elbow.effort",
                          "arm.joint_states.wrist.position", "arm.joint_states.wrist.effort", "drive.time",
                          "drive.speed", "drive.gear.ratio[1]", "drive.gear.ratio[2]", "drive.torque"));
  ASSERT_EQ(recording.columns.size(), 10u);
  EXPECT_THAT(recording.columns[0].values, ElementsAre(0.5));  // header.stamp
  EXPECT_THAT(recording.columns[3].values, ElementsAre(-0.5));
  EXPECT_THAT(recording.columns[4].values, ElementsAre(4.0));
  EXPECT_THAT(recording.columns[5].values, ElementsAre(0.25, 2.0));
  EXPECT_THAT(recording.columns[6].values, ElementsAre(10.0, 11.0));
  EXPECT_THAT(recording.columns[8].values, ElementsAre(51.5, NanSensitiveDoubleEq(kNaN)));
  EXPECT_THAT(recording.columns[9].values, ElementsAre(NanSensitiveDoubleEq(kNaN), -1e-3));
  EXPECT_EQ(recording.columns[5].unit, "s");
  EXPECT_EQ(recording.columns[5].clock, "");
  EXPECT_EQ(recording.columns[9].clock, "drive.time");
}

class PackedMcap : public testing::TestWithParam<const char*> {};

TEST_P(PackedMcap, IsReadByItsIndex) { expect_robot_log(robot_log(GetParam()).closed()); }
TEST_P(PackedMcap, IsReadWithoutASummary) { expect_robot_log(robot_log(GetParam()).closed(false)); }
TEST_P(PackedMcap, IsReadWithoutAnEnd) { expect_robot_log(robot_log(GetParam()).cut_off()); }
TEST_P(PackedMcap, IsReadWithoutChecksums) {
  McapWriter writer = robot_log(GetParam());
  writer.checksums = false;
  expect_robot_log(writer.closed());
}
INSTANTIATE_TEST_SUITE_P(Compression, PackedMcap, testing::Values("", "lz4", "zstd"));

// A chunk without wanted topics is not even unpacked: damage in the camera's chunk does not matter to the joints.
TEST(Mcap, LeavesOtherChunksAlone) {
  McapWriter writer = joint_log({});
  writer.define_channel(2, 0, "/camera", "raw");
  writer.open_chunk();
  writer.write(1, kStart, JointStateMessage{0, 0, {"elbow"}, {2.0}}.bytes());
  writer.close_chunk();
  writer.open_chunk();
  writer.write(2, kStart + 1, "picture");
  writer.close_chunk();
  std::string bytes = writer.closed();
  bytes[bytes.find("picture")] = 'P';
  EXPECT_THAT(values(bytes, "joint_states.elbow.position"), ElementsAre(2.0));
}

// The index does not know of messages outside of chunks, but the statistics do.
TEST(Mcap, FindsMessagesBetweenChunks) {
  McapWriter writer = robot_log("zstd");
  writer.write(2, kStart + 3 * kSecond, R"({"speed": 12})");
  EXPECT_THAT(values(writer.closed(), "drive.speed"), ElementsAre(10.0, 11.0, 12.0));
}

TEST(Mcap, ReadsTheWantedColumnsAndTheirClock) {
  const Recording recording = read(robot_log("lz4").closed(), {"drive.torque", "#7"});
  ASSERT_EQ(recording.columns.size(), 3u);
  EXPECT_EQ(recording.columns[0].name, "drive.torque");
  EXPECT_EQ(recording.columns[1].name, "drive.speed");
  EXPECT_EQ(recording.columns[2].name, "drive.time");
  EXPECT_EQ(list_mcap(in_memory(robot_log("lz4").closed(), "run.mcap")).at(6).samples, 2u);
}

TEST(Mcap, ReadsAFile) {
  const auto path = std::filesystem::path(testing::TempDir()) / "Mcap_ReadsAFile.mcap";
  std::ofstream(path, std::ios::binary) << robot_log("zstd").closed();
  EXPECT_THAT(read_mcap(path.string(), {"drive.speed"}).columns.at(0).values, ElementsAre(10.0, 11.0));
  EXPECT_EQ(list_mcap(path.string()).size(), 10u);
  std::filesystem::remove(path);
  EXPECT_THROW(list_mcap(path.string()), Error);
}

// Two chunks of one empty message each, built as the format's own test suite builds them. Oracle: its checksums of the
// data (from the first byte on) and of the summary (foxglove/mcap, typescript/core/src/McapWriter.test.ts).
TEST(Mcap, AgreesWithThePublishedChecksums) {
  McapWriter writer;
  writer.open_chunk();
  writer.define_channel(0, 0, "test", "json");
  writer.write(0, 0, "");
  writer.close_chunk();
  writer.open_chunk();
  writer.write(0, 1, "");
  writer.close_chunk();
  const std::string bytes = writer.closed();
  std::uint32_t summary_checksum = 0;
  std::memcpy(&summary_checksum, bytes.data() + bytes.size() - 12, sizeof(summary_checksum));
  EXPECT_EQ(crc_of(writer.cut_off()), 4132032003u);
  EXPECT_EQ(summary_checksum, 3779440972u);
  EXPECT_THAT(read(bytes).columns.at(0).values, ElementsAre(0.0, 1e-9));
}

TEST(McapJson, NamesEveryNumberByItsPath) {
  const std::string bytes = json_log({R"({"a": {"b": [1, {"c": -2}, [3.5]]}, "": 4, "s": "5", "t": true, "n": null})"});
  EXPECT_THAT(names(bytes), ElementsAre("a.time", "a.a.b[1]", "a.a.b[2].c", "a.a.b[3][1]", "a.value"));
  EXPECT_THAT(values(bytes, "a.a.b[2].c"), ElementsAre(-2.0));
  EXPECT_THAT(names(json_log({"[1, 2]"}, "x/y")), ElementsAre("x.y.time", "x.y.[1]", "x.y.[2]"));
  EXPECT_THAT(values(json_log({"7"}), "a.value"), ElementsAre(7.0));
}

// A number that is there only sometimes, one that is called like the clock, and two that share a path.
TEST(McapJson, CopesWithUnsteadyMessages) {
  const std::string bytes =
      json_log({R"({"x": 1})", R"({"y": 2, "x": 3})", "", R"({"time": 9, "a.b": 1, "a": {"b": 2}})"});
  EXPECT_THAT(values(bytes, "a.x"), ElementsAre(1, 3, NanSensitiveDoubleEq(kNaN), NanSensitiveDoubleEq(kNaN)));
  EXPECT_THAT(values(bytes, "a.time"), ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(values(bytes, "a.time[2]").back(), 9.0);
  EXPECT_EQ(values(bytes, "a.a.b").back(), 1.0);
}

// Foxglove writes "nsec", ROS 2 "nanosec". A stamp of zero was never set: the message's recording counts.
TEST(McapJson, IsStampedByItsHeader) {
  EXPECT_THAT(values(json_log({R"({"x": 1, "header": {"stamp": {"sec": 1700000000, "nanosec": 125000000}}})",
                               R"({"header": {"stamp": {"sec": 1700000002, "nsec": 250000000}}})",
                               R"({"header": {"stamp": {"sec": 0, "nanosec": 0}}})", R"({"header": {"stamp": 4}})"}),
                     "a.time"),
              ElementsAre(0.125, 2.25, 2.0, 3.0));
}

// Order, subset and number of the joints may change; names may be missing.
TEST(McapJointStates, AreFoundByTheirNames) {
  const std::string bytes = joint_log({{0, 0, {"a", "b"}, {1, 2}, {3, 4}, {5, 6}},
                                       {1'700'000'009, 0, {"b", "c"}, {7, 8}, {}, {}},
                                       {0, 0, {}, {9}, {}, {}}})
                                .closed();
  const auto nan = NanSensitiveDoubleEq(kNaN);
  EXPECT_THAT(values(bytes, "joint_states.a.position"), ElementsAre(1, nan, nan));
  EXPECT_THAT(values(bytes, "joint_states.b.position"), ElementsAre(2, 7, nan));
  EXPECT_THAT(values(bytes, "joint_states.b.velocity"), ElementsAre(4, nan, nan));
  EXPECT_THAT(values(bytes, "joint_states.b.effort"), ElementsAre(6, nan, nan));
  EXPECT_THAT(values(bytes, "joint_states.c.position"), ElementsAre(nan, 8, nan));
  EXPECT_THAT(values(bytes, "joint_states.[1].position"), ElementsAre(nan, nan, 9));
  EXPECT_THAT(values(bytes, "joint_states.time"), ElementsAre(0, 9, 2));
}

TEST(McapJointStates, AreReadInBothByteOrders) {
  JointStateMessage message{1'700'000'000, 750'000'000, {"odd"}, {1.25}, {2.5}, {-3.75}, true};
  const std::string bytes = joint_log({message}).cut_off();
  EXPECT_THAT(values(bytes, "joint_states.odd.effort"), ElementsAre(-3.75));
  EXPECT_THAT(values(bytes, "joint_states.time"), ElementsAre(0.75));
}

// Messages may be written out of order, and a topic may have several writers.
TEST(Mcap, OrdersMessagesByTheirRecording) {
  McapWriter writer;
  writer.define_channel(1, 0, "/a", "json");
  writer.define_channel(2, 0, "/a", "json");
  writer.write(1, kStart + 2, "3");
  writer.write(2, kStart + 1, "2");
  writer.write(1, kStart, "1");
  EXPECT_THAT(values(writer.closed(), "a.value"), ElementsAre(1, 2, 3));
  EXPECT_THAT(values(writer.closed(), "a.time"), ElementsAre(0, 1e-9, 2e-9));
}

// Names that would be the same column get a number.
TEST(Mcap, KeepsNamesApart) {
  McapWriter writer;
  writer.define_channel(1, 0, "/a/b", "json");
  writer.define_channel(2, 0, "/a.b", "json");
  writer.define_channel(3, 0, "/a", "json");
  writer.write(1, 0, R"({"c": 1})");
  writer.write(2, 0, R"({"c": 2})");
  writer.write(3, 0, R"({"b": {"c": 3}})");
  EXPECT_THAT(names(writer.closed()),
              ElementsAre("a.b.time", "a.b.c", "a.b[2].time", "a.b[2].c", "a.time", "a.b.c[2]"));
  EXPECT_THAT(values(writer.closed(), "a.b.c[2]"), ElementsAre(3));
}

TEST(Mcap, RefusesByNameWhatItCannotDecode) {
  const std::string bytes = robot_log("").closed();
  EXPECT_EQ(
      refusal_of([&] { read(bytes, {"camera.width"}); }),
      "run.mcap: topic \"/camera\" has messages in \"cdr\" of sensor_msgs/msg/Image, which tauhat does not decode; "
      "it decodes \"json\", and \"cdr\" of sensor_msgs/msg/JointState");
  EXPECT_THAT(refusal_of([&] { read(bytes, {"drive.sped"}); }), HasSubstr("did you mean \"drive.speed\"?"));
  McapWriter writer;
  writer.define_channel(1, 0, "/odometry", "protobuf");
  writer.write(1, 0, "x");
  EXPECT_THAT(names(writer.closed()), IsEmpty());
  EXPECT_THAT(refusal_of([&] { read(writer.cut_off(), {"odometry"}); }),
              HasSubstr("has messages in \"protobuf\", which"));
}

}  // namespace
}  // namespace tauhat
