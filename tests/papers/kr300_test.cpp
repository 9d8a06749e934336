// Axes 2 and 3 of a KUKA KR300 R2500, measured with encoders at motor and load (shared/data/README.md): what the study
// beside the project must find in them.
#include <gtest/gtest.h>

#include <filesystem>

#include "support/named.hpp"
#include "support/paths.hpp"
#include "tauhat/offline/joint/compare.hpp"
#include "tauhat/offline/joint/joint_report.hpp"

namespace tauhat {
namespace {

struct Axis : Named {
  double stiffness;  // N m/rad, of the reference computation there
};

class Kr300 : public testing::TestWithParam<Axis> {
 protected:
  void SetUp() override {
    const auto file = source_dir() / "../shared/data/kr300/trajectory_a.mat";
    if (!std::filesystem::exists(file)) GTEST_SKIP() << "the measurements are not here: " << file;
    study = read_study((source_dir() / "studies/kr300" / (GetParam().name + std::string(".toml"))).string());
    log = read_log(file.string(), study.log_spec());
  }
  static const Result& find(const Report& report, const std::string& name) {
    for (const Result& result : report.results)
      if (result.name == name) return result;
    throw std::out_of_range(name);
  }

  Study study;
  Log log;
};

TEST_P(Kr300, ChannelsAreThreeMillisecondsApart) {
  const Report report = answer_joint(study, log);
  EXPECT_NEAR(find(report, "load.position.skew").value, 3e-3, 0.5e-3);
  bool said = false;
  for (const Diagnostic& diagnostic : report.diagnostics) said = said || diagnostic.name == "clock.skew";
  EXPECT_TRUE(said);
}

TEST_P(Kr300, StiffnessHasAnInterval) {
  const Report report = answer_joint(study, log);
  const Result& stiffness = find(report, "transmission.stiffness");
  ASSERT_TRUE(stiffness.ci95);
  EXPECT_LT((*stiffness.ci95)[0], GetParam().stiffness);
  EXPECT_GT((*stiffness.ci95)[1], GetParam().stiffness);
  EXPECT_LT(*stiffness.std, 0.3 * stiffness.value);  // ten seconds tell no more
}

TEST_P(Kr300, LinkVelocityIsComparedWithTheLoadEncoder) {
  const ObserverComparison comparison = compare_observers(study, {}, log, {});
  EXPECT_EQ(comparison.reference_signal, "load.position, differentiated");
  double naive = 0.0, observed = 0.0;
  for (const ObservedVelocity& row : comparison.rows)
    (row.observer == "naive" ? naive : observed) = row.quality.error->fit;
  EXPECT_GT(naive, 96.0);
  // These joints hardly bend: there is nothing to gain, and an observer that looks at the past alone must not lose what
  // the naive difference, which looks a sample ahead, has (measured: 0.01 and 0.02 points).
  EXPECT_GT(observed, naive - 0.1);
}

INSTANTIATE_TEST_SUITE_P(Axes, Kr300, testing::Values(Axis{{"axis2"}, 8.6e6}, Axis{{"axis3"}, 5.2e6}), by_name);

}  // namespace
}  // namespace tauhat
