// The intensity by innovation likelihood, on records long enough to be looked at in excerpts.
#include "tauhat/offline/identify/intensity.hpp"

#include <gtest/gtest.h>

#include "tauhat/offline/reproduce/hovland_setup.hpp"

namespace tauhat {
namespace {

double chosen(const hovland::Experiment& e, const Timeline& timeline) {
  const auto estimator = make_torque_estimator(e.drive, 1.0, {}, {});
  return choose_intensity(*estimator, timeline, intensity_guess(timeline, e.drive)).intensity;
}

// The drive moves away from where it started: what a filter that starts anew in the middle finds at first is no noise.
TEST(Intensity, IsThatOfTheMotionWhereverTheDriveIs) {
  hovland::Experiment e = hovland::simulation_2();
  e.position_noise = 1e-3, e.torque_offset = 0.05, e.duration = 20.0;
  const Timeline timeline = hovland::record(e, 5).timeline;
  ASSERT_GT(timeline.size(), 24000U);
  const double whole = chosen(e, timeline), first = chosen(e, timeline.part(0, 20000));
  // Two steps of the search, a quarter of a decade each.
  EXPECT_NEAR(std::log10(whole), std::log10(first), 0.51);
}

TEST(Steps, ThatFailAreAnErrorWhereTheyAreMany) {
  EXPECT_TRUE(diagnose_steps(0, 0).empty());
  EXPECT_TRUE(diagnose_steps(5, 100).empty());
  EXPECT_TRUE(diagnose_steps(9, 10000).empty());
  const auto found = diagnose_steps(11, 10000);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front().severity, Severity::error);
}

}  // namespace
}  // namespace tauhat
