// Fitted laws that no friction follows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tauhat/offline/friction/candidate.hpp"

namespace tauhat {
namespace {

using testing::HasSubstr;

constexpr double kFastest = 0.5;  // rad/s

std::string why_not(LawKind kind, std::vector<double> coefficients, LawShape shape = {}) {
  return FittedLaw{kind, std::move(coefficients), shape}.why_impossible(kFastest);
}

TEST(ImpossibleFriction, IsNotWhatBearingsHave) {
  EXPECT_EQ(why_not(LawKind::coulomb_viscous, {0.3, 0.1}), "");
  EXPECT_EQ(why_not(LawKind::gaussian_viscous, {0.2, 0.15, 0.05}, {.fall = 10.0}), "");
  EXPECT_EQ(why_not(LawKind::tanh_viscous, {0.3, 0.1}, {.width = 0.01}), "");
}

TEST(ImpossibleFriction, DrivesTheAxis) {
  // Breakaway 0.3 - 0.312 = -0.012.
  EXPECT_THAT(why_not(LawKind::gaussian_viscous, {0.3, -0.312, 0.1}, {.fall = 50.0}), HasSubstr("would drive"));
  EXPECT_THAT(why_not(LawKind::coulomb_viscous, {0.01, -0.1}), HasSubstr("would drive"));
}

TEST(ImpossibleFriction, MayHoldAConstantForceWhereEachDirectionHasItsLevel) {
  EXPECT_EQ(why_not(LawKind::asymmetric_coulomb, {0.5, 0.1, -0.1, 0.1}), "");
  EXPECT_THAT(why_not(LawKind::asymmetric_coulomb, {0.1, 0.1, -0.3, 0.1}), HasSubstr("would drive"));
}

TEST(ImpossibleFriction, BendsWhereNoSpeedIsSeen) {
  EXPECT_THAT(why_not(LawKind::gaussian_viscous, {0.3, 0.1, 0.1}, {.fall = 1.0 / 2e-5}), HasSubstr("resolution"));
  EXPECT_THAT(why_not(LawKind::tanh_viscous, {0.3, 0.1}, {.width = 2e-5}), HasSubstr("resolution"));
}

TEST(ImpossibleFriction, IsALineThatCallsItselfAnExponential) {
  EXPECT_THAT(why_not(LawKind::exponential, {20.0, -19.0}, {.fall = 0.02}), HasSubstr("straight line"));
  EXPECT_EQ(why_not(LawKind::exponential, {0.5, 0.3}, {.fall = 2.0}), "");
}

}  // namespace
}  // namespace tauhat
