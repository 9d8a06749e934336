// The figures of Hovland et al. 2002 on a few seeds that nobody tuned on; `tauhat reproduce hovland` runs them all.
#include <gtest/gtest.h>

#include "tauhat/offline/reproduce/reproduce.hpp"

namespace tauhat {
namespace {

ReproduceOptions two_fresh_seeds() {
  ReproduceOptions options;
  options.seeds = 2;
  options.first_seed = 9001;
  return options;
}

TEST(Hovland, EveryFigureIsWithinItsLimitOnFreshSeeds) {
  const Report report = reproduce_hovland(two_fresh_seeds());
  EXPECT_EQ(report.results.size(), 27U);
  for (const Result& figure : report.results) {
    if (figure.name == "shooting.coverage") continue;  // six intervals are too few to count
    EXPECT_TRUE(figure.reproduction->passed)
        << figure.name << " = " << figure.value << ", limit " << *figure.reproduction->limit << ", seed "
        << figure.reproduction->worst_seed.value_or(-1);
  }
}

// Two runs give the same bytes, whatever thread took which seed.
TEST(Hovland, SameSeedsGiveTheSameNumbers) {
  ReproduceOptions options = two_fresh_seeds();
  options.seeds = 1;
  EXPECT_EQ(to_json(reproduce_hovland(options)), to_json(reproduce_hovland(options)));
}

}  // namespace
}  // namespace tauhat
