// Replay in blocks equals replay at once, on a record of the paper's length.
#include <gtest/gtest.h>

#include "tauhat/offline/drive/two_mass.hpp"
#include "tauhat/offline/reproduce/hovland_setup.hpp"

namespace tauhat {
namespace {

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
