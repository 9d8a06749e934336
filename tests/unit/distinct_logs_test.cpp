// The same recording counts once, whatever its file is called and whichever format it is in.
#include "tauhat/offline/log/distinct_logs.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/hash.hpp"

namespace tauhat {
namespace {

Log log_of(const std::string& source, const std::vector<double>& values) {
  Log log;
  log.source = source;
  auto time = std::make_shared<std::vector<double>>();
  for (std::size_t k = 0; k < values.size(); ++k) time->push_back(1e-3 * static_cast<double>(k));
  Channel channel;
  channel.signal = "motor.torque", channel.time = time, channel.value = values;
  log.channels.push_back(channel);
  return log;
}

std::string refusal(const Log& first, const Log& second) {
  DistinctLogs logs;
  logs.add(first);
  try {
    logs.add(second);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::wrong_use);
    return error.what();
  }
  return "accepted";
}

TEST(DistinctLogs, RefusesTheSameSamplesTwice) {
  EXPECT_EQ(refusal(log_of("a.csv", {1, 2, 3}), log_of("b.h5", {1, 2, 3})),
            "a.csv and b.h5 hold the same samples: it is one recording, and counts once; give each only once");
  EXPECT_EQ(refusal(log_of("a.csv", {1, 2, 3}), log_of("a.csv", {1, 2, 3})),
            "a.csv is given twice: it is one recording, and counts once; give each only once");
}

TEST(DistinctLogs, TakesWhatDiffersInASample) {
  EXPECT_EQ(refusal(log_of("a.csv", {1, 2, 3}), log_of("b.csv", {1, 2, 3.0000001})), "accepted");
  Log later = log_of("b.csv", {1, 2, 3}), named = log_of("b.csv", {1, 2, 3});
  later.channels[0].time = std::make_shared<const std::vector<double>>(std::vector<double>{1.0, 1.001, 1.002});
  named.channels[0].signal = "motor.velocity";
  EXPECT_EQ(refusal(log_of("a.csv", {1, 2, 3}), later), "accepted");
  EXPECT_EQ(refusal(log_of("a.csv", {1, 2, 3}), named), "accepted");
}

// What else the log holds makes no difference; a missing sample is the same as a missing one.
TEST(DistinctLogs, ALogHoldsItsOwnSamples) {
  const Log log = log_of("a.csv", {1, std::nan(""), 3});
  Log more = log;
  more.channels.push_back(log.channels[0]);
  more.channels[1].signal = "truth.force.x";
  EXPECT_TRUE(holds_samples_of(more, log));
  EXPECT_FALSE(holds_samples_of(log, more));
  EXPECT_FALSE(holds_samples_of(more, log_of("b.csv", {1, 2, 3})));
  EXPECT_FALSE(holds_samples_of(more, log_of("b.csv", {1, std::nan("")})));
}

}  // namespace
}  // namespace tauhat
