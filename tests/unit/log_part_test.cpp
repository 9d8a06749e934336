// A stretch of a log: every channel by its own clock.
#include "tauhat/offline/log/part.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace tauhat {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Log two_clocks() {
  const auto fast = std::make_shared<const std::vector<double>>(std::vector{0.0, 1.0, 2.0, 3.0, 4.0, 5.0});
  const auto slow = std::make_shared<const std::vector<double>>(std::vector{0.5, 2.5, 4.5});
  Log log;
  log.source = "log.csv";
  log.channels = {{.signal = "a", .time = fast, .value = {0, 1, 2, 3, 4, 5}},
                  {.signal = "b", .time = fast, .value = {5, 4, 3, 2, 1, 0}},
                  {.signal = "c", .time = slow, .value = {7, 8, 9}, .tooth = {1, 2, 3}}};
  return log;
}

TEST(LogPart, CutsEveryChannelByItsClock) {
  const Log part = part_of(two_clocks(), 1.0, 3.0);
  EXPECT_THAT(*part.channels[0].time, ElementsAre(1, 2, 3));
  EXPECT_THAT(part.channels[1].value, ElementsAre(4, 3, 2));
  EXPECT_EQ(part.channels[0].time, part.channels[1].time);
  EXPECT_THAT(*part.channels[2].time, ElementsAre(2.5));
  EXPECT_THAT(part.channels[2].tooth, ElementsAre(2));
}

TEST(LogPart, TakesTheMiddleOfALongLogAlone) {
  EXPECT_FALSE(is_longer(two_clocks(), 6));
  EXPECT_THAT(*middle_of(two_clocks(), 6).channels[0].time, ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_TRUE(is_longer(two_clocks(), 4));
  EXPECT_THAT(*middle_of(two_clocks(), 4).channels[0].time, ElementsAre(1, 2, 3, 4));
}

// A hundred samples of 10 ms, of which some have no torque.
Log with_torque(const std::function<bool(int)>& is_there) {
  std::vector<double> time, torque, position;
  for (int k = 0; k < 100; ++k) {
    time.push_back(5.0 + 0.01 * k), position.push_back(k);
    torque.push_back(is_there(k) ? 1.0 : std::nan(""));
  }
  const auto clock = std::make_shared<const std::vector<double>>(time);
  Log log;
  log.channels = {{.signal = "motor.torque", .time = clock, .value = torque},
                  {.signal = "motor.position", .time = clock, .value = position}};
  return log;
}

TEST(LogHole, IsLongerThanTenPeriods) {
  EXPECT_TRUE(holes_of(with_torque([](int k) { return k < 40 || k >= 48; }), "motor.torque").empty());
  const auto holes = holes_of(with_torque([](int k) { return k < 40 || k >= 55; }), "motor.torque");
  ASSERT_EQ(holes.size(), 1U);
  EXPECT_NEAR(holes[0].begin, 5.39, 1e-9);
  EXPECT_NEAR(holes[0].milliseconds(), 160.0, 1e-6);
  EXPECT_TRUE(holes_of(with_torque([](int) { return true; }), "axis.force").empty());
}

TEST(LogHole, ReachesToTheEndOfTheLog) {
  const Log log = with_torque([](int k) { return k < 60; });
  const auto holes = holes_of(log, "motor.torque");
  ASSERT_EQ(holes.size(), 1U);
  EXPECT_NEAR(holes[0].end, 5.99, 1e-9);
  const Log part = without_holes(log, "motor.torque");
  EXPECT_NEAR(part.channels[1].time->back(), 5.59, 1e-9);
  ASSERT_EQ(part.diagnostics.size(), 1U);
  EXPECT_EQ(part.diagnostics[0].name, "log.hole");
  EXPECT_THAT(part.diagnostics[0].message, HasSubstr("at 0.59 s after the start"));
}

}  // namespace
}  // namespace tauhat
