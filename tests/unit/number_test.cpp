// The number parser against the two of the standard library, which round correctly (IEEE 754).
#include "tauhat/offline/log/number.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <random>
#include <string>

namespace tauhat {
namespace {

// Same bits as strtod, and the whole text consumed.
void expect_as_strtod(const std::string& text) {
  const std::string line = text + "\n";
  const ParsedNumber number = parse_number(line.c_str(), '.');
  ASSERT_EQ(number.end, line.c_str() + text.size()) << text;
  EXPECT_EQ(std::bit_cast<std::uint64_t>(number.value),
            std::bit_cast<std::uint64_t>(std::strtod(text.c_str(), nullptr)))
      << text;
}

// Halfway cases and limits from the literature (Clinger 1990; the denormal that hung PHP and Java in 2011).
TEST(ParseNumber, RoundsHardCasesCorrectly) {
  for (const char* text : {"0",
                           "-0",
                           "0.0",
                           "1",
                           "+1",
                           "-1.5",
                           ".5",
                           "5.",
                           "1e22",
                           "1e23",
                           "9007199254740992",
                           "9007199254740993",
                           "9007199254740993.00000000000000000000000000000001",
                           "2.2250738585072012e-308",
                           "2.2250738585072011e-308",
                           "4.9e-324",
                           "2e-324",
                           "1e-400",
                           "1.7976931348623157e308",
                           "0.1",
                           "0.3",
                           "123456789012345678901234567890",
                           "0.000000000000000000000000000001",
                           "8.988465674311580e307",
                           "1e-22",
                           "1e-23",
                           "3.1415926535897932384626433",
                           "6.02214076E+23",
                           "1E5",
                           "1e+05",
                           "1e00000000000000000000005",
                           "5e-0"})
    expect_as_strtod(text);
}

// 300 000 random numbers in the forms that logs have, seed 7.
TEST(ParseNumber, RoundsRandomNumbersCorrectly) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(-1000.0, 1000.0);
  for (int i = 0; i < 50'000; ++i) {
    expect_as_strtod(fmt::format("{:.{}f}", uniform(random), random() % 12));
    expect_as_strtod(fmt::format("{:.{}e}", uniform(random), random() % 20));
    expect_as_strtod(fmt::format("{:.17g}", uniform(random)));
    expect_as_strtod(fmt::format("{}.{}", random(), random()));
    expect_as_strtod(fmt::format("{}e{}", random() % 1'000'000, static_cast<int>(random() % 80) - 40));
    const double any = std::bit_cast<double>(random());  // any exponent, denormals included
    if (std::isfinite(any)) expect_as_strtod(fmt::format("{}", any));
  }
}

TEST(ParseNumber, ReadsADecimalComma) {
  const std::string fast = "-12,5;", slow = "3,14159265358979323846;", point = "1.5;";
  EXPECT_EQ(parse_number(fast.c_str(), ',').value, -12.5);
  EXPECT_EQ(parse_number(slow.c_str(), ',').value, 3.14159265358979323846);
  EXPECT_EQ(*parse_number(point.c_str(), ',').end, '.');
}

TEST(ParseNumber, StopsWhereTheNumberStops) {
  const std::string exponent_without_digits = "3e,", two_marks = "1.2.3,", words = "12 apples,";
  EXPECT_EQ(*parse_number(exponent_without_digits.c_str(), '.').end, 'e');
  EXPECT_EQ(*parse_number(two_marks.c_str(), '.').end, '.');
  EXPECT_EQ(*parse_number(words.c_str(), '.').end, ' ');
}

TEST(ParseNumber, RefusesWhatIsNoNumber) {
  for (const char* text :
       {"\n", "-\n", "+\n", ".\n", "-.e5\n", "e5\n", "nan\n", "inf\n", "--1\n", "1e999\n", "-1e999\n"})
    EXPECT_EQ(parse_number(text, '.').end, nullptr) << text;
}

}  // namespace
}  // namespace tauhat
