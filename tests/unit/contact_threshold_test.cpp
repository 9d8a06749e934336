// A contact threshold against the distribution that its floor was drawn from.
#include "tauhat/offline/robot/contact_threshold.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/random.hpp"

namespace tauhat {
namespace {

constexpr double kDeviation = 2.0;  // N, of each axis: the size is Maxwell's

ForceFloor white_floor(int samples) {
  Draw draw(11);
  ForceFloor floor;
  for (int k = 0; k < samples; ++k) floor.emplace_back(kDeviation * draw.matrix<double, 3>());
  return floor;
}

// Quantiles of Maxwell's distribution, sqrt(chi-square of 3 degrees).
constexpr double kMaxwell1Percent = 3.3682, kMaxwell1In10000 = 4.5943;

TEST(ContactThreshold, IsExceededByTheChosenShareOfTheFloor) {
  const ForceFloor floor = white_floor(100000);
  const ContactThreshold threshold = contact_threshold(floor, 0.01);
  EXPECT_FALSE(threshold.extrapolated);
  EXPECT_NEAR(threshold.force, kDeviation * kMaxwell1Percent, 0.02 * threshold.force);
  EXPECT_NEAR(detection_probability(floor, threshold, 0.0), 0.01, 1e-4);
}

TEST(ContactThreshold, SaysThatItWasExtrapolatedWhereTheLogIsTooShort) {
  const ContactThreshold threshold = contact_threshold(white_floor(10000), 1e-4);
  EXPECT_TRUE(threshold.extrapolated);
  EXPECT_NEAR(threshold.force, kDeviation * kMaxwell1In10000, 0.1 * threshold.force);
}

TEST(ContactThreshold, DetectionRisesWithTheForce) {
  const ForceFloor floor = white_floor(2000);
  const ContactThreshold threshold = contact_threshold(floor, 0.01);
  double before = 0.0;
  for (const double force : {0.0, 2.0, 4.0, 6.0, 8.0, 12.0, 16.0}) {
    const double probability = detection_probability(floor, threshold, force);
    EXPECT_GE(probability, before);
    before = probability;
  }
  EXPECT_GT(before, 0.999);
  // A force as large as the threshold is seen somewhat more often than not: errors across it add to its size.
  EXPECT_NEAR(detection_probability(floor, threshold, threshold.force), 0.61, 0.05);
}

TEST(ContactThreshold, DetectableForceIsSeenWithItsProbability) {
  const ForceFloor floor = white_floor(2000);
  const ContactThreshold threshold = contact_threshold(floor, 0.01);
  const double force = detectable_force(floor, threshold, 0.95);
  EXPECT_NEAR(detection_probability(floor, threshold, force), 0.95, 1e-3);
}

TEST(ContactThreshold, WithoutAFloorNothingIsContact) {
  const ContactThreshold threshold = contact_threshold({}, 0.01);
  EXPECT_EQ(detection_probability({}, threshold, 100.0), 0.0);
  EXPECT_TRUE(std::isinf(threshold.force));
}

TEST(ForceFloor, IsTheDeviationOfOneAxis) { EXPECT_NEAR(force_floor(white_floor(100000)), kDeviation, 0.02); }

}  // namespace
}  // namespace tauhat
