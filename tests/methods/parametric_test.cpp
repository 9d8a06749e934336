// The filter with a law whose parameters are estimated along, asked for less than all that it can say.
#include "tauhat/offline/friction/parametric.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/random.hpp"
#include "tauhat/core/friction/coulomb_tanh.hpp"
#include "tauhat/core/friction/stribeck.hpp"
#include "tauhat/core/models/axis_with_friction.hpp"
#include "tauhat/offline/simulate/simulate.hpp"
#include "tauhat/offline/simulate/stick_slip.hpp"

namespace tauhat {
namespace {

// Who asks for the likelihood alone is given the same one.
TEST(ParametricFilter, HasOneLikelihood) {
  constexpr double kNoise = 2e-5;  // rad
  Axis<double> servo;
  servo.mass = 0.02;
  const Stribeck<double> law{
      .coulomb = 0.2, .viscous = 0.05, .width = 0.01, .breakaway = 0.35, .stribeck_velocity = 0.3};
  SimulationSpec simulation;
  simulation.duration = 3.0;
  simulation.excitation.kind = Excitation::Kind::sines;
  simulation.excitation.tones = {{0.31, 0.6, 0.0}, {0.83, 0.35, 1.0}};
  simulation.sensors = {{.output = "axis.position", .std = kNoise}};
  simulation.start.assign(2, 0.0);
  const Simulated simulated = simulate(truth_of(AxisWithFriction<double, Stribeck>{servo, law}), simulation, 1);
  const Timeline timeline{simulated.time,
                          {simulated.input},
                          {{"axis.position", Axis<double>::position_output, kNoise * kNoise, simulated.sensors[0]}}};

  servo.noise[Axis<double>::velocity] = 1e-6;
  for (const LawKind kind : {LawKind::gaussian_viscous, LawKind::smooth_gaussian_viscous}) {
    ParametricSpec spec;
    spec.axis = servo;
    spec.law = {kind, {0.19, 0.15, 0.05}, {.fall = 3.0, .width = has_width(kind) ? 0.01 : 0.0}};
    spec.start_iterations = 2;
    const ParametricTracks all = run_parametric(spec, timeline);
    spec.tracks = false;
    const ParametricTracks some = run_parametric(spec, timeline);
    EXPECT_TRUE(std::isfinite(all.log_likelihood));
    // The same sums, which the compiler may fuse in one and not in the other.
    EXPECT_NEAR(some.log_likelihood, all.log_likelihood, 1e-9 * std::abs(all.log_likelihood));
    EXPECT_NEAR(some.mean_nis, all.mean_nis, 1e-9 * all.mean_nis);
    EXPECT_EQ(some.diverged, all.diverged);
    EXPECT_EQ(all.friction.value.size(), timeline.size());
    EXPECT_TRUE(some.friction.value.empty() && some.innovations.empty());
  }
}

// A viscous friction that starts next to nothing: the start is no knowledge of it, and must not narrow its interval. By
// 30 % of the start these numbers would be 5 of their deviations off.
TEST(ParametricFilter, AStartNextToNothingSaysNothing) {
  constexpr double kPeriod = 5e-3, kNoise = 1e-3;  // s, rad: what the record tells of it is little
  const auto force = [](double t) { return 0.35 * std::sin(1.1 * t) + 0.25 * std::sin(2.7 * t + 1.0); };
  const CoulombTanh<double> law{.coulomb = 0.1, .viscous = 0.01, .width = 0.0};
  const AxisTruth truth = StickSlip(Axis<double>{}, law, force).run(0.0, 0.0, kPeriod, 2001, 8);
  double square = 0.0;
  constexpr int kSeeds = 10;
  for (int seed = 1; seed <= kSeeds; ++seed) {
    ParametricSpec spec;
    spec.axis.noise[Axis<double>::velocity] = 1e-10;
    spec.law = {LawKind::coulomb_viscous, {0.1, 1e-3}, {}};
    spec.friction = 0.1, spec.fastest = 0.5;
    spec.start_iterations = 2;
    Draw draw(static_cast<std::uint64_t>(seed));
    Timeline seen{
        truth.time, {{}}, {{"axis.position", Axis<double>::position_output, kNoise * kNoise, truth.position}}};
    for (const double t : truth.time) seen.inputs[0].push_back(force(t + 0.5 * kPeriod));
    for (double& position : seen.sensors[0].value) position += kNoise * draw.normal();
    const LawParameter viscous = run_parametric(spec, seen).parameters[1];
    EXPECT_LT(viscous.std, 0.2 * viscous.prior_std) << seed;  // the record tells it
    square += std::pow((viscous.value - law.viscous) / viscous.std, 2) / kSeeds;
  }
  EXPECT_LT(square, 2.32);  // chi-squared of ten: 1 % above
}

}  // namespace
}  // namespace tauhat
