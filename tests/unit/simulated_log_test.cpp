// What a simulated log shows of its input: late by the channel's delay, and in the numbers that reading turns back.
#include "tauhat/offline/simulate/simulated_log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tauhat/offline/error.hpp"

namespace tauhat {
namespace {

using testing::HasSubstr;

Study study_with_delay(double delay) {
  Study study;
  study.source = "study.toml";
  study.simulation.emplace();
  study.simulation->period = 1e-3;
  study.channels.resize(1);
  study.channels[0].spec.signal = "motor.torque";
  study.channels[0].spec.delay = delay;
  return study;
}

Simulated ramp() {
  Simulated data;
  for (int k = 0; k < 20; ++k) data.time.push_back(1e-3 * k), data.input.push_back(k);
  return data;
}

// Stamp and value belong together again: the torque that acts from t on is k where t = k ms.
TEST(SimulatedLog, ShowsTheInputLateAndStampsItEarlier) {
  for (const int samples : {0, 3, -2}) {
    const Log log = simulated_log(study_with_delay(1e-3 * samples), ramp());
    const Channel& torque = log.channels.at(0);
    for (std::size_t k = 4; k < 16; ++k) EXPECT_NEAR((*torque.time)[k], 1e-3 * torque.value[k], 1e-12) << samples;
  }
}

TEST(SimulatedLog, RefusesADelayBetweenTwoSamples) {
  try {
    logged_values(study_with_delay(0.3e-3), ramp());
    FAIL() << "not refused";
  } catch (const Error& problem) {
    EXPECT_EQ(problem.code(), ExitCode::wrong_use);
    EXPECT_THAT(problem.what(),
                HasSubstr("study.toml: log.channels.\"motor.torque\".delay = 0.0003 s: simulate can only "
                          "write a whole number of samples, which are 0.001 s apart"));
  }
}

TEST(SimulatedLog, WritesTheNumberThatIsReadBack) {
  StudyChannel channel;
  channel.spec = {.signal = "motor.torque", .scale = 0.35, .offset = 0.1, .saturates_from = 5.0, .saturation = 0.04};
  for (double value = -8.9; value < 9.0; value += 0.1)
    EXPECT_NEAR(value_in_si(channel.spec, number_of(channel, value, "study.toml")), value, 1e-12);
  // x (1 - 0.04 (x - 5)) has its largest value, 9, at 15.
  EXPECT_THROW(number_of(channel, 9.1, "study.toml"), Error);
  channel.spec.saturation = 0.5;  // falls from 5 on
  EXPECT_NEAR(value_in_si(channel.spec, number_of(channel, -4.9, "study.toml")), -4.9, 1e-12);
  EXPECT_THROW(number_of(channel, -5.1, "study.toml"), Error);
}

}  // namespace
}  // namespace tauhat
