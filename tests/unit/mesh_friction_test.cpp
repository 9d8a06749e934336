// A drive whose friction grows with the torque it passes on: beside its equations written out and integrated by brute
// force, its energy, its steady turn, and a filter that knows the law.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "simulate_plants.hpp"
#include "support/integrators.hpp"
#include "support/random.hpp"
#include "support/truth.hpp"
#include "tauhat/core/filters/ekf.hpp"
#include "tauhat/core/friction/load_dependent.hpp"
#include "tauhat/core/unknowns/random_walk.hpp"

namespace tauhat {
namespace {

template <template <class> class Law>
using MeshDrive = DriveWithLaw<double, LoadDependentCoulomb, Law>;
using Plant = TwoMassDrive<double, LoadDependentCoulomb>;

Plant geared_drive(double load_coefficient) {
  Plant drive;
  drive.motor_inertia = 8e-4, drive.load_inertia = 0.04, drive.ratio = 5.0, drive.damping = 0.2;
  drive.motor_friction = {{.coulomb = 0.05, .viscous = 0.002, .width = 0.3}, load_coefficient};
  return drive;
}

MeshDrive<DeadZone> worn_gear(double load_coefficient) {
  return {geared_drive(load_coefficient),
          {.stiffness_positive = 900.0, .stiffness_negative = 700.0, .gap = 0.02, .offset = 0.0}};
}

SimulationSpec run_of(Excitation excitation, double duration) {
  SimulationSpec spec;
  spec.duration = duration, spec.period = 1e-3, spec.excitation = std::move(excitation);
  spec.tolerance = 1e-12;
  return spec;
}

// The equations with numbers for names, by the midpoint rule in steps of half a microsecond.
using Motion = std::array<double, 4>;  // q_m, q_l, w_m, w_l
Motion rate_of_worn_gear(const Motion& x, double torque, double load_coefficient) {
  const double d = x[0] / 5.0 - x[1], rate = x[2] / 5.0 - x[3];
  const double spring = d > 0.01 ? 900.0 * (d - 0.01) : d < -0.01 ? 700.0 * (d + 0.01) : 0.0;
  const double at_load = spring + 0.2 * rate, at_motor = at_load / 5.0;
  const double friction = (0.05 + load_coefficient * std::abs(at_motor)) * std::tanh(x[2] / 0.3) + 0.002 * x[2];
  return {x[2], x[3], (torque - at_motor - friction) / 8e-4, at_load / 0.04};
}

Motion by_brute_force(Motion x, double torque, double duration, double load_coefficient) {
  const int steps = static_cast<int>(std::lround(duration / 5e-7));
  const double h = duration / steps;
  for (int i = 0; i < steps; ++i) {
    Motion middle = x;
    const Motion k1 = rate_of_worn_gear(x, torque, load_coefficient);
    for (std::size_t j = 0; j < 4; ++j) middle[j] += h / 2 * k1[j];
    const Motion k2 = rate_of_worn_gear(middle, torque, load_coefficient);
    for (std::size_t j = 0; j < 4; ++j) x[j] += h * k2[j];
  }
  return x;
}

class MeshFrictionByEither : public testing::TestWithParam<Integrator> {};
INSTANTIATE_TEST_SUITE_P(Integrator, MeshFrictionByEither, kBothIntegrators, by_name);

TEST_P(MeshFrictionByEither, MovesAsItsEquationsByBruteForce) {
  const double load_coefficient = 0.15;
  SimulationSpec spec = run_of(fair_bits(1.0, 0.02), 0.3);
  spec.integrator = GetParam(), spec.substeps = 64;
  const Simulated run = simulate(truth_of(worn_gear(load_coefficient)), spec, 4);
  EXPECT_GT(run.contacts, 5);
  Motion x{};
  for (std::size_t k = 0; k < run.time.size(); ++k) {
    for (std::size_t i = 0; i < 4; ++i) ASSERT_NEAR(run.truth[i][k], x[i], 1e-6 * (i < 2 ? 1.0 : 100.0)) << k;
    x = by_brute_force(x, run.input[k], spec.period, load_coefficient);
  }
}

// Stored energy less the motor's work never grows, and falls faster with the mesh's friction than without.
TEST_P(MeshFrictionByEither, TakesEnergyOut) {
  const auto losses = [](const MeshDrive<DeadZone>& plant) {
    SimulationSpec spec = run_of(constant_torque(0.0), 0.4);
    spec.integrator = GetParam(), spec.substeps = 64;
    spec.start = {0.0, 0.0, 40.0, -8.0};
    const Simulated run = simulate(truth_of(plant), spec, 1);
    std::vector<double> energy;
    for (std::size_t k = 0; k < run.time.size(); ++k) {
      const double d = run.truth[Plant::displacement_output][k];
      const double bent = d > 0.01 ? 900.0 * std::pow(d - 0.01, 2) : d < -0.01 ? 700.0 * std::pow(d + 0.01, 2) : 0.0;
      energy.push_back(0.5 * (8e-4 * std::pow(run.truth[Plant::motor_velocity][k], 2) +
                              0.04 * std::pow(run.truth[Plant::load_velocity][k], 2) + bent));
      EXPECT_LE(energy[k], energy[k > 0 ? k - 1 : 0] + 1e-10) << k;
    }
    return energy.front() - energy.back();
  };
  MeshDrive<DeadZone> meshed = worn_gear(0.3), plain = worn_gear(0.0);
  for (auto* plant : {&meshed, &plain}) plant->drive.motor_friction.law.coulomb = 0.0, plant->drive.damping = 0.01;
  EXPECT_GT(losses(meshed), losses(plain) + 0.1);
}

// A brake at the load asks tau = brake + viscous w_l; the motor gives (1 + coefficient) tau / N and its own friction.
TEST(MeshFriction, TurnsSteadilyWhereItsTorquesBalance) {
  MeshDrive<LinearSpring> plant{geared_drive(0.2), {.stiffness = 900.0, .offset = 0.0}};
  plant.drive.load_friction = {.coulomb = 2.0, .viscous = 0.5, .width = 0.1};
  const double load_speed = 3.0, passed_on = 2.0 + 0.5 * load_speed;
  const double torque = 1.2 * passed_on / 5.0 + 0.05 + 0.002 * 5.0 * load_speed;
  const Simulated run = simulate(truth_of(plant), run_of(constant_torque(torque), 4.0), 1);
  EXPECT_NEAR(run.truth[Plant::load_velocity].back(), load_speed, 1e-6);
  EXPECT_NEAR(run.truth[Plant::transmission_torque_output].back(), passed_on, 1e-5);
}

// Runge-Kutta takes shorter steps where the load makes friction steep: 0.3 of 3 N m over 0.02 rad/s is 5.6e4 1/s for
// this motor, far beyond what one step a sample, or the 3125 1/s of its own friction, would follow.
TEST(MeshFriction, StepsAreShorterUnderLoad) {
  MeshDrive<LinearSpring> plant{geared_drive(0.3), {.stiffness = 900.0, .offset = 0.0}};
  plant.drive.motor_friction.law.width = 0.02;
  plant.drive.load_friction = {.coulomb = 20.0, .viscous = 0.0, .width = 0.1};
  SimulationSpec spec = run_of(constant_torque(3.0), 0.2);
  const Simulated by_cvode = simulate(truth_of(plant), spec, 1);
  spec.integrator = Integrator::runge_kutta, spec.substeps = 1;
  const Simulated by_runge_kutta = simulate(truth_of(plant), spec, 1);
  EXPECT_LT(largest_difference(by_cvode.truth[Plant::load_velocity], by_runge_kutta.truth[Plant::load_velocity]), 1e-4);
}

// Mean normalised square of the innovations, where the torque that is passed on truly wanders.
double mean_nis(double known_coefficient, std::uint64_t seed) {
  using M = Augmented<Plant, RandomWalk<Plant::transmission_torque>>;
  M truth{geared_drive(0.3), 5.0};
  truth.model.load_friction = {.coulomb = 0.0, .viscous = 0.5, .width = 0.5};
  M known = truth;
  known.model.motor_friction.load_coefficient = known_coefficient;
  constexpr double kPeriod = 1e-3, kStd = 0.02;
  constexpr int kSamples = 4000, kSubsteps = 20;
  Vector<double, 5> x = Vector<double, 5>::Zero();
  Ekf<M> filter(known, Gaussian<double, 5>::from_variances(x, Vector<double, 5>::Constant(1e-8)));
  Draw draw(seed);
  double sum = 0.0;
  for (int k = 0; k < kSamples; ++k) {
    for (const auto output : {Plant::motor_velocity_output, Plant::load_velocity_output})
      sum += filter.correct({output, x[output] + kStd * draw.normal(), kStd * kStd}).nis();
    const Vector<double, 1> u(2.0 * std::sin(9.0 * k * kPeriod));
    filter.predict(u, kPeriod);
    x = advance_truth(truth, x, u, kPeriod, kSubsteps, draw);
  }
  return sum / (2.0 * kSamples);
}

// Of 8000 squares the mean is 1 within 0.016; without the law it is not.
TEST(MeshFriction, AFilterThatKnowsItIsConsistent) {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    EXPECT_NEAR(mean_nis(0.3, seed), 1.0, 0.05) << seed;
    EXPECT_GT(mean_nis(0.0, seed), 1.2) << seed;
  }
}

}  // namespace
}  // namespace tauhat
