// Where the motor's velocity over the ratio is nearer to the link's than an observer, and why.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tauhat/offline/joint/naive_check.hpp"
#include "tauhat/offline/joint/velocity_quality.hpp"

namespace tauhat {
namespace {

using testing::HasSubstr;

constexpr double kPeriod = 1e-3;
constexpr std::size_t kSamples = 4000;

// A motor that travels at 0.5 Hz, and a link that swings by `swing` rad/s at 12 Hz beside it.
struct Motion {
  std::vector<double> motor_position, naive, link, swing;

  explicit Motion(double amplitude) {
    for (std::size_t k = 0; k < kSamples; ++k) {
      const double t = kPeriod * static_cast<double>(k), slow = std::numbers::pi;
      motor_position.push_back(std::sin(slow * t));
      swing.push_back(amplitude * std::sin(2.0 * std::numbers::pi * 12.0 * t));
    }
    naive = central_velocity(motor_position, 1.0, kPeriod);
    for (std::size_t k = 0; k < kSamples; ++k) link.push_back(naive[k] + swing[k]);
  }

  std::optional<Diagnostic> said_of(const std::vector<double>& estimate) const {
    const JudgedBy by{link, 0, kPeriod};
    const NaiveVelocity judged = judge_naive(naive, motor_position, 1.0, by);
    return compare_with_naive({{"kalman", &estimate, fit_percent(link, estimate, 0)}}, judged, by);
  }
};

TEST(NaiveCheck, AnObserverThatSeesTheSwingIsNotBlamed) {
  const Motion motion(0.1);
  std::vector<double> estimate = motion.naive;
  for (std::size_t k = 0; k < kSamples; ++k) estimate[k] += 0.8 * motion.swing[k];
  EXPECT_FALSE(motion.said_of(estimate));
}

TEST(NaiveCheck, OneThatBendsTheOtherWayIsBlamedForIt) {
  const Motion motion(0.1);
  std::vector<double> estimate = motion.naive;
  for (std::size_t k = 0; k < kSamples; ++k) estimate[k] -= 0.5 * motion.swing[k];
  const auto said = motion.said_of(estimate);
  ASSERT_TRUE(said);
  EXPECT_EQ(said->name, "observer.worse_than_naive");
  EXPECT_EQ(said->severity, Severity::warning);
  EXPECT_THAT(said->message, HasSubstr("the link has 0 %"));
}

// 6 ms at 12 Hz are 26 degrees, and a tenth of what the slow motion changes by: in time it would be exact.
TEST(NaiveCheck, OneThatIsLateIsToldByHowMuch) {
  const Motion motion(0.02);
  const auto said = motion.said_of(shifted(motion.link, 6e-3, kPeriod));
  ASSERT_TRUE(said);
  EXPECT_THAT(said->message, HasSubstr("It comes 6 ms late"));
}

// What it adds is 4 % of what the reference has beside the motor: nothing that could be judged. The error is 1.04 times
// the naive one's, 7.1 mrad/s rms, that of the last two samples' velocity, half a period old, 7.9 mrad/s.
TEST(NaiveCheck, AJointThatHardlyBendsIsSaid) {
  const Motion motion(0.01);
  std::vector<double> estimate = motion.naive;
  for (std::size_t k = 0; k < kSamples; ++k) estimate[k] -= 0.04 * motion.swing[k];
  const auto said = motion.said_of(estimate);
  ASSERT_TRUE(said);
  EXPECT_EQ(said->severity, Severity::info);
  EXPECT_THAT(said->message, HasSubstr("hardly bends"));
}

}  // namespace
}  // namespace tauhat
