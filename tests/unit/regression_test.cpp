// Regression of a rigid axis: exact where the record is, honest where it is noisy, and silent about what it cannot say.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>

#include "support/axis_records.hpp"
#include "support/bands.hpp"
#include "tauhat/offline/error.hpp"
#include "tauhat/offline/friction/constant_speed.hpp"
#include "tauhat/offline/friction/forward.hpp"
#include "tauhat/offline/friction/long_run_covariance.hpp"
#include "tauhat/offline/friction/regression.hpp"

namespace tauhat {
namespace {

using Series = std::vector<double>;
using testing::HasSubstr;
using Truth = AxisTruth;
using Moves = AxisMoves;
using Noise = AxisNoise;

constexpr double kPeriod = kAxisPeriod;

// A record whose force belongs exactly to the motion that the regression derives from its position.
AxisRecord exact_record(const Truth& truth, Series position, double cut_off, Series velocity = {}) {
  AxisRecord record{"exact.csv", kPeriod, std::move(position), std::move(velocity), {}};
  record.force.assign(record.position.size(), 0.0);
  const AxisMotion motion = differentiate_axis(record, cut_off, 0.0);
  for (std::size_t k = 0; k < record.force.size(); ++k) {
    record.force[k] = force_of(truth, motion.position[k], motion.velocity[k], motion.acceleration[k]);
  }
  return record;
}

template <class Value>
Series sampled(double duration, const Value& value) {
  Series values(static_cast<std::size_t>(std::lround(duration / kPeriod)));
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = value(static_cast<double>(k) * kPeriod);
  return values;
}

// Three frequencies: speeds and accelerations of all sizes.
double wandering(double t) { return 0.8 * std::sin(1.1 * t) + 0.3 * std::sin(3.7 * t + 1.0) + 0.1 * std::sin(9.1 * t); }
double wandering_rate(double t) {
  return 0.88 * std::cos(1.1 * t) + 1.11 * std::cos(3.7 * t + 1.0) + 0.91 * std::cos(9.1 * t);
}

void expect_exact(const RegressionFit& fit, const Truth& truth) {
  ASSERT_EQ(fit.parameters.size(), truth.size());
  for (const auto& [name, value] : truth) {
    const RegressionParameter* found = fit.find(name);
    ASSERT_NE(found, nullptr) << name;
    EXPECT_TRUE(found->separable) << name << ": " << found->why;
    EXPECT_NEAR(found->value / value, 1.0, 1e-9) << name;
  }
  EXPECT_LT(fit.relative_error, 1e-9);
}

TEST(Regression, RecoversAnExactAxis) {
  const Series position = sampled(12.0, wandering);
  expect_exact(fit_axis(exact_record(kSymmetric, position, 100.0), {}), kSymmetric);
  expect_exact(fit_axis(exact_record(kSymmetric, position, 0.0), {.cut_off = 0.0, .decimation = 1}), kSymmetric);
  expect_exact(fit_axis(exact_record(kSymmetric, position, 100.0), {.weighted = true}), kSymmetric);
  expect_exact(fit_axis(exact_record(kAsymmetric, position, 100.0), {.friction = FrictionShape::asymmetric}),
               kAsymmetric);
}

TEST(Regression, RecoversGravityAndLoadFriction) {
  const Series position = sampled(12.0, wandering);
  const Truth heavy = with(kSymmetric, kGravity), meshed = with(heavy, kLoadFriction);
  expect_exact(fit_axis(exact_record(heavy, position, 100.0), {.gravity = true}), heavy);
  expect_exact(fit_axis(exact_record(meshed, position, 100.0), {.gravity = true, .torque_dependent = true}), meshed);
  expect_exact(
      fit_axis(exact_record(meshed, position, 100.0), {.gravity = true, .torque_dependent = true, .weighted = true}),
      meshed);
  const Truth one_sided = with(with(kAsymmetric, kGravity), kLoadFriction);
  expect_exact(fit_axis(exact_record(one_sided, position, 100.0),
                        {.gravity = true, .friction = FrictionShape::asymmetric, .torque_dependent = true}),
               one_sided);
}

// A velocity sensor with a gain of its own: the regression must use it, not the position.
TEST(Regression, UsesTheMeasuredVelocity) {
  const Series velocity = sampled(12.0, [](double t) { return 2.0 * wandering_rate(t); });
  expect_exact(fit_axis(exact_record(kSymmetric, sampled(12.0, wandering), 100.0, velocity), {}), kSymmetric);
}

// Force and motion of the continuous axis: filter, differences and decimation must not bias it by more than the gain of
// the differences at the highest frequency, (w T)^2 / 3 = 3e-5.
TEST(Regression, PreparationDoesNotBiasAContinuousAxis) {
  const auto rate = [](double t, double order) {  // derivatives of `wandering`, by order
    double sum = 0.0;
    for (const auto& [size, omega, phase] : {std::array{0.8, 1.1, 0.0}, {0.3, 3.7, 1.0}, {0.1, 9.1, 0.0}}) {
      sum += size * std::pow(omega, order) * std::sin(omega * t + phase + order * std::numbers::pi / 2.0);
    }
    return sum;
  };
  AxisRecord record{"continuous.csv", kPeriod, sampled(20.0, wandering)};
  record.force = sampled(20.0, [&](double t) { return force_of(kSymmetric, 0.0, rate(t, 1.0), rate(t, 2.0)); });
  const RegressionFit fit = fit_axis(record, {});
  for (const auto& [name, value] : kSymmetric) EXPECT_NEAR(fit.find(name)->value / value, 1.0, 2e-4) << name;
}

// --- noise --------------------------------------------------------------------------------------------------------

// The share of 95 % intervals that hold the truth, for each parameter.
Truth coverage(const Truth& truth, const RegressionOptions& options, const Noise& noise, int runs) {
  const Moves moves = positioning_moves(kSpeeds);
  Truth share;
  for (int run = 0; run < runs; ++run) {
    const RegressionFit fit = fit_axis(measured(moves, truth, noise, static_cast<std::uint64_t>(100 + run)), options);
    for (const auto& [name, value] : truth) {
      const RegressionParameter& found = *fit.find(name);
      share[name] += std::abs(found.value - value) < kNormal95 * found.std ? 1.0 / runs : 0.0;
    }
  }
  return share;
}

class RegressionCoverage : public testing::TestWithParam<double> {};

TEST_P(RegressionCoverage, IntervalsHoldTheTruth) {
  const Noise noise{.correlation_time = GetParam()};
  for (const auto& [name, share] : coverage(kSymmetric, {}, noise, 200)) {
    RecordProperty(name, std::to_string(share));
    EXPECT_GE(share, 0.90) << name;
    EXPECT_LE(share, 0.98) << name;
  }
  for (const auto& [name, share] :
       coverage(kAsymmetric, {.friction = FrictionShape::asymmetric, .weighted = true}, noise, 200)) {
    RecordProperty(name, std::to_string(share));
    EXPECT_GE(share, 0.90) << name;
    EXPECT_LE(share, 0.98) << name;
  }
}

// White, the current loop's, and slow noise whose samples after decimation still follow each other.
INSTANTIATE_TEST_SUITE_P(CorrelationTimes, RegressionCoverage, testing::Values(0.0, 0.01, 0.06));

// Samples that follow each other count less: after decimation to 25 ms, noise with 60 ms memory has
// (1 - rho) / (1 + rho) = 0.21 of them left, rho = exp(-25 / 60).
TEST(Regression, CountsCorrelatedSamplesLess) {
  const Moves moves = positioning_moves(kSpeeds);
  const RegressionFit white = fit_axis(measured(moves, kSymmetric, {}, 1), {});
  const RegressionFit slow = fit_axis(measured(moves, kSymmetric, {.correlation_time = 0.06}, 1), {});
  EXPECT_GT(white.effective_samples, 0.6 * static_cast<double>(white.samples));
  EXPECT_LT(slow.effective_samples, 0.4 * static_cast<double>(slow.samples));
  EXPECT_GT(slow.effective_samples, 0.1 * static_cast<double>(slow.samples));
}

// Half of this record is at rest, where the force is 0.3 of Coulomb's and the encoder toggles.
TEST(Regression, LeavesStandstillOut) {
  const Moves moves = positioning_moves(kSpeeds, 0.2, 0.5, 0.9);
  AxisRecord record = measured(moves, kSymmetric, {}, 5);
  Draw draw(6);
  for (double& q : record.position) q += 1e-6 * std::round(draw.normal());
  const RegressionFit fit = fit_axis(record, {});
  EXPECT_NEAR(fit.find("friction.coulomb")->value, 20.0, 0.3);
  EXPECT_NEAR(fit.find("friction.offset")->value, -3.0, 0.3);
  EXPECT_GT(fit.standstill_samples, fit.samples / 2);
  EXPECT_NEAR(fit.standstill, 0.0025, 1e-4);  // one percent of the highest speed
  // With it, the offset takes what the stick leaves.
  const RegressionFit all = fit_axis(record, {.standstill = 1e-12});
  EXPECT_GT(std::abs(all.find("friction.offset")->value - -3.0), 1.0);
}

// Bands of very different noise: weights must make the intervals smaller, not only different.
TEST(Regression, WeightsSharpenWhereTheNoiseDependsOnTheSpeed) {
  const Moves moves = positioning_moves(kSpeeds);
  AxisRecord record = measured(moves, kSymmetric, {}, 3);
  Draw draw(4);
  for (std::size_t k = 0; k < record.force.size(); ++k) {
    if (moves.velocity[k] > 0.12) record.force[k] += 40.0 * draw.normal();
  }
  const RegressionFit plain = fit_axis(record, {}), weighted = fit_axis(record, {.weighted = true});
  for (const auto& [name, value] : kSymmetric) {
    EXPECT_LT(weighted.find(name)->std, 0.8 * plain.find(name)->std) << name;
    EXPECT_NEAR(weighted.find(name)->value, value, 4.0 * weighted.find(name)->std) << name;
  }
}

// A force that is held over each period acts half a period later: taken as a sample it would shift viscous friction by
//   mass T / 2 <a^2> / <v^2>
TEST(Regression, CentresAHeldForce) {
  const Series position = sampled(20.0, wandering);
  AxisRecord record =
      exact_record(kSymmetric, sampled(20.0, [](double t) { return wandering(t + kPeriod / 2.0); }), 100.0);
  record.position = position;
  const double plain = fit_axis(record, {}).find("friction.viscous")->value;
  const double centred = fit_axis(record, {.held_force = true}).find("friction.viscous")->value;
  EXPECT_NEAR(centred, 200.0, 0.05);
  EXPECT_GT(std::abs(plain - 200.0), 0.4);
}

// --- what the record cannot tell ----------------------------------------------------------------------------------

// Cruising at these speeds, one after the other, without ever turning back.
Moves one_way(const Series& speeds) {
  Moves moves;
  double position = 0.0, velocity = speeds.front();
  for (const double speed : speeds) {
    for (int k = 0; k < 2000; ++k) {
      const double acceleration = std::clamp((speed - velocity) / kPeriod, -1.0, 1.0);
      moves.position.push_back(position);
      moves.velocity.push_back(velocity);
      moves.acceleration.push_back(acceleration);
      position += kPeriod * (velocity + 0.5 * kPeriod * acceleration);
      velocity += kPeriod * acceleration;
    }
  }
  return moves;
}

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
  const AxisRecord record = measured(positioning_moves(Series(6, 0.2)), kSymmetric, {}, 1);
  const RegressionFit fit = fit_axis(record, {.standstill = 0.196});
  expect_told(fit, "friction.offset", -3.0);
  expect_lost(fit, "friction.viscous", "only one speed: viscous and coulomb friction cannot be told apart");
  expect_lost(fit, "friction.coulomb", "only one speed");
}

// At 0.2 m/s the encoder advances by whole steps, so that its noise is round-off; at the other speed it is not.
TEST(RegressionSeparability, OneSpeedInOneDirectionTellsNothing) {
  for (const double speed : {0.2, 0.19973}) {
    const std::string text = refusal(measured(one_way(Series(5, speed)), kSymmetric, {}, 1), {});
    EXPECT_THAT(text, HasSubstr("simulated.csv: no parameter of the axis can be told"));
    EXPECT_THAT(text, HasSubstr("no acceleration above the noise"));
    EXPECT_THAT(text, HasSubstr("only one speed"));
    EXPECT_THAT(text, HasSubstr("motion in one direction only"));
  }
}

// Speeds that change so slowly that the encoder's grain hides the acceleration.
TEST(RegressionSeparability, NoAccelerationHidesTheMass) {
  Moves moves;
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
  const Truth heavy = with(kSymmetric, kGravity);
  const Series position = sampled(12.0, [](double t) { return 0.08 * wandering(t); });
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
  Truth light = kSymmetric;
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
  Moves rest = one_way(Series(5, 0.2));
  for (Series* values : {&rest.position, &rest.velocity, &rest.acceleration}) values->assign(values->size(), 0.0);
  AxisRecord still = measured(rest, kSymmetric, {}, 1);
  Draw draw(1);
  for (double& q : still.position) q += 1e-6 * std::round(draw.normal());
  EXPECT_THAT(refusal(still, {}), HasSubstr("the axis hardly moves"));
}

// The mean of n samples of an autoregression has the variance s^2 (1 + rho) / (1 - rho) / n.
TEST(LongRunCovariance, MatchesAnAutoregression) {
  for (const double rho : {-0.4, 0.0, 0.5, 0.9}) {
    constexpr int kRuns = 100, kSize = 2000;
    double mean = 0.0;
    for (int run = 0; run < kRuns; ++run) {
      Draw draw(static_cast<std::uint64_t>(run));
      Eigen::VectorXd values(kSize);
      double x = draw.normal();
      for (double& value : values) value = x = rho * x + std::sqrt(1.0 - rho * rho) * draw.normal();
      mean += long_run_covariance(values)(0, 0) / (kRuns * kSize);
    }
    EXPECT_NEAR(mean / ((1.0 + rho) / (1.0 - rho)), 1.0, 0.1) << rho;
  }
}

// The variance of a sum of n independent terms, looked at over b neighbours, has n / (b int k^2) degrees of freedom;
// Parzen's kernel has int k^2 = 151 / 280 over both sides. With b below one there are only the terms themselves.
TEST(LongRunCovariance, HasTheFreedomOfItsKernel) {
  const Eigen::VectorXd alike = Eigen::VectorXd::Ones(20000);
  EXPECT_NEAR(long_run_freedom(alike, 50.0) / (20000.0 / (50.0 * 151.0 / 280.0)), 1.0, 0.005);
  EXPECT_NEAR(long_run_freedom(alike, 0.5), 20000.0, 1e-6);
}

// --- method 2 -----------------------------------------------------------------------------------------------------

TEST(FrictionCurve, FindsEachSpeedOnceForEachStep) {
  const Truth turning = with(kSymmetric, kGravity);
  const Moves moves = positioning_moves({0.4, 0.8, 1.2, 1.2, 0.8, 0.4}, 0.2, 0.8);
  const AxisRecord record = measured(moves, turning, {.resolution = 1e-5}, 8);
  const FrictionCurve curve = friction_curve(record, {.trimmed = 0.1, .turns = true});
  ASSERT_EQ(curve.points.size(), 10U);  // the highest level is only stepped up to
  for (const SpeedPoint& point : curve.points) {
    const double truth = 200.0 * point.speed + (point.speed > 0.0 ? 20.0 : -20.0);
    EXPECT_NEAR(point.friction, truth, 4.0 * point.std + 0.3) << point.speed;  // 0.3: the gravity is fitted
    EXPECT_LT(point.std, 0.5);
    EXPECT_EQ(point.sections, std::abs(point.speed) > 1.0 ? 2U : 1U);
    EXPECT_TRUE(std::abs(point.speed) < 1.0 || point.step == SpeedStep::rising) << point.speed;
  }
  EXPECT_NEAR(curve.gravity.sine, 40.0, 0.5);
  EXPECT_NEAR(curve.gravity.cosine, -15.0, 0.5);
  EXPECT_NEAR(curve.gravity.offset, -3.0, 0.5);
  for (const FrictionLine& line : {curve.positive, curve.negative}) {
    ASSERT_TRUE(line.separable);
    EXPECT_NEAR(line.viscous, 200.0, 4.0 * line.viscous_std + 0.3);
    EXPECT_NEAR(line.coulomb, 20.0, 4.0 * line.coulomb_std + 0.3);
    EXPECT_LT(line.viscous_std, 2.0);
  }
}

// Friction that is 2 N larger on the way down: the two branches must show it.
TEST(FrictionCurve, SeparatesRisingAndFalling) {
  const Moves moves = positioning_moves({0.1, 0.2, 0.3, 0.2, 0.1}, 0.2, 0.8);
  AxisRecord record = measured(moves, kSymmetric, {.force = 0.5}, 8);
  for (std::size_t k = record.force.size() * 3 / 5; k < record.force.size(); ++k) {
    record.force[k] += moves.velocity[k] > 0.0 ? 2.0 : -2.0;
  }
  const FrictionCurve curve = friction_curve(record, {.trimmed = 0.1, .gravity = Gravity{.offset = -3.0}});
  ASSERT_EQ(curve.points.size(), 10U);
  for (const SpeedPoint& point : curve.points) {
    const double size = 20.0 + 200.0 * std::abs(point.speed) + (point.step == SpeedStep::falling ? 2.0 : 0.0);
    EXPECT_NEAR(std::abs(point.friction), size, 0.3) << point.speed;
  }
}

// 95 % intervals of the two lines, with noise that remembers 20 ms, over 200 seeds.
TEST(FrictionCurve, IntervalsHoldTheTruth) {
  const Moves moves = positioning_moves({0.1, 0.2, 0.3, 0.4, 0.3, 0.2, 0.1}, 0.2, 0.8);
  constexpr int kRuns = 200;
  double viscous = 0.0, coulomb = 0.0;
  for (int run = 0; run < kRuns; ++run) {
    const auto seed = static_cast<std::uint64_t>(run);
    const AxisRecord record = measured(moves, kSymmetric, {.correlation_time = 0.02}, seed);
    const FrictionCurve curve = friction_curve(record, {.trimmed = 0.1, .gravity = Gravity{.offset = -3.0}});
    for (const FrictionLine& line : {curve.positive, curve.negative}) {
      viscous += std::abs(line.viscous - 200.0) < kNormal95 * line.viscous_std ? 0.5 / kRuns : 0.0;
      coulomb += std::abs(line.coulomb - 20.0) < kNormal95 * line.coulomb_std ? 0.5 / kRuns : 0.0;
    }
  }
  RecordProperty("viscous", std::to_string(viscous));
  RecordProperty("coulomb", std::to_string(coulomb));
  for (const double share : {viscous, coulomb}) {
    EXPECT_GE(share, 0.90);
    EXPECT_LE(share, 0.98);
  }
}

TEST(FrictionCurve, SaysWhatItLacks) {
  const AxisRecord one_speed = measured(positioning_moves({0.2, 0.2}), kSymmetric, {}, 1);
  const FrictionCurve curve = friction_curve(one_speed, {});
  EXPECT_FALSE(curve.positive.separable);
  EXPECT_THAT(curve.positive.why, HasSubstr("only one speed"));
  const AxisRecord forth = measured(one_way({0.1, 0.2, 0.3}), kSymmetric, {}, 1);
  EXPECT_THROW(friction_curve(forth, {}), Error);  // the offset needs both directions
  const FrictionCurve given = friction_curve(forth, {.gravity = Gravity{.offset = -3.0}});
  EXPECT_TRUE(given.positive.separable);
  EXPECT_THAT(given.negative.why, HasSubstr("record both directions"));
  const AxisRecord never_steady = exact_record(kSymmetric, sampled(10.0, wandering), 100.0);
  EXPECT_THROW(friction_curve(never_steady, {}), Error);
}

// --- forwards -----------------------------------------------------------------------------------------------------

// Under a constant force the velocity rises to (F - coulomb - offset) / viscous with the time constant mass / viscous.
TEST(ForwardRun, RisesExponentially) {
  const RigidAxis axis{.mass = 95.0, .offset = -3.0, .positive = {200.0, 20.0}, .negative = {200.0, 20.0}};
  AxisRecord record{"step.csv", kPeriod, Series(3000, 0.0), {}, Series(3000, 57.0)};
  const ForwardRun run = run_open_loop(axis, record);
  for (const std::size_t k : {100U, 1000U, 2999U}) {
    const double t = static_cast<double>(k) * kPeriod;
    EXPECT_NEAR(run.velocity[k], 0.2 * (1.0 - std::exp(-t * 200.0 / 95.0)), 1e-12);
  }
  EXPECT_EQ(run.force_error, 0.0);
}

// What Coulomb friction holds stays; on a slope, so does what gravity leaves.
TEST(ForwardRun, RestsWhileCoulombFrictionHolds) {
  const RigidAxis axis{
      .mass = 1.0, .gravity_cosine = 5.0, .offset = 1.0, .positive = {1.0, 3.0}, .negative = {1.0, 2.0}};
  for (const auto& [force, rests] : {std::pair{8.9, true}, {9.1, false}, {4.1, true}, {3.9, false}}) {
    const ForwardRun run = run_open_loop(axis, {"rest.csv", kPeriod, Series(200, 0.0), {}, Series(200, force)});
    EXPECT_EQ(run.position.back() == 0.0, rests) << force;
  }
}

// A block thrown against friction comes to rest after v^2 / (2 a), also in the middle of a period.
TEST(ForwardRun, ComesToRestWhereItShould) {
  const RigidAxis axis{.mass = 2.0, .positive = {0.0, 3.0}, .negative = {0.0, 3.0}};
  AxisRecord record{"throw.csv", kPeriod, Series(2000, 0.0), {}, Series(2000, 0.0)};
  record.position[1] = 0.7003 * kPeriod;
  const ForwardRun run = run_open_loop(axis, record);
  EXPECT_NEAR(run.position.back(), 0.7003 * 0.7003 / (2.0 * 1.5), 1e-12);
  EXPECT_EQ(run.velocity.back(), 0.0);
}

// The identified axis, load friction included, follows the record that it was identified from.
TEST(ForwardRun, FollowsItsOwnRecord) {
  const Truth truth = with(with(kAsymmetric, kGravity), kLoadFriction);
  const AxisRecord record = exact_record(truth, sampled(6.0, wandering), 100.0);
  const RigidAxis axis =
      axis_of(fit_axis(record, {.gravity = true, .friction = FrictionShape::asymmetric, .torque_dependent = true}));
  EXPECT_NEAR(axis.negative.viscous, 240.0, 1e-6);
  EXPECT_LT(run_open_loop(axis, record).relative_position_error, 0.01);
}

// A record made by a controller, whose force is held: the regression finds the axis, and the loop repeats the record.
TEST(ForwardRun, ClosedLoopRepeatsItsRecord) {
  const RigidAxis axis{.mass = 95.0, .offset = -3.0, .positive = {200.0, 20.0}, .negative = {200.0, 20.0}};
  const CascadeController controller{.position_gain = 30.0, .velocity_gain = 5e3, .limit = 400.0};
  const Series reference = sampled(20.0, [](double t) { return 0.3 * (wandering(t) - wandering(0.0)); });
  const AxisRecord blank{"loop.csv", kPeriod, Series(reference.size(), 0.0), {}, Series(reference.size(), 0.0)};
  const ForwardRun made = run_closed_loop(axis, blank, controller, reference);
  EXPECT_LE(*std::max_element(made.force.begin(), made.force.end()), 400.0);
  const AxisRecord record{"loop.csv", kPeriod, made.position, {}, made.force};
  const RegressionFit fit = fit_axis(record, {.held_force = true});
  for (const auto& [name, value] : kSymmetric) EXPECT_NEAR(fit.find(name)->value / value, 1.0, 2e-3) << name;
  EXPECT_LT(run_closed_loop(axis_of(fit), record, controller, reference).relative_force_error, 0.01);
  RigidAxis heavier = axis;
  heavier.mass *= 1.1;
  EXPECT_GT(run_closed_loop(heavier, record, controller, reference).relative_force_error, 0.02);
  EXPECT_THROW(run_closed_loop(axis, record, controller, {}), Error);
}

TEST(ForwardRun, RefusesAnAxisOfWhichAPartIsUnknown) {
  const RegressionFit fit = fit_axis(measured(one_way({0.1, 0.2, 0.05, 0.25, 0.1}), kSymmetric, {}, 1), {});
  EXPECT_THROW(axis_of(fit), Error);
}

}  // namespace
}  // namespace tauhat
