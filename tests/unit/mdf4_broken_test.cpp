// MDF 4 files that are damaged, cut off or hostile: each is read as far as it can be trusted, or refused in a sentence.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "support/log_in_memory.hpp"
#include "support/mdf4_samples.hpp"
#include "tauhat/offline/log/formats/mdf4.hpp"

namespace tauhat {
namespace {

using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using Link = Mdf4Writer::Link;

Recording read(const std::string& bytes, const std::vector<std::string>& wanted = {}) {
  return read_mdf4(in_memory(bytes, "run.mf4"), wanted);
}

std::string refusal(const std::string& bytes) {
  return refusal_of([&] { read(bytes); });
}

// One group of one byte a record, whose data `data` writes.
template <class Data>
Mdf4Writer one_byte_group(std::uint64_t cycles, Data&& data, Mdf4Writer writer = Mdf4Writer()) {
  const Link channels = writer.channels({{.name = "x"}});
  const Link group = writer.data_group({{.cycles = cycles, .data_bytes = 1, .first_channel = channels}}, 0);
  writer.set_link(group, 2, data(writer));
  return writer;
}

Mdf4Writer cut_off(std::uint16_t flags) { return Mdf4Writer("UnFinMF ", flags); }

TEST(BrokenMdf4, IsRefusedWhereItIsNone) {
  EXPECT_EQ(refusal("t,w\n0,1\n"), "run.mf4, byte 0: not an MDF file: it begins with \"t,w\\x0a0,1\\x0a\"");
  EXPECT_THAT(refusal(""), HasSubstr("not an MDF file"));
  std::string old = Mdf4Writer().bytes();
  old.replace(8, 4, "3.30");
  EXPECT_EQ(refusal(old), "run.mf4, byte 0: an MDF file of version \"3.30    \"; tauhat reads version 4");
}

TEST(BrokenMdf4, IsRefusedWhereLinksGoRound) {
  for (const std::size_t link : {0u, 1u}) {  // the next data group, and the first channel group
    Mdf4Writer writer;
    const Link group = writer.data_group({}, 0);
    writer.set_link(group, link, group);
    EXPECT_NE(refusal(writer.bytes()), "accepted");
  }
  Mdf4Writer writer;
  const Link channel = writer.channels({{.name = "x"}});
  writer.set_link(channel, 0, channel);
  writer.data_group({{.data_bytes = 1, .first_channel = channel}}, 0);
  EXPECT_THAT(refusal(writer.bytes()), EndsWith("this CN block is listed twice: the file's links are damaged"));
  EXPECT_THAT(refusal(one_byte_group(2,
                                     [](Mdf4Writer& w) {
                                       const Link list = w.list({w.plain("ab")});
                                       w.set_link(list, 0, list);
                                       return list;
                                     })
                          .bytes()),
              HasSubstr("this data block is listed twice"));
  EXPECT_THAT(refusal(one_byte_group(4,
                                     [](Mdf4Writer& w) {
                                       const Link data = w.plain("ab");
                                       return w.list({data, data});
                                     })
                          .bytes()),
              HasSubstr("this data block is listed twice"));
}

TEST(BrokenMdf4, IsRefusedWhereALinkLeadsNowhere) {
  Mdf4Writer writer;
  const Link group = writer.data_group({}, 0);
  writer.set_link(group, 0, 1'000'000);
  EXPECT_EQ(refusal(writer.bytes()),
            "run.mf4, byte 1000000: 24 bytes are expected here, but the file ends at byte 232");
  writer.set_link(group, 0, 8);
  EXPECT_EQ(refusal(writer.bytes()), "run.mf4, byte 8: a block is expected here, but it begins with \"4.10\"");
  writer.set_link(group, 0, 64);
  EXPECT_EQ(refusal(writer.bytes()), "run.mf4, byte 64: a DG block is expected here, not one of kind HD");
}

TEST(BrokenMdf4, IsRefusedWhereRecordsAreMissing) {
  EXPECT_THAT(refusal(one_byte_group(3, [](Mdf4Writer& w) { return w.plain("ab"); }).bytes()),
              EndsWith("group \"\" has 3 records, but its data end after 2"));
  std::string unsorted = unsorted_mdf4(1);
  unsorted[unsorted.size() - 5] = 33;  // the last record's id
  EXPECT_THAT(refusal(unsorted), EndsWith("byte 25 of this group's data begins a record of the unknown id 33"));
}

TEST(BrokenMdf4, IsRefusedWhereDataCannotBeUnpacked) {
  const auto with = [](std::size_t at, std::uint64_t field) {
    Mdf4Writer writer = one_byte_group(3, [](Mdf4Writer& w) { return w.deflated("abc"); });
    std::string bytes = writer.bytes();
    std::memcpy(bytes.data() + bytes.find("##DZ") + 24 + at, &field, sizeof(field));
    return bytes;
  };
  EXPECT_THAT(refusal(with(8, 4)), HasSubstr("the compressed data are damaged: 3 of 4 bytes unpacked"));
  EXPECT_THAT(refusal(with(8, 1'000'000)), HasSubstr("compressed bytes cannot hold 1000000 bytes of data"));
  EXPECT_THAT(refusal(with(16, 1'000'000)), HasSubstr("1000000 compressed bytes, but the file ends"));
  EXPECT_THAT(refusal(with(24, 0)), HasSubstr("the compressed data are damaged"));
  std::string method = with(8, 3);
  method[method.find("##DZ") + 26] = 7;
  EXPECT_THAT(refusal(method), HasSubstr("data compressed by method 7; tauhat reads 0 and 1"));
  EXPECT_THAT(
      refusal(one_byte_group(1, [](Mdf4Writer& w) { return w.block("DV", {}, "a"); }).bytes()),
      EndsWith("data in a block of kind DV; tauhat reads DT, DZ and lists of them (this file is stored column by "
               "column)"));
}

// No file of some hundred bytes holds 10^15 records, even where records have no bytes.
TEST(BrokenMdf4, IsRefusedWhereACounterIsAbsurd) {
  Mdf4Writer writer;
  const Link channels = writer.channels({{.name = "row", .bits = 0, .type = Mdf4Channel::virtual_data}});
  writer.data_group({{.cycles = 1'000'000'000'000'000, .first_channel = channels}}, 0);
  EXPECT_THAT(refusal(writer.bytes()), HasSubstr("group \"\" has 1000000000000000 records without a byte"));
}

// Zeros that are packed tightly: none of the groups is too large alone, but both are together.
TEST(BrokenMdf4, IsRefusedWhereItsGroupsWouldFillTheMemory) {
  Mdf4Writer writer;
  for (const std::uint64_t cycles : {1'000'000u, 66'500'000u}) {
    const Link channels = writer.channels({{.name = "x"}});
    writer.data_group({{.cycles = cycles, .data_bytes = 1, .first_channel = channels}},
                      writer.deflated(std::string(cycles, '\0')));
  }
  EXPECT_THAT(refusal(writer.bytes()), HasSubstr("claim to hold 67500000 numbers"));
  EXPECT_EQ(read(writer.bytes(), {"cg1.x"}).columns.at(0).values.size(), 1'000'000u);
}

// Blocks that lie one in the other would unpack to any size.
TEST(BrokenMdf4, IsRefusedWhereBlocksShareBytes) {
  Mdf4Writer compressed;
  const Link channels = compressed.channels({{.name = "x"}});
  const Link group = compressed.data_group({{.cycles = 1, .data_bytes = 1, .first_channel = channels}}, 0);
  const std::uint64_t stored = 100'000;
  std::vector<Link> parts;
  for (int i = 0; i < 3; ++i) {
    std::string fields = "DT";
    put(fields, std::uint16_t{0});
    put(fields, std::uint32_t{0});
    put(fields, 1000 * stored);
    put(fields, stored);
    parts.push_back(compressed.block("DZ", {}, fields));
  }
  compressed.set_link(group, 2, compressed.list(parts));
  compressed.plain(std::string(stored, '\0'));
  EXPECT_THAT(refusal(compressed.bytes()), HasSubstr("the data blocks up to here would unpack to "));

  Mdf4Writer nested;
  const std::vector<double> values(1000, 0.0);
  const Link outer = nested.conversion(0, values);
  std::string bytes = nested.bytes();
  Mdf4Writer inner;
  const Link from = inner.conversion(0, values);
  const std::string header = inner.bytes().substr(from, 80);  // without its parameters: those of the outer one serve
  const Link at = outer + 80;
  const auto channel = [&](Mdf4Writer& w) {
    return w.channels({{.name = "a", .conversion = outer}, {.name = "b", .conversion = at}});
  };
  nested.block("TX", {}, std::string(80, '\0'));  // the inner one ends 80 bytes later
  nested.data_group({{.data_bytes = 1, .first_channel = channel(nested)}}, 0);
  bytes = nested.bytes();
  bytes.replace(at, header.size(), header);
  EXPECT_THAT(refusal(bytes), HasSubstr("the conversions up to here lie one in the other"));
}

TEST(BrokenMdf4, IsRefusedWhereARecordIsAbsurd) {
  Mdf4Writer writer;
  const Link channels = writer.channels({{.name = "x"}});
  writer.data_group({{.cycles = 1, .data_bytes = 2'000'000'000, .first_channel = channels}}, writer.plain("ab"));
  EXPECT_THAT(refusal(writer.bytes()), HasSubstr("begins a record of 2000000000 bytes; at most 1073741824 are read"));
}

// Every channel may share one long text for its name.
TEST(BrokenMdf4, HasNamesOfAnyLengthCut) {
  Mdf4Writer writer;
  const Link channels = writer.channels({{.name = std::string(1023, 'x') + "\xC3\xA9" + std::string(5000, 'y')}});
  writer.data_group({{.cycles = 1, .data_bytes = 1, .first_channel = channels}}, writer.plain("a"));
  EXPECT_EQ(read(writer.bytes()).columns.at(0).name, std::string(1023, 'x'));
}

// The recorder lost power: neither the counters (flag 1) nor the length of the last data block (flag 4) were updated.
TEST(CutOffMdf4, IsReadUpToItsLastWholeRecord) {
  Mdf4Writer writer = cut_off(5);
  const Link channels = writer.channels({{.name = "x", .bits = 16}});
  const Link group = writer.data_group({{.data_bytes = 2, .first_channel = channels}}, 0);
  const Link data = writer.plain("a");
  writer.set_link(group, 2, data);
  for (const std::uint64_t length : {std::uint64_t{0}, std::uint64_t{24}, std::uint64_t{26}, std::uint64_t{1} << 40}) {
    writer.set_length(data, length);
    std::string bytes = writer.bytes();
    bytes.resize(bytes.find("a", data));
    bytes += std::string("a\0b\0c", 5);
    EXPECT_THAT(read(bytes).columns.at(0).values, ElementsAre('a', 'b'));
    EXPECT_EQ(list_mdf4(in_memory(bytes, "run.mf4")).at(0).samples, 2u);
  }
}

TEST(CutOffMdf4, IsReadInItsSortedAndUnsortedGroups) {
  const Recording recording = read(unsorted_mdf4(2, false));
  EXPECT_THAT(recording.columns.at(1).values, ElementsAre(-1.0, -2.0));
  EXPECT_THAT(recording.columns.at(3).values, ElementsAre(300.0, -300.0));
}

// Valid counters limit what is read; the list's links that were never written end it.
TEST(CutOffMdf4, EndsWithItsCountersAndLists) {
  const auto list = [](Mdf4Writer& w) { return w.list({w.plain("abcdefgh"), w.deflated("xyz"), 0, 0}); };
  EXPECT_EQ(read(one_byte_group(0, list, cut_off(1)).bytes()).columns.at(0).values.size(), 11u);
  EXPECT_EQ(read(one_byte_group(9, list, cut_off(0x10)).bytes()).columns.at(0).values.size(), 9u);
  EXPECT_EQ(read(one_byte_group(99, list, cut_off(0x10)).bytes()).columns.at(0).values.size(), 11u);
  EXPECT_THAT(refusal(one_byte_group(11, list).bytes()), HasSubstr("data block 3 of this list is missing"));
}

// A compressed block that was cut off while it was written is left out.
TEST(CutOffMdf4, LeavesOutAnUnfinishedCompressedBlock) {
  Mdf4Writer writer = one_byte_group(
      0,
      [](Mdf4Writer& w) {
        return w.list({w.plain("abcdefgh"), 0});
      },
      cut_off(1));
  const Link last = writer.deflated("abcdefgh");
  std::string bytes = writer.bytes();
  std::memcpy(bytes.data() + bytes.find("##DL") + 40, &last, sizeof(last));
  EXPECT_EQ(read(bytes).columns.at(0).values.size(), 16u);
  bytes.resize(bytes.size() - 3);
  EXPECT_EQ(read(bytes).columns.at(0).values.size(), 8u);
}

// Whatever its bytes, a file gives a recording or one sentence.
void expect_answer(const std::string& bytes) {
  const std::string sentence = refusal(bytes);
  EXPECT_THAT(sentence, AnyOf("accepted", StartsWith("run.mf4")));
  refusal_of([&] { list_mdf4(in_memory(bytes, "run.mf4")); });
}

TEST(BrokenMdf4, AnswersAtEveryLength) {
  for (const std::string& sample : mdf4_samples())
    for (std::size_t length = 0; length < sample.size(); ++length) expect_answer(sample.substr(0, length));
}

TEST(BrokenMdf4, AnswersWhateverBytesAreDamaged) {
  std::mt19937_64 random(20240501);
  for (const std::string& sample : mdf4_samples())
    for (int variant = 0; variant < 500; ++variant) expect_answer(damaged(sample, random));
}

}  // namespace
}  // namespace tauhat
