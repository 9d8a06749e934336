// A Franka Emika Panda, measured by others (studies/panda): what the fit leaves of its torques.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "support/paths.hpp"
#include "tauhat/offline/robot/robot_report.hpp"

namespace tauhat {
namespace {

namespace fs = std::filesystem;

class Panda : public testing::Test {
 protected:
  void SetUp() override {
    const fs::path folder = source_dir() / ".." / "shared" / "data" / "panda";
    if (!fs::exists(folder)) GTEST_SKIP() << "the measurements are not here: " << folder;
    const Study study = read_study((source_dir() / "studies/panda/panda.toml").string());
    RobotLogs logs;
    logs.motion.push_back(read_log(folder.string(), study.log_spec()));
    answer = answer_robot(study, std::move(logs));
    for (const Result& result : answer.report.results) results[result.name] = result;
  }
  double value(int joint, const char* name) const {
    return results.at("joint" + std::to_string(joint) + "." + name).value;
  }

  RobotAnswer answer;
  std::map<std::string, Result> results;
};

// Against the torque that is filtered as the motion is; the last third by a fit to the first two.
TEST_F(Panda, TorquesAreExplained) {
  for (int joint = 1; joint <= 7; ++joint) {
    EXPECT_LE(value(joint, "torque.residual"), 0.20) << joint;
    EXPECT_LE(value(joint, "torque.validation"), 0.25) << joint;
  }
}

// Half of the published hysteresis of each joint's friction, N m; the fit's Coulomb part is of its order.
TEST_F(Panda, FrictionIsThatOfItsPublishedCurves) {
  constexpr double kPublished[] = {0.27, 0.44, 0.32, 0.64, 0.42, 0.15, 0.28};
  for (int joint = 1; joint <= 7; ++joint) {
    const double coulomb = value(joint, "friction.coulomb");
    EXPECT_GT(coulomb, 0.4 * kPublished[joint - 1]) << joint;
    EXPECT_LT(coulomb, 1.5 * kPublished[joint - 1]) << joint;
  }
}

// Its study knows no inertia at all: bodies are found all the same, and they are some.
TEST_F(Panda, BodiesAreFoundWithoutAPrior) {
  ASSERT_TRUE(answer.identified.has_value());
  EXPECT_TRUE(inertia_faults(*answer.identified).empty());
  EXPECT_LT(results.at("consistent.torque_ratio").value, 1.1);
}

}  // namespace
}  // namespace tauhat
