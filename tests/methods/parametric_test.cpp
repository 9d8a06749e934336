// The filter with a law whose parameters are estimated along, asked for less than all that it can say.
#include "tauhat/offline/friction/parametric.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tauhat/core/friction/stribeck.hpp"
#include "tauhat/core/models/axis_with_friction.hpp"
#include "tauhat/offline/simulate/simulate.hpp"

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

}  // namespace
}  // namespace tauhat
