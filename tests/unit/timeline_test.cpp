// Channels with clocks of their own become one timeline; replay in blocks equals replay at once.
#include "tauhat/offline/replay/timeline.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tauhat/offline/drive/two_mass.hpp"
#include "tauhat/offline/error.hpp"
#include "tauhat/offline/reproduce/hovland_setup.hpp"

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

// A log longer than a block is smoothed block by block from stored filters. Near the seam it must give what a filter
// that saw the same data in one block gives: the start of the long record, cut so that it fits one block, differs only
// by the data after the cut, which no longer matter a second before it.
TEST(Replay, BlocksDoNotShow) {
  auto experiment = hovland::simulation_2();
  experiment.duration = 9.5;  // 19001 instants: two blocks, the seam at 16384
  const Timeline whole = hovland::record(experiment, 5).timeline;
  const auto estimator = make_torque_estimator(experiment.drive, 30.0, {}, {});
  const int torque = estimator->find_output("transmission.torque");
  const auto long_run = estimator->replay(whole, {.smooth = true});
  const auto short_run = estimator->replay(whole.part(0, 16384), {.smooth = true});
  ASSERT_GE(torque, 0);
  const auto index = static_cast<std::size_t>(torque);
  for (std::size_t k = 0; k < 16384 - 2000; k += 97) {
    EXPECT_NEAR(long_run.smoothed[index].value[k], short_run.smoothed[index].value[k], 1e-9);
    EXPECT_NEAR(long_run.smoothed[index].std[k], short_run.smoothed[index].std[k], 1e-9);
  }
}

}  // namespace
}  // namespace tauhat
