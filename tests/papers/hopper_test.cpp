// A leg of two joints whose foot stands on a force sensor, measured by others: the vertical force from its motors.
// Limits: correlation at least 0.98, at most 2.5 N rms after removing a constant. A plain J^-T tau gives 0.987, 2.13 N.
#include <gtest/gtest.h>

#include <filesystem>

#include "support/paths.hpp"
#include "tauhat/offline/identify/online.hpp"
#include "tauhat/offline/robot/force_estimator.hpp"
#include "tauhat/offline/robot/force_log.hpp"
#include "tauhat/offline/robot/force_report.hpp"

namespace tauhat {
namespace {

namespace fs = std::filesystem;

TEST(Hopper, ItsMotorsTellTheForceOfTheFoot) {
  const fs::path data = source_dir() / ".." / "shared" / "data" / "hopper";
  if (!fs::exists(data)) GTEST_SKIP() << "the measurements are not here: " << data;
  const Study whole = read_study((source_dir() / "studies" / "hopper" / "hopper.toml").string());
  const Log log = read_log(data.string(), whole.log_spec());
  Study study = force_study(whole);
  std::vector<Diagnostic> diagnostics;
  complete_noise(log, study, diagnostics);
  const Timeline timeline = online_timeline(study, log, diagnostics);
  const Replay replay =
      make_online_estimator(study, study.robot->force.walk, first_row(timeline))->replay(timeline, {});
  const auto vertical = static_cast<std::size_t>(force_outputs(*study.robot).force(2));
  const Agreement found = agreement_with(*log.find("force.z"), timeline.time, replay.filtered[vertical].value);
  EXPECT_GE(found.samples, 23000U);
  EXPECT_GE(found.correlation, 0.98);
  EXPECT_LE(found.rms, 2.5);
}

}  // namespace
}  // namespace tauhat
