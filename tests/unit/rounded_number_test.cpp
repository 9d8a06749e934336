// Numbers of an estimate's CSV beside those of the standard library.
#include "tauhat/offline/rounded_number.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <string>

namespace tauhat {
namespace {

std::string rounded(double value, int digits) {
  std::array<char, kLongestRounded> text;
  return {text.data(), write_rounded(text.data(), value, digits)};
}

TEST(RoundedNumber, ReadsAsPeopleWriteIt) {
  EXPECT_EQ(rounded(0.0, 12), "0");
  EXPECT_EQ(rounded(-0.0, 12), "0");
  EXPECT_EQ(rounded(1.0, 12), "1");
  EXPECT_EQ(rounded(-1.0, 6), "-1");
  EXPECT_EQ(rounded(0.06, 12), "0.06");
  EXPECT_EQ(rounded(-0.0300580001, 6), "-0.030058");
  EXPECT_EQ(rounded(22025.823771234, 12), "22025.8237712");
  EXPECT_EQ(rounded(250000.0, 6), "250000");
  EXPECT_EQ(rounded(123456789.0, 6), "123457000");
  EXPECT_EQ(rounded(4.2e-5, 6), "4.2e-05");
  EXPECT_EQ(rounded(1.25e-12, 6), "1.25e-12");
  EXPECT_EQ(rounded(9.9999999, 6), "10");
  EXPECT_EQ(rounded(0.99999999, 6), "1");
  EXPECT_EQ(rounded(1e-4, 6), "0.0001");
  EXPECT_EQ(rounded(3e-200, 6), "3e-200");
  EXPECT_EQ(rounded(1.5e22, 6), "1.5e+22");
  EXPECT_EQ(rounded(std::nan(""), 6), "");
  EXPECT_EQ(rounded(INFINITY, 6), "");
}

// Read again it is within half of the last digit of the number, and a thousandth of that for the rounding of a product.
TEST(RoundedNumber, IsWithinItsLastDigit) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> exponent(-32.0, 17.0), sign(-1.0, 1.0);
  for (int i = 0; i < 200000; ++i) {
    const double value = std::copysign(std::pow(10.0, exponent(random)), sign(random));
    for (const int digits : {6, 12}) {
      const double size = std::abs(value), unit = std::pow(10.0, std::floor(std::log10(size)) - digits + 1);
      ASSERT_NEAR(std::stod(rounded(value, digits)), value, 0.501 * unit) << value;
    }
  }
}

}  // namespace
}  // namespace tauhat
