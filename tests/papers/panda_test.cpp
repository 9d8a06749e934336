// A Franka Emika Panda, measured by others (studies/panda): what the fit leaves of its torques.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <map>

#include "support/paths.hpp"
#include "tauhat/offline/robot/force_answer.hpp"
#include "tauhat/offline/robot/force_log.hpp"
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

// The part of a log before a share of it.
Log first_part(Log log, double share) {
  const auto begin = log.channels.front().time->begin();
  const auto size = static_cast<std::ptrdiff_t>(share * static_cast<double>(log.channels.front().time->size()));
  const auto time = std::make_shared<std::vector<double>>(begin, begin + size);  // all have one clock
  for (Channel& channel : log.channels) {
    channel.time = time;
    channel.value.resize(static_cast<std::size_t>(size));
  }
  return log;
}

// Shares of the samples that the bands of 95 % hold, of the last third: seven torques, three axes.
std::map<std::string, double> held_by(const ForceRun& run, double seen) {
  std::map<std::string, double> shares;
  const double begin = run.time.front() + seen * (run.time.back() - run.time.front());
  for (std::size_t output = 0; output < 10; ++output) {
    const Track& track = run.tracks[output];
    double held = 0.0, all = 0.0;
    for (std::size_t k = 0; k < run.time.size(); ++k) {
      if (run.time[k] < begin || !std::isfinite(track.value[k])) continue;
      held += std::abs(track.value[k]) < 1.96 * track.std[k] ? 1.0 : 0.0, all += 1.0;
    }
    shares[run.outputs[output].name] = held / all;
  }
  return shares;
}

// Nothing touches the arm. What the bands make of the first two thirds holds on the last.
class PandaForce : public testing::Test {
 protected:
  static constexpr double kSeen = 2.0 / 3.0;

  ForceAnswer answer(ForceSpec::Kind kind) const {
    Study study = read_study((source_dir() / "studies/panda/force.toml").string());
    ForceSpec& force = study.robot->force;
    force.kind = kind;
    if (kind == ForceSpec::Kind::ekf) {
      force.rate =
          0.0;  // it predicts from stamp to stamp, and begins with the study's residuals, of the same two thirds
    } else {
      for (RobotJoint& joint : study.robot->joints) joint.residual = 0.0;
    }
    const Log log = read_log(folder().string(), force_study(study).log_spec());
    return answer_force(study, log, first_part(log, kSeen));
  }
  static fs::path folder() { return source_dir() / ".." / "shared" / "data" / "panda"; }
};

TEST_F(PandaForce, BandsHoldWhatTheyHaveNotSeen) {
  if (!fs::exists(folder())) GTEST_SKIP() << "the measurements are not here: " << folder();
  const ForceAnswer found = answer(ForceSpec::Kind::momentum_observer);
  ASSERT_TRUE(found.floor.has_value());
  EXPECT_LT(found.floor->force, 2.0);  // N; the spec says 10 to 20 of such an arm
  for (const auto& [output, share] : held_by(found.run, kSeen)) {
    EXPECT_GT(share, 0.90) << output;
    EXPECT_LT(share, 0.99) << output;  // nor are they wide for nothing
  }
}

// The stamps are not the instants of the samples, so that positions are wrong by what the joints moved meanwhile: the
// measured velocities tell it, and the filter that knows it is nearly as good as the observer, which needs no
// positions.
TEST_F(PandaForce, TheFilterKnowsHowFarPositionsAreBesideTheirStamps) {
  if (!fs::exists(folder())) GTEST_SKIP() << "the measurements are not here: " << folder();
  const ForceAnswer found = answer(ForceSpec::Kind::ekf);
  ASSERT_TRUE(found.floor.has_value());
  EXPECT_LT(found.floor->force, 3.0);
  for (const auto& [output, share] : held_by(found.run, kSeen)) EXPECT_GT(share, 0.90) << output;
}

// What identify says that an estimator would not explain is what the log without contact asks for.
TEST_F(Panda, SaysWhatAnEstimatorWouldNotExplain) {
  constexpr double kAsked[] = {0.608, 1.01, 0.616, 0.564, 0.083, 0.0677, 0.052};  // N m: studies/panda/force.toml
  for (int joint = 1; joint <= 7; ++joint) {
    EXPECT_GT(value(joint, "torque.unexplained"), 0.6 * kAsked[joint - 1]) << joint;
    EXPECT_GE(answer.identified->joints[static_cast<std::size_t>(joint - 1)].residual, value(joint, "torque.residual"));
  }
}

}  // namespace
}  // namespace tauhat
