// What goes into a simulated drive and what its sensors make of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "simulate_plants.hpp"
#include "tauhat/offline/error.hpp"
#include "tauhat/offline/simulate/excitation.hpp"
#include "tauhat/offline/simulate/random.hpp"
#include "tauhat/offline/simulate/simulate.hpp"

namespace tauhat {
namespace {

using Plant = TwoMassDrive<double>;

SimulationSpec noisy_spec() {
  SimulationSpec spec;
  spec.duration = 0.5;
  spec.excitation = three_sines();
  spec.integrator = Integrator::runge_kutta;
  spec.sensors = {{.output = "motor.velocity", .std = 0.3}, {.output = "load.velocity", .std = 0.1}};
  return spec;
}

Simulated run(const SimulationSpec& spec, std::uint64_t seed = 1) {
  return simulate(truth_of(hovland_sim1()), spec, seed);
}

// chi^2 of n values has mean n and variance 2 n; 4 standard deviations, one in 16000. Fixed seeds.
void expect_unit_variance(const std::vector<double>& standardised) {
  double sum = 0.0;
  for (const double z : standardised) sum += z * z;
  const double count = static_cast<double>(standardised.size());
  EXPECT_NEAR(sum, count, 4 * std::sqrt(2 * count));
}

TEST(Random, IsTheSameEverywhere) {
  Random random(42, "test", 7);
  const std::uint64_t first = random.next();
  EXPECT_EQ(first, Random(42, "test", 7).next());
  for (Random other : {Random(43, "test", 7), Random(42, "tests", 7), Random(42, "test", 8)})
    EXPECT_NE(first, other.next());
}

TEST(Random, HasTheMomentsItClaims) {
  Random random(1, "moments");
  std::vector<double> normal, uniform;
  double ones = 0.0;
  const int count = 100000;
  for (int i = 0; i < count; ++i) {
    normal.push_back(random.normal());
    uniform.push_back(std::sqrt(12.0) * (random.uniform() - 0.5));
    ones += random.bit() ? 1.0 : 0.0;
  }
  expect_unit_variance(normal);
  expect_unit_variance(uniform);  // its sum of squares varies less than chi^2
  EXPECT_NEAR(ones, count / 2.0, 4 * std::sqrt(count / 4.0));
}

TEST(Simulate, SameSeedSameBytes) {
  const Simulated one = run(noisy_spec(), 1), again = run(noisy_spec(), 1), other = run(noisy_spec(), 2);
  EXPECT_EQ(one.input, again.input);
  EXPECT_EQ(one.truth, again.truth);
  EXPECT_EQ(one.sensors, again.sensors);
  EXPECT_NE(one.input, other.input);
  EXPECT_NE(one.sensors, other.sensors);
}

TEST(Simulate, ASensorDoesNotDisturbTheOthers) {
  SimulationSpec fewer = noisy_spec();
  fewer.sensors.pop_back();
  const Simulated both = run(noisy_spec()), alone = run(fewer);
  EXPECT_EQ(both.input, alone.input);
  EXPECT_EQ(both.sensors[0], alone.sensors[0]);
}

TEST(Simulate, NoiseHasItsStandardDeviation) {
  SimulationSpec spec = noisy_spec();
  spec.duration = 5.0;
  const Simulated result = run(spec);
  for (std::size_t i = 0; i < 2; ++i) {
    const auto& truth = result.truth[i == 0 ? Plant::motor_velocity_output : Plant::load_velocity_output];
    std::vector<double> standardised;
    for (std::size_t k = 0; k < truth.size(); ++k)
      standardised.push_back((result.sensors[i][k] - truth[k]) / spec.sensors[i].std);
    expect_unit_variance(standardised);
  }
}

TEST(Simulate, QuantisesToTheNearestStep) {
  SimulationSpec spec = noisy_spec();
  spec.sensors = {{.output = "motor.velocity", .resolution = 0.25}};
  const Simulated result = run(spec);
  for (std::size_t k = 0; k < result.time.size(); ++k) {
    const double reading = result.sensors[0][k];
    EXPECT_EQ(reading, 0.25 * std::round(reading / 0.25));
    EXPECT_LE(std::abs(reading - result.truth[Plant::motor_velocity_output][k]), 0.125 + 1e-12);
  }
}

TEST(Simulate, SaturatesAtTheLimit) {
  SimulationSpec spec = noisy_spec();
  spec.sensors = {{.output = "motor.velocity", .limit = 2.0}};
  const Simulated result = run(spec);
  for (std::size_t k = 0; k < result.time.size(); ++k) {
    EXPECT_EQ(result.sensors[0][k], std::clamp(result.truth[Plant::motor_velocity_output][k], -2.0, 2.0));
  }
}

TEST(Simulate, DropsTheShareItShould) {
  SimulationSpec spec = noisy_spec();
  spec.duration = 5.0;
  spec.sensors[0].dropout = 0.1;
  const Simulated result = run(spec);
  const auto missing = static_cast<double>(std::count_if(result.sensors[0].begin(), result.sensors[0].end(),
                                                         [](double value) { return std::isnan(value); }));
  const double rows = static_cast<double>(result.time.size());
  EXPECT_NEAR(missing, 0.1 * rows, 4 * std::sqrt(0.09 * rows));  // binomial, 4 standard deviations
}

TEST(Simulate, HasNoSensorValuesAtTheStartWhenAskedSo) {
  SimulationSpec spec = noisy_spec();
  spec.sample_at_start = false;
  const Simulated late = run(spec), whole = run(noisy_spec());
  EXPECT_TRUE(std::isnan(late.sensors[0].front()));
  EXPECT_EQ(late.sensors[0][1], whole.sensors[0][1]);
}

// The truth of a run with ten times the samples says what the late sensor saw. Both integrators.
TEST(Simulate, DelayedSensorReportsThePast) {
  for (const Integrator integrator : {Integrator::cvode, Integrator::runge_kutta}) {
    SimulationSpec coarse;
    coarse.duration = 0.2;
    coarse.excitation = constant_torque(2.0);
    coarse.integrator = integrator;
    coarse.substeps = 64;
    SimulationSpec fine = coarse;
    fine.period = coarse.period / 10;
    coarse.sensors = {{.output = "load.velocity", .delay = 2.3e-3}, {.output = "load.velocity", .delay = 3e-3}};
    const Simulated late = run(coarse), truth = run(fine);
    const auto& velocity = truth.truth[Plant::load_velocity_output];
    for (std::size_t k = 0; k < late.time.size(); ++k) {
      EXPECT_NEAR(late.sensors[0][k], velocity[10 * k < 23 ? 0 : 10 * k - 23], 1e-8) << k;
      EXPECT_NEAR(late.sensors[1][k], velocity[10 * k < 30 ? 0 : 10 * k - 30], 1e-8) << k;
    }
  }
}

// A torque that arrives 1.7 ms late moves the drive as one that begins 1.7 ms later.
TEST(Simulate, DelayedInputArrivesInsideASample) {
  for (const Integrator integrator : {Integrator::cvode, Integrator::runge_kutta}) {
    SimulationSpec late;
    late.duration = 0.2;
    late.excitation.kind = Excitation::Kind::steps;
    late.excitation.times = {0.0, 0.05};
    late.excitation.levels = {2.0, -1.0};
    late.integrator = integrator;
    late.substeps = 64;
    SimulationSpec begun_later = late;
    late.input_delay = 1.7e-3;
    begun_later.period = 1e-4;
    begun_later.excitation.times = {0.0017, 0.0517};
    const Simulated one = run(late), other = run(begun_later);
    for (std::size_t k = 0; k < one.time.size(); ++k) {
      EXPECT_NEAR(one.truth[Plant::load_velocity_output][k], other.truth[Plant::load_velocity_output][10 * k], 1e-8)
          << k;
    }
  }
}

TEST(Excitation, HasItsShape) {
  const Rows rows{10001, 1e-3};
  const std::vector<double> bits = excite(fair_bits(2.0, 0.005), rows, 1);
  for (std::size_t k = 0; k < rows.count; ++k) {
    EXPECT_EQ(std::abs(bits[k]), 2.0);
    EXPECT_EQ(bits[k], bits[k - k % 5]);
  }

  Excitation multisine;
  multisine.kind = Excitation::Kind::multisine;
  multisine.amplitude = 3.0;
  multisine.lowest = 1.0, multisine.highest = 20.0, multisine.lines = 20;
  double squares = 0.0;
  for (const double value : excite(multisine, {10000, 1e-3}, 1)) squares += value * value;
  EXPECT_NEAR(std::sqrt(squares / 10000), 3.0, 1e-9);  // ten whole periods of every line

  Excitation ramped = constant_torque(4.0);
  ramped.ramp = 2.0;
  ramped.offset = 1.0;
  const std::vector<double> rise = excite(ramped, rows, 1);
  EXPECT_DOUBLE_EQ(rise[1000], 3.0);
  EXPECT_DOUBLE_EQ(rise[5000], 5.0);

  Excitation chirp;
  chirp.kind = Excitation::Kind::chirp;
  chirp.amplitude = 1.0;
  chirp.lowest = 0.0, chirp.highest = 10.0;
  EXPECT_NEAR(excite(chirp, rows, 1)[1000], 0.0,
              1e-9);  // half a turn after 1 s: f0 t + (f1 - f0) t^2 / (2 T)
  EXPECT_NEAR(excite(chirp, rows, 1)[500], std::sin(std::numbers::pi / 4), 1e-9);
}

// Each mistake gets a sentence that names its key.
TEST(Simulate, RefusesNonsense) {
  struct Mistake {
    std::string named;
    std::function<void(SimulationSpec&)> make;
  };
  const std::vector<Mistake> mistakes = {
      {"simulation.period = 0 s", [](auto& s) { s.period = 0.0; }},
      {"simulation.duration = -1 s", [](auto& s) { s.duration = -1.0; }},
      {"simulation.duration = 0.0001 s", [](auto& s) { s.duration = 1e-4; }},
      {"simulation.tolerance", [](auto& s) { s.tolerance = 0.0; }},
      {"simulation.substeps", [](auto& s) { s.substeps = 0; }},
      {"the drive has 4 states", [](auto& s) { s.start = {0.0}; }},
      {"did you mean \"motor.velocity\"", [](auto& s) { s.sensors[0].output = "motor.velocty"; }},
      {"sensor \"motor.velocity\": std = -1 rad/s", [](auto& s) { s.sensors[0].std = -1.0; }},
      {"dropout = 2", [](auto& s) { s.sensors[0].dropout = 2.0; }},
      {"half the sampling frequency, 500 Hz", [](auto& s) { s.excitation.tones[0].frequency = 500.0; }},
      {"tones[1].frequency = -1 Hz", [](auto& s) { s.excitation.tones[1].frequency = -1.0; }},
      {"excitation.ramp", [](auto& s) { s.excitation.ramp = std::nan(""); }},
      {"at least one sample", [](auto& s) { s.excitation = fair_bits(1.0, 1e-4); }},
      {"excitation.times: 1 values, and levels has 0",
       [](auto& s) { s.excitation.kind = Excitation::Kind::steps, s.excitation.times = {0.0}; }},
      {"has 3 samples",
       [](auto& s) {
         s.excitation.kind = Excitation::Kind::samples, s.excitation.samples = {1, 2, 3};
       }},
  };
  for (const Mistake& mistake : mistakes) {
    SimulationSpec spec = noisy_spec();
    mistake.make(spec);
    try {
      run(spec);
      ADD_FAILURE() << mistake.named;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::wrong_use);
      EXPECT_NE(std::string(error.what()).find(mistake.named), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace tauhat
