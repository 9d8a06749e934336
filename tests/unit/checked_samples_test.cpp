// Samples of a record that are looked at one by one.
#include "tauhat/offline/robot/checked_samples.hpp"

#include <gtest/gtest.h>

#include "support/robot_records.hpp"

namespace tauhat {
namespace {

// Nothing is dropped at the ends, and neighbours are asked for all the same.
TEST(CheckedSamples, StayWithinTheRecord) {
  const RobotRecord record = tx40_record(1, 0.0, 0.0);
  MotionRowOptions options;
  options.trimmed = 0.0;
  for (const int shift : {-1, 0, 1}) {
    const CheckedSamples samples = checked_samples(record, options, record.samples(), shift);
    ASSERT_EQ(samples.at.size(), record.samples());
    for (const std::size_t k : samples.at) ASSERT_LT(k, record.samples()) << shift;
  }
}

}  // namespace
}  // namespace tauhat
