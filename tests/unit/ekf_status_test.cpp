// What the filter says of each step, and that a bad sample never touches the belief.
#include <gtest/gtest.h>

#include <limits>

#include "support/drives.hpp"

namespace tauhat {
namespace {

using Drive = TwoMassDrive<double>;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kInterval = 5e-4;

Vector<double, 1> torque(double value) { return Vector<double, 1>(value); }

struct EkfStatus : testing::Test {
  HovlandFilter filter{hovland_drive(), hovland_prior()};
  Gaussian<double, 5> before;

  // A belief in mid-run, with correlations.
  EkfStatus() {
    for (int k = 0; k < 10; ++k) {
      filter.correct({Drive::motor_velocity_output, 0.1 * k, 0.01});
      filter.correct({Drive::load_velocity_output, 0.05 * k, 0.01});
      filter.predict(torque(0.5), kInterval);
    }
    before = filter.belief();
  }
  bool unchanged() const { return same_bits(filter.belief(), before); }
  StepStatus correct(double value, double variance) {
    return filter.correct({Drive::motor_velocity_output, value, variance}).status;
  }
};

TEST_F(EkfStatus, MissingSampleChangesNothing) {
  EXPECT_EQ(correct(kNan, 0.01), StepStatus::missing);
  EXPECT_EQ(correct(kInfinity, 0.01), StepStatus::missing);
  EXPECT_TRUE(unchanged());
  EXPECT_EQ(filter.stage(), Stage::predicted);
  EXPECT_EQ(Correction<double>{}.nis(), 0.0);  // and says nothing of the filter
  EXPECT_EQ(Correction<double>{}.log_likelihood(), 0.0);
}

TEST_F(EkfStatus, GatedSampleChangesNothing) {
  filter.set_gate(9.0);
  const auto refused = filter.correct({Drive::motor_velocity_output, 50.0, 0.01});
  EXPECT_EQ(refused.status, StepStatus::gated);
  EXPECT_GT(refused.nis(), 9.0);  // and says by how much
  EXPECT_TRUE(unchanged());
  EXPECT_EQ(filter.stage(), Stage::predicted);
}

// The gate is on the NIS: just inside it, a sample counts; just outside, it does not.
TEST_F(EkfStatus, GateIsTheNormalisedInnovationSquared) {
  filter.set_gate(9.0);
  const double s = before.covariance()(2, 2) + 0.01;
  EXPECT_EQ(correct(before.mean[2] + 3.001 * std::sqrt(s), 0.01), StepStatus::gated);
  EXPECT_EQ(correct(before.mean[2] + 2.999 * std::sqrt(s), 0.01), StepStatus::ok);
}

// Also between the sensors of one instant, where the last correction's rounding is still fresh.
TEST_F(EkfStatus, RefusedSampleChangesNothingAfterACorrection) {
  filter.set_gate(9.0);
  EXPECT_EQ(correct(before.mean[2] + 0.1, 0.01), StepStatus::ok);
  before = filter.belief();
  EXPECT_EQ(filter.correct({Drive::displacement_rate_output, 1e3, 0.01}).status, StepStatus::gated);
  EXPECT_TRUE(unchanged());
  EXPECT_EQ(filter.correct({Drive::displacement_rate_output, 0.0, -1.0}).status, StepStatus::innovation_not_positive);
  EXPECT_TRUE(unchanged());
  EXPECT_EQ(filter.predict(torque(std::numeric_limits<double>::max()), kInterval), StepStatus::diverged);
  EXPECT_TRUE(unchanged());
}

TEST_F(EkfStatus, NegativeOrMissingVarianceChangesNothing) {
  for (const double variance : {-0.01, -kInfinity, kNan}) {
    EXPECT_EQ(correct(1.0, variance), StepStatus::innovation_not_positive) << variance;
  }
  EXPECT_TRUE(unchanged());
}

// An infinite variance means that nothing was learnt; it must not turn into 0 * infinity.
TEST_F(EkfStatus, InfiniteVarianceChangesNothing) {
  EXPECT_EQ(correct(1.0, kInfinity), StepStatus::innovation_not_positive);
  EXPECT_TRUE(unchanged());
}

// A perfect sensor of an uncertain state is usable; of a state that is known already, it is not: S = 0.
TEST_F(EkfStatus, PerfectSensorNeedsAnUncertainState) {
  EXPECT_EQ(correct(1.0, 0.0), StepStatus::ok);
  EXPECT_NEAR(filter.belief().mean[2], 1.0, 1e-12);
  filter.reset({Vector<double, 5>::Zero(), Matrix<double, 5>::Zero()});
  before = filter.belief();
  EXPECT_EQ(correct(1.0, 0.0), StepStatus::innovation_not_positive);
  EXPECT_TRUE(unchanged());
}

TEST_F(EkfStatus, HoldsTheLastInputWhenTheNextIsMissing) {
  HovlandFilter other = filter;
  EXPECT_EQ(filter.predict(torque(kNan), kInterval), StepStatus::input_held);
  EXPECT_EQ(other.predict(torque(0.5), kInterval), StepStatus::ok);
  EXPECT_TRUE(same_bits(filter.belief(), other.belief()));
}

TEST_F(EkfStatus, NeedsAPositiveInterval) {
  for (const double interval : {0.0, -1e-3, kNan, kInfinity}) {
    EXPECT_EQ(filter.predict(torque(0.5), interval), StepStatus::interval_not_positive) << interval;
  }
  EXPECT_TRUE(unchanged());
}

TEST_F(EkfStatus, RefusesAPredictionThatOverflowsTheMean) {
  EXPECT_EQ(filter.predict(torque(std::numeric_limits<double>::max()), kInterval), StepStatus::diverged);
  EXPECT_TRUE(unchanged());
  EXPECT_EQ(filter.input(), torque(0.5));  // the torque that was refused is not held for the next step
}

// What a smoother is given then leads back over no step.
TEST_F(EkfStatus, RefusedPredictionHasTheIdentityAsItsTransition) {
  const PaddedMatrix<double, 5> identity = PaddedMatrix<double, 5>::Identity();
  PaddedMatrix<double, 5> transition;
  EXPECT_EQ(filter.predict(torque(0.5), kInterval, &transition), StepStatus::ok);
  EXPECT_NE(transition, identity);
  EXPECT_EQ(filter.predict(torque(0.5), -1.0, &transition), StepStatus::interval_not_positive);
  EXPECT_EQ(transition, identity);
  transition.setZero();
  EXPECT_EQ(filter.predict(torque(1e308), kInterval, &transition), StepStatus::diverged);
  EXPECT_EQ(transition, identity);
}

TEST_F(EkfStatus, RefusesAPredictionThatOverflowsTheCovariance) {
  filter.reset({Vector<double, 5>::Zero(), 1e307 * Matrix<double, 5>::Identity()});
  before = filter.belief();
  EXPECT_EQ(filter.predict(torque(0.5), 1.0), StepStatus::diverged);
  EXPECT_TRUE(unchanged());
}

// The torque follows the velocity a thousandfold: a velocity of 1e307 would mean a torque beyond all numbers.
TEST_F(EkfStatus, RefusesACorrectionThatOverflowsTheMean) {
  Matrix<double, 5> covariance = Matrix<double, 5>::Identity();
  covariance(2, 2) = 1e-4, covariance(4, 4) = 101.0, covariance(2, 4) = covariance(4, 2) = 0.1;
  filter.reset({Vector<double, 5>::Zero(), covariance});
  before = filter.belief();
  EXPECT_EQ(correct(1e307, 1e-9), StepStatus::diverged);
  EXPECT_TRUE(unchanged());
}

TEST_F(EkfStatus, SaysWhichStageTheBeliefIsAt) {
  EXPECT_EQ(filter.stage(), Stage::predicted);
  EXPECT_EQ(correct(1.0, 0.01), StepStatus::ok);
  EXPECT_EQ(filter.stage(), Stage::corrected);
  filter.predict(torque(0.5), kInterval);
  EXPECT_EQ(filter.stage(), Stage::predicted);
}

TEST_F(EkfStatus, ResetForgetsEverything) {
  filter.reset(hovland_prior());
  HovlandFilter fresh(hovland_drive(), hovland_prior());
  EXPECT_EQ(filter.stage(), Stage::corrected);
  EXPECT_EQ(filter.input(), fresh.input());
  for (int k = 0; k < 5; ++k) {
    for (HovlandFilter* each : {&filter, &fresh}) {
      each->predict(torque(0.1 * k), kInterval);
      each->correct({Drive::motor_velocity_output, 0.2 * k, 0.01});
    }
  }
  EXPECT_TRUE(same_bits(filter.belief(), fresh.belief()));
}

}  // namespace
}  // namespace tauhat
