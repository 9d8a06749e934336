#include "tauhat/offline/reproduce/shimizu_setup.hpp"

#include <cmath>
#include <numbers>

#include "tauhat/core/filters/propagate.hpp"
#include "tauhat/core/friction/asymmetric.hpp"
#include "tauhat/core/friction/coulomb_tanh.hpp"
#include "tauhat/core/friction/exponential.hpp"
#include "tauhat/core/friction/hyperbolic.hpp"
#include "tauhat/core/friction/lugre.hpp"
#include "tauhat/core/friction/stribeck.hpp"
#include "tauhat/core/models/axis_with_friction.hpp"
#include "tauhat/offline/simulate/random.hpp"

namespace tauhat::shimizu {
namespace {

using Bristled = AxisWithFriction<double, LuGre>;
constexpr int kSubsteps = 4;
constexpr double kDecayTime = 13.0, kStickSlipTime = 40.0;

const Exponential<double> kModelA{.coulomb = 0.02, .excess = 0.1, .decay = 6.2};
const Hyperbolic<double> kModelB{.coulomb = 0.02, .excess = 0.1, .decay = 10.0};
const Stribeck<double> kGaussian{
    .coulomb = 0.02, .viscous = 0.02, .width = 0.0, .breakaway = 0.1, .stribeck_velocity = 0.15};
const CoulombTanh<double> kCoulomb{.coulomb = 0.03, .viscous = 0.02, .width = 0.0};
const AsymmetricExponential<double> kAsymmetric{{.coulomb = 0.02, .excess = 0.10, .decay = 6.2},
                                                {.coulomb = 0.035, .excess = 0.07, .decay = 6.2}};
const LuGre<double> kSoftBristles{.bristle_stiffness = 3.0,
                                  .bristle_damping = 0.0,
                                  .viscous = 0.0,
                                  .coulomb = 0.03,
                                  .breakaway = 0.08,
                                  .stribeck_velocity = 0.2};
const LuGre<double> kPendulumBristles{.bristle_stiffness = 2.0,
                                      .bristle_damping = 0.02,
                                      .viscous = 0.0,
                                      .coulomb = 0.03,
                                      .breakaway = 0.06,
                                      .stribeck_velocity = 0.3};

std::size_t samples_of(double duration) { return static_cast<std::size_t>(std::lround(duration / kPeriod)) + 1; }

template <class Law>
AxisTruth released(const Law& law) {
  return StickSlip(mass_on_spring(), law, [](double) { return 0.0; })
      .run(1.0, 0.0, kPeriod, samples_of(kDecayTime), kSubsteps);
}

// Bristles have no jump to locate.
AxisTruth integrated(const Bristled& model, double position, double period, std::size_t samples, int substeps) {
  AxisTruth motion;
  StateOf<Bristled> x(position, 0.0, 0.0);
  const InputOf<Bristled> no_force(0.0);
  Matrix<double, Bristled::kStates> ignored;
  for (std::size_t k = 0; k < samples; ++k) {
    motion.time.push_back(static_cast<double>(k) * period);
    motion.position.push_back(x[0]), motion.velocity.push_back(x[1]);
    motion.friction.push_back(model.friction_force(x));
    motion.sticks.push_back(0);
    for (int i = 0; i < substeps; ++i) x = runge_kutta_step(model, x, no_force, period / substeps, ignored);
  }
  return motion;
}

}  // namespace

Axis<double> mass_on_spring() {
  Axis<double> axis;
  axis.mass = axis.stiffness = 1.0;
  axis.damping = 2.0 * 0.05;
  return axis;
}

LawKind kind_of(TruthLaw law) {
  switch (law) {
    case TruthLaw::hyperbolic:
      return LawKind::hyperbolic;
    case TruthLaw::gaussian:
      return LawKind::gaussian_viscous;
    case TruthLaw::coulomb_viscous:
      return LawKind::coulomb_viscous;
    case TruthLaw::asymmetric_exponential:
      return LawKind::asymmetric_exponential;
    case TruthLaw::lugre:
      return LawKind::lugre;
    case TruthLaw::exponential:
      break;
  }
  return LawKind::exponential;
}

AxisTruth free_decay(TruthLaw law) {
  switch (law) {
    case TruthLaw::hyperbolic:
      return released(kModelB);
    case TruthLaw::gaussian:
      return released(kGaussian);
    case TruthLaw::coulomb_viscous:
      return released(kCoulomb);
    case TruthLaw::asymmetric_exponential:
      return released(kAsymmetric);
    case TruthLaw::lugre:
      return integrated({mass_on_spring(), kSoftBristles}, 1.0, kPeriod, samples_of(kDecayTime), kSubsteps);
    case TruthLaw::exponential:
      break;
  }
  return released(kModelA);
}

double stick_slip_force(double time) { return 0.5 * std::sin(0.4 * time); }

AxisTruth stick_slip() {
  return StickSlip(mass_on_spring(), kModelA, stick_slip_force)
      .run(0.0, 0.0, kPeriod, samples_of(kStickSlipTime), kSubsteps);
}

Timeline measured(const AxisTruth& motion, double variance, std::uint64_t seed,
                  const std::function<double(double)>& force) {
  Timeline timeline;
  timeline.time = motion.time;
  timeline.inputs.resize(1);
  Timeline::Sensor sensor{"axis.position", Axis<double>::position_output, variance, {}};
  Random random(seed, "sensor");
  const double period = motion.time[1] - motion.time[0];
  for (std::size_t k = 0; k < motion.time.size(); ++k) {
    timeline.inputs[0].push_back(force ? force(motion.time[k] + 0.5 * period) : 0.0);
    sensor.value.push_back(motion.position[k] + std::sqrt(variance) * random.normal());
  }
  timeline.sensors.push_back(std::move(sensor));
  return timeline;
}

PendulumRecord pendulum(double damping, std::uint64_t seed) {
  constexpr double kStep = 5e-4, kLength = 0.2312, kMass = 0.1894, kGravity = 9.81;
  constexpr double kBit = 270.0 / 4096 * std::numbers::pi / 180.0;
  PendulumRecord record;
  record.axis.mass = 2.041e-2;
  record.axis.damping = damping;
  record.axis.gravity_sine = kMass * kGravity * kLength;
  const double duration = damping > 1e-3 ? 2.5 : 4.0;
  Random start(seed, "start"), noise(seed, "sensor");
  const AxisTruth motion = integrated({record.axis, kPendulumBristles}, 1.2 + start.uniform(-0.02, 0.02), kStep,
                                      static_cast<std::size_t>(std::lround(duration / kStep)) + 1, 10);
  record.timeline = measured(motion, 0.0, seed);
  for (double& y : record.timeline.sensors[0].value) y = std::round((y + 0.3 * kBit * noise.normal()) / kBit) * kBit;
  record.timeline.sensors[0].variance = 1e-7;
  record.friction = motion.friction;
  return record;
}

}  // namespace tauhat::shimizu
