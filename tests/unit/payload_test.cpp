// What a robot carries, from a record without it and one with it.
#include "tauhat/offline/robot/payload.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/moved_robot.hpp"

namespace tauhat {
namespace {

constexpr int kJoints = 4, kHolds = 3;
constexpr RecordNoise kNoise{1e-5, 0.05};  // rad, N m

// 2 kg, its centre 0.1 m along x and 0.05 m along z of the last link, as compact as a cube of 0.1 m.
Eigen::VectorXd cube() {
  const double m = 2.0, x = 0.1, z = 0.05, own = m * 0.01 / 6.0;
  Eigen::VectorXd inertia(kInertialParameters);
  inertia << own + m * z * z, 0.0, -m * x * z, own + m * (x * x + z * z), 0.0, own + m * x * x, m * x, 0.0, m * z, m;
  return inertia;
}

// Between the records friction changes by a factor, and a body in the middle gains some mass, in kg m. All torques are
// known to a share of theirs, `gain_std`.
PayloadFit found(const MovedRobot& robot, std::uint64_t seed, double friction, double gained = 0.0,
                 double gain_std = 0.0) {
  const auto fitted = [&](const MovedRobot& moved, std::uint64_t of) {
    const RobotRecord record = moved.record(kNoise, of, 20.0);
    return fit_robot(sum_rows(MotionRowSource(record, moved.columns, moved.base, {})));
  };
  MovedRobot loaded = robot;
  loaded.parameters.segment(kInertialParameters * kHolds, kInertialParameters) += cube();
  loaded.parameters.tail(robot.columns.count() - robot.columns.inertial()) *= friction;
  loaded.parameters[kInertialParameters + 6] += gained;  // mX of the second link
  const RobotFit before = fitted(robot, seed), after = fitted(loaded, seed + 1000);
  return identify_payload(robot.columns, robot.base, before, after, kHolds,
                          gain_std * (after.base.values - before.base.values));
}

// What is told of it grows with all torques.
TEST(Payload, IsKnownNoBetterThanTheGains) {
  const PayloadFit fit = found(moved_robot(kJoints), 1, 1.0, 0.0, 0.02);
  EXPECT_NEAR(std::sqrt(fit.inputs(6, 6)), 0.02 * fit.parameters[6].value, 1e-9);
  EXPECT_NEAR(std::pow(fit.parameters[6].std, 2), std::max(1.0, fit.misfit) * fit.noise(6, 6) + fit.inputs(6, 6),
              1e-12);
}

TEST(Payload, IsTheDifferenceOfTwoRecords) {
  const MovedRobot robot = moved_robot(kJoints);
  const Eigen::VectorXd truth = cube();
  int held = 0, told = 0;
  double misfit = 0.0;
  constexpr int kSeeds = 20;
  for (int seed = 1; seed <= kSeeds; ++seed) {
    const PayloadFit fit = found(robot, static_cast<std::uint64_t>(seed), 1.0);
    ASSERT_EQ(fit.parameters.size(), std::size_t{kInertialParameters});
    for (std::size_t i = 0; i < fit.parameters.size(); ++i) {
      const PayloadParameter& p = fit.parameters[i];
      if (!p.is_told) continue;
      const double error = p.value - truth[static_cast<Eigen::Index>(i)];
      held += std::abs(error) < 1.96 * p.std;
      ++told;
      EXPECT_LT(std::abs(error), 5.0 * p.std) << p.name << ", seed " << seed;
    }
    misfit += fit.misfit / kSeeds;
    const PayloadParameter &x = fit.parameters[6], &z = fit.parameters[8];
    EXPECT_EQ(x.name, "mX");
    EXPECT_TRUE(x.is_told);
    EXPECT_NEAR(x.value, 0.2, 0.01);
    EXPECT_NEAR(z.value, z.is_told ? 0.1 : z.value, 0.01);
  }
  EXPECT_GE(told, 6 * kSeeds);
  EXPECT_GT(held, 0.88 * told);
  EXPECT_NEAR(misfit, 1.0, 0.3);
}

// Friction changes with temperature, from one record to the next; bodies do not.
TEST(Payload, HasItsIntervalsWhateverFrictionDoes) {
  const Eigen::VectorXd truth = cube();
  for (const double friction : {0.998, 0.99, 0.9, 1.1}) {
    const PayloadFit fit = found(moved_robot(kJoints), 1, friction);
    EXPECT_LT(fit.misfit, 3.0) << friction;
    for (std::size_t i = 0; i < fit.parameters.size(); ++i) {
      const PayloadParameter& p = fit.parameters[i];
      if (p.is_told) {
        EXPECT_LT(std::abs(p.value - truth[static_cast<Eigen::Index>(i)]), 4.0 * p.std) << p.name << ", " << friction;
      }
    }
  }
}

// Another body that changed beside the load is no payload, and does not pass for one unseen.
TEST(Payload, DoesNotExplainOtherChanges) { EXPECT_GT(found(moved_robot(kJoints), 1, 1.0, 0.2).misfit, 4.0); }

}  // namespace
}  // namespace tauhat
