// The force experiment on an arm of seven joints: the geometry of a Panda, with bodies and actuators of its size. The
// limit is the TX40's; and away from the steps the filter's deviations hold.
#include <gtest/gtest.h>

#include <cmath>

#include "support/robots.hpp"
#include "tauhat/core/robot/force_filter.hpp"
#include "tauhat/offline/reproduce/pyrhonen_force.hpp"

namespace tauhat::pyrhonen {
namespace {

constexpr int kSeven = 7;
using Joint = JointVector<double, kSeven>;

Joint joints(std::initializer_list<double> values) { return Joint(values.begin()); }

PushedArm<kSeven> seven_joints() {
  Draw draw(7);
  PushedArm<kSeven> arm;
  arm.robot = panda(draw);
  const Joint mass = joints({5.0, 3.0, 3.0, 3.5, 2.0, 1.7, 0.7});  // kg
  for (int i = 0; i < kSeven; ++i) {
    const Placement<double> centre{Matrix<double, 3>::Identity(), {0.01, i % 2 == 0 ? 0.0 : -0.05, -0.05}};
    arm.robot.set_link(
        i, LinkInertia<double>::from_centre_of_mass(mass[i], centre, 0.005 * mass[i] * Matrix<double, 3>::Identity()));
  }
  arm.robot.actuator_inertia() = joints({0.4, 0.4, 0.3, 0.3, 0.1, 0.1, 0.05});
  arm.friction.viscous = joints({5.0, 5.0, 3.0, 3.0, 1.0, 1.0, 0.7});
  arm.friction.coulomb = joints({4.0, 4.0, 3.0, 3.0, 1.5, 1.5, 1.0});
  arm.motion = {joints({0.2, 0.4, -0.2, -1.7, 0.3, 1.9, 0.5}), joints({0.4, 0.3, 0.3, 0.3, 0.4, 0.35, 0.6}),
                2.0 * std::numbers::pi * joints({0.23, 0.31, 0.27, 0.37, 0.29, 0.41, 0.33}),
                joints({0.3, 1.1, 0.5, 2.0, 0.7, 1.7, 2.6})};
  arm.position_gain = joints({4000.0, 4000.0, 2000.0, 2000.0, 600.0, 600.0, 300.0});
  arm.velocity_gain = joints({120.0, 120.0, 60.0, 60.0, 15.0, 15.0, 6.0});
  arm.frame = *arm.robot.find_frame("flange");
  arm.wrench = [](double time) { return pushing_wrench(time, false); };
  return arm;
}

struct SevenJointRun {
  WrenchErrors errors;
  double coverage;  // of two deviations, per axis, 50 ms and more behind a step of the force
};

bool near_a_step(double time) {
  for (const double edge : {1.0, 2.5, 4.5, 5.0, 6.0, 6.2, 7.2})
    if (time > edge - 1e-9 && time < edge + 0.05) return true;
  return time < 0.3;
}

SevenJointRun run(std::uint64_t seed) {
  const PushedArm<kSeven> arm = seven_joints();
  const auto samples = record(arm, seed);
  ForceNoise<double, kSeven> noise(kSeven);
  noise.position.setConstant(kPositionNoise);
  noise.torque.setConstant(kTorqueNoise);
  ForceFilter<double, kSeven, 3> filter(arm.robot, arm.friction, arm.frame, noise);
  filter.start(samples.front().position, samples.front().velocity);
  Wrenches estimates;
  double inside = 0.0, count = 0.0;
  for (const auto& sample : samples) {
    filter.correct(sample.measured_position);
    Vector<double, 6> wrench = Vector<double, 6>::Zero();
    wrench.head<3>() = filter.belief().mean.tail<3>();
    if (!near_a_step(kPeriod * static_cast<double>(estimates.size()))) {
      const Vector<double, 3> deviation = filter.belief().covariance().bottomRightCorner<3, 3>().diagonal().cwiseSqrt();
      for (int axis = 0; axis < 3; ++axis)
        inside += std::abs(wrench[axis] - sample.wrench[axis]) < 2.0 * deviation[axis] ? 1.0 : 0.0;
      count += 3.0;
    }
    estimates.push_back(wrench);
    filter.predict(sample.measured_torque, kPeriod);
  }
  return {errors_of(samples, estimates), inside / count};
}

TEST(PyrhonenForce, CarriesOverToAnArmOfSevenJoints) {
  for (const std::uint64_t seed : {9001, 9002}) {
    const SevenJointRun result = run(seed);
    EXPECT_LE(result.errors.force, 1.25) << seed;
    EXPECT_GE(result.coverage, 0.95) << seed;
  }
}

}  // namespace
}  // namespace tauhat::pyrhonen
