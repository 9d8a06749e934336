// A stretch of a log: every channel by its own clock.
#include "tauhat/offline/log/part.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tauhat {
namespace {

using testing::ElementsAre;

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

}  // namespace
}  // namespace tauhat
