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

// It would beyond the record's speeds, which no friction does, whatever it is called there; nothing, give or take its
// noise, is a friction.
TEST(ImpossibleFriction, DrivesTheAxisBeyondTheRecord) {
  EXPECT_THAT(why_not(LawKind::coulomb_viscous, {0.094, -0.02}), HasSubstr("friction.viscous = -0.02 is below zero"));
  EXPECT_EQ(why_not(LawKind::coulomb_viscous, {0.094, -1e-3}), "");
  EXPECT_THAT(why_not(LawKind::exponential, {-0.29, 0.5}, {.fall = 0.8}), HasSubstr("friction.coulomb = -0.29"));
  EXPECT_THAT(why_not(LawKind::asymmetric_coulomb, {0.3, 0.1, 0.3, -0.1}),
              HasSubstr("friction.negative.viscous = -0.1 is below zero"));
  EXPECT_THAT(why_not(LawKind::gaussian_viscous, {0.2, 0.15, 0.05}, {.fall = -10.0}), HasSubstr("stribeck_velocity"));
  // Friction that rises to its level.
  EXPECT_EQ(why_not(LawKind::exponential, {0.3, -0.2}, {.fall = 5.0}), "");
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

// Law: a smooth form has its hard form's parameters and its width (one for each direction, where those are apart); far
// above the width it is the same force.
TEST(SmoothForm, IsItsHardFormAboveItsWidth) {
  for (const LawKind kind : kLawKinds) {
    const LawKind hard = hard_form(kind);
    EXPECT_FALSE(has_width(hard)) << name_of(hard);
    if (!has_width(kind)) continue;
    const std::size_t widths = is_asymmetric(kind) ? 2 : 1;
    EXPECT_EQ(parameter_names(kind).size(), parameter_names(hard).size() + widths) << name_of(kind);
    EXPECT_EQ(has_fall(kind), has_fall(hard)) << name_of(kind);
    constexpr double kWidth = 1e-3;
    const std::size_t count = columns_at(kind, 0.0, {5.0, kWidth}).count;
    const FittedLaw smooth{kind, std::vector<double>(count, 0.3), {.fall = 5.0, .width = kWidth}};
    const FittedLaw jumps{hard, smooth.coefficients, {.fall = 5.0}};
    for (const double v : {-0.3, -0.02, 0.02, 0.3}) {
      EXPECT_NEAR(smooth.steady_force(v), jumps.steady_force(v), 1e-12) << name_of(kind) << " at " << v;
      const ForceColumns with = columns_at(kind, v, smooth.shape), without = columns_at(hard, v, jumps.shape);
      for (std::size_t i = 0; i < count; ++i) EXPECT_NEAR(with.value[i], without.value[i], 1e-12) << name_of(kind);
    }
    EXPECT_LT(smooth.steady_force(0.1 * kWidth), 0.2 * jumps.steady_force(0.1 * kWidth)) << name_of(kind);
  }
}

}  // namespace
}  // namespace tauhat
