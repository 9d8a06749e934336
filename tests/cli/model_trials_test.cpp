// Trials on the model alone: how an estimate follows a link that unknown friction shakes, and how a loop damps it.
#include <gtest/gtest.h>

#include <Eigen/LU>

#include <cmath>
#include <numbers>

#include "support/joint_specs.hpp"
#include "tauhat/offline/joint/damping_trial.hpp"
#include "tauhat/offline/joint/error_response.hpp"
#include "tauhat/offline/joint/followed_swing.hpp"
#include "tauhat/offline/joint/joint_estimator.hpp"
#include "tauhat/offline/joint/sample_response.hpp"

namespace tauhat {
namespace {

constexpr double kPeriod = kJointPeriod, kVariance = kJointVariance;
using std::numbers::pi;

// The axis, and another that nothing couples to it.
AxesSpec two_apart() {
  AxesSpec spec;
  spec.names = {"first", "second"};
  spec.motor_inertia = {7e-4, 3e-4}, spec.motor_viscous = {0.008, 0.004}, spec.ratio = {120.0, 100.0};
  spec.stiffness = {1.2e5, 3e4}, spec.damping = {80.0, 12.0}, spec.load_viscous = {2.0, 0.5};
  spec.mass = Eigen::Vector2d(14.3854, 2.7927).asDiagonal();
  spec.pose = {0.0, 0.0};
  return spec;
}

// (z - Phi)^-1 Gamma, of the first motor's torque.
Eigen::VectorXcd shaken(const ModelAxes& model, std::complex<double> z) {
  Eigen::MatrixXcd resolvent = -model.step.transition.cast<std::complex<double>>();
  resolvent.diagonal().array() += z;
  return resolvent.partialPivLu().solve(model.step.by_input.col(0).cast<std::complex<double>>());
}

// Two ways to one number: what follows is what the error leaves, v^ / v = 1 - error / v.
TEST(FollowedSwing, IsWhatTheErrorLeaves) {
  const JointSpec spec = single_axis();
  const ModelAxes model = model_axes(spec, kPeriod);
  for (const bool predicts : {false, true}) {
    ObserverSpec observer = kalman_observer(predicts);
    observer.with_neighbour = false;
    const auto estimator = make_joint_estimator(spec, observer, kPeriod, kVariance);
    const auto response = sample_response(*estimator, spec.joint.ratio, kPeriod, kVariance);
    ASSERT_TRUE(response);
    for (const double frequency : {5.0, 14.5, 40.0}) {
      const auto swing = followed_swing(model, 0, frequency, [&](std::complex<double> z, const Eigen::VectorXcd& y) {
        return response->at(z) * y[0];
      });
      const ErrorResponse error = error_response(spec, observer, kPeriod, kVariance, {frequency});
      // A disturbance takes away from the motor's torque.
      const std::complex<double> z = std::polar(1.0, 2.0 * pi * frequency * kPeriod),
                                 link = -shaken(model, z)[model.axes[0].load_velocity];
      EXPECT_LT(std::abs(swing.ratio - (1.0 - error.by_motor_torque[0] / link)), 1e-4) << frequency << predicts;
    }
  }
}

// A velocity that comes three samples late.
TEST(FollowedSwing, FindsADelay) {
  const ModelAxes model = model_axes(single_axis(), kPeriod);
  const auto late = [&](std::complex<double> z, const Eigen::VectorXcd&) {
    return shaken(model, z)[model.axes[0].load_velocity] * std::pow(z, -3);
  };
  const FollowedSwing swing = followed_swing(model, 0, 14.5, late);
  EXPECT_NEAR(swing.delay, 3.0 * kPeriod, 1e-9);
  EXPECT_NEAR(swing.phase_lag(), 2.0 * pi * 14.5 * 3.0 * kPeriod, 1e-9);
  // Motor and link swing against each other above the resonance of a held motor.
  EXPECT_GT(followed_swing(model, 0, 16.0, naive_estimate(model, 0)).missed(), 1.0);
}

// An axis that no other shakes is damped as if it were alone, whichever stands beside it.
TEST(DampingTrial, OfAxesApartIsThatOfEach) {
  const ModelAxes alone = model_axes(single_axis(), kPeriod), beside = model_axes(two_apart(), kPeriod);
  const DampingTrial one = plan_damping_trial(alone, 0), first = plan_damping_trial(beside, 0),
                     second = plan_damping_trial(beside, 1);
  EXPECT_EQ(one.gain, first.gain);
  EXPECT_NEAR(one.without, first.without, 1e-9);
  EXPECT_NEAR(one.with_truth, first.with_truth, 1e-9);
  EXPECT_GT(one.with_truth, one.without);
  EXPECT_EQ(second.axis, 1u);
  EXPECT_GT(std::abs(second.without - first.without), 1e-3);
}

}  // namespace
}  // namespace tauhat
