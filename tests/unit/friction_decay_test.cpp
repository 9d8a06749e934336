#include "tauhat/offline/robot/friction_decay.hpp"

#include <gtest/gtest.h>

#include "support/robot_records.hpp"

namespace tauhat {
namespace {

// The TX40 with friction that falls with speed: a third more at standstill, gone at some 0.3 rad/s.
RobotSpec falling_arm(SlidingLaw law) {
  RobotSpec spec = tx40_spec();
  spec.terms.law = law;
  for (RobotJoint& joint : spec.joints) {
    joint.friction.excess = joint.friction.coulomb / 3.0;
    joint.friction.decay = law == SlidingLaw::hyperbolic ? 8.0 : 4.0;
    spec.terms.decay.push_back(10.0);  // what the fit is told beforehand
  }
  return spec;
}

class FrictionDecay : public testing::TestWithParam<SlidingLaw> {};

TEST_P(FrictionDecay, IsFoundWithItsExcessInEveryJoint) {
  const RobotSpec truth = falling_arm(GetParam());
  int outside = 0, all = 0;
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const std::vector<RobotRecord> records{tx40_record(seed, 0.0, 0.05, truth)};
    const RobotSpec fitted = with_fitted_decay(truth, records);
    const RobotIdentification identification(fitted);
    const RobotFit fit = identification.fit(records);
    for (int j = 0; j < truth.count(); ++j) {
      const auto decay = fitted_decay(identification, fit, j);
      ASSERT_TRUE(decay.has_value()) << j;
      const double right = truth.joints[static_cast<std::size_t>(j)].friction.decay;
      EXPECT_NEAR(decay->value, right, 0.25 * right) << "joint " << j + 1 << ", seed " << seed;
      outside += std::abs(decay->value - right) > 1.96 * decay->std ? 1 : 0;
      ++all;
    }
  }
  EXPECT_LE(outside, 4) << "of " << all;  // 5 % of 18 would be 1; more than 4 in one of a hundred thousand runs
}

TEST_P(FrictionDecay, IsNotInventedWhereNothingFalls) {
  RobotSpec robot = falling_arm(GetParam());
  for (RobotJoint& joint : robot.joints) joint.friction.excess = 0.0;
  const std::vector<RobotRecord> records{tx40_record(4, 0.0, 0.05, robot)};
  const RobotSpec fitted = with_fitted_decay(robot, records);
  const RobotIdentification identification(fitted);
  const RobotFit fit = identification.fit(records);
  int invented = 0;
  for (int j = 0; j < robot.count(); ++j) invented += fitted_decay(identification, fit, j).has_value() ? 1 : 0;
  EXPECT_LE(invented, 1);
}

INSTANTIATE_TEST_SUITE_P(Laws, FrictionDecay,
                         testing::Values(SlidingLaw::exponential, SlidingLaw::stribeck, SlidingLaw::hyperbolic),
                         [](const auto& of) { return std::string(kSlidingLaws[static_cast<std::size_t>(of.param)]); });

}  // namespace
}  // namespace tauhat
