// The force experiment of Pyrhonen et al. on seeds that nothing was tuned on, and what the limits carry over to.
#include "tauhat/offline/reproduce/pyrhonen_force.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tauhat::pyrhonen {
namespace {

constexpr std::uint64_t kSeeds[] = {9001, 9002};

TEST(PyrhonenForce, ReachesTheFiguresWithTheTrueArm) {
  double filter = 0.0, observer = 0.0;
  for (const std::uint64_t seed : kSeeds) {
    const RunFigures figures = force_figures(seed, true_model());
    EXPECT_LE(figures.at("force.true.rmse"), 1.25) << seed;
    EXPECT_LE(figures.at("force.delay"), 9.0) << seed;
    EXPECT_LE(figures.at("wrench.force_rmse"), 1.4) << seed;
    EXPECT_LE(figures.at("wrench.moment_rmse"), 0.09) << seed;
    filter += figures.at("force.true.rmse");
    observer += figures.at("force.momentum_observer.rmse");
  }
  EXPECT_LE(filter / observer, 0.8);
}

WrenchErrors errors_with(const ArmModel& model, const PushedArm<kJoints>& arm, std::uint64_t seed, int axes) {
  const ForceRecord samples = record(arm, seed);
  return errors_of(samples, filtered_wrench(model, arm.frame, samples, axes));
}

// 2 kg, 8 cm in front of the flange, in the plant and in the filter's model.
TEST(PyrhonenForce, CarriesOverToAPayloadThatIsModelled) {
  ArmModel model = true_model();
  LinkInertia<double> last = model.arm.link(kJoints - 1);
  const Placement<double> held{Matrix<double, 3>::Identity(), {0.01, -0.02, kFlangeDistance + 0.08}};
  last += LinkInertia<double>::from_centre_of_mass(2.0, held, 0.004 * Matrix<double, 3>::Identity());
  model.arm.set_link(kJoints - 1, last);
  for (const std::uint64_t seed : kSeeds) EXPECT_LE(errors_with(model, pushed_arm(model, false), seed, 3).force, 1.4);
}

// On the forearm, in front of the wrist: three joints and a half carry it.
TEST(PyrhonenForce, CarriesOverToAForceOnAnotherLink) {
  const ArmModel model = true_model();
  PushedArm<kJoints> arm = pushed_arm(model, false);
  arm.frame = {FrameName("forearm"), 3, {Matrix<double, 3>::Identity(), {0.05, 0.0, -0.05}}};
  for (const std::uint64_t seed : kSeeds) EXPECT_LE(errors_with(model, arm, seed, 3).force, 1.6);
}

// Joint 5 swings through zero, where axes 4 and 6 are one and a direction of the wrench is lost.
TEST(PyrhonenForce, CoastsThroughAWristSingularity) {
  const ArmModel model = true_model();
  PushedArm<kJoints> arm = pushed_arm(model, true);
  arm.motion.middle[4] = 0.0;
  for (const std::uint64_t seed : kSeeds) {
    const WrenchErrors errors = errors_with(model, arm, seed, 6);
    EXPECT_LE(errors.force, 1.5) << seed;
    EXPECT_LE(errors.moment, 0.14) << seed;
    EXPECT_LE(errors.force_peak, 45.0) << seed;
  }
}

}  // namespace
}  // namespace tauhat::pyrhonen
