// The simulated motion, against closed forms and against a second integrator.
#include "tauhat/offline/simulate/simulate.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>
#include <unsupported/Eigen/MatrixFunctions>

#include "simulate_plants.hpp"
#include "support/integrators.hpp"
#include "tauhat/offline/error.hpp"
#include "tauhat/offline/simulate/integration.hpp"

namespace tauhat {
namespace {

using Plant = TwoMassDrive<double>;

SimulationSpec spec_of(Excitation excitation, double duration, double period, Integrator integrator) {
  SimulationSpec spec;
  spec.duration = duration;
  spec.period = period;
  spec.excitation = std::move(excitation);
  spec.integrator = integrator;
  return spec;
}

class BothIntegrators : public testing::TestWithParam<Integrator> {};
INSTANTIATE_TEST_SUITE_P(Simulate, BothIntegrators, kBothIntegrators, by_name);

// Linear: x_{k+1} = e^{A T} x_k + (integral of e^{A s} B) u_k, by the exponential of the augmented matrix.
TEST_P(BothIntegrators, FollowsTheMatrixExponentialOfALinearDrive) {
  SpringDrive plant;
  plant.drive = hovland_sim1().drive;
  plant.law = {.stiffness = 37.0, .offset = 0.0};
  SimulationSpec spec = spec_of(fair_bits(2.0, 0.005), 0.5, 1e-3, GetParam());
  spec.tolerance = 1e-12;
  spec.substeps = 32;
  const Simulated run = simulate(truth_of(plant), spec, 3);

  Eigen::Matrix<double, 5, 5> augmented = Eigen::Matrix<double, 5, 5>::Zero();
  for (int column = 0; column < 4; ++column) {
    const Eigen::Vector4d unit = Eigen::Vector4d::Unit(column);
    augmented.block<4, 1>(0, column) = plant.derivative(unit, Vector<double, 1>::Zero());
  }
  augmented.block<4, 1>(0, 4) = plant.derivative(Eigen::Vector4d::Zero(), Vector<double, 1>::Ones());
  const Eigen::Matrix<double, 5, 5> transition = (augmented * spec.period).exp();
  Eigen::Vector4d x = Eigen::Vector4d::Zero();
  for (std::size_t k = 0; k < run.time.size(); ++k) {
    for (int i = 0; i < 4; ++i) ASSERT_NEAR(run.truth[static_cast<std::size_t>(i)][k], x[i], 1e-8) << k;
    x = transition.block<4, 4>(0, 0) * x + transition.block<4, 1>(0, 4) * run.input[k];
  }
}

// Without losses, J_m w_m^2 / 2 + J_l w_l^2 / 2 + V(d) - u q_m keeps its value, contacts or not.
TEST_P(BothIntegrators, KeepsTheEnergyOfALosslessDrive) {
  const DeadZoneDrive plant = lossless_drive();
  SimulationSpec spec = spec_of(constant_torque(0.5), 0.3, 1e-3, GetParam());
  spec.tolerance = 1e-12;
  spec.substeps = 64;
  const Simulated run = simulate(truth_of(plant), spec, 1);
  EXPECT_GT(run.contacts, 4);
  for (std::size_t k = 0; k < run.time.size(); ++k) {
    const double compression = std::max(std::abs(run.truth[Plant::displacement_output][k]) - plant.law.gap / 2, 0.0);
    const double energy = 0.5 * plant.drive.motor_inertia * std::pow(run.truth[Plant::motor_velocity][k], 2) +
                          0.5 * plant.drive.load_inertia * std::pow(run.truth[Plant::load_velocity][k], 2) +
                          0.5 * plant.law.stiffness_positive * compression * compression;
    const double work = 0.5 * run.truth[Plant::motor_position][k];
    ASSERT_NEAR(energy, work, 1e-8 * std::max(1.0, work)) << k;
  }
}

// Under constant torque from the middle: flight d = a t^2 / 2, a = u / J_m, to the flank at speed v; there
//   e'' + w^2 e = a, e(0) = 0, e'(0) = v   until   tan(w t / 2) = -v w / a;   then a flight of 2 v / a; and
//   so on.
std::vector<double> contacts_of_lossless_drive(const DeadZoneDrive& plant, double torque, double until) {
  const double acceleration = torque / plant.drive.motor_inertia;
  const double frequency =
      std::sqrt(plant.law.stiffness_positive * (1 / plant.drive.motor_inertia + 1 / plant.drive.load_inertia));
  const double first = std::sqrt(plant.law.gap / acceleration);
  const double speed = acceleration * first;
  const double touching = 2 * (std::numbers::pi - std::atan(speed * frequency / acceleration)) / frequency;
  const double flying = 2 * speed / acceleration;
  std::vector<double> times;
  for (double time = first; time < until; time += times.size() % 2 == 1 ? touching : flying) times.push_back(time);
  return times;
}

TEST_P(BothIntegrators, LocatesContactAndSeparation) {
  const DeadZoneDrive plant = lossless_drive();
  const Truth truth = truth_of(plant);
  const double torque = 0.5, until = 0.1;
  const std::vector<double> rest(4, 0.0);
  const auto drive = GetParam() == Integrator::cvode ? integrate_by_cvode(truth, rest, 1e-12)
                                                     : integrate_by_runge_kutta(truth, rest, 1e-5);
  drive->hold(torque, until);
  drive->advance(until);
  const std::vector<double> expected = contacts_of_lossless_drive(plant, torque, until);
  ASSERT_GT(expected.size(), 4u);
  EXPECT_LT(largest_difference(drive->contacts(), expected), 1e-9);
}

TEST(Simulate, IntegratorsAgreeOnHovlandSim1) {
  const Truth truth = truth_of(hovland_sim1());
  SimulationSpec spec = spec_of(three_sines(), 0.5, 1e-3, Integrator::cvode);
  const Simulated by_cvode = simulate(truth, spec, 1);
  spec.integrator = Integrator::runge_kutta;
  spec.substeps = 64;
  const Simulated by_runge_kutta = simulate(truth, spec, 1);
  for (std::size_t i = 0; i < by_cvode.truth.size(); ++i) {
    EXPECT_LT(largest_difference(by_cvode.truth[i], by_runge_kutta.truth[i]), 1e-6) << truth.outputs[i].name;
  }
}

// The motor passes standstill within 8 us, and each contact magnifies an error: 1e-6 after 0.5 s takes fine
// steps.
TEST(Simulate, IntegratorsAgreeOnHovlandSim2) {
  const Truth truth = truth_of(hovland_sim2());
  SimulationSpec spec = spec_of(fair_bits(2.0, 0.005), 0.5, 5e-4, Integrator::cvode);
  spec.tolerance = 1e-13;
  const Simulated by_cvode = simulate(truth, spec, 1);
  spec.integrator = Integrator::runge_kutta;
  spec.substeps = 1024;
  const Simulated by_runge_kutta = simulate(truth, spec, 1);
  EXPECT_GT(by_cvode.contacts, 50);
  EXPECT_EQ(by_cvode.contacts, by_runge_kutta.contacts);
  for (std::size_t i = 0; i < by_cvode.truth.size(); ++i) {
    EXPECT_LT(largest_difference(by_cvode.truth[i], by_runge_kutta.truth[i]), 1e-6) << truth.outputs[i].name;
  }
}

TEST_P(BothIntegrators, GapOfZeroIsASpring) {
  DeadZoneDrive closed = hovland_sim1();
  closed.law.gap = 0.0;
  SpringDrive spring;
  spring.drive = closed.drive;
  spring.law = {.stiffness = 37.0, .offset = 0.0};
  SimulationSpec spec = spec_of(three_sines(), 0.5, 1e-3, GetParam());
  spec.tolerance = 1e-12;
  spec.substeps = 32;
  const Simulated with_corners = simulate(truth_of(closed), spec, 5), without = simulate(truth_of(spring), spec, 5);
  EXPECT_LT(largest_difference(with_corners.truth[Plant::load_velocity], without.truth[Plant::load_velocity]), 1e-8);
}

// A start exactly on a corner, at rest or moving either way, and torque that presses or not: none may hang or
// fail.
TEST_P(BothIntegrators, StartsOnACorner) {
  const DeadZoneDrive plant = hovland_sim2();
  for (const double velocity : {-1.0, 0.0, 1.0}) {
    for (const double torque : {-1.0, 0.0, 1.0}) {
      SimulationSpec spec = spec_of(constant_torque(torque), 0.02, 1e-3, GetParam());
      spec.start = {plant.law.gap / 2, 0.0, velocity, 0.0};
      const Simulated run = simulate(truth_of(plant), spec, 1);
      EXPECT_TRUE(std::isfinite(run.truth[Plant::motor_velocity].back())) << velocity << ' ' << torque;
    }
  }
}

// A light load on a stiff flank rattles at 3 kHz: several contacts in each sample.
TEST_P(BothIntegrators, EnduresManyContactsInOneSample) {
  DeadZoneDrive plant = lossless_drive();
  plant.law = {.stiffness_positive = 1e4, .stiffness_negative = 1e4, .gap = 1e-5, .offset = 0.0};
  plant.drive.load_inertia = 1e-5;
  const Simulated run = simulate(truth_of(plant), spec_of(fair_bits(0.5, 0.01), 0.1, 1e-2, GetParam()), 1);
  EXPECT_GT(run.contacts, 20 * 10);
}

TEST(Simulate, RestsInTheMiddleOfAGapThatIsOffCentre) {
  DeadZoneDrive plant = hovland_sim2();
  plant.law.offset = 0.3;
  const Simulated run = simulate(truth_of(plant), spec_of(constant_torque(0.0), 0.1, 1e-3, Integrator::cvode), 1);
  EXPECT_EQ(run.truth[Plant::displacement_output].back(), 0.3);
}

// The motor's side seen from the load: inertia, viscous friction and gain times N^2, torques times N, speeds
// over N.
TEST_P(BothIntegrators, AnAxisDescribedFromEitherSideMovesTheSame) {
  const double ratio = 7.0;
  const DeadZoneDrive at_load = hovland_sim1();
  DeadZoneDrive at_motor = at_load;
  at_motor.drive.ratio = ratio;
  at_motor.drive.motor_inertia /= ratio * ratio;
  at_motor.drive.position_gain /= ratio * ratio;
  at_motor.drive.motor_friction.viscous /= ratio * ratio;
  SimulationSpec spec = spec_of(fair_bits(2.0, 0.01), 0.2, 1e-3, GetParam());
  spec.tolerance = 1e-13;
  const Simulated from_load = simulate(truth_of(at_load), spec, 1);
  spec.excitation.amplitude /= ratio;
  Simulated from_motor = simulate(truth_of(at_motor), spec, 1);
  EXPECT_GT(from_load.contacts, 2);
  for (double& velocity : from_motor.truth[Plant::motor_velocity]) velocity /= ratio;
  for (const auto output : {Plant::motor_velocity_output, Plant::load_velocity_output, Plant::displacement_output}) {
    EXPECT_LT(largest_difference(from_load.truth[output], from_motor.truth[output]), 1e-9) << output;
  }
}

TEST_P(BothIntegrators, SaysWhereItFails) {
  Truth truth = truth_of(hovland_sim1());
  truth.derivative = [](const double* x, const double*, double* dx) {
    for (int i = 0; i < 4; ++i) dx[i] = 1.0 + x[i] * x[i];  // tan(t): infinite at pi / 2
  };
  try {
    simulate(truth, spec_of(constant_torque(1.0), 2.0, 1e-2, GetParam()), 1);
    FAIL() << "must not pass";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::wrong_use);
    EXPECT_NE(std::string(error.what()).find("fails at t = 1.5"), std::string::npos) << error.what();
  }
}

TEST(Simulate, RefusesRungeKuttaForFrictionThatIsTooSteep) {
  DeadZoneDrive plant = hovland_sim2();
  plant.drive.motor_friction.width = 1e-6;  // 2e8 1/s
  SimulationSpec spec = spec_of(constant_torque(0.1), 0.01, 1e-3, Integrator::runge_kutta);
  EXPECT_THROW(simulate(truth_of(plant), spec, 1), Error);
  spec.integrator = Integrator::cvode;
  EXPECT_NO_THROW(simulate(truth_of(plant), spec, 1));
}

}  // namespace
}  // namespace tauhat
