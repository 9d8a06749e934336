// A verdict that the random walk's speed decides is none.
#include "tauhat/offline/report/sensitivity.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tauhat/offline/report/series.hpp"
#include "tauhat/offline/report/verdict.hpp"

namespace tauhat {
namespace {

using testing::HasSubstr;

constexpr double kLimit = 3.0;

// A gap whose value moves by `slope` a decade of the walk's intensity.
Report report_at(double factor, double slope) {
  Report report;
  report.results = {with_interval("backlash.gap", 2.0 + slope * std::log10(factor), 0.1, "rad", 0.0)};
  report.verdicts = {judge(report.results[0], kLimit, true, "<= 3 rad", true)};
  return report;
}

Report shown(double slope, bool of_a_part = false) {
  Report report = report_at(1.0, slope);
  show_sensitivity([&](double factor) { return report_at(factor, slope); }, of_a_part, "the torque", report);
  return report;
}

TEST(Sensitivity, IsShownWithEachNumber) {
  const Report report = shown(0.1);
  ASSERT_TRUE(report.results[0].at_other_intensities);
  EXPECT_NEAR(report.results[0].at_other_intensities->at(0), 2.0 + 0.1 * std::log10(0.3), 1e-12);
  EXPECT_NEAR(report.results[0].at_other_intensities->at(1), 2.0 + 0.1 * std::log10(3.0), 1e-12);
  EXPECT_EQ(report.verdicts[0].verdict, Conformity::conforming);
  EXPECT_THAT(to_json(report), HasSubstr("value.intensity_0.3"));
  EXPECT_EQ(report.sections.back().title, "What the random walk decides");
}

TEST(Sensitivity, AVerdictThatFlipsIsInconclusive) {
  for (const double slope : {3.0, -3.0}) {
    const Report report = shown(slope);
    EXPECT_EQ(report.verdicts[0].verdict, Conformity::inconclusive) << slope;
    EXPECT_THAT(report.verdicts[0].reason, HasSubstr(slope > 0.0 ? "3 times" : "0.3 times")) << slope;
    EXPECT_EQ(exit_code_of(report), ExitCode::inconclusive);
  }
}

// Of a long log a part is answered again, whose own value differs: only what the walk changes counts.
TEST(Sensitivity, OfAPartOnlyDifferencesCount) {
  Report report = report_at(1.0, 0.0);
  show_sensitivity(
      [](double factor) {
        Report part = report_at(factor, 0.1);
        part.results[0].value += 5.0;
        return part;
      },
      true, "the torque", report);
  EXPECT_NEAR(report.results[0].at_other_intensities->at(1), 2.0 + 0.1 * std::log10(3.0), 1e-12);
  EXPECT_EQ(report.verdicts[0].verdict, Conformity::conforming);
}

TEST(Sensitivity, APartThatTellsNothingChangesNothing) {
  Report report = report_at(1.0, 3.0);
  show_sensitivity([](double) -> Report { throw Error(ExitCode::unusable_data, "nothing moves"); }, true, "the torque",
                   report);
  EXPECT_FALSE(report.results[0].at_other_intensities);
  EXPECT_EQ(report.verdicts[0].verdict, Conformity::conforming);
}

TEST(Sensitivity, NothingIsAskedOfAnAnswerThatIsNotTrusted) {
  Report report = report_at(1.0, 3.0);
  report.diagnostics.push_back({"model.misfit", Severity::error, "The model does not fit."});
  int asked = 0;
  show_sensitivity([&](double factor) { return ++asked, report_at(factor, 3.0); }, false, "the torque", report);
  EXPECT_EQ(asked, 0);
  EXPECT_FALSE(report.results[0].at_other_intensities);
}

}  // namespace
}  // namespace tauhat
