#include "tauhat/offline/units.hpp"
#include "tauhat/offline/other_units.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>
#include <string>
#include <vector>

namespace tauhat {
namespace {

constexpr double kPi = std::numbers::pi;

struct UnitCase {
  const char* text;
  double scale;
  Dimension dimension;  // m kg s A K rad
};

// Scales are the definitions of the units (SI brochure, 9th edition); dimensions written out by hand.
TEST(ParseUnit, KnowsScaleAndDimension) {
  const std::vector<UnitCase> cases = {
      {"", 1.0, {}},
      {"1", 1.0, {}},
      {"%", 0.01, {}},
      {"‰", 0.001, {}},
      {"ppm", 1e-6, {}},
      {"rad", 1.0, {{0, 0, 0, 0, 0, 1}}},
      {"mrad", 1e-3, {{0, 0, 0, 0, 0, 1}}},
      {"urad", 1e-6, {{0, 0, 0, 0, 0, 1}}},
      {"µrad", 1e-6, {{0, 0, 0, 0, 0, 1}}},
      {"deg", kPi / 180, {{0, 0, 0, 0, 0, 1}}},
      {"°", kPi / 180, {{0, 0, 0, 0, 0, 1}}},
      {"arcmin", kPi / 10800, {{0, 0, 0, 0, 0, 1}}},
      {"'", kPi / 10800, {{0, 0, 0, 0, 0, 1}}},
      {"arcsec", kPi / 648000, {{0, 0, 0, 0, 0, 1}}},
      {"''", kPi / 648000, {{0, 0, 0, 0, 0, 1}}},
      {"\"", kPi / 648000, {{0, 0, 0, 0, 0, 1}}},
      {"rev", 2 * kPi, {{0, 0, 0, 0, 0, 1}}},
      {"rpm", kPi / 30, {{0, 0, -1, 0, 0, 1}}},
      {"rev/min", kPi / 30, {{0, 0, -1, 0, 0, 1}}},
      {"°/s", kPi / 180, {{0, 0, -1, 0, 0, 1}}},
      {"kHz", 1e3, {{0, 0, -1, 0, 0, 0}}},
      {"min", 60.0, {{0, 0, 1, 0, 0, 0}}},
      {"ms", 1e-3, {{0, 0, 1, 0, 0, 0}}},
      {"ns", 1e-9, {{0, 0, 1, 0, 0, 0}}},
      {"h", 3600.0, {{0, 0, 1, 0, 0, 0}}},
      {"cm", 1e-2, {{1, 0, 0, 0, 0, 0}}},
      {"μm", 1e-6, {{1, 0, 0, 0, 0, 0}}},
      {"g", 1e-3, {{0, 1, 0, 0, 0, 0}}},
      {"t", 1e3, {{0, 1, 0, 0, 0, 0}}},
      {"kg cm^2", 1e-4, {{2, 1, 0, 0, 0, 0}}},
      {"kg*cm²", 1e-4, {{2, 1, 0, 0, 0, 0}}},
      {"kg·m^2", 1.0, {{2, 1, 0, 0, 0, 0}}},
      {"N m", 1.0, {{2, 1, -2, 0, 0, 0}}},
      {"Nm", 1.0, {{2, 1, -2, 0, 0, 0}}},
      {"mNm", 1e-3, {{2, 1, -2, 0, 0, 0}}},
      {"cNm", 1e-2, {{2, 1, -2, 0, 0, 0}}},
      {"Ncm", 1e-2, {{2, 1, -2, 0, 0, 0}}},
      {"kNm/mA", 1e6, {{2, 1, -2, -1, 0, 0}}},
      {"N m/arcmin", 10800 / kPi, {{2, 1, -2, 0, 0, -1}}},
      {"N m s/rad", 1.0, {{2, 1, -1, 0, 0, -1}}},
      {"N m/(rad/s)", 1.0, {{2, 1, -1, 0, 0, -1}}},
      {"kW", 1e3, {{2, 1, -3, 0, 0, 0}}},
      {"V s/rad", 1.0, {{2, 1, -2, -1, 0, -1}}},
      {"N m/sqrt(s)", 1.0, {{2, 1, -2.5, 0, 0, 0}}},
      {"rad/s/sqrt(s)", 1.0, {{0, 0, -1.5, 0, 0, 1}}},
      {"rad/s/sqrt(Hz)", 1.0, {{0, 0, -0.5, 0, 0, 1}}},
      {"(rad/s)^2/Hz", 1.0, {{0, 0, -1, 0, 0, 2}}},
      {"1/s", 1.0, {{0, 0, -1, 0, 0, 0}}},
      {"s^-1", 1.0, {{0, 0, -1, 0, 0, 0}}},
      {"m^0.5", 1.0, {{0.5, 0, 0, 0, 0, 0}}},
      {"mm³", 1e-9, {{3, 0, 0, 0, 0, 0}}},
      {" rad / s ", 1.0, {{0, 0, -1, 0, 0, 1}}},
  };
  for (const UnitCase& expected : cases) {
    const auto unit = parse_unit(expected.text);
    ASSERT_TRUE(unit.has_value()) << expected.text;
    EXPECT_NEAR(unit->scale / expected.scale, 1.0, 1e-15) << expected.text;
    EXPECT_EQ(unit->dimension, expected.dimension) << expected.text;
  }
}

// The rule for what might be read two ways: each slash applies to the next factor only.
TEST(ParseUnit, SlashAppliesToTheNextFactorOnly) {
  EXPECT_EQ(parse_unit("N m/rad s")->dimension, parse_unit("N m s/rad")->dimension);
  EXPECT_EQ(parse_unit("N m/(rad s)")->dimension, parse_unit("N m/rad/s")->dimension);
}

// A square root and its square cancel exactly, so == on dimensions needs no tolerance.
TEST(ParseUnit, HalvesAreExact) {
  EXPECT_EQ(parse_unit("sqrt(s) sqrt(s)")->dimension, parse_unit("s")->dimension);
  EXPECT_EQ(parse_unit("(rad/sqrt(s))^2")->dimension, parse_unit("rad^2/s")->dimension);
}

TEST(OtherUnits, SayWhatAColumnMayHaveBeenIn) {
  const std::vector<OtherUnit> speeds = other_units("rad/s");
  const auto rpm = std::find_if(speeds.begin(), speeds.end(), [](const OtherUnit& u) { return u.unit == "rpm"; });
  ASSERT_NE(rpm, speeds.end());
  EXPECT_NEAR(rpm->times_too_large, 30.0 / std::numbers::pi, 1e-12);
  EXPECT_EQ(speeds.size(), 3u);
  EXPECT_TRUE(other_units("N m/rad").empty());
  EXPECT_TRUE(other_units("nonsense").empty());
}

TEST(ParseUnit, RefusesWhatIsNoUnit) {
  for (const char* text :
       {"foo", "rad/", "/s",  "rad//s", "m^",    "m^0.3", "m^x", "(m",   "m)",    "()",  "sqrt(sqrt(m))",
        "2 m", "m2",   "RPM", "km^200", "m^inf", "*",     "^2",  "sqrt", "kgm^2", "m^99"})
    EXPECT_FALSE(parse_unit(text).has_value()) << text;
  EXPECT_FALSE(parse_unit(std::string(100'000, '(')).has_value());
}

struct QuantityCase {
  const char* text;
  double number, value_in_si;
  bool has_unit;
};

TEST(ParseQuantity, SplitsNumberAndUnit) {
  const std::vector<QuantityCase> cases = {{"8 kg cm^2", 8.0, 8e-4, true},  {"-3.5e-2rad", -0.035, -0.035, true},
                                           {"10 rpm", 10.0, kPi / 3, true}, {"5", 5.0, 5.0, false},
                                           {" +5 ", 5.0, 5.0, false},       {"3 arcmin", 3.0, kPi / 3600, true},
                                           {".5 %", 0.5, 0.005, true},      {"1e3mm", 1e3, 1.0, true},
                                           {"2.5'", 2.5, kPi / 4320, true}, {"10 N m/sqrt(s)", 10.0, 10.0, true},
                                           {"0 m", 0.0, 0.0, true}};
  for (const QuantityCase& expected : cases) {
    const auto quantity = parse_quantity(expected.text);
    ASSERT_TRUE(quantity.has_value()) << expected.text;
    EXPECT_EQ(quantity->number, expected.number) << expected.text;
    EXPECT_EQ(quantity->unit.has_value(), expected.has_unit) << expected.text;
    const double scale = quantity->unit ? quantity->unit->scale : 1.0;
    EXPECT_NEAR(scale * quantity->number, expected.value_in_si, 1e-15 * std::abs(expected.value_in_si))
        << expected.text;
  }
}

TEST(ParseQuantity, RefusesWhatIsNoQuantity) {
  for (const char* text : {"", "rad", "five", "nan", "inf", "1e999", "3,5 arcmin", "5 foo", "+-5", "--5", "1 2"})
    EXPECT_FALSE(parse_quantity(text).has_value()) << text;
}

TEST(NearestUnit, RepairsSlips) {
  const std::vector<std::pair<const char*, const char*>> cases = {
      {"RPM", "rpm"},      {"arcmn", "arcmin"},    {"NM", "Nm"},          {"N m/arcmn", "N m/arcmin"},
      {"radd/s", "rad/s"}, {"Kg cm^2", "kg cm^2"}, {"radd/s²", "rad/s²"}, {"degg", "deg"}};
  for (const auto& [slip, meant] : cases) EXPECT_EQ(nearest_unit(slip), meant) << slip;
  EXPECT_EQ(nearest_unit("furlongs per fortnight"), "");
}

}  // namespace
}  // namespace tauhat
