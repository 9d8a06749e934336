// What identification says of records that are good, and must not say; and which parameters it does not give.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "tauhat/core/friction/coulomb_tanh.hpp"
#include "tauhat/core/friction/exponential.hpp"
#include "tauhat/offline/friction/free_friction.hpp"
#include "tauhat/offline/friction/friction_report.hpp"
#include "tauhat/offline/friction/identify_friction.hpp"
#include "tauhat/offline/quantile.hpp"
#include "tauhat/offline/report/verdict.hpp"
#include "tauhat/offline/reproduce/shimizu_setup.hpp"
#include "tauhat/offline/simulate/random.hpp"

namespace tauhat {
namespace {

using shimizu::kVariance;
using shimizu::mass_on_spring;
using shimizu::measured;
using shimizu::TruthLaw;
using testing::HasSubstr;

std::string all_of(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const Diagnostic& d : diagnostics) text += d.name + ": " + d.message + "\n";
  return text;
}

void expect_trusted(const FrictionFit& fit) {
  const auto found = diagnose(fit, measure(fit, fit.timeline));
  EXPECT_TRUE(is_trusted(found)) << name_of(fit.law.kind) << "\n" << all_of(found);
}

BlindSmoothing seen_blindly(Axis<double> axis, const Timeline& timeline) {
  const BlindOptions options = blind_options_for(axis, timeline, {});
  return smooth_blindly(axis, timeline, options);
}

// Bristles that bend over 27 mm before they slide: far from the steady curve, and yet what the law says.
TEST(FrictionTrust, SoftBristlesFollowTheirLaw) {
  const Timeline timeline = measured(shimizu::free_decay(TruthLaw::lugre), kVariance, 41);
  const FrictionFit fit = identify_friction(mass_on_spring(), timeline, {});
  EXPECT_EQ(fit.law.kind, LawKind::lugre) << name_of(fit.law.kind);
  EXPECT_LT(measure(fit, fit.timeline).misfit, 0.05);
  expect_trusted(fit);
  // The steady curve would not do.
  double off = 0.0, size = 0.0;
  for (std::size_t k = 0; k < fit.timeline.size(); ++k) {
    const double v = fit.blind.velocity.value[k], f = fit.blind.friction.value[k];
    if (std::abs(v) < 2.0 * fit.blind_options.reversal_speed) continue;
    off += std::pow(f - fit.steady_force(v), 2), size += f * f;
  }
  EXPECT_GT(std::sqrt(off / size), 0.1);
}

// Pushed one way and the other with rests between: friction stops it, and holds it for a while.
double pushes(double t) {
  constexpr double kHalf = 1.9, kPush = 0.5;
  const int half = static_cast<int>(t / kHalf);
  const double size = 0.6 + 0.2 * (half % 3);
  return std::fmod(t, kHalf) < kPush ? (half % 2 == 0 ? size : -size) : 0.0;
}

const CoulombTanh<double> kSticky{.coulomb = 0.3, .viscous = 0.1, .width = 0.0};

AxisTruth pushed(double duration) {
  return StickSlip(Axis<double>{}, kSticky, pushes)
      .run(0.0, 0.0, 1e-3, static_cast<std::size_t>(duration / 1e-3) + 1, 4);
}

TEST(FrictionTrust, RestsAtTheTurningPointsAreTurns) {
  const AxisTruth truth = pushed(11.4);
  // It rests 0.1 s and longer between all pushes.
  std::size_t shortest = truth.time.size(), now = 0;
  for (std::size_t k = 0; k < truth.time.size(); ++k) {
    if (!truth.sticks[k] && now > 0) shortest = std::min(shortest, now);
    now = truth.sticks[k] ? now + 1 : 0;
  }
  ASSERT_GE(shortest, 100U);
  const FrictionFit fit = identify_friction(Axis<double>{}, measured(truth, kVariance, 42, pushes), {});
  EXPECT_EQ(measure(fit, fit.timeline).reversals, 5U);
  EXPECT_EQ(fit.law.kind, LawKind::coulomb_viscous) << name_of(fit.law.kind);
  EXPECT_NEAR(fit.law.coefficients[0], kSticky.coulomb, 0.01 * kSticky.coulomb);
  EXPECT_NEAR(fit.law.coefficients[1], kSticky.viscous, 0.05 * kSticky.viscous);
  expect_trusted(fit);
}

// |friction| speeding up less slowing down, over its mean, at middle speeds.
double loop_in(const std::vector<double>& velocity, const std::vector<double>& friction) {
  std::vector<double> speeds;
  for (const double v : velocity) speeds.push_back(std::abs(v));
  const double low = quantile(speeds, 0.3), high = quantile(speeds, 0.9);
  double sum[2] = {0, 0}, count[2] = {0, 0};
  for (std::size_t k = 1; k + 1 < velocity.size(); ++k) {
    if (std::abs(velocity[k]) < low || std::abs(velocity[k]) > high) continue;
    const std::size_t side = (velocity[k + 1] - velocity[k - 1]) * velocity[k] > 0.0 ? 0 : 1;
    sum[side] += std::abs(friction[k]), count[side] += 1.0;
  }
  const double up = sum[0] / count[0], down = sum[1] / count[1];
  return 2.0 * (up - down) / (up + down);
}

// Friction without memory: the filter, which lags, draws a loop; what is judged is the smoother, which draws next to
// none. Soft bristles have one, and it is found.
TEST(FrictionTrust, HysteresisIsNotTheFiltersOwn) {
  for (const TruthLaw law : {TruthLaw::coulomb_viscous, TruthLaw::lugre}) {
    const AxisTruth truth = shimizu::free_decay(law);
    const Timeline timeline = measured(truth, kVariance, 51);
    FrictionFit fit;
    fit.axis = mass_on_spring();
    fit.blind_options = blind_options_for(fit.axis, timeline, {});
    fit.blind = smooth_blindly(fit.axis, timeline, fit.blind_options);
    fit.parametric.smoothed_friction = fit.blind.friction;
    fit.law = {LawKind::coulomb_viscous, {0.03, 0.02}, {}};
    const double true_loop = loop_in(truth.velocity, truth.friction);
    const double judged = measure(fit, timeline).hysteresis;
    const double filtered = loop_in(fit.blind.velocity.value, fit.blind.filtered_friction.value);
    EXPECT_NEAR(judged, true_loop, 0.01);
    EXPECT_GT(std::abs(filtered - true_loop), 3.0 * std::abs(judged - true_loop));
  }
}

// The paper's tuning of case 2 for the axis that sticks and slips.
ParametricSpec stick_slip_spec() {
  ParametricSpec spec;
  spec.axis = mass_on_spring();
  spec.axis.noise[Axis<double>::velocity] = shimizu::kPeriod * 1e-7;
  spec.law = {LawKind::exponential, {0.05, 0.05}, {5.0}};
  spec.std = {0.1, 0.1, 1.0};
  const double level = std::sqrt(shimizu::kPeriod * 1e-3);
  spec.drift = {level, level, std::sqrt(shimizu::kPeriod)};
  spec.start_iterations = 5;
  return spec;
}

// In every run, not only in the median of many.
TEST(FrictionTrust, ParametersDoNotDivergeInStickSlip) {
  const AxisTruth truth = shimizu::stick_slip();
  for (std::uint64_t seed = 53; seed < 63; ++seed) {
    const Timeline timeline = measured(truth, kVariance, seed, shimizu::stick_slip_force);
    const ParametricTracks found = run_parametric(stick_slip_spec(), timeline);
    EXPECT_FALSE(found.diverged);
    const double expected[] = {0.02, 0.1, 6.2};
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(found.parameters[i].value / expected[i], 1.0, 0.05) << seed;
  }
}

// The curve with its band, friction over time with its rests, all candidates, what is left.
TEST(FrictionTrust, ReportShowsTheCurveTheLawsAndWhereItSticks) {
  const AxisTruth truth = shimizu::stick_slip();
  ParametricSpec spec = stick_slip_spec();
  spec.smooth = true;
  FrictionFit fit;
  fit.axis = spec.axis, fit.law = spec.law, fit.noise_variance = kVariance;
  fit.timeline = measured(truth, kVariance, 53, shimizu::stick_slip_force);
  fit.blind = seen_blindly(mass_on_spring(), fit.timeline);
  fit.parametric = run_parametric(spec, fit.timeline);
  fit.candidates.resize(2);
  fit.candidates[0].law = spec.law, fit.candidates[1].law = {LawKind::coulomb_viscous, {0.1, 0.1}, {}};
  const auto sections = friction_sections(fit, measure(fit, fit.timeline), fit.timeline, StudyAxis{});
  ASSERT_EQ(sections.size(), 4U);
  const auto series = [&](std::size_t section, const std::string& name) {
    for (const Series& each : sections[section].plots.at(0).series) {
      if (each.name == name) return each;
    }
    throw std::out_of_range(name);
  };
  EXPECT_GT(series(0, "blind smoother").x.size(), 1000U);  // thinned
  EXPECT_EQ(series(0, "law, 95 %").y.size(), series(0, "law: exponential").y.size());
  EXPECT_EQ(sections[2].tables.at(0).rows.size(), 2U);
  EXPECT_GT(series(3, "innovations").y.size(), 1000U);
  // Marked where it rests, but for the moments in which it stops and breaks away.
  const Series stuck = series(1, "sticks");
  double wrong = 0.0;
  for (std::size_t i = 0; i < stuck.x.size(); ++i) {
    const auto k = static_cast<std::size_t>(std::lround(stuck.x[i] / fit.timeline.median_interval()));
    wrong += std::isfinite(stuck.y[i]) != (truth.sticks[k] != 0) ? 1.0 : 0.0;
  }
  EXPECT_LT(wrong / static_cast<double>(stuck.x.size()), 0.02);
}

// Driven slowly it sticks at every turning point.
TEST(FrictionTrust, StickSlipTurnsBack) {
  const AxisTruth truth = shimizu::stick_slip();
  const Timeline timeline = measured(truth, kVariance, 43, shimizu::stick_slip_force);
  EXPECT_EQ(seen_blindly(mass_on_spring(), timeline).turns.size(), find_turns(truth.velocity, 1e-3).size());
}

TEST(FrictionTrust, TurnsAreCountedAcrossRests) {
  const std::vector<double> velocity{0.0, 1.0, 1.0, 0.01, -0.01, 0.0, -1.0, -1.0, -0.01, -1.0, 0.01, 1.0};
  EXPECT_EQ(find_turns(velocity, 0.1), (std::vector<std::size_t>{6, 11}));
}

// A clear motion is one in seconds, whatever the rate.
TEST(FrictionTrust, ReversalsDoNotDependOnTheRate) {
  std::vector<std::size_t> counts;
  for (const double period : {1e-3, 5e-3}) {
    const AxisTruth truth =
        StickSlip(mass_on_spring(), CoulombTanh<double>{.coulomb = 0.03, .viscous = 0.0, .width = 0}, [](double t) {
          return std::sin(15.0 * t);
        }).run(0.0, 0.0, period, static_cast<std::size_t>(8.0 / period) + 1, 20);
    const auto force = [](double t) { return std::sin(15.0 * t); };
    counts.push_back(seen_blindly(mass_on_spring(), measured(truth, 1e-12, 44, force)).reversals.size());
  }
  EXPECT_GT(counts[0], 30U);
  EXPECT_EQ(counts[0], counts[1]);
}

// The blind friction carries the constant force, the law does not: they are compared without it.
TEST(FrictionTrust, ConstantForceIsNoMisfit) {
  const auto force = [](double t) { return 0.35 * std::sin(1.1 * t) + 0.25 * std::sin(2.7 * t + 1.0); };
  Axis<double> loaded;
  loaded.offset = 0.02;
  const CoulombTanh<double> law{.coulomb = 0.1, .viscous = 0.1, .width = 0.0};
  const AxisTruth truth = StickSlip(loaded, law, force).run(0.0, 0.0, 1e-3, 10001, 4);
  FrictionOptions options;
  options.offset = true;
  const FrictionFit fit = identify_friction(Axis<double>{}, measured(truth, kVariance, 45, force), options);
  EXPECT_EQ(fit.law.kind, LawKind::coulomb_viscous) << name_of(fit.law.kind);
  EXPECT_NEAR(fit.axis.offset, 0.02, 1e-3);
  EXPECT_LT(measure(fit, fit.timeline).misfit, 0.05);
  expect_trusted(fit);
}

// A velocity sensor alone, with holes.
TEST(FrictionTrust, VelocityAloneWillDo) {
  const AxisTruth truth = pushed(11.4);
  constexpr double kStd = 1e-3;
  Timeline timeline = measured(truth, kVariance, 46, pushes);
  Timeline::Sensor& sensor = timeline.sensors[0];
  sensor = {"axis.velocity", Axis<double>::velocity_output, kStd * kStd, truth.velocity};
  Random random(46, "velocity");
  for (double& v : sensor.value) v += kStd * random.normal();
  for (std::size_t k = 0; k < sensor.value.size(); k += 97) sensor.value[k] = std::numeric_limits<double>::quiet_NaN();
  const FrictionFit fit = identify_friction(Axis<double>{}, timeline, {});
  EXPECT_LT(std::sqrt(fit.noise_variance), 1e-3);  // of the position, not of the velocity
  EXPECT_EQ(fit.law.kind, LawKind::coulomb_viscous) << name_of(fit.law.kind);
  EXPECT_NEAR(fit.parametric.parameters[0].value, 0.3, 0.003);
  expect_trusted(fit);
}

// So slow that the friction has hardly begun to fall: its level at speed and its excess are one.
TEST(FrictionTrust, NamesWhatTheRecordDoesNotTell) {
  Axis<double> spring = mass_on_spring();
  spring.damping = 0.0;
  const auto force = [](double t) { return 0.2 * std::sin(0.8 * t); };
  const Exponential<double> law{.coulomb = 0.02, .excess = 0.1, .decay = 0.3};
  const AxisTruth truth = StickSlip(spring, law, force).run(0.3, 0.0, 1e-3, 12001, 4);
  ParametricSpec spec;
  spec.axis = spring;
  spec.law = {LawKind::exponential, {0.02, 0.1}, {0.3, 0.0}};
  spec.start[0] = 0.3;
  spec.smooth = true;
  FrictionFit fit;
  fit.axis = spring;
  fit.timeline = measured(truth, 1e-6, 47, force);
  fit.candidates.resize(1);
  fit.law = spec.law;
  fit.parametric = run_parametric(spec, fit.timeline);
  fit.blind.velocity = fit.parametric.smoothed_velocity;
  fit.blind.position = fit.blind.velocity, fit.blind.friction = fit.parametric.smoothed_friction;
  fit.blind.turns = find_turns(truth.velocity, 1e-3);
  fit.noise_variance = kVariance;
  fit.untold = untold_parameters(fit);
  std::string names;
  for (const UntoldParameter& each : fit.untold) names += each.name + " ";
  EXPECT_THAT(names, HasSubstr("friction.coulomb"));
  EXPECT_FALSE(fit.is_told("friction.coulomb"));
  const std::string said = all_of(diagnose(fit, measure(fit, fit.timeline)));
  EXPECT_THAT(said, HasSubstr("law.not_separable: friction.coulomb: "));
  EXPECT_THAT(said, HasSubstr("record faster motion"));
}

// One direction only: no law can be told from a constant force, and the parameters that trade are named.
TEST(FrictionTrust, NamesTheColumnsThatActAlike) {
  const auto force = [](double t) { return 0.5 + 0.1 * std::sin(t); };
  const CoulombTanh<double> law{.coulomb = 0.3, .viscous = 0.1, .width = 0.0};
  const AxisTruth truth = StickSlip(Axis<double>{}, law, force).run(0.0, 0.0, 1e-3, 6001, 4);
  const Timeline timeline = measured(truth, kVariance, 48, force);
  const SmoothMotion motion{truth.position, truth.velocity, 1e-4, 1e-4};
  const LawFit fit = fit_law(LawKind::coulomb_viscous, Axis<double>{}, axis_samples(Axis<double>{}, timeline, motion),
                             truth.velocity, {.offset = true});
  EXPECT_FALSE(fit.separable);
  EXPECT_THAT(fit.why, HasSubstr("friction.coulomb"));
  EXPECT_THAT(fit.why, HasSubstr("record both directions"));
}

// Bristles do not swallow a constant force that is fitted along, and it counts as a parameter.
TEST(FrictionTrust, BristlesHaveTheirConstantForce) {
  Axis<double> loaded = mass_on_spring();
  const Timeline timeline = measured(shimizu::free_decay(TruthLaw::lugre), kVariance, 49);
  loaded.offset = -0.02;  // believed; the truth has none
  const AxisTruth truth = shimizu::free_decay(TruthLaw::lugre);
  const SmoothMotion motion{truth.position, truth.velocity, 1e-4, 1e-4};
  const LawFit fit =
      fit_law(LawKind::lugre, loaded, axis_samples(loaded, timeline, motion), truth.velocity, {.offset = true});
  EXPECT_NEAR(fit.offset, 0.02, 0.002);
  EXPECT_EQ(fitted_parameters(fit.law, true), 5);
  EXPECT_EQ(fitted_parameters({LawKind::asymmetric_coulomb, {1, 1, 1, 1}, {}}, true), 4);
}

// A step to nowhere leaves the belief as it was; that it failed is not forgotten.
TEST(FrictionTrust, FailedStepsAreSeen) {
  const auto force = [](double) { return 0.1; };
  const AxisTruth truth = StickSlip(Axis<double>{}, kSticky, force).run(0.0, 0.0, 1e-3, 50, 1);
  ParametricSpec spec;
  spec.law = {LawKind::coulomb_viscous, {0.3, 0.1}, {}};
  Timeline timeline = measured(truth, kVariance, 50, force);
  EXPECT_FALSE(run_parametric(spec, timeline).diverged);
  timeline.inputs[0][20] = std::numeric_limits<double>::quiet_NaN();  // missing: held
  EXPECT_FALSE(run_parametric(spec, timeline).diverged);
  timeline.inputs[0][30] = 1e308;
  spec.axis.mass = 1e-10;
  EXPECT_TRUE(run_parametric(spec, timeline).diverged);
}

}  // namespace
}  // namespace tauhat
