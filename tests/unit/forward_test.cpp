// An axis run forwards from its force: against what can be solved by hand, and against its own record.
#include "tauhat/offline/friction/forward.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support/axis_records.hpp"
#include "tauhat/offline/error.hpp"
#include "tauhat/offline/friction/regression.hpp"

namespace tauhat {
namespace {

using testing::HasSubstr;

// Under a constant force the velocity rises to (F - coulomb - offset) / viscous with the time constant mass / viscous.
TEST(ForwardRun, RisesExponentially) {
  const RigidAxis axis{.mass = 95.0, .offset = -3.0, .positive = {200.0, 20.0}, .negative = {200.0, 20.0}};
  AxisRecord record{"step.csv", kAxisPeriod, std::vector<double>(3000, 0.0), {}, std::vector<double>(3000, 57.0)};
  const ForwardRun run = run_open_loop(axis, record);
  for (const std::size_t k : {100U, 1000U, 2999U}) {
    const double t = static_cast<double>(k) * kAxisPeriod;
    EXPECT_NEAR(run.velocity[k], 0.2 * (1.0 - std::exp(-t * 200.0 / 95.0)), 1e-12);
  }
  EXPECT_EQ(run.force_error, 0.0);
}

// What Coulomb friction holds stays; on a slope, so does what gravity leaves.
TEST(ForwardRun, RestsWhileCoulombFrictionHolds) {
  const RigidAxis axis{
      .mass = 1.0, .gravity_cosine = 5.0, .offset = 1.0, .positive = {1.0, 3.0}, .negative = {1.0, 2.0}};
  for (const auto& [force, rests] : {std::pair{8.9, true}, {9.1, false}, {4.1, true}, {3.9, false}}) {
    const ForwardRun run = run_open_loop(
        axis, {"rest.csv", kAxisPeriod, std::vector<double>(200, 0.0), {}, std::vector<double>(200, force)});
    EXPECT_EQ(run.position.back() == 0.0, rests) << force;
  }
}

// A block thrown against friction comes to rest after v^2 / (2 a), also in the middle of a period.
TEST(ForwardRun, ComesToRestWhereItShould) {
  const RigidAxis axis{.mass = 2.0, .positive = {0.0, 3.0}, .negative = {0.0, 3.0}};
  AxisRecord record{"throw.csv", kAxisPeriod, std::vector<double>(2000, 0.0), {}, std::vector<double>(2000, 0.0)};
  record.position[1] = 0.7003 * kAxisPeriod;
  const ForwardRun run = run_open_loop(axis, record);
  EXPECT_NEAR(run.position.back(), 0.7003 * 0.7003 / (2.0 * 1.5), 1e-12);
  EXPECT_EQ(run.velocity.back(), 0.0);
}

// The identified axis, load friction included, follows the record that it was identified from.
TEST(ForwardRun, FollowsItsOwnRecord) {
  const AxisParameters truth = with(with(kAsymmetric, kGravity), kLoadFriction);
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
  const std::vector<double> reference = sampled(20.0, [](double t) { return 0.3 * (wandering(t) - wandering(0.0)); });
  const AxisRecord blank{"loop.csv",
                         kAxisPeriod,
                         std::vector<double>(reference.size(), 0.0),
                         {},
                         std::vector<double>(reference.size(), 0.0)};
  const ForwardRun made = run_closed_loop(axis, blank, controller, reference);
  EXPECT_LE(*std::max_element(made.force.begin(), made.force.end()), 400.0);
  const AxisRecord record{"loop.csv", kAxisPeriod, made.position, {}, made.force};
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
