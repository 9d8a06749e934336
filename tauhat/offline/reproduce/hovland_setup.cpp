#include "tauhat/offline/reproduce/hovland_setup.hpp"

#include <limits>

namespace tauhat::hovland {
namespace {

constexpr double kFromSeed = std::numeric_limits<double>::quiet_NaN();

DeadZone<double> symmetric(double gap, double stiffness) { return {stiffness, stiffness, gap, 0.0}; }

Excitation three_sines(double amplitude) {
  Excitation excitation;
  excitation.kind = Excitation::Kind::sines;
  excitation.tones = {{1.7, amplitude, kFromSeed}, {2.9, amplitude, kFromSeed}, {4.3, amplitude, kFromSeed}};
  excitation.ramp = 0.2;
  return excitation;
}

Excitation random_bits(double amplitude) {
  Excitation excitation;
  excitation.kind = Excitation::Kind::prbs;
  excitation.amplitude = amplitude;
  excitation.hold = 5e-3;
  return excitation;
}

}  // namespace

Experiment simulation_1(double gap, double stiffness) {
  Experiment e;
  e.drive.motor_inertia = 0.006442;
  e.drive.load_inertia = 0.023454;
  e.drive.damping = 0.01;
  e.drive.position_gain = 1.0;
  e.drive.motor_friction.coulomb_atan = {0.0, 0.2, 0.01};
  e.law = symmetric(gap, stiffness);
  e.sines = true;
  e.amplitude = 4.0;
  e.measures_load = false;
  e.noise = std::sqrt(2.5e-4);
  e.period = 1e-3;
  e.duration = 5.0;
  return e;
}

Experiment simulation_2(double gap, double stiffness, double noise) {
  Experiment e;
  e.drive.motor_inertia = 0.0008;
  e.drive.load_inertia = 0.001765;
  e.drive.damping = 0.01;
  e.drive.motor_friction.coulomb_atan = {0.27, 0.01, 0.01};
  e.drive.noise[Drive::motor_velocity] = 10.0;
  e.law = symmetric(gap, stiffness);
  e.noise = noise;
  return e;
}

SimulationSpec simulation_of(const Experiment& e) {
  SimulationSpec spec;
  spec.duration = e.duration;
  spec.period = e.period;
  spec.excitation = e.sines ? three_sines(e.amplitude) : random_bits(e.amplitude);
  spec.excitation.offset = e.torque_offset;
  const bool positions = e.position_noise > 0.0;
  const double noise = positions ? e.position_noise : e.noise;
  spec.sensors.push_back({.output = positions ? "motor.position" : "motor.velocity", .std = noise});
  if (e.measures_load) spec.sensors.push_back({.output = positions ? "load.position" : "load.velocity", .std = noise});
  spec.sample_at_start = false;
  spec.integrator = Integrator::runge_kutta;
  spec.substeps = 64;  // the motor passes standstill within microseconds; fewer steps move the figures
  return spec;
}

Record record(const Experiment& e, std::uint64_t seed) {
  const SimulationSpec spec = simulation_of(e);
  const DriveWithLaw<double, AnyFriction, DeadZone> truth{e.drive, e.law};
  Simulated data = simulate(truth_of(truth), spec, seed);
  Record record;
  record.timeline.time = data.time;
  record.timeline.inputs = {data.input};
  for (std::size_t s = 0; s < data.sensors.size(); ++s) {
    const std::string& signal = spec.sensors[s].output;
    const double noise = spec.sensors[s].std;
    record.timeline.sensors.push_back({signal, index_of(Drive::kOutputs, signal), noise * noise, data.sensors[s]});
  }
  record.true_torque = data.truth[Drive::transmission_torque_output];
  return record;
}

}  // namespace tauhat::hovland
