// What a robot's motion was said to tell is what its records tell.
#include "tauhat/offline/robot/predicted_deviations.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tauhat/offline/parallel.hpp"
#include "tauhat/offline/reproduce/limits_arm.hpp"
#include "tauhat/offline/reproduce/pyrhonen_identification.hpp"
#include "tauhat/offline/robot/robot_identification.hpp"
#include "tauhat/offline/robot/robot_report.hpp"

namespace tauhat {
namespace {

// Over 12 records and 52 parameters the rms of error over prediction is known to 5 % or so; single parameters to 20 %.
TEST(PredictedDeviations, AreThoseOfTheErrors) {
  limits::HostileArm arm;
  arm.truth = limits::limits_arm();
  Study study = limits::arm_study(arm.truth);
  study.robot->rows.decimation = 10;
  const RobotIdentification identification(*study.robot);
  const TorqueColumns& columns = identification.columns();
  const BaseParameters& base = identification.base();
  const FourierTrajectory trajectory =
      optimise_excitation(columns, base, pyrhonen::motion_limits(), {.random_starts = 30, .evaluations = 150})
          .trajectory;
  const Eigen::VectorXd predicted = predicted_deviations(
      trajectory, columns, base, Eigen::VectorXd::Constant(columns.joints(), arm.torque_noise), 1.0 / arm.period);
  const Eigen::VectorXd truth = base.grouping * columns.parameters(arm.truth.robot, friction_of(arm.truth));
  constexpr std::size_t kRecords = 12;
  std::vector<Eigen::VectorXd> squares(kRecords, Eigen::VectorXd::Zero(base.count()));
  for_each_in_parallel(kRecords, [&](std::size_t i) {
    const auto motion = [&](double time) {
      const JointMotion at = trajectory.at(time);
      return ReferencePoint<Eigen::Dynamic>{at.position, at.velocity, at.acceleration};
    };
    RobotLogs logs;
    logs.motion.push_back(limits::arm_log(arm, motion, 60 + i));
    for (const Result& result : answer_robot(study, std::move(logs)).report.results)
      for (int k = 0; k < base.count(); ++k)
        if (result.name == identification.result_name(k)) squares[i][k] = std::pow(result.value - truth[k], 2);
  });
  Eigen::VectorXd achieved = Eigen::VectorXd::Zero(base.count());
  for (const Eigen::VectorXd& each : squares) achieved += each / static_cast<double>(kRecords);
  const Eigen::ArrayXd ratios = achieved.cwiseSqrt().cwiseQuotient(predicted).array();
  EXPECT_GT(std::sqrt(ratios.square().mean()), 0.7);
  EXPECT_LT(std::sqrt(ratios.square().mean()), 1.3);
  EXPECT_GT(ratios.minCoeff(), 0.4);  // of 12: one in thousands of chance
  EXPECT_LT(ratios.maxCoeff(), 1.8);
}

}  // namespace
}  // namespace tauhat
