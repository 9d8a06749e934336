// MCAP files that are damaged, cut off or hostile: each is read as far as it can be trusted, or refused in a sentence.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "support/log_in_memory.hpp"
#include "support/mcap_samples.hpp"
#include "tauhat/offline/log/formats/mcap.hpp"

namespace tauhat {
namespace {

using ::testing::AnyOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

Recording read(const std::string& bytes, const std::vector<std::string>& wanted = {}) {
  return read_mcap(in_memory(bytes, "run.mcap"), wanted);
}

std::string refusal(const std::string& bytes) {
  return refusal_of([&] { read(bytes); });
}

// A file of one message in the encoding.
std::string log_of(const std::string& encoding, const std::string& message) {
  McapWriter writer;
  writer.define_schema(1, "sensor_msgs/msg/JointState", "ros2msg");
  writer.define_channel(1, 1, "/a", encoding);
  writer.write(1, 0, message);
  return writer.cut_off();
}

TEST(BrokenMcap, IsRefusedWhereItIsNone) {
  EXPECT_EQ(refusal("t,w\n0,1\n"), "run.mcap, byte 0: not an MCAP file: it does not begin like one");
  EXPECT_THAT(refusal(""), HasSubstr("not an MCAP file"));
  EXPECT_EQ(refusal("\x89MCAP0\r\n" + McapWriter::record(McapWriter::footer, McapFields().raw(std::string(20, '\0')))),
            "accepted");  // nothing was recorded
  EXPECT_THAT(refusal("\x89MCAP0\r\n" + McapWriter::record(McapWriter::message, McapFields().raw("x"))),
              HasSubstr("the first record is not a header"));
}

TEST(BrokenMcap, IsRefusedWhereAChecksumIsWrong) {
  const std::string closed = robot_log("").closed();
  std::string chunk = closed, summary = closed;
  chunk[chunk.find("speed")] = 'S';
  EXPECT_THAT(refusal(chunk), HasSubstr("byte 25: the chunk is damaged: its checksum is "));
  summary[summary.rfind("/drive")] = '-';
  EXPECT_THAT(refusal(summary), HasSubstr("the summary is damaged: its checksum is "));
  McapWriter writer;
  writer.define_channel(1, 0, "/a", "json");
  writer.write(1, 0, "1");
  std::string data = writer.closed(false);
  data[data.find("/a")] = '-';
  EXPECT_THAT(refusal(data), HasSubstr("the file is damaged: its checksum is "));
}

TEST(BrokenMcap, IsRefusedWhereAChunkCannotBeUnpacked) {
  for (const std::string method : {"lz4", "zstd"}) {
    std::string bytes = robot_log(method).cut_off();
    const std::size_t packed = bytes.find(method) + method.size() + 8;
    bytes[packed + 12] = static_cast<char>(~bytes[packed + 12]);
    EXPECT_NE(refusal(bytes), "accepted") << method;
    EXPECT_THAT(refusal(bytes), StartsWith("run.mcap, byte 25: the chunk "));
    std::string magic = robot_log(method).cut_off();
    magic[packed] = 'x';
    EXPECT_THAT(refusal(magic), HasSubstr("the chunk cannot be unpacked by " + method));
    // Behind "message times" of the first chunk: the size that it unpacks to.
    const std::size_t size_at = 25 + 9 + 16;
    const auto declare = [&](std::uint64_t size) {
      std::string declared = robot_log(method).cut_off();
      std::memcpy(declared.data() + size_at, &size, sizeof(size));
      return refusal(declared);
    };
    EXPECT_THAT(declare(10), HasSubstr("the chunk cannot be unpacked by " + method));
    EXPECT_THAT(declare(5000), HasSubstr("of 5000 bytes"));
    EXPECT_THAT(declare(std::uint64_t{1} << 40), HasSubstr("cannot hold 1099511627776 bytes"));
  }
  EXPECT_THAT(refusal(robot_log("brotli").cut_off()), HasSubstr("a chunk compressed by \"brotli\"; tauhat reads lz4"));
}

TEST(BrokenMcap, IsRefusedWhereARecordRunsBeyondTheFile) {
  McapWriter writer;
  writer.define_channel(1, 0, "/a", "json");
  writer.write(1, 0, "1");
  writer.checksums = false;
  const std::string message = std::string("\x05", 1) + std::string(1, '\x17');  // a message of 23 bytes
  std::string bytes = writer.closed(false);
  bytes[bytes.find(message) + 5] = 1;
  EXPECT_THAT(refusal(bytes), HasSubstr("a record is expected here, but it does not end within the file"));
}

TEST(BrokenMcap, IsRefusedWhereChannelsAreNotDefined) {
  McapWriter writer;
  writer.write(9, 0, "1");
  EXPECT_EQ(refusal(writer.cut_off()), "run.mcap, byte 56: a message of channel 9, which is not defined");
  McapWriter twice;
  twice.define_channel(1, 0, "/a", "json");
  twice.define_channel(1, 0, "/b", "json");
  EXPECT_THAT(refusal(twice.cut_off()), EndsWith("channel 1 is defined a second time, and differently"));
}

TEST(BrokenMcap, IsRefusedWhereTheIndexIsWrong) {
  McapWriter writer = robot_log("");
  writer.checksums = false;
  std::string bytes = writer.closed();
  const std::string chunk_at = McapFields().number(kStart + 250'000'000).number(std::uint64_t{25}).bytes();
  const std::size_t index = bytes.find(chunk_at) + 8;
  bytes[index] = 26;
  EXPECT_THAT(refusal(bytes), HasSubstr("byte 26: the index names a chunk of "));

  std::string twice = writer.closed();
  const std::string second = McapFields().number(kStart + kSecond).number(kStart + 2 * kSecond).bytes();
  const std::uint64_t inside = 26;
  std::memcpy(twice.data() + twice.rfind(second) + second.size(), &inside, sizeof(inside));
  EXPECT_THAT(refusal(twice), HasSubstr("byte 25: the index names two chunks that share bytes here"));
}

TEST(BrokenMcap, IsRefusedWhereAMessageIsNot) {
  const std::string comma = log_of("json", R"({"a": 1,})");
  EXPECT_EQ(refusal(comma), fmt::format("run.mcap, byte {}: the message is not JSON", comma.size() - 1));
  EXPECT_THAT(refusal(log_of("json", "{")), HasSubstr("the message is not JSON"));
  EXPECT_THAT(refusal(log_of("json", "1e999")), HasSubstr("the message is not JSON"));
  EXPECT_THAT(refusal(log_of("json", "\"\xFF\"")), HasSubstr("the message is not JSON"));
  EXPECT_THAT(refusal(log_of("json", std::string(100'000, '['))), HasSubstr("nested deeper than 64 levels"));
  EXPECT_THAT(refusal(log_of("json", "{\"" + std::string(5000, 'k') + "\": 1}")), HasSubstr("too long for a column"));
  EXPECT_THAT(refusal(log_of("cdr", "")),
              HasSubstr("a field of 4 bytes is expected here, but its record ends after 0"));
  EXPECT_THAT(refusal(log_of("cdr", std::string("\0\7\0\0", 4))), HasSubstr("a message in representation 0007"));
  std::string joints = JointStateMessage{0, 0, {"a"}, {1.0}}.bytes();
  EXPECT_THAT(refusal(log_of("cdr", joints + std::string(9, '\0'))), HasSubstr("9 bytes follow the joint states"));
  joints[joints.size() - 1] = 1;  // the efforts: 2^24
  EXPECT_THAT(refusal(log_of("cdr", joints)), HasSubstr("a sequence of 16777216 elements in 0 bytes"));
}

// 23000 messages, 3000 of them with a number of their own, would be 69 million samples that are all but missing.
TEST(BrokenMcap, IsRefusedWhereItWouldFillTheMemory) {
  McapWriter writer;
  writer.define_channel(1, 0, "/a", "json");
  for (int k = 0; k < 23'000; ++k) writer.write(1, 0, k < 3'000 ? fmt::format("{{\"{}\": 1}}", k) : "");
  EXPECT_EQ(list_mcap(in_memory(writer.cut_off(), "run.mcap")).size(), 3'001u);
  EXPECT_EQ(read(writer.cut_off(), {"a.17"}).columns.at(0).values.size(), 23'000u);
  EXPECT_THAT(refusal(writer.cut_off()), HasSubstr("numbers, which no log does"));
}

// The names of columns take memory, too.
TEST(BrokenMcap, IsRefusedWhereItsNamesWouldFillTheMemory) {
  std::string numbers = "[0";
  for (int k = 0; k < 140'000; ++k) numbers += ",0";
  EXPECT_THAT(refusal(log_of("json", "{\"" + std::string(1000, 'k') + "\": " + numbers + "]}")),
              HasSubstr("the topics have more columns than any log; \"a\" has 1"));
  McapWriter writer;
  writer.define_channel(1, 0, "/" + std::string(2000, 'a'), "json");
  EXPECT_THAT(refusal(writer.cut_off()), EndsWith("a topic's name has 2001 bytes; at most 1024 are read"));
  const JointStateMessage joints{.names = std::vector<std::string>(70'000)};
  EXPECT_THAT(refusal(log_of("cdr", joints.bytes())), HasSubstr("a sequence of 70000 elements in "));
}

// A loss of power at any byte: what was written whole before it is read.
TEST(CutOffMcap, IsReadUpToItsLastWholeRecord) {
  McapWriter writer;
  writer.define_channel(1, 0, "/a", "json");
  const std::size_t defined = writer.cut_off().size();
  for (int k = 0; k < 3; ++k) writer.write(1, static_cast<std::uint64_t>(k), std::to_string(k));
  const std::string bytes = writer.cut_off();
  const std::size_t message = (bytes.size() - defined) / 3;
  for (std::size_t length = defined + message; length <= bytes.size(); ++length)
    EXPECT_EQ(read(bytes.substr(0, length), {"a.value"}).columns.at(0).values.size(), (length - defined) / message);
}

// Whatever its bytes, a file gives a recording or one sentence.
void expect_answer(const std::string& bytes) {
  EXPECT_THAT(refusal(bytes), AnyOf("accepted", StartsWith("run.mcap")));
  refusal_of([&] { list_mcap(in_memory(bytes, "run.mcap")); });
}

TEST(BrokenMcap, AnswersAtEveryLength) {
  for (const std::string& sample : mcap_samples())
    for (std::size_t length = 0; length < sample.size(); ++length) expect_answer(sample.substr(0, length));
}

TEST(BrokenMcap, AnswersWhateverBytesAreDamaged) {
  std::mt19937_64 random(20240502);
  for (const std::string& sample : mcap_samples())
    for (int variant = 0; variant < 500; ++variant) expect_answer(damaged(sample, random));
}

}  // namespace
}  // namespace tauhat
