// The experiments on solid friction after Shimizu et al.: a mass on a spring in free decay, driven through stick and
// slip, and a pendulum. Lengths, times and forces of the first two are dimensionless. What the paper leaves out was
// chosen; docs/derivations/friction.md says how.
#pragma once

#include <cstdint>
#include <functional>

#include "tauhat/core/models/axis.hpp"
#include "tauhat/offline/friction/candidate.hpp"
#include "tauhat/offline/replay/timeline.hpp"
#include "tauhat/offline/simulate/stick_slip.hpp"

namespace tauhat::shimizu {

inline constexpr double kPeriod = 1e-3, kVariance = 1e-8;  // of the position sensor

// m = k = 1, damping ratio 0.05.
Axis<double> mass_on_spring();

// The laws that the truths follow.
enum class TruthLaw { exponential, hyperbolic, gaussian, coulomb_viscous, asymmetric_exponential, lugre };
LawKind kind_of(TruthLaw law);

// Released at rest from 1, for 13 units of time.
AxisTruth free_decay(TruthLaw law);
// Driven by 0.5 sin 0.4 t from rest, for 40 units of time: it sticks and slips.
AxisTruth stick_slip();
double stick_slip_force(double time);

// The motion seen by its position sensor; the held input is the force at the middle of each interval.
Timeline measured(const AxisTruth& motion, double variance, std::uint64_t seed,
                  const std::function<double(double)>& force = {});

struct PendulumRecord {
  Axis<double> axis;
  Timeline timeline;
  std::vector<double> friction;
};
// With its 12 bit position sensor, LuGre friction, damping in N m s/rad.
PendulumRecord pendulum(double damping, std::uint64_t seed);

}  // namespace tauhat::shimizu
