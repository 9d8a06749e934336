// The force experiment on an arm of seven joints: a Franka Emika Panda by its maker's geometry and the bodies that Gaz
// et al. (2019) published, rounded, with the actuators and the controller of the TX40. (What the filter can see is set
// by inertia times the encoders' noise: with 0.1, 0.1 and 0.05 kg m^2 at the wrist's motors and heavier bodies it
// was 1.26 N.) The limit is the TX40's; away from the steps the filter's deviations hold.
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
  Draw draw(7);  // of bodies that are replaced
  PushedArm<kSeven> arm;
  arm.robot = panda(draw);
  // Mass in kg, centre in m, moment about it xx xy xz yy yz zz in kg m^2.
  struct Body {
    double mass;
    Vector<double, 3> centre;
    Vector<double, 6> moment;
  };
  const Body bodies[kSeven] = {
      {4.97, {0.004, 0.002, -0.175}, {0.7034, -0.0001, 0.0068, 0.7066, 0.0192, 0.0091}},
      {0.65, {-0.003, -0.029, 0.003}, {0.0080, -0.0039, 0.0103, 0.0281, 0.0007, 0.0260}},
      {3.23, {0.028, 0.039, -0.067}, {0.0372, -0.0048, -0.0114, 0.0362, -0.0128, 0.0108}},
      {3.59, {-0.053, 0.104, 0.027}, {0.0259, 0.0078, -0.0013, 0.0196, 0.0086, 0.0283}},
      {1.23, {-0.012, 0.041, -0.038}, {0.0355, -0.0021, -0.0040, 0.0295, 0.0002, 0.0086}},
      {1.67, {0.060, -0.014, -0.011}, {0.0020, 0.0001, -0.0012, 0.0044, 0.0003, 0.0054}},
      {0.74, {0.011, -0.004, 0.062}, {0.0125, -0.0004, -0.0012, 0.0100, -0.0007, 0.0048}},
  };
  for (int i = 0; i < kSeven; ++i) {
    const Vector<double, 6>& m = bodies[i].moment;
    const Matrix<double, 3> moment =
        (Matrix<double, 3>() << m[0], m[1], m[2], m[1], m[3], m[4], m[2], m[4], m[5]).finished();
    const Placement<double> centre{Matrix<double, 3>::Identity(), bodies[i].centre};
    arm.robot.set_link(i, LinkInertia<double>::from_centre_of_mass(bodies[i].mass, centre, moment));
  }
  // Actuators and controller of the TX40, an elbow more.
  const auto of_tx40 = [](auto member) {
    Joint values;
    for (int i = 0; i < kSeven; ++i) values[i] = kTable[static_cast<std::size_t>(i < 3 ? i : i - 1)].*member;
    return values;
  };
  arm.robot.actuator_inertia() = of_tx40(&ArmRow::actuator_inertia);
  arm.friction.viscous = of_tx40(&ArmRow::viscous);
  arm.friction.coulomb = of_tx40(&ArmRow::coulomb);
  arm.motion = {joints({0.2, 0.4, -0.2, -1.7, 0.3, 1.9, 0.5}), joints({0.4, 0.3, 0.3, 0.3, 0.4, 0.35, 0.6}),
                2.0 * std::numbers::pi * joints({0.23, 0.31, 0.27, 0.37, 0.29, 0.41, 0.33}),
                joints({0.3, 1.1, 0.5, 2.0, 0.7, 1.7, 2.6})};
  arm.position_gain = joints({4000.0, 4000.0, 2000.0, 2000.0, 600.0, 600.0, 300.0});
  arm.velocity_gain = joints({120.0, 120.0, 50.0, 50.0, 12.0, 12.0, 4.0});
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
  for (const std::uint64_t seed : {9001u, 9002u}) {
    const SevenJointRun result = run(seed);
    EXPECT_LE(result.errors.force, 1.25) << seed;
    EXPECT_GE(result.coverage, 0.95) << seed;
  }
}

}  // namespace
}  // namespace tauhat::pyrhonen
