// Channels with clocks of their own become one timeline.
#include "tauhat/offline/replay/timeline.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tauhat/offline/error.hpp"

namespace tauhat {
namespace {

Channel channel(const std::string& signal, std::vector<double> time, std::vector<double> value) {
  Channel c;
  c.signal = signal;
  c.time = std::make_shared<const std::vector<double>>(std::move(time));
  c.value = std::move(value);
  return c;
}

TEST(Timeline, MergesClocksByStampAndHoldsTheInput) {
  Log log;
  log.channels = {channel("motor.torque", {0.0, 2.0}, {5.0, 7.0}),
                  channel("motor.velocity", {0.0, 1.0, 2.0}, {10.0, 11.0, 12.0})};
  const Timeline timeline = make_timeline(log, {{"motor.torque"}, {{"motor.velocity", 2, 0.1}}});
  EXPECT_EQ(timeline.time, (std::vector<double>{0.0, 1.0, 2.0}));
  EXPECT_EQ(timeline.inputs[0], (std::vector<double>{5.0, 5.0, 7.0}));
  EXPECT_EQ(timeline.sensors[0].value, (std::vector<double>{10.0, 11.0, 12.0}));
  EXPECT_DOUBLE_EQ(timeline.sensors[0].variance, 0.01);
}

TEST(Timeline, SensorWithoutASampleIsMissing) {
  Log log;
  log.channels = {channel("motor.torque", {0.0, 1.0, 2.0}, {1.0, 2.0, 3.0}), channel("motor.velocity", {1.0}, {11.0})};
  const Timeline timeline = make_timeline(log, {{"motor.torque"}, {{"motor.velocity", 2, 0.1}}});
  EXPECT_TRUE(std::isnan(timeline.sensors[0].value[0]));
  EXPECT_EQ(timeline.sensors[0].value[1], 11.0);
  EXPECT_TRUE(std::isnan(timeline.sensors[0].value[2]));
}

TEST(Timeline, RefusesAChannelThatTheLogLacks) {
  Log log;
  log.channels = {channel("motor.torque", {0.0, 1.0}, {1.0, 2.0})};
  EXPECT_THROW(make_timeline(log, {{"motor.torque"}, {{"motor.velocity", 2, 0.1}}}), Error);
}

}  // namespace
}  // namespace tauhat
