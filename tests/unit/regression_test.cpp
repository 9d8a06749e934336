// Regression of a rigid axis: exact where the record is, honest where it is noisy, and silent about what it cannot say.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>

#include "support/axis_records.hpp"
#include "support/bands.hpp"
#include "tauhat/offline/error.hpp"
#include "tauhat/offline/friction/regression.hpp"

namespace tauhat {
namespace {

using testing::HasSubstr;

void expect_exact(const RegressionFit& fit, const AxisParameters& truth) {
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
  const std::vector<double> position = sampled(12.0, wandering);
  expect_exact(fit_axis(exact_record(kSymmetric, position, 100.0), {}), kSymmetric);
  expect_exact(fit_axis(exact_record(kSymmetric, position, 0.0), {.cut_off = 0.0, .decimation = 1}), kSymmetric);
  expect_exact(fit_axis(exact_record(kSymmetric, position, 100.0), {.weighted = true}), kSymmetric);
  expect_exact(fit_axis(exact_record(kAsymmetric, position, 100.0), {.friction = FrictionShape::asymmetric}),
               kAsymmetric);
}

TEST(Regression, RecoversGravityAndLoadFriction) {
  const std::vector<double> position = sampled(12.0, wandering);
  const AxisParameters heavy = with(kSymmetric, kGravity), meshed = with(heavy, kLoadFriction);
  expect_exact(fit_axis(exact_record(heavy, position, 100.0), {.gravity = true}), heavy);
  expect_exact(fit_axis(exact_record(meshed, position, 100.0), {.gravity = true, .torque_dependent = true}), meshed);
  expect_exact(
      fit_axis(exact_record(meshed, position, 100.0), {.gravity = true, .torque_dependent = true, .weighted = true}),
      meshed);
  const AxisParameters one_sided = with(with(kAsymmetric, kGravity), kLoadFriction);
  expect_exact(fit_axis(exact_record(one_sided, position, 100.0),
                        {.gravity = true, .friction = FrictionShape::asymmetric, .torque_dependent = true}),
               one_sided);
}

// A velocity sensor with a gain of its own: the regression must use it, not the position.
TEST(Regression, UsesTheMeasuredVelocity) {
  const std::vector<double> velocity = sampled(12.0, [](double t) { return 2.0 * wandering_rate(t); });
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
  AxisRecord record{"continuous.csv", kAxisPeriod, sampled(20.0, wandering)};
  record.force = sampled(20.0, [&](double t) { return force_of(kSymmetric, 0.0, rate(t, 1.0), rate(t, 2.0)); });
  const RegressionFit fit = fit_axis(record, {});
  for (const auto& [name, value] : kSymmetric) EXPECT_NEAR(fit.find(name)->value / value, 1.0, 2e-4) << name;
}

// --- noise --------------------------------------------------------------------------------------------------------

// The share of 95 % intervals that hold the truth, for each parameter.
AxisParameters coverage(const AxisParameters& truth, const RegressionOptions& options, const AxisNoise& noise,
                        int runs) {
  const AxisMoves moves = positioning_moves(kSpeeds);
  AxisParameters share;
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
  const AxisNoise noise{.correlation_time = GetParam()};
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
  const AxisMoves moves = positioning_moves(kSpeeds);
  const RegressionFit white = fit_axis(measured(moves, kSymmetric, {}, 1), {});
  const RegressionFit slow = fit_axis(measured(moves, kSymmetric, {.correlation_time = 0.06}, 1), {});
  EXPECT_GT(white.effective_samples, 0.6 * static_cast<double>(white.samples));
  EXPECT_LT(slow.effective_samples, 0.4 * static_cast<double>(slow.samples));
  EXPECT_GT(slow.effective_samples, 0.1 * static_cast<double>(slow.samples));
}

// Half of this record is at rest, where the force is 0.3 of Coulomb's and the encoder toggles.
TEST(Regression, LeavesStandstillOut) {
  const AxisMoves moves = positioning_moves(kSpeeds, 0.2, 0.5, 0.9);
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
  const AxisMoves moves = positioning_moves(kSpeeds);
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
  const std::vector<double> position = sampled(20.0, wandering);
  AxisRecord record =
      exact_record(kSymmetric, sampled(20.0, [](double t) { return wandering(t + kAxisPeriod / 2.0); }), 100.0);
  record.position = position;
  const double plain = fit_axis(record, {}).find("friction.viscous")->value;
  const double centred = fit_axis(record, {.held_force = true}).find("friction.viscous")->value;
  EXPECT_NEAR(centred, 200.0, 0.05);
  EXPECT_GT(std::abs(plain - 200.0), 0.4);
}

}  // namespace
}  // namespace tauhat
