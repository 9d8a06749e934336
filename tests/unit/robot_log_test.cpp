// From a log to the records of a robot's motion.
#include "tauhat/offline/robot/robot_log.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>
#include <cmath>
#include <memory>

#include "support/robot_records.hpp"

namespace tauhat {
namespace {

double motion(double t) { return std::sin(3.0 * t); }

// 10 s of the TX40 at 1 kHz, all joints alike, but for what was not recorded.
template <class IsMissing>
Log recorded(const IsMissing& is_missing) {
  auto time = std::make_shared<std::vector<double>>();
  std::vector<double> values;
  for (int k = 0; k < 10000; ++k) {
    const double t = 1e-3 * k;
    if (is_missing(t)) continue;
    time->push_back(t), values.push_back(motion(t));
  }
  Log log;
  log.source = "simulated";
  for (const RobotJoint& joint : tx40_spec().joints) {
    for (const char* quantity : {"position", "torque"}) {
      Channel channel;
      channel.signal = fmt::format("{}.{}", joint.name, quantity);
      channel.time = time, channel.value = values;
      log.channels.push_back(std::move(channel));
    }
  }
  return log;
}

TEST(RobotLog, IsOneRecordWhereNothingIsMissing) {
  std::vector<Diagnostic> diagnostics;
  const auto records = robot_records(tx40_spec(), recorded([](double) { return false; }), diagnostics);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records.front().samples(), 10000U);
  EXPECT_TRUE(diagnostics.empty());
}

// A straight line over what nobody knows would be a motion that never was.
TEST(RobotLog, EndsARecordAtAHole) {
  std::vector<Diagnostic> diagnostics;
  const auto is_missing = [](double t) { return t > 4.0 && t < 5.5; };
  const auto records = robot_records(tx40_spec(), recorded(is_missing), diagnostics);
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0].samples(), 4001U);
  EXPECT_NEAR(static_cast<double>(records[1].samples()), 4500.0, 1.0);
  EXPECT_EQ(&longest_of(records), &records[1]);
  for (std::size_t k = 0; k < records[1].samples(); k += 100)
    EXPECT_NEAR(records[1].position[2][k], motion(5.5 + 1e-3 * static_cast<double>(k)), 1e-9);
  ASSERT_EQ(diagnostics.size(), 1U);
  EXPECT_EQ(diagnostics.front().name, "log.hole");
}

TEST(RobotLog, LeavesHolesOpenForAnEstimator) {
  const Log log = recorded([](double t) { return t > 4.0 && t < 5.5; });
  const Log at_rate = interpolated_log(log, {"joint1.position"}, {"joint1.torque"}, 1000.0);
  for (const char* signal : {"joint1.position", "joint1.torque"}) {
    const Channel& channel = *at_rate.find(signal);
    EXPECT_TRUE(std::isfinite(channel.value[3990])) << signal;
    EXPECT_TRUE(std::isnan(channel.value[4500])) << signal;
    EXPECT_TRUE(std::isfinite(channel.value[5510])) << signal;
  }
}

}  // namespace
}  // namespace tauhat
