// How numbers are said, how many digits they get, and how they stand in a table.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "tauhat/offline/report/columns.hpp"
#include "tauhat/offline/report/digits.hpp"
#include "tauhat/offline/report/limit.hpp"
#include "tauhat/offline/report/report.hpp"
#include "tauhat/offline/report/verdict.hpp"

namespace tauhat {
namespace {

constexpr double kPi = std::numbers::pi;

using ::testing::HasSubstr;
using ::testing::Not;

TEST(Spoken, SaysWhatPeopleSay) {
  EXPECT_EQ(spoken(0.00087, "rad"), "2.99 arcmin");
  EXPECT_EQ(spoken(-0.00087, "rad"), "-2.99 arcmin");
  EXPECT_EQ(spoken(0.0, "rad"), "0 arcmin");
  EXPECT_EQ(spoken(1e-5, "rad"), "2.06 arcsec");
  EXPECT_EQ(spoken(kPi / 4, "rad"), "45.0 deg");
  EXPECT_EQ(spoken(100 * kPi, "rad/s"), "3000 rpm");
  EXPECT_EQ(spoken(10800 / kPi, "N m/rad"), "1.00 N m/arcmin");
  EXPECT_EQ(spoken(0.0008, "kg m^2"), "8.00 kg cm^2");
  EXPECT_EQ(spoken(0.00125, "s"), "1.25 ms");
}

TEST(Spoken, IsSilentWhereSiIsWhatPeopleSay) {
  EXPECT_EQ(spoken(0.27, "N m"), "");
  EXPECT_EQ(spoken(2.0, "kg m^2"), "");
  EXPECT_EQ(spoken(3.0, "s"), "");
  EXPECT_EQ(spoken(0.1, ""), "");
  EXPECT_EQ(spoken(std::nan(""), "rad"), "");
}

Rounded rounded_to(double value, double std) { return rounded({.name = "", .value = value, .std = std, .unit = ""}); }

TEST(Digits, FollowTheStandardDeviation) {
  EXPECT_EQ(rounded_to(0.123456, 0.0021).value, "0.1235");
  EXPECT_EQ(rounded_to(0.123456, 0.0021).above, "0.0041");
  EXPECT_EQ(rounded_to(12345.6, 454.0).value, "12350");
  EXPECT_EQ(rounded_to(12345.6, 454.0).above, "890");
  EXPECT_EQ(rounded_to(-0.0001, 0.5).value, "0.00") << "no negative zero";
}

TEST(Digits, UseAPowerOfTenForTheVerySmallAndTheVeryLarge) {
  const Rounded small = rounded_to(-1.234e-7, 4e-9);
  EXPECT_EQ(small.value, "-1.234");
  EXPECT_EQ(small.above, "0.078");
  EXPECT_EQ(small.exponent, -7);
  EXPECT_EQ(rounded_to(2.5e9, 1e8).exponent, 9);
}

TEST(Digits, SurviveUncertaintiesThatAreNone) {
  for (const double std : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()})
    EXPECT_EQ(rounded_to(0.25, std).value, "0.2500") << std;
  EXPECT_EQ(rounded_to(0.0, 0.0).value, "0");
  EXPECT_EQ(rounded_to(std::nan(""), 0.1).value, "-");
  EXPECT_LE(rounded_to(1.0, 1e-30).value.size(), 11u);
}

TEST(Digits, ShowBothSidesOfALopsidedInterval) {
  Result result{.name = "", .value = 4.1, .std = {}, .unit = ""};
  result.ci95 = {4.0, std::numeric_limits<double>::infinity()};
  EXPECT_EQ(rounded(result).above, "∞");
  EXPECT_EQ(rounded(result).lower, "4.000");
  result.ci95 = {4.0, 4.205};
  EXPECT_TRUE(rounded(result).symmetric()) << "5 % apart is the same";
  result.ci95 = {4.0, 4.5};
  EXPECT_FALSE(rounded(result).symmetric());
  result.ci95 = {3.9, 3.7e4};
  EXPECT_EQ(rounded(result).value + " -" + rounded(result).below + " +" + rounded(result).above, "4.10 -0.20 +37000");
}

TEST(Columns, CountCharactersAndNotBytes) {
  EXPECT_EQ(width_of("± 95 %"), 6u);
  Columns table({Columns::Align::left, Columns::Align::right, Columns::Align::left});
  table.add({{"a±"}, {"1"}, {"x"}});
  table.add({{"abc"}, {"100"}, {"y"}});
  EXPECT_EQ(table.text(), "  a±     1  x\n  abc  100  y\n");
}

TEST(Columns, WrapWordsUnderTheFirst) { EXPECT_EQ(wrapped("one two three", 2, 9), "one two\n  three"); }

TEST(Text, ShowsNumbersVerdictsAndDiagnostics) {
  Report report{.command = "identify", .title = "Backlash"};
  report.results = {{.name = "backlash.gap", .value = 0.00087012, .std = 9.1e-6, .unit = "rad"}};
  report.verdicts = {{"backlash.gap", Conformity::nonconforming, "<= 2 arcmin", "above it"}};
  report.diagnostics = {{"excitation.one_sided", Severity::warning, "record both signs"}};
  const std::string text = to_text(report);
  EXPECT_THAT(text, HasSubstr("  backlash.gap  0.0008701  ± 0.0000178  rad   2.991 ± 0.061 arcmin\n"));
  EXPECT_THAT(text, HasSubstr("  nonconforming  backlash.gap <= 2 arcmin: above it\n"));
  EXPECT_THAT(text, HasSubstr("  warning  excitation.one_sided: record both signs\n"));
  EXPECT_THAT(text, Not(HasSubstr("\033")));
  EXPECT_THAT(to_text(report, true), HasSubstr("\033[1;31mnonconforming\033[0m"));
}

TEST(Text, ShowsPublishedBesideObtained) {
  Report report{.command = "reproduce"};
  report.results = {{.name = "hovland.gap", .value = 0.0612, .unit = "rad"}};
  report.results[0].reproduction = {
      .limit = 0.05, .at_most = true, .published = 0.048, .seeds = 20, .worst_seed = 7, .passed = false};
  EXPECT_EQ(to_text(report),
            "  figure       published  obtained    limit  unit        seeds  worst seed\n"
            "  hovland.gap      0.048    0.0612  <= 0.05  rad   FAIL     20           7\n\n");
}

TEST(Text, LetsNoControlCharacterThrough) {
  Report report{.command = "check", .title = "\033[2Jrun\r3.csv"};
  EXPECT_EQ(to_text(report), "?[2Jrun?3.csv\n\n");
}

TEST(Text, SaysNoUnitOfAPlainNumber) {
  Report report{.command = "check"};
  report.results = {{.name = "filter.mean_nis", .value = 1.04, .unit = "1"}};
  EXPECT_EQ(to_text(report), "  quantity         value  95 %  unit  that is\n  filter.mean_nis  1.040\n\n");
  report.results[0].reproduction = {.limit = 2.0, .published = 1.0, .seeds = 20};
  EXPECT_THAT(to_text(report), HasSubstr("<= 2        pass"));
}

// 1 arcmin is 2.909e-4 rad: who set the limit in arcmin is answered in arcmin.
TEST(Verdict, SpeaksInTheUnitOfItsLimit) {
  Result gap{.name = "backlash.gap", .value = 2.6e-4, .std = 5e-6, .unit = "rad"};
  gap.ci95 = {2.5e-4, 2.7e-4};
  const double arcmin = kPi / 10800;
  EXPECT_EQ(judge(gap, arcmin, true, "<= 1 arcmin", true).reason,
            "0.894 arcmin; the 95 % interval [0.859, 0.928] arcmin lies within the limit");
  EXPECT_EQ(judge(gap, 1e-4, true, "<=0.1mrad", true).reason,
            "0.2600 mrad; the 95 % interval [0.2500, 0.2700] mrad lies outside the limit");
  EXPECT_EQ(judge(gap, 1e-4, true, "<= 1e-4", true).reason,
            "0.0002600 rad; the 95 % interval [0.0002500, 0.0002700] rad lies outside the limit");
  Result share{.name = "force.relative_error", .value = 0.02, .std = 0.001, .unit = "1"};
  share.ci95 = {0.018, 0.022};
  EXPECT_EQ(judge(share, 0.03, true, "<= 3 %", true).reason,
            "2.00 %; the 95 % interval [1.80, 2.20] % lies within the limit");
  Result none = gap;
  none.ci95 = {{std::nan(""), std::nan("")}};
  EXPECT_EQ(judge(none, arcmin, true, "<= 1 arcmin", true).verdict, Conformity::inconclusive);
  EXPECT_EQ(judge(none, arcmin, true, "<= 1 arcmin", true).reason, "there is no interval");
  EXPECT_EQ(judge(share, 0.03, true, "<= 0.03", true).reason,
            "0.0200; the 95 % interval [0.0180, 0.0220] lies within the limit");
}

TEST(Limit, IsReadInSi) {
  EXPECT_NEAR(parse_limit("<= 3 arcmin")->value, 3 * kPi / 10800, 1e-15);
  EXPECT_TRUE(parse_limit("<= 3 arcmin")->at_most);
  EXPECT_FALSE(parse_limit(">= 5")->at_most);
  for (const char* text : {"", "3 arcmin", "<=", "<= three", "<= 3 parsnips"}) EXPECT_FALSE(parse_limit(text)) << text;
}

}  // namespace
}  // namespace tauhat
