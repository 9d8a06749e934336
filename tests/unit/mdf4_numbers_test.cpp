// The numbers of MDF 4: their bits in a record, and the conversions to physical ones.
#include "tauhat/offline/log/formats/mdf4.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "support/log_in_memory.hpp"
#include "support/mdf4_writer.hpp"
#include "tauhat/offline/log/formats/mdf4_raw.hpp"

namespace tauhat {
namespace {

using ::testing::ElementsAre;
using ::testing::NanSensitiveDoubleEq;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
using Cn = Mdf4Channel;

Recording read(const std::string& bytes, const std::vector<std::string>& wanted = {}) {
  return read_mdf4(in_memory(bytes, "run.mf4"), wanted);
}

// One group, one channel.
std::string file_of(Mdf4Writer& writer, const Mdf4Channel& channel, const std::string& records,
                    std::uint32_t record_bytes) {
  const auto channels = writer.channels({channel});
  const auto data = writer.plain(records);
  writer.data_group({{.cycles = records.size() / record_bytes, .data_bytes = record_bytes, .first_channel = channels}},
                    data);
  return writer.bytes();
}

std::vector<double> values_of(const Mdf4Channel& channel, const std::string& records, std::uint32_t record_bytes) {
  Mdf4Writer writer;
  return read(file_of(writer, channel, records, record_bytes)).columns.at(0).values;
}

// The first bytes of a record, read as a number of the given type.
double number_of(std::uint8_t type, std::uint32_t bits, const std::string& record, std::uint8_t bit_offset = 0) {
  return values_of({.name = "x", .data_type = type, .bits = bits, .bit_offset = bit_offset}, record,
                   static_cast<std::uint32_t>(record.size()))
      .at(0);
}

// What a conversion makes of raw bytes.
std::vector<double> converted(std::uint8_t type, const std::vector<double>& parameters, const std::string& raw) {
  Mdf4Writer writer;
  const auto conversion = writer.conversion(type, parameters);
  return read(file_of(writer, {.name = "x", .conversion = conversion}, raw, 1)).columns.at(0).values;
}

TEST(Mdf4Numbers, AreReadInEveryWidthAndOrder) {
  EXPECT_EQ(number_of(Cn::u_little, 8, "\xFF"), 255.0);
  EXPECT_EQ(number_of(Cn::s_little, 8, "\xFF"), -1.0);
  EXPECT_EQ(number_of(Cn::u_little, 16, "\x01\x02"), 0x0201);
  EXPECT_EQ(number_of(Cn::u_big, 16, "\x01\x02"), 0x0102);
  EXPECT_EQ(number_of(Cn::s_big, 16, "\xFF\xFE"), -2.0);
  EXPECT_EQ(number_of(Cn::u_big, 24, std::string("\x01\x00\x02", 3)), 0x010002);
  EXPECT_EQ(number_of(Cn::u_little, 64, std::string(8, '\xFF')), std::ldexp(1.0, 64));
  EXPECT_EQ(number_of(Cn::s_little, 64, std::string(8, '\xFF')), -1.0);
}

// 0xB6 0x05 = 0b00000101'10110110 little-endian; 0x05 0xB6 holds the same bits big-endian.
TEST(Mdf4Numbers, AreReadFromTheirBits) {
  EXPECT_EQ(number_of(Cn::u_little, 1, "\xB6", 1), 1.0);
  EXPECT_EQ(number_of(Cn::u_little, 3, "\xB6", 3), 0b110);
  EXPECT_EQ(number_of(Cn::s_little, 3, "\xB6", 3), -2.0);
  EXPECT_EQ(number_of(Cn::u_little, 7, "\xB6\x05", 4), 0b1011011);
  EXPECT_EQ(number_of(Cn::u_big, 7, "\x05\xB6", 4), 0b1011011);
  // Nine bytes for 64 bits: all ones above bit 7 of zeros.
  const std::string nine = std::string("\x80", 1) + std::string(7, '\xFF') + std::string("\x7F", 1);
  EXPECT_EQ(number_of(Cn::s_little, 64, nine, 7), -1.0);
  EXPECT_EQ(number_of(Cn::s_big, 64, std::string(nine.rbegin(), nine.rend()), 7), -1.0);
}

TEST(Mdf4Numbers, AreReadFromFloats) {
  std::string little, big;
  put(little, -1.5e300);
  put_big_endian(big, 2.5f);
  EXPECT_EQ(number_of(Cn::real_little, 64, little), -1.5e300);
  EXPECT_EQ(number_of(Cn::real_big, 32, big), 2.5);
  EXPECT_EQ(number_of(Cn::real_big, 16, "\xC1\x40"), -2.625);
}

// IEEE 754 binary16: 1, the largest, the smallest subnormal, infinity.
TEST(Mdf4Numbers, AreReadFromHalfFloats) {
  EXPECT_EQ(mdf4::from_half(0x3C00), 1.0);
  EXPECT_EQ(mdf4::from_half(0x7BFF), 65504.0);
  EXPECT_EQ(mdf4::from_half(0x8001), -std::ldexp(1.0, -24));
  EXPECT_EQ(mdf4::from_half(0xFC00), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(mdf4::from_half(0x7C01)));
}

TEST(Mdf4Conversions, FollowTheirEquations) {
  EXPECT_THAT(converted(0, {}, "\x07"), ElementsAre(7.0));
  EXPECT_THAT(converted(1, {-40.0, 0.5}, std::string("\x00\xFF", 2)), ElementsAre(-40.0, 87.5));
  // (x^2 + 2 x + 3) / (x + 1)
  EXPECT_THAT(converted(2, {1, 2, 3, 0, 1, 1}, std::string("\x00\x03", 2)), ElementsAre(3.0, 4.5));
}

// Keys 2, 4, 8. Beyond them the end values hold; halfway between two, the lower one is the nearest.
TEST(Mdf4Conversions, LookUpTables) {
  const std::vector<double> table{2, 10, 4, 20, 8, 0};
  const std::string raw("\x01\x02\x03\x05\x06\x07\x08\x09", 8);
  EXPECT_THAT(converted(4, table, raw), ElementsAre(10, 10, 15, 15, 10, 5, 0, 0));
  EXPECT_THAT(converted(5, table, raw), ElementsAre(10, 10, 10, 20, 20, 0, 0, 0));
  EXPECT_THAT(converted(6, {1, 3, -1, 5, 6, -2, 99}, raw), ElementsAre(-1, -1, -1, -2, -2, 99, 99, 99));
}

// An enumeration keeps its numbers. Texts within a scaled number (253 scaled, 255 "not available") are missing samples.
TEST(Mdf4Conversions, KeepNumbersThatHaveTexts) {
  EXPECT_THAT(converted(7, {1, 2}, "\x01\x02\x03"), ElementsAre(1, 2, 3));
  Mdf4Writer writer;
  const auto scale = writer.conversion(1, {0.0, 2.0});
  const auto by_value = writer.conversion(7, {255}, {writer.text("n/a"), scale});
  const auto by_range = writer.conversion(8, {0, 253, 254, 255}, {scale, writer.text("n/a"), 0});
  for (const auto conversion : {by_value, by_range}) {
    Mdf4Writer copy = writer;
    EXPECT_THAT(read(file_of(copy, {.name = "x", .conversion = conversion}, "\x0A\xFF", 1)).columns.at(0).values,
                ElementsAre(20.0, NanSensitiveDoubleEq(kNaN)));
  }
}

TEST(Mdf4Conversions, AreRefusedByNameWhereTheyAreFormulas) {
  Mdf4Writer writer;
  const auto conversion = writer.conversion(3, {}, {writer.text("X*X+1")});
  const std::string bytes = file_of(writer, {.name = "x", .conversion = conversion}, "\x01", 1);
  EXPECT_TRUE(read(bytes).columns.empty());
  EXPECT_EQ(refusal_of([&] { read(bytes, {"x"}); }),
            "run.mf4: channel \"x\" has an algebraic conversion, \"X*X+1\", which tauhat does not evaluate");
}

TEST(Mdf4Numbers, AreMissingWhereTheirChannelIsInvalid) {
  EXPECT_THAT(values_of({.name = "x", .flags = 1}, "ab", 1),
              ElementsAre(NanSensitiveDoubleEq(kNaN), NanSensitiveDoubleEq(kNaN)));
}

}  // namespace
}  // namespace tauhat
