// Parameters of robots that can exist: the minimum is one, and it stays among bodies.
#include "tauhat/offline/robot/consistent_parameters.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/moved_robot.hpp"
#include "tauhat/offline/error.hpp"

namespace tauhat {
namespace {

RobotFit fit_of(const MovedRobot& robot, double noise) {
  const RobotRecord record = robot.record({0.0, noise}, 4);
  return fit_robot(sum_rows(MotionRowSource(record, robot.columns, robot.base, {})));
}

// The truth but for some percent: scaled bodies are bodies.
Eigen::VectorXd prior_of(const MovedRobot& robot) {
  Eigen::VectorXd prior = robot.parameters;
  Draw draw(8);
  for (int link = 0; link < robot.columns.joints(); ++link) prior.segment<10>(10 * link) *= draw.between(0.8, 1.2);
  for (int k = 10 * robot.columns.joints(); k < prior.size(); ++k) prior[k] *= draw.between(0.8, 1.2);
  return prior;
}

// Without data it is the prior: tr(P0^-1 P) - ln det P is least at P0, x / x0 - ln x at x0.
TEST(ConsistentParameters, WithoutDataAreThePrior) {
  const MovedRobot robot = moved_robot(3);
  WeightedSums none = fit_of(robot, 0.1).sums;
  none.gram.setZero();
  none.product.setZero();
  const Eigen::VectorXd prior = prior_of(robot);
  const ConsistentFit fit = consistent_parameters(robot.columns, robot.base, none, prior);
  EXPECT_TRUE(fit.converged);
  EXPECT_LT((fit.parameters - prior).norm(), 1e-6 * prior.norm());
}

TEST(ConsistentParameters, FollowExactDataAndStayBodies) {
  const MovedRobot robot = moved_robot(3);
  const ConsistentFit fit = consistent_parameters(robot.columns, robot.base, fit_of(robot, 0.01).sums, prior_of(robot));
  EXPECT_TRUE(fit.converged);
  EXPECT_LE(fit.iterations, 20);
  EXPECT_GT(fit.smallest_eigenvalue.minCoeff(), 0.0);
  EXPECT_LT((fit.base - robot.truth()).norm(), 0.01 * robot.truth().norm());
}

// Noise that plain regression turns into bodies that cannot exist.
TEST(ConsistentParameters, StayBodiesWhateverTheNoise) {
  const MovedRobot robot = moved_robot(4);
  for (const double noise : {1.0, 30.0, 1000.0}) {
    const ConsistentFit fit =
        consistent_parameters(robot.columns, robot.base, fit_of(robot, noise).sums, prior_of(robot));
    EXPECT_TRUE(fit.converged) << noise;
    EXPECT_GT(fit.smallest_eigenvalue.minCoeff(), 0.0) << noise;
    EXPECT_GT(fit.parameters.tail(robot.columns.count() - 40).minCoeff(), 0.0) << noise;
  }
}

// Friction that nobody knows beforehand is free.
TEST(ConsistentParameters, DoWithoutAPriorOfFriction) {
  const MovedRobot robot = moved_robot(2);
  Eigen::VectorXd prior = prior_of(robot);
  prior.tail(4).setConstant(std::nan(""));
  const ConsistentFit fit = consistent_parameters(robot.columns, robot.base, fit_of(robot, 0.1).sums, prior);
  EXPECT_TRUE(fit.converged);
  EXPECT_NEAR(fit.parameters[robot.columns.inertial()], robot.parameters[robot.columns.inertial()], 0.02);
}

TEST(ConsistentParameters, NameAPriorThatIsNoBody) {
  const MovedRobot robot = moved_robot(3);
  const WeightedSums sums = fit_of(robot, 0.1).sums;
  const auto refusal = [&](int parameter, double value) -> std::string {
    Eigen::VectorXd prior = prior_of(robot);
    prior[parameter] = value;
    try {
      consistent_parameters(robot.columns, robot.base, sums, prior);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refusal(19, -1.0), testing::HasSubstr("link 2: the inertia"));
  EXPECT_THAT(refusal(31, -0.5), testing::HasSubstr("Ja2 = -0.5 kg m^2"));
}

}  // namespace
}  // namespace tauhat
