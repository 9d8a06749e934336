// Friction beyond the paper's own set-up: other coefficients and sample periods, beside the reference filter; intervals
// that hold the truth; and records that cannot answer.
#include <gtest/gtest.h>

#include <numbers>

#include "tauhat/core/friction/coulomb_tanh.hpp"
#include "tauhat/core/friction/exponential.hpp"
#include "tauhat/offline/error.hpp"
#include "tauhat/offline/friction/free_friction.hpp"
#include "tauhat/offline/friction/identify_friction.hpp"
#include "tauhat/offline/report/verdict.hpp"
#include "tauhat/offline/reproduce/shimizu_setup.hpp"

namespace tauhat {
namespace {

using shimizu::mass_on_spring;
using shimizu::measured;

constexpr double kVariance = 1e-8;

template <class Law>
AxisTruth released(const Law& law, double period = 1e-3, double duration = 13.0) {
  return StickSlip(mass_on_spring(), law, [](double) { return 0.0; })
      .run(1.0, 0.0, period, static_cast<std::size_t>(duration / period) + 1, 4);
}

FrictionFit identified(const Timeline& timeline, const Axis<double>& axis = mass_on_spring()) {
  return identify_friction(axis, timeline, {});
}

bool has(const std::vector<Diagnostic>& all, const std::string& name) {
  return std::any_of(all.begin(), all.end(), [&](const Diagnostic& d) { return d.name == name; });
}

std::vector<Diagnostic> diagnosed(const Timeline& timeline, const Axis<double>& axis = mass_on_spring()) {
  const FrictionFit fit = identified(timeline, axis);
  return diagnose(fit, measure(fit, timeline));
}

double error_of(const std::vector<double>& found, const AxisTruth& truth) {
  double sum = 0.0, count = 0.0;
  for (std::size_t k = 0; k < truth.time.size(); ++k) {
    if (truth.time[k] < 2.1 * std::numbers::pi || truth.time[k] > 2.98 * std::numbers::pi) continue;
    sum += std::pow(found[k] - truth.friction[k], 2), count += 1.0;
  }
  return sum / count;
}

struct Variation {
  const char* name;
  Exponential<double> law;
  double period;
};

class Variations : public testing::TestWithParam<Variation> {};

// The automatic procedure is better than the paper's filter with its own tuning, on the same data.
TEST_P(Variations, AutomaticIsBetterThanTheReferenceFilter) {
  const Variation& v = GetParam();
  const AxisTruth truth = released(v.law, v.period);
  for (const std::uint64_t seed : {71}) {
    const Timeline timeline = measured(truth, kVariance, seed);
    ParametricSpec reference;
    reference.axis = mass_on_spring();
    reference.axis.noise[Axis<double>::velocity] = v.period * 1e-7;
    reference.law = {LawKind::exponential, {0.05, 0.05}, 5.0};
    reference.std = {0.1, 0.1, 1.0};
    const double level = std::sqrt(v.period * 1e-3), decay = std::sqrt(v.period);
    reference.drift = {level, level, decay};
    reference.start[0] = 1.0;
    const double before = error_of(run_parametric(reference, timeline).friction.value, truth);
    const FrictionFit fit = identified(timeline);
    EXPECT_EQ(fit.law.kind, LawKind::exponential) << name_of(fit.law.kind);
    EXPECT_LE(error_of(fit.parametric.smoothed_friction.value, truth), before) << "seed " << seed;
    EXPECT_TRUE(is_trusted(diagnose(fit, measure(fit, timeline))));
  }
}

INSTANTIATE_TEST_SUITE_P(Friction, Variations,
                         testing::Values(Variation{"stronger", {.coulomb = 0.03, .excess = 0.15, .decay = 6.2}, 1e-3},
                                         Variation{"weaker", {.coulomb = 0.01, .excess = 0.05, .decay = 6.2}, 1e-3},
                                         Variation{"steeper", {.coulomb = 0.02, .excess = 0.1, .decay = 9.3}, 1e-3},
                                         Variation{"flatter", {.coulomb = 0.02, .excess = 0.1, .decay = 3.1}, 1e-3},
                                         Variation{"fast", {.coulomb = 0.02, .excess = 0.1, .decay = 6.2}, 5e-4},
                                         Variation{"slow", {.coulomb = 0.02, .excess = 0.1, .decay = 6.2}, 2e-3}),
                         [](const auto& each) { return each.param.name; });

// 95 % intervals of the parameters hold the truth.
TEST(Friction, IntervalsHoldTheTruth) {
  const CoulombTanh<double> law{.coulomb = 0.03, .viscous = 0.02, .width = 0.0};
  const AxisTruth truth = released(law);
  int held = 0, all = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const FrictionFit fit = identified(measured(truth, kVariance, seed));
    ASSERT_EQ(fit.law.kind, LawKind::coulomb_viscous);
    const double expected[] = {0.03, 0.02};
    for (std::size_t i = 0; i < 2; ++i, ++all) {
      const LawParameter& p = fit.parametric.parameters[i];
      held += std::abs(p.value - expected[i]) < 1.96 * p.std;
    }
  }
  // 12 draws of 95 %: 11.4 with a standard deviation of 0.8.
  EXPECT_GE(held, 9) << "of " << all;
}

TEST(Friction, SaysWhenTheAxisDoesNotMove) {
  AxisTruth still = released(Exponential<double>{.coulomb = 2.0, .excess = 0.1});  // held by friction at once
  EXPECT_TRUE(has(diagnosed(measured(still, kVariance, 3)), "excitation.no_motion"));
}

// Driven one way by a steady force.
TEST(Friction, SaysWhenTheAxisNeverTurnsBack) {
  Axis<double> stage;
  const auto force = [](double t) { return 0.2 + 0.1 * std::sin(t); };
  const AxisTruth truth = StickSlip(stage, CoulombTanh<double>{.coulomb = 0.05, .viscous = 0.1, .width = 0.0}, force)
                              .run(0, 0, 1e-3, 13001, 4);
  const auto found = diagnosed(measured(truth, kVariance, 4, force), stage);
  EXPECT_TRUE(has(found, "excitation.no_reversal"));
}

// A triangle of position: one speed, forth and back.
TEST(Friction, SaysWhenThereIsOneSpeedOnly) {
  Axis<double> stage;
  stage.damping = 50.0;  // reaches its speed within 0.1 s
  const auto force = [](double t) { return std::fmod(t, 4.0) < 2.0 ? 25.5 : -25.5; };
  const AxisTruth truth = StickSlip(stage, CoulombTanh<double>{.coulomb = 0.5, .viscous = 0.0, .width = 0.0}, force)
                              .run(0, 0.5, 1e-3, 16001, 4);
  const auto found = diagnosed(measured(truth, kVariance, 5, force), stage);
  EXPECT_TRUE(has(found, "excitation.one_speed"));
}

TEST(Friction, SaysWhenFrictionIsBelowTheNoise) {
  const AxisTruth truth = released(CoulombTanh<double>{.coulomb = 1e-5, .viscous = 0.0, .width = 0.0});
  EXPECT_TRUE(has(diagnosed(measured(truth, 1e-4, 6)), "friction.below_noise"));
}

TEST(Friction, RefusesAShortRecord) {
  const AxisTruth truth = released(Exponential<double>{.coulomb = 0.02, .excess = 0.1, .decay = 6.2}, 1e-3, 0.1);
  EXPECT_THROW(identified(measured(truth, kVariance, 7)), Error);
}

// Friction that depends on the position, which no candidate knows.
TEST(Friction, SaysWhenNoLawFits) {
  int detected = 0;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    // A ripple of the force over position looks like friction that changes along the way.
    const auto axis = mass_on_spring();
    Axis<double> rippled = axis;
    AxisTruth truth;
    double x = 1.0, v = 0.0;
    for (int k = 0; k <= 13000; ++k) {
      const double sign = v > 0.0 ? 1.0 : v < 0.0 ? -1.0 : (x > 0.0 ? -1.0 : 1.0);
      const double f = sign * (0.05 + 0.03 * std::sin(15.0 * x));
      truth.time.push_back(1e-3 * k), truth.position.push_back(x), truth.velocity.push_back(v);
      truth.friction.push_back(f), truth.sticks.push_back(0);
      for (int i = 0; i < 10; ++i) {
        const double s = v > 0.0 ? 1.0 : v < 0.0 ? -1.0 : sign;
        const double a = -x - 0.1 * v - s * (0.05 + 0.03 * std::sin(15.0 * x));
        v += 1e-4 * a, x += 1e-4 * v;
      }
    }
    const auto found = diagnosed(measured(truth, kVariance, seed), rippled);
    detected += has(found, "law.none_fits");
  }
  EXPECT_EQ(detected, 3);
}

}  // namespace
}  // namespace tauhat
