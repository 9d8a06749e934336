// The force filter: its step against the arm's own motion, and what it does with pushes, silence and standstill.
#include "tauhat/core/robot/force_filter.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "support/pushed_arm.hpp"
#include "support/random.hpp"

namespace tauhat {
namespace {

using Filter = ForceFilter<double, 6, 3>;
using Model = Filter::Model;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Filter filter_of(const Arm& arm) { return {arm, arm_friction(), *arm.find_frame("flange"), arm_noise()}; }

struct Moving {
  Arm arm = pyrhonen::tx40();
  Arm::Vector position = bent_pose(), velocity = (Arm::Vector() << 0.4, -0.3, 0.5, 0.6, -0.4, 0.7).finished();
  Vector<double, 3> force{10.0, -6.0, 15.0};
};

// Uniform motion under a push, seen for so many milliseconds; encoders exact.
template <class AtEach>
void follow(const Moving& moving, Filter& filter, int steps, const AtEach& at_each) {
  const auto push = push_at_flange(moving.arm, moving.force);
  filter.start(moving.position, moving.velocity);
  for (int k = 0; k < steps; ++k) {
    const Arm::Vector q = moving.position + 1e-3 * k * moving.velocity;
    const auto done = filter.correct(q);
    const Arm::Vector torque = torque_against(moving.arm, arm_friction(), q, moving.velocity, push);
    filter.predict(torque, 1e-3);
    at_each(done);
  }
}

TEST(ForceModel, TransitionIsTheDerivativeOfTheStep) {
  const Moving moving;
  const Model model(moving.arm, arm_friction(), *moving.arm.find_frame("flange"), arm_noise(), WrenchAxes::world);
  Model::State x;
  x << moving.position, moving.velocity, moving.force;
  const Model::Input torque = Model::Input::Constant(3.0);
  const auto step = model.step(x, torque, 1e-4);
  for (int j = 0; j < Model::kStates; ++j) {
    Model::State shift = Model::State::Unit(j) * 1e-5;
    const Model::State slope =
        (model.step(x + shift, torque, 1e-4).mean - model.step(x - shift, torque, 1e-4).mean) / 2e-5;
    // The step is linearised where it begins: what its Jacobian changes over the step is of second order in it.
    EXPECT_LT((slope - step.step.transition.col(j).head<Model::kStates>()).cwiseAbs().maxCoeff(), 2e-4) << j;
  }
}

TEST(ForceModel, StepFollowsTheArm) {
  const Moving moving;
  const auto push = push_at_flange(moving.arm, moving.force);
  const Model model(moving.arm, arm_friction(), push.frame, arm_noise(), WrenchAxes::world);
  Model::State x;
  x << moving.position, moving.velocity, moving.force;
  const Arm::Vector torque = Arm::Vector::Constant(5.0);
  // Small steps of the truth.
  constexpr int kSubsteps = 2000;
  const double h = 1e-3 / kSubsteps;
  Arm::Vector q = moving.position, v = moving.velocity;
  for (int i = 0; i < kSubsteps; ++i) {
    const Arm::Vector half = q + h / 2.0 * v;
    const Arm::Vector acting = torque - arm_friction().torque(v);
    v += h * forward_dynamics(moving.arm, half, v, acting, push).acceleration;
    q = half + h / 2.0 * v;
  }
  const auto next = model.step(x, torque, 1e-3);
  EXPECT_LT((next.mean.head<6>() - q).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_LT((next.mean.segment<6>(6) - v).cwiseAbs().maxCoeff(), 1e-3);
}

TEST(ForceFilter, FindsAPushInMotion) {
  const Moving moving;
  Filter filter = filter_of(moving.arm);
  follow(moving, filter, 300, [](const auto& done) {
    for (int i = 0; i < 6; ++i) EXPECT_EQ(done.joint[i].status, StepStatus::ok);
    EXPECT_FALSE(done.at_rest.any());
  });
  const auto estimate = filter.force();
  EXPECT_LT((estimate.force - moving.force).norm(), 0.3);
  EXPECT_LT(estimate.standard_deviation(0), 2.0);
  const auto pose = pose_of(moving.arm, filter.positions());
  const Arm::Vector torque = external_torque(moving.arm, pose, push_at_flange(moving.arm, moving.force));
  EXPECT_LT((filter.external_torque().torque - torque).cwiseAbs().maxCoeff(), 0.2);
}

TEST(ForceFilter, InTheFramesAxesIsTheSameForceTurned) {
  const Moving moving;
  Filter world = filter_of(moving.arm);
  Filter turned(moving.arm, arm_friction(), *moving.arm.find_frame("flange"), arm_noise(), WrenchAxes::frame);
  follow(moving, world, 300, [](const auto&) {});
  follow(moving, turned, 300, [](const auto&) {});
  const auto pose = pose_of(moving.arm, world.positions());
  const Matrix<double, 3> axes = frame_placement(pose, *moving.arm.find_frame("flange")).rotation;
  // In the frame's axes a force that stays what it is in the world turns: it lags a little.
  EXPECT_LT((axes * turned.force().force - world.force().force).norm(), 1.0);
  EXPECT_LT((turned.external_torque().torque - world.external_torque().torque).cwiseAbs().maxCoeff(), 0.5);
}

TEST(ForceFilter, AtRestSaysThatFrictionHidesTheForce) {
  Moving moving;
  moving.velocity.setZero();
  moving.force.setZero();
  Filter filter = filter_of(moving.arm);
  bool rests = true;
  follow(moving, filter, 200, [&](const auto& done) { rests = rests && done.at_rest.any() && done.at_rest[5]; });
  EXPECT_TRUE(rests);
  // Joint 2 alone hides 7.8 N m at less than 0.6 m from the flange.
  const auto covariance = filter.belief().covariance().bottomRightCorner<3, 3>();
  EXPECT_LT(std::sqrt(covariance.trace()), 10.0);
  EXPECT_GT(std::sqrt(filter.force().covariance.trace()), 13.0);
  // Each hides its own, even joint 6, on whose axis the flange lies.
  for (int i = 0; i < 6; ++i)
    EXPECT_GE(filter.external_torque().standard_deviation(i), (1.0 - 1e-12) * arm_friction().coulomb[i]) << i;
}

TEST(ForceFilter, MissingEncodersAreLeftOutAndTheRestGoesOn) {
  const Moving moving;
  Filter filter = filter_of(moving.arm);
  follow(moving, filter, 300, [](const auto&) {});
  Arm::Vector q = filter.positions();
  q[2] = kNaN;
  const auto done = filter.correct(q);
  EXPECT_EQ(done.joint[2].status, StepStatus::missing);
  EXPECT_EQ(done.joint[3].status, StepStatus::ok);
  EXPECT_TRUE(filter.belief().mean.allFinite());
  EXPECT_EQ(filter.stage(), Stage::corrected);
}

TEST(ForceFilter, HoldsATorqueThatIsMissing) {
  const Moving moving;
  Filter filter = filter_of(moving.arm);
  follow(moving, filter, 300, [](const auto&) {});
  Filter told = filter;
  Arm::Vector torque = torque_against(moving.arm, arm_friction(), filter.positions(), moving.velocity,
                                      push_at_flange(moving.arm, moving.force));
  EXPECT_EQ(told.predict(torque, 1e-3), StepStatus::ok);
  torque[0] = kNaN;
  EXPECT_EQ(filter.predict(torque, 1e-3), StepStatus::input_held);
  EXPECT_LT((filter.belief().mean - told.belief().mean).cwiseAbs().maxCoeff(), 1e-2);
  EXPECT_EQ(filter.stage(), Stage::predicted);
}

TEST(ForceFilter, RefusesAStepThatWouldNotBeFinite) {
  Moving moving;
  Filter filter = filter_of(moving.arm);
  follow(moving, filter, 10, [](const auto&) {});
  const auto before = filter.belief().mean;
  EXPECT_EQ(filter.predict(Arm::Vector::Zero(), -1e-3), StepStatus::interval_not_positive);
  moving.arm.actuator_inertia().setConstant(-10.0);
  Filter impossible = filter_of(moving.arm);
  EXPECT_EQ(impossible.predict(Arm::Vector::Zero(), 1e-3), StepStatus::diverged);
  EXPECT_EQ(filter.belief().mean, before);
}

TEST(ForceFilter, GatesAnEncoderThatJumps) {
  const Moving moving;
  Filter filter = filter_of(moving.arm);
  follow(moving, filter, 300, [](const auto&) {});
  filter.set_gate(30.0);
  Arm::Vector q = filter.positions();
  q[1] += 0.1;
  const auto done = filter.correct(q);
  EXPECT_EQ(done.joint[1].status, StepStatus::gated);
  EXPECT_EQ(done.joint[2].status, StepStatus::ok);
}

// Without an intensity the force is one number: the longer the record, the surer.
TEST(ForceFilter, AConstantForceIsKnownBetterAndBetter) {
  const Moving moving;
  auto noise = arm_noise();
  noise.force_walk = 0.0;
  Filter filter(moving.arm, arm_friction(), *moving.arm.find_frame("flange"), noise);
  follow(moving, filter, 100, [](const auto&) {});
  const double early = filter.force().standard_deviation(2);
  follow(moving, filter, 400, [](const auto&) {});
  EXPECT_LT(filter.force().standard_deviation(2), 0.6 * early);
  EXPECT_LT((filter.force().force - moving.force).norm(), 0.2);
}

}  // namespace
}  // namespace tauhat
