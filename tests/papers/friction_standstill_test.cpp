// What happens around standstill is not what a law says: bristles bend, a smoothed sign creeps, reversals fall between
// two samples. The numbers of the law must not bend with it.
#include <gtest/gtest.h>

#include <cmath>

#include "tauhat/core/friction/exponential.hpp"
#include "tauhat/core/friction/lugre.hpp"
#include "tauhat/core/friction/stribeck.hpp"
#include "tauhat/core/models/axis_with_friction.hpp"
#include "tauhat/offline/friction/identify_friction.hpp"
#include "tauhat/offline/friction/law_motion.hpp"
#include "tauhat/offline/report/verdict.hpp"
#include "tauhat/offline/simulate/random.hpp"
#include "tauhat/offline/simulate/simulate.hpp"

namespace tauhat {
namespace {

constexpr double kNoise = 2e-5;  // rad

Axis<double> servo() {
  Axis<double> axis;
  axis.mass = 0.02;
  return axis;
}

template <class M>
Timeline recorded(const M& model, std::uint64_t seed) {
  SimulationSpec spec;
  spec.duration = 10.0;
  spec.excitation.kind = Excitation::Kind::sines;
  spec.excitation.tones = {{0.31, 0.6, 0.0}, {0.83, 0.35, 1.0}};
  spec.sensors = {{.output = "axis.position", .std = kNoise}};
  spec.start.assign(M::kStates, 0.0);
  const Simulated simulated = simulate(truth_of(model), spec, seed);
  return {simulated.time,
          {simulated.input},
          {{"axis.position", Axis<double>::position_output, kNoise * kNoise, simulated.sensors[0]}}};
}

const LawParameter& parameter(const FrictionFit& fit, const std::string& name) {
  for (const LawParameter& each : fit.parametric.parameters) {
    if (each.name == name) return each;
  }
  throw std::out_of_range(name);
}

struct Expected {
  const char* name;
  double value, widest;  // and its largest standard deviation
};

void expect_numbers(const FrictionFit& fit, const std::vector<Expected>& all) {
  for (const Expected& expected : all) {
    const LawParameter& found = parameter(fit, expected.name);
    EXPECT_NEAR(found.value, expected.value, 4.0 * found.std) << expected.name;
    EXPECT_LT(found.std, expected.widest) << expected.name;
  }
}

const std::vector<Expected> kBump{{"friction.coulomb", 0.2, 1e-4},
                                  {"friction.breakaway", 0.35, 2e-3},
                                  {"friction.stribeck_velocity", 0.3, 2e-3},
                                  {"friction.viscous", 0.05, 1e-5}};

// Bristles so stiff that they bend by less than the sensor's noise.
TEST(FrictionAroundStandstill, StiffBristlesAreAStribeckCurve) {
  const LuGre<double> law{.bristle_stiffness = 2e4,
                          .bristle_damping = 1.0,
                          .viscous = 0.05,
                          .coulomb = 0.2,
                          .breakaway = 0.35,
                          .stribeck_velocity = 0.3};
  for (const std::uint64_t seed : {21u, 22u}) {
    const Timeline timeline = recorded(AxisWithFriction<double, LuGre>{servo(), law}, seed);
    const FrictionFit fit = identify_friction(servo(), timeline, {});
    EXPECT_TRUE(is_trusted(diagnose(fit, measure(fit, timeline))));
    expect_numbers(fit, kBump);
  }
}

// A sign that is smoothed lets the axis creep where it should stick.
TEST(FrictionAroundStandstill, SmoothSignIsFoundWithItsWidth) {
  const Stribeck<double> law{
      .coulomb = 0.2, .viscous = 0.05, .width = 0.01, .breakaway = 0.35, .stribeck_velocity = 0.3};
  for (const std::uint64_t seed : {22u}) {
    const Timeline timeline = recorded(AxisWithFriction<double, Stribeck>{servo(), law}, seed);
    const FrictionFit fit = identify_friction(servo(), timeline, {});
    EXPECT_EQ(fit.law.kind, LawKind::smooth_gaussian_viscous) << name_of(fit.law.kind);
    expect_numbers(fit, kBump);
    expect_numbers(fit, {{"friction.width", 0.01, 1e-4}});
  }
}

// So does one whose friction falls exponentially: it is not taken for a Gaussian bump.
TEST(FrictionAroundStandstill, SmoothExponentialIsNoGaussian) {
  const Exponential<double> law{.coulomb = 0.2, .excess = 0.15, .decay = 5.0, .viscous = 0.05, .width = 0.01};
  for (const std::uint64_t seed : {1u, 2u}) {
    const Timeline timeline = recorded(AxisWithFriction<double, Exponential>{servo(), law}, seed);
    const FrictionFit fit = identify_friction(servo(), timeline, {});
    EXPECT_EQ(fit.law.kind, LawKind::smooth_exponential_viscous) << name_of(fit.law.kind);
    EXPECT_TRUE(is_trusted(diagnose(fit, measure(fit, timeline))));
    expect_numbers(fit, {{"friction.coulomb", 0.2, 1e-3},
                         {"friction.excess", 0.15, 2e-3},
                         {"friction.decay", 5.0, 0.05},
                         {"friction.viscous", 0.05, 1e-4},
                         {"friction.width", 0.01, 1e-4}});
  }
}

// A constant force is found along, with its interval.
TEST(FrictionAroundStandstill, ConstantForceHasAnInterval) {
  const Stribeck<double> law{
      .coulomb = 0.2, .viscous = 0.05, .width = 0.01, .breakaway = 0.35, .stribeck_velocity = 0.3};
  Axis<double> loaded = servo();
  loaded.offset = 0.03;
  const Timeline timeline = recorded(AxisWithFriction<double, Stribeck>{loaded, law}, 23);
  FrictionOptions options;
  options.offset = true;
  const FrictionFit fit = identify_friction(servo(), timeline, options);
  EXPECT_NEAR(fit.parametric.offset.value, 0.03, 4.0 * fit.parametric.offset.std);
  EXPECT_GT(fit.parametric.offset.std, 0.0);
  EXPECT_LT(fit.parametric.offset.std, 1e-3);
  expect_numbers(fit, kBump);
}

// Where the law holds through its rests, nothing but the sensor's noise is in its intervals: filters, which know no
// breakaway between two samples, had the excess and its decay up to seven of their deviations off.
TEST(FrictionAroundStandstill, HardStickLeavesNoiseAlone) {
  Axis<double> sprung;
  sprung.mass = 1.0, sprung.stiffness = 1.0, sprung.damping = 0.1;
  const FittedLaw law{LawKind::exponential, {0.05, 0.05}, {.fall = 4.7}};
  constexpr std::size_t kSamples = 20'001;
  Random random(1, "axis.position");
  Timeline timeline{{}, {{}}, {{"axis.position", Axis<double>::position_output, 1e-8, {}}}};
  for (std::size_t k = 0; k < kSamples; ++k) {
    const double t = 1e-3 * static_cast<double>(k);
    timeline.time.push_back(t);
    timeline.inputs[0].push_back(0.5 * std::sin(0.4 * t));
  }
  for (const double position : move_by_law(sprung, law, {0.0, 0.0}, timeline, kSamples).position)
    timeline.sensors[0].value.push_back(position + 1e-4 * random.normal());
  const FrictionFit fit = identify_friction(sprung, timeline, {});
  EXPECT_EQ(fit.law.kind, LawKind::exponential) << name_of(fit.law.kind);
  EXPECT_TRUE(fit.motion.has_value());
  EXPECT_TRUE(is_trusted(diagnose(fit, measure(fit, timeline))));
  expect_numbers(fit,
                 {{"friction.coulomb", 0.05, 2e-4}, {"friction.excess", 0.05, 2e-4}, {"friction.decay", 4.7, 0.05}});
}

}  // namespace
}  // namespace tauhat
