// What a record of an axis cannot tell is named, not fitted.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support/axis_records.hpp"
#include "tauhat/offline/error.hpp"
#include "tauhat/offline/friction/regression.hpp"

namespace tauhat {
namespace {

using testing::HasSubstr;

std::string refusal(const AxisRecord& record, const RegressionOptions& options) {
  try {
    fit_axis(record, options);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::unusable_data);
    return error.what();
  }
  return "";
}

void expect_lost(const RegressionFit& fit, const std::string& name, const std::string& why) {
  const RegressionParameter* found = fit.find(name);
  ASSERT_NE(found, nullptr) << name;
  EXPECT_FALSE(found->separable) << name << " = " << found->value << " +- " << found->std;
  EXPECT_TRUE(std::isnan(found->value) && std::isnan(found->std)) << name;
  EXPECT_THAT(found->why, HasSubstr(why)) << name;
}

void expect_told(const RegressionFit& fit, const std::string& name, double value) {
  const RegressionParameter* found = fit.find(name);
  ASSERT_NE(found, nullptr) << name;
  ASSERT_TRUE(found->separable) << name << ": " << found->why;
  EXPECT_NEAR(found->value, value, 4.0 * found->std) << name;
  EXPECT_LT(found->std, 0.1 * std::abs(value)) << name;
}

TEST(RegressionSeparability, OneDirectionMixesCoulombFrictionAndOffset) {
  const RegressionFit fit = fit_axis(measured(one_way({0.1, 0.2, 0.05, 0.25, 0.1}), kSymmetric, {}, 1), {});
  expect_told(fit, "axis.mass", 95.0);
  expect_told(fit, "friction.viscous", 200.0);
  for (const std::string name : {"friction.coulomb", "friction.offset"}) {
    expect_lost(fit, name, "motion in one direction only");
    expect_lost(fit, name, "friction.coulomb and friction.offset act alike");
  }
}

TEST(RegressionSeparability, OneDirectionSaysNothingOfTheOther) {
  const RegressionFit fit = fit_axis(measured(one_way({0.1, 0.2, 0.05, 0.25, 0.1}), kAsymmetric, {}, 1),
                                     {.friction = FrictionShape::asymmetric});
  expect_told(fit, "friction.viscous.positive", 160.0);
  expect_told(fit, "friction.coulomb.positive", 20.0);
  expect_lost(fit, "friction.viscous.negative", "no motion in the negative direction");
  expect_lost(fit, "friction.coulomb.negative", "no motion in the negative direction");
}

// Only what is faster than 0.98 of the one cruising speed is used: no ramps.
TEST(RegressionSeparability, OneSpeedMixesViscousAndCoulombFriction) {
  const AxisRecord record = measured(positioning_moves(std::vector<double>(6, 0.2)), kSymmetric, {}, 1);
  const RegressionFit fit = fit_axis(record, {.standstill = 0.196});
  expect_told(fit, "friction.offset", -3.0);
  expect_lost(fit, "friction.viscous", "only one speed: viscous and coulomb friction cannot be told apart");
  expect_lost(fit, "friction.coulomb", "only one speed");
}

// At 0.2 m/s the encoder advances by whole steps, so that its noise is round-off; at the other speed it is not.
TEST(RegressionSeparability, OneSpeedInOneDirectionTellsNothing) {
  for (const double speed : {0.2, 0.19973}) {
    const std::string text = refusal(measured(one_way(std::vector<double>(5, speed)), kSymmetric, {}, 1), {});
    EXPECT_THAT(text, HasSubstr("simulated.csv: no parameter of the axis can be told"));
    EXPECT_THAT(text, HasSubstr("no acceleration above the noise"));
    EXPECT_THAT(text, HasSubstr("only one speed"));
    EXPECT_THAT(text, HasSubstr("motion in one direction only"));
  }
}

// Speeds that change so slowly that the encoder's grain hides the acceleration.
TEST(RegressionSeparability, NoAccelerationHidesTheMass) {
  AxisMoves moves;
  moves.position = sampled(60.0, [](double t) { return 0.15 * t - 0.1 / 0.3 * std::cos(0.3 * t); });
  moves.velocity = sampled(60.0, [](double t) { return 0.15 + 0.1 * std::sin(0.3 * t); });
  moves.acceleration = sampled(60.0, [](double t) { return 0.03 * std::cos(0.3 * t); });
  const RegressionFit fit =
      fit_axis(measured(moves, kAsymmetric, {.resolution = 2e-4}, 1), {.friction = FrictionShape::asymmetric});
  expect_lost(fit, "axis.mass", "no acceleration above the noise");
  expect_told(fit, "friction.viscous.positive", 160.0);
  expect_told(fit, "friction.coulomb.positive", 20.0);
}

TEST(RegressionSeparability, ShortStrokeMixesGravityAndOffset) {
  const AxisParameters heavy = with(kSymmetric, kGravity);
  const std::vector<double> position = sampled(12.0, [](double t) { return 0.08 * wandering(t); });
  const RegressionFit fit = fit_axis(exact_record(heavy, position, 100.0), {.gravity = true});
  expect_lost(fit, "gravity.cosine", "the stroke is too short");
  expect_lost(fit, "friction.offset", "gravity.cosine and friction.offset act alike");
  EXPECT_NEAR(fit.find("axis.mass")->value, 95.0, 1.0);
  EXPECT_NEAR(fit.find("friction.viscous")->value, 200.0, 2.0);
  EXPECT_NEAR(fit.find("friction.coulomb")->value, 20.0, 0.2);
}

TEST(RegressionSeparability, SaysWhatTheNoiseHides) {
  const RegressionFit fit =
      fit_axis(measured(positioning_moves(kSpeeds), with(kSymmetric, {{"friction.load.positive", 0.0}}), {}, 1), {});
  for (const RegressionParameter& parameter : fit.parameters) EXPECT_EQ(parameter.why, "") << parameter.name;
  AxisParameters light = kSymmetric;
  light["friction.offset"] = 0.0;
  const RegressionFit hidden = fit_axis(measured(positioning_moves(kSpeeds), light, {.force = 20.0}, 2), {});
  EXPECT_THAT(hidden.find("friction.offset")->why, HasSubstr("not told from zero"));
}

TEST(RegressionRefuses, RecordsThatCannotBeUsed) {
  const AxisRecord good = exact_record(kSymmetric, sampled(5.0, wandering), 100.0);
  AxisRecord record = good;
  record.force[77] = std::nan("");
  EXPECT_THAT(refusal(record, {}), HasSubstr("exact.csv: sample 77 is missing"));
  record = good;
  record.position.pop_back();
  EXPECT_THAT(refusal(record, {}), HasSubstr("must be equally many"));
  record = good;
  record.period = 0.0;
  EXPECT_THAT(refusal(record, {}), HasSubstr("must be positive"));
  EXPECT_THAT(refusal(good, {.cut_off = 500.0}), HasSubstr("less than half"));
  EXPECT_THAT(refusal(good, {.trimmed = 2.5}), HasSubstr("too short"));
  AxisMoves rest = one_way(std::vector<double>(5, 0.2));
  for (std::vector<double>* values : {&rest.position, &rest.velocity, &rest.acceleration})
    values->assign(values->size(), 0.0);
  AxisRecord still = measured(rest, kSymmetric, {}, 1);
  Draw draw(1);
  for (double& q : still.position) q += 1e-6 * std::round(draw.normal());
  EXPECT_THAT(refusal(still, {}), HasSubstr("the axis hardly moves"));
}

}  // namespace
}  // namespace tauhat
