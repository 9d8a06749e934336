// From records of a robot's motion to its parameters: rows by stretches, sums, and what the fits promise.
#include "tauhat/offline/robot/robot_regression.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/moved_robot.hpp"
#include "tauhat/offline/error.hpp"
#include "tauhat/offline/simulate/random.hpp"

namespace tauhat {
namespace {

double relative(const Eigen::VectorXd& value, const Eigen::VectorXd& truth) {
  return (value - truth).norm() / truth.norm();
}

TEST(MotionRows, OfAStretchAreThoseOfTheWholeRecord) {
  const MovedRobot robot = moved_robot(3);
  const RobotRecord record = robot.record({1e-4, 0.1}, 1, 20.0);
  const MotionRowSource source(record, robot.columns, robot.base, {});
  const MotionRows all = source.rows(0, source.size());
  for (const std::size_t first : {std::size_t{0}, std::size_t{700}, source.size() - 50}) {
    const MotionRows part = source.rows(first, 50);
    const auto at = static_cast<Eigen::Index>(first);
    for (int j = 0; j < 3; ++j) {
      const Eigen::MatrixXd& whole = all.regressor[static_cast<std::size_t>(j)];
      EXPECT_LT((part.regressor[static_cast<std::size_t>(j)] - whole.middleRows(at, 50)).cwiseAbs().maxCoeff(),
                1e-7 * whole.cwiseAbs().maxCoeff());
    }
    EXPECT_LT((part.torque - all.torque.middleRows(at, 50)).cwiseAbs().maxCoeff(), 1e-7);
  }
}

// 3 / cut-off is dropped at each end, and the last sample of the rest is kept.
TEST(MotionRows, KnowTheirTimes) {
  const MovedRobot robot = moved_robot(2);
  const RobotRecord record = robot.record({}, 1);
  const MotionRowSource source(record, robot.columns, robot.base, {});
  EXPECT_EQ(source.size(), 940U);
  EXPECT_NEAR(source.time(0), 0.309, 1e-12);
  EXPECT_NEAR(source.time(939), 9.699, 1e-12);
}

// Every n-th sample of motion and torque that are filtered alike, with a measured velocity.
TEST(MotionRows, MayTakeSamplesAsTheyAre) {
  const MovedRobot robot = moved_robot(2);
  RobotRecord record = robot.record({}, 1);
  record.velocity.resize(2);
  for (int k = 0; k < 10000; ++k)
    for (std::size_t j = 0; j < 2; ++j)
      record.velocity[j].push_back(robot.motion.at(k * 1e-3).velocity[static_cast<int>(j)]);
  const MotionRowSource source(record, robot.columns, robot.base,
                               {.cut_off = 30.0, .anti_alias = false, .filter_torque = true, .trimmed = 0.2});
  EXPECT_EQ(source.size(), 960U);
  const RobotFit fit = fit_robot(sum_rows(source));
  EXPECT_LT(relative(fit.base.values, robot.truth()), 2e-3);
}

TEST(MotionRows, RefuseWhatTheyCannotUse) {
  const MovedRobot robot = moved_robot(2);
  const auto refusal = [&](RobotRecord record) -> std::string {
    try {
      MotionRowSource(record, robot.columns, robot.base, {});
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  RobotRecord record = robot.record({}, 1);
  record.torque[1][17] = std::nan("");
  EXPECT_THAT(refusal(record), testing::HasSubstr("sample 17 of the torque of joint 2 is not a number"));
  record = robot.record({}, 1);
  record.position[1].pop_back();
  EXPECT_THAT(refusal(record), testing::HasSubstr("9999 samples of the position of joint 2"));
  record.position.pop_back();
  EXPECT_THAT(refusal(record), testing::HasSubstr("1 series of position for a robot of 2 joints"));
  EXPECT_THAT(refusal(robot.record({}, 1, 0.5)), testing::HasSubstr("too short"));
}

TEST(RobotRegression, FindsTheParametersOfAnExactRecord) {
  const MovedRobot robot = moved_robot(4);
  const RobotRecord record = robot.record({}, 1);
  const RobotFit fit = fit_robot(sum_rows(MotionRowSource(record, robot.columns, robot.base, {})));
  EXPECT_LT(relative(fit.base.values, robot.truth()), 1e-4);
  EXPECT_TRUE(fit.undetermined().empty());
}

TEST(RobotRegression, OfSeveralRecordsIsThatOfTheirSums) {
  const MovedRobot robot = moved_robot(2);
  const RobotRecord first = robot.record({0.0, 0.2}, 1), second = robot.record({0.0, 0.2}, 2);
  const RowSums one = sum_rows(MotionRowSource(first, robot.columns, robot.base, {}));
  const RowSums other = sum_rows(MotionRowSource(second, robot.columns, robot.base, {}));
  const RobotFit both = fit_robot(joined({one, other})), alone = fit_robot(one);
  EXPECT_EQ(both.rows, 2.0 * alone.rows);
  EXPECT_LT(both.deviation(0), 0.85 * alone.deviation(0));
}

// Errors over their stated deviations, over seeds: one on average. Filtered noise is correlated, and the plain formula
// would be wrong by the decimation filter's share.
TEST(RobotRegression, StatesItsUncertaintyHonestly) {
  const MovedRobot robot = moved_robot(2);
  double sum = 0.0, count = 0.0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const RobotRecord record = robot.record({0.0, 0.5}, seed);
    const RobotFit fit = fit_robot(sum_rows(MotionRowSource(record, robot.columns, robot.base, {})));
    for (int k = 0; k < robot.base.count(); ++k) {
      sum += std::pow((fit.base.values[k] - robot.truth()[k]) / fit.deviation(k), 2);
      count += 1.0;
    }
  }
  EXPECT_GT(sum / count, 0.7);
  EXPECT_LT(sum / count, 1.4);
}

// The noise of one joint is a hundred times that of the other: weighing pays.
TEST(RobotRegression, WeighsJointsByTheirResiduals) {
  const MovedRobot robot = moved_robot(2);
  RobotRecord record = robot.record({0.0, 0.01}, 1);
  Draw draw(5);
  for (double& torque : record.torque[0]) torque += draw.normal();
  const RowSums sums = sum_rows(MotionRowSource(record, robot.columns, robot.base, {}));
  const RobotFit weighted = fit_robot(sums), equal = fit_robot(sums, {.weights = JointWeights::equal});
  EXPECT_LT(weighted.residual_rms[1], 0.1 * weighted.residual_rms[0]);
  EXPECT_LT(relative(weighted.base.values, robot.truth()), relative(equal.base.values, robot.truth()));
}

TEST(RobotRegression, StandsSpikesWhereItIsRobust) {
  const MovedRobot robot = moved_robot(2);
  RobotRecord record = robot.record({0.0, 0.05}, 1);
  for (std::size_t k = 1000; k < 1300; ++k) record.torque[0][k] += 40.0;  // it was pushed
  const std::vector<MotionRowSource> sources{MotionRowSource(record, robot.columns, robot.base, {})};
  const RobotFit plain = fit_robot(sum_rows(sources.front())), robust = fit_robot_robustly(sources);
  EXPECT_LT(relative(robust.base.values, robot.truth()), 0.3 * relative(plain.base.values, robot.truth()));
  // What the model leaves of the torques is said of all rows, the spikes among them.
  const Eigen::VectorXd left = residual_rms(predict_torque(sources.front(), robust.values));
  EXPECT_LT((robust.residual_rms - left).norm(), 1e-6 * left.norm());
}

// A joint that is held tells nothing of its friction and inertia: they are named, and the others are still found.
TEST(RobotRegression, NamesWhatTheMotionDoesNotTell) {
  MovedRobot robot = moved_robot(3);
  robot.motion.sine.row(2).setZero();
  robot.motion.cosine.row(2).setZero();
  const RobotRecord record = robot.record({0.0, 0.01}, 1);
  const RobotFit fit = fit_robot(sum_rows(MotionRowSource(record, robot.columns, robot.base, {})));
  const std::vector<std::string> lines = undetermined_text(robot.columns, robot.base, fit);
  EXPECT_THAT(lines, testing::Contains(testing::HasSubstr("Fv3 (joint 3): the motion makes no torque of it")));
  EXPECT_THAT(lines, testing::Contains(testing::HasSubstr("Fc3 (joint 3)")));
  EXPECT_THAT(lines, testing::Not(testing::Contains(testing::HasSubstr("Fv1"))));
  for (int k = 0; k < robot.base.count(); ++k) {
    if (robot.columns.name(robot.base.columns[static_cast<std::size_t>(k)]) != "Fv1") continue;
    EXPECT_NEAR(fit.base.values[k], robot.truth()[k], 0.01 * robot.truth()[k]);
  }
}

// One joint and three columns, the third cos(angle) times the first and sin(angle) times the second: the second
// parameter lies in the lost direction by sin(angle)^2 / 2. Below a hundredth, and yet 0.07 of the third is in its
// value.
TEST(RobotRegression, GivesNoValueThatLostDirectionsMayMove) {
  constexpr double kAngle = 0.1, kNoise = 0.01;
  const Eigen::Vector3d truth(1.0, 2.0, 3.0);
  RowSums sums{.batches = {}, .of_joint = {{0, 1, 2}}, .parameters = 3};
  Random random(1, "rows");
  for (int batch = 0; batch < 64; ++batch) {
    Eigen::MatrixXd rows(50, 3);
    Eigen::VectorXd torque(50);
    for (int k = 0; k < 50; ++k) {
      const double a = random.normal(), b = random.normal();
      rows.row(k) << a, b, std::cos(kAngle) * a + std::sin(kAngle) * b;
      torque[k] = rows.row(k).dot(truth) + kNoise * random.normal();
    }
    sums.batches.push_back({{rows.transpose() * rows, rows.transpose() * torque, torque.squaredNorm(), 50.0}});
  }
  const RobotFit fit = fit_robot(sums);
  EXPECT_THAT(fit.undetermined(), testing::ElementsAre(0, 1, 2));
  EXPECT_EQ(fit.base.values, Eigen::Vector3d::Zero());
}

TEST(RobotRegression, KeepsEssentialParametersAlone) {
  const MovedRobot robot = moved_robot(4);
  const RobotRecord record = robot.record({0.0, 3.0}, 1);
  const MotionRowSource source(record, robot.columns, robot.base, {});
  const RobotFit fit = fit_robot(sum_rows(source));
  const EssentialFit essential = essential_parameters(fit);
  EXPECT_LT(essential.parameters.size(), static_cast<std::size_t>(robot.base.count()));
  double best = 1.0, worst = 0.0;
  for (const int k : essential.parameters) {
    const double deviation = std::sqrt(essential.fit.covariance(k, k)) / std::abs(essential.fit.values[k]);
    best = std::min(best, deviation);
    worst = std::max(worst, deviation);
  }
  EXPECT_LE(worst, std::max(0.1, 10.0 * best));
  // The torque hardly misses what was left out.
  const Eigen::VectorXd all = residual_rms(predict_torque(source, fit.base.values));
  const Eigen::VectorXd fewer = residual_rms(predict_torque(source, essential.fit.values));
  EXPECT_LT((fewer - all).maxCoeff(), 0.1 * all.maxCoeff());
  EXPECT_LT((all - fit.residual_rms).cwiseAbs().maxCoeff(), 1e-6);
}

}  // namespace
}  // namespace tauhat
