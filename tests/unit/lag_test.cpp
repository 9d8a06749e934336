// Whether a filter knows how wrong it is: nothing said, a warning, an error.
#include "tauhat/offline/replay/lag.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tauhat {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

TEST(Lag, IsSaidByItsSize) {
  EXPECT_THAT(diagnose_lag(1.4, "the filter lags"), IsEmpty());
  const auto some = diagnose_lag(4.0, "the filter lags"), much = diagnose_lag(5e6, "the filter lags");
  ASSERT_EQ(some.size(), 1U);
  EXPECT_EQ(some[0].severity, Severity::warning);
  EXPECT_THAT(some[0].message, HasSubstr("too small, by some 2.0 times"));
  ASSERT_EQ(much.size(), 1U);
  EXPECT_EQ(much[0].severity, Severity::error);
}

TEST(Gated, IsSaidByItsShare) {
  const auto said = [](std::size_t gated) {
    Replay replay;
    replay.corrections = 1000, replay.gated = gated;
    return diagnose_gated(replay);
  };
  EXPECT_THAT(diagnose_gated({}), IsEmpty());
  EXPECT_THAT(said(10), IsEmpty());
  ASSERT_EQ(said(11).size(), 1U);
  EXPECT_EQ(said(200)[0].severity, Severity::warning);
  EXPECT_THAT(said(200)[0].message, HasSubstr("refused 20 % of the samples, 200 of 1000"));
  EXPECT_EQ(said(201)[0].severity, Severity::error);
}

}  // namespace
}  // namespace tauhat
