// Lagerberg and Egardt: every figure of `tauhat reproduce lagerberg` on two seeds that nothing was tuned on.
#include <gtest/gtest.h>

#include "tauhat/offline/reproduce/reproduce.hpp"

namespace tauhat {
namespace {

TEST(Lagerberg, FiguresHoldOnOtherSeeds) {
  ReproduceOptions options;
  options.seeds = 2;
  options.first_seed = 9001;
  const Report report = reproduce_lagerberg(options);
  EXPECT_EQ(report.results.size(), 48u);
  for (const Result& result : report.results)
    EXPECT_TRUE(result.reproduction->passed)
        << result.name << " = " << result.value << ", limit " << *result.reproduction->limit;
}

}  // namespace
}  // namespace tauhat
