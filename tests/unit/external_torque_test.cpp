// The momentum observer and the disturbance filter: torques and forces of the environment, and how sure they are.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/pushed_arm.hpp"
#include "support/random.hpp"
#include "tauhat/core/robot/disturbance_filter.hpp"
#include "tauhat/core/robot/momentum_observer.hpp"

namespace tauhat {
namespace {

constexpr double kPeriod = 1e-3;
using Observer = MomentumObserver<double, 6>;
using Filter = DisturbanceFilter<double, 6>;

Observer observer_of(const Arm& arm) {
  MomentumObserverSettings<double, 6> settings(6);
  settings.position_noise.setConstant(1.745e-5);
  settings.torque_noise.setConstant(0.05);
  return {arm, arm_friction(), settings};
}

Filter filter_of(const Arm& arm) {
  DisturbanceNoise<double, 6> noise(6);
  noise.position.setConstant(1.745e-5);
  noise.torque.setConstant(0.05);
  noise.walk << 10.0, 10.0, 6.0, 2.0, 2.0, 1.0;
  return {arm, arm_friction(), noise};
}

const Arm::Vector kVelocity = (Arm::Vector() << 0.4, -0.3, 0.5, 0.6, -0.4, 0.7).finished();

// Uniform motion under a push, for so many milliseconds.
template <class Estimator, class AtEach>
void follow(const Arm& arm, const Vector<double, 3>& force, Estimator& estimator, int steps, Draw* noise,
            const AtEach& at_each) {
  const auto draw = [&](double deviation) {
    return noise == nullptr ? Arm::Vector(Arm::Vector::Zero()) : Arm::Vector(deviation * noise->matrix<double, 6>());
  };
  estimator.start(bent_pose() - kPeriod * kVelocity, kVelocity);
  for (int k = 0; k < steps; ++k) {
    const Arm::Vector q = bent_pose() + kPeriod * k * kVelocity;
    estimator.correct(q + draw(1.745e-5));
    at_each();
    // Held for the next period: that of its middle.
    const Arm::Vector middle = q + kPeriod / 2.0 * kVelocity;
    estimator.predict(torque_against(arm, arm_friction(), middle, kVelocity, push_at_flange(arm, force)) + draw(0.05));
  }
}

template <class Estimator>
void expect_to_find_the_push(Estimator estimator) {
  const Arm arm = pyrhonen::tx40();
  const Vector<double, 3> force(10.0, -6.0, 15.0);
  follow(arm, force, estimator, 400, nullptr, [] {});
  const auto push = push_at_flange(arm, force);
  const Arm::Vector expected = external_torque(arm, pose_of(arm, estimator.balance().positions()), push);
  EXPECT_LT((estimator.external_torque().torque - expected).cwiseAbs().maxCoeff(), 0.3);
  const auto found = estimator.template force<3>(push.frame, Vector<double, 3>::Constant(1e4));
  EXPECT_LT((found.force - force).norm(), 0.8);
}

TEST(MomentumObserver, FindsAPush) { expect_to_find_the_push(observer_of(pyrhonen::tx40())); }
TEST(DisturbanceFilter, FindsAPush) { expect_to_find_the_push(filter_of(pyrhonen::tx40())); }

// The torque that appears between two samples grows by 1 - exp(-K t).
TEST(MomentumObserver, IsALowPassOfItsGain) {
  const Arm arm = pyrhonen::tx40();
  Observer observer = observer_of(arm);
  double at_time_constant = 0.0, late = 0.0;
  int k = 0;
  follow(arm, {0.0, 0.0, 20.0}, observer, 400, nullptr, [&] {
    if (++k == 17) at_time_constant = observer.residual()[1];  // 1 / 60 s
    late = observer.residual()[1];
  });
  EXPECT_NEAR(at_time_constant / late, 1.0 - std::exp(-1.0), 0.08);
}

// Without a push what remains is noise, as large as the covariance says.
template <class Estimator>
void expect_deviations_as_stated(Estimator estimator, double least, double most) {
  const Arm arm = pyrhonen::tx40();
  Draw draw(21);
  Arm::Vector sum = Arm::Vector::Zero(), square = sum, stated = sum;
  double count = 0.0;
  for (int run = 0; run < 20; ++run) {
    int k = 0;
    follow(arm, Vector<double, 3>::Zero(), estimator, 600, &draw, [&] {
      if (++k < 200) return;
      const auto external = estimator.external_torque();
      sum += external.torque;
      square += external.torque.cwiseAbs2();
      stated += external.covariance.diagonal();
      count += 1.0;
    });
  }
  const Arm::Vector mean = sum / count, variance = square / count - mean.cwiseAbs2();
  for (int i = 0; i < 6; ++i) {
    EXPECT_LT(std::abs(mean[i]), 0.3) << i;
    EXPECT_GT(variance[i] / (stated[i] / count), least) << i;
    EXPECT_LT(variance[i] / (stated[i] / count), most) << i;
  }
}

TEST(MomentumObserver, ResidualVariesAsItsCovarianceSays) {
  expect_deviations_as_stated(observer_of(pyrhonen::tx40()), 0.8, 1.25);
}

// Its random walk never comes in this motion, so it is surer than it says.
TEST(DisturbanceFilter, VariesLessThanItsCovarianceSays) {
  expect_deviations_as_stated(filter_of(pyrhonen::tx40()), 0.0, 1.0);
}

TEST(MomentumObserver, WaitsForMissingPositionsAndHoldsMissingTorques) {
  Observer observer = observer_of(pyrhonen::tx40());
  observer.start(bent_pose(), kVelocity);
  Arm::Vector hole = bent_pose();
  hole[3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(observer.correct(hole), StepStatus::missing);
  EXPECT_EQ(observer.predict(hole), StepStatus::input_held);
  EXPECT_TRUE(observer.residual().allFinite());
  EXPECT_EQ(observer.correct(bent_pose()), StepStatus::ok);
}

TEST(DisturbanceFilter, WaitsForMissingPositionsAndHoldsMissingTorques) {
  Filter filter = filter_of(pyrhonen::tx40());
  filter.start(bent_pose(), kVelocity);
  Arm::Vector hole = bent_pose();
  hole[3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(filter.correct(hole), StepStatus::missing);
  EXPECT_EQ(filter.predict(hole), StepStatus::input_held);
  EXPECT_TRUE(filter.external_torque().torque.allFinite());
}

TEST(MomentumObserver, AtRestCarriesTheCoulombTorqueInItsCovariance) {
  Observer observer = observer_of(pyrhonen::tx40());
  observer.start(bent_pose(), Arm::Vector::Zero());
  EXPECT_TRUE(observer.balance().at_rest()[0]);
  EXPECT_GT(observer.external_torque().standard_deviation(0), arm_friction().coulomb[0]);
  observer.start(bent_pose(), kVelocity);
  EXPECT_FALSE(observer.balance().at_rest().any());
  EXPECT_LT(observer.external_torque().standard_deviation(0), 1.0);
}

// With the wrist stretched, axes 4 and 6 are one: no torque tells a moment about the normal of the wrist's plane.
TEST(TorqueToForce, AtASingularPoseKeepsWhatWasKnownBefore) {
  const Arm arm = pyrhonen::tx40();
  Arm::Vector position = bent_pose();
  position[4] = 0.0;
  const auto jacobian = frame_jacobian(arm, pose_of(arm, position), *arm.find_frame("flange"));
  Vector<double, 6> prior;
  prior << 1e4, 1e4, 1e4, 25.0, 25.0, 25.0;
  const Arm::Matrix noise = 0.01 * Arm::Matrix::Identity();
  const TorqueToForce<double, 6, 6> to_force(jacobian, noise, prior);
  ASSERT_TRUE(to_force.is_defined);
  const auto estimate = to_force(Arm::Vector::Constant(0.1));
  EXPECT_LT(estimate.force.head<3>().norm(), 10.0);
  EXPECT_LT(estimate.force.tail<3>().norm(), 5.0);
  EXPECT_GT(estimate.covariance.diagonal().tail<3>().sum(), 1.0);
  EXPECT_LE(estimate.covariance(3, 3), 25.0);
}

TEST(TorqueToForce, InvertsTheTorquesOfAForce) {
  const Arm arm = pyrhonen::tx40();
  const auto pose = pose_of(arm, bent_pose());
  const Vector<double, 3> force(3.0, -7.0, 11.0);
  const auto push = push_at_flange(arm, force);
  const TorqueToForce<double, 6, 3> to_force(frame_jacobian(arm, pose, push.frame), Arm::Matrix::Identity(),
                                             Vector<double, 3>::Constant(1e12));
  EXPECT_LT((to_force(external_torque(arm, pose, push)).force - force).norm(), 1e-8);
}

// The controller's velocity: a ramp of positions comes out as its slope, and noise as the gain says.
TEST(FilteredVelocity, OfARampIsItsSlopeAndStartsThere) {
  FilteredVelocity<double, 2> filter(100.0, kPeriod, 2);
  const Vector<double, 2> slope(0.7, -2.0);
  filter.start(Vector<double, 2>::Zero(), slope);
  for (int k = 1; k < 50; ++k) EXPECT_LT((filter.step(kPeriod * k * slope) - slope).norm(), 1e-12);
}

TEST(FilteredVelocity, NoiseGainIsTheVarianceOfWhiteSamples) {
  FilteredVelocity<double, 1> filter(100.0, kPeriod, 1);
  Draw draw(8);
  double square = 0.0;
  constexpr int kSamples = 200000;
  for (int k = 0; k < kSamples; ++k) square += std::pow(filter.step(draw.matrix<double, 1>())[0], 2);
  const double gain = FilteredVelocity<double, 1>::noise_gain(100.0, kPeriod);
  EXPECT_NEAR(square / kSamples / gain, 1.0, 0.02);
}

}  // namespace
}  // namespace tauhat
