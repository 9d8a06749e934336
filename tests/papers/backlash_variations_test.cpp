// Other drives than the paper's: the same limits hold, or four reported standard deviations where those are larger.
#include <gtest/gtest.h>

#include <cmath>

#include "tauhat/offline/identify/backlash.hpp"
#include "tauhat/offline/reproduce/hovland_setup.hpp"

namespace tauhat {
namespace {

using hovland::Experiment;

struct Variation {
  const char* name;
  Experiment experiment;
  double gap_limit, stiffness_limit;  // of the shooting fit, as in the paper's own cases
};

Experiment changed(Experiment e, void (*change)(Experiment&)) {
  change(e);
  return e;
}

// The same axis with everything on the motor's side referred to a shaft that turns N times as fast.
void gear_up(Experiment& e) {
  constexpr double kRatio = 10.0;
  e.drive.ratio = kRatio;
  e.drive.motor_inertia /= kRatio * kRatio;
  e.drive.position_gain /= kRatio * kRatio;
  auto& friction = e.drive.motor_friction.coulomb_atan;
  friction.viscous /= kRatio * kRatio;
  friction.coulomb /= kRatio;
  friction.width *= kRatio;
}

std::vector<Variation> variations() {
  const auto sim1 = hovland::simulation_1, sim1_with = sim1;
  const auto sim2 = [](double gap, double stiffness) { return hovland::simulation_2(gap, stiffness); };
  return {
      {"sim1 gap 0.01", sim1(0.01, 37.0), 1.5e-4, 5e-4},
      {"sim1 gap 0.25 stiffness 30", sim1(0.25, 30.0), 1.5e-4, 5e-4},
      {"sim1 stiffness 150", sim1(0.2, 150.0), 1.5e-4, 5e-4},
      {"sim1 Coulomb friction",
       changed(sim1_with(0.2, 37.0), [](Experiment& e) { e.drive.motor_friction.coulomb_atan.coulomb = 0.3; }), 1.5e-4,
       5e-4},
      {"sim1 asymmetric", changed(sim1(0.2, 37.0), [](Experiment& e) { e.law.stiffness_negative *= 0.7; }), 1.5e-4,
       5e-4},
      {"sim1 offset", changed(sim1(0.2, 37.0), [](Experiment& e) { e.law.offset = 0.05; }), 1.5e-4, 5e-4},
      {"sim1 for two minutes", changed(sim1(0.2, 37.0), [](Experiment& e) { e.duration = 120.0; }), 1.5e-4, 5e-4},
      {"sim1 geared", changed(sim1(0.2, 37.0), gear_up), 1.5e-4, 5e-4},
      {"sim2 gap 0.01", sim2(0.01, 79.0), 6e-4, 0.005},
      {"sim2 gap 0.25 stiffness 30", sim2(0.25, 30.0), 6e-4, 0.005},
      {"sim2 stiffness 150", sim2(0.1, 150.0), 6e-4, 0.005},
      {"sim2 asymmetric", changed(sim2(0.1, 79.0), [](Experiment& e) { e.law.stiffness_negative *= 0.7; }), 6e-4,
       0.005},
      {"sim2 positions", changed(sim2(0.1, 79.0), [](Experiment& e) { e.position_noise = 1e-4; }), 6e-4, 0.005},
      {"sim2 positions geared",
       changed(sim2(0.1, 79.0),
               [](Experiment& e) {
                 gear_up(e);
                 e.position_noise = 1e-4;
               }),
       6e-4, 0.005},
      {"sim1 motor position", changed(sim1(0.2, 37.0), [](Experiment& e) { e.position_noise = 1e-4; }), 1.5e-4, 5e-4},
      {"sim2 geared", changed(sim2(0.1, 79.0), gear_up), 6e-4, 0.005},
  };
}

TEST(BacklashVariations, LimitsHoldForOtherDrives) {
  for (const Variation& v : variations()) {
    SCOPED_TRACE(v.name);
    const auto data = hovland::record(v.experiment, 71);
    const BacklashFit fit = identify_backlash(data.timeline, v.experiment.drive, {});
    const double stiffness = 0.5 * (v.experiment.law.stiffness_positive + v.experiment.law.stiffness_negative);
    EXPECT_TRUE(fit.is_backlash);
    EXPECT_LT(std::abs(fit.gap() - v.experiment.law.gap), std::max(v.gap_limit, 4.0 * fit.gap_std()));
    EXPECT_LT(std::abs(fit.stiffness() / stiffness - 1.0),
              std::max(v.stiffness_limit, 4.0 * fit.stiffness_std() / stiffness));
    EXPECT_EQ(fit.asymmetric, v.experiment.law.stiffness_positive != v.experiment.law.stiffness_negative);
  }
}

// Known only to within 2 %, the load's inertia must widen the interval of the stiffness, and be found better than that.
TEST(BacklashVariations, UncertainInertiaWidensTheIntervalOfAMotorOnlyRecord) {
  const Experiment e = hovland::simulation_1();
  const auto data = hovland::record(e, 72);
  const BacklashFit exact = identify_backlash(data.timeline, e.drive, {});
  BacklashOptions options;
  options.uncertain = {{find_parameter(e.drive, "load.inertia"), 0.02 * e.drive.load_inertia}};
  const BacklashFit uncertain = identify_backlash(data.timeline, e.drive, options);
  EXPECT_GT(uncertain.gap_std(), exact.gap_std());
  EXPECT_LT(uncertain.shooting->std_of(*uncertain.shooting_problem, "load.inertia"), 0.01 * e.drive.load_inertia);
}

// A torque channel one sample late, and 3 % too large: fitted as nuisances they come out, and the gap is right again.
TEST(BacklashVariations, TorqueGainAndDelayAreFound) {
  const Experiment e = hovland::simulation_1();
  auto data = hovland::record(e, 73);
  auto& torque = data.timeline.inputs[0];
  torque.erase(torque.begin());
  torque.push_back(0.0);  // the log now shows each torque one sample before it acts
  for (double& u : torque) u /= 1.03;
  BacklashOptions options;
  options.torque_gain_free = options.torque_delay_free = true;
  const BacklashFit fit = identify_backlash(data.timeline, e.drive, options);
  const auto found = [&](const char* name) { return fit.shooting->value_of(*fit.shooting_problem, name); };
  EXPECT_NEAR(found("motor.torque.gain"), 1.03, 0.002);
  EXPECT_NEAR(found("motor.torque.delay"), 1e-3, 5e-5);
  EXPECT_LT(std::abs(fit.gap() - e.law.gap), std::max(1.5e-4, 4.0 * fit.gap_std()));
}

}  // namespace
}  // namespace tauhat
