// Ten million steps of the worst-scaled model, in double and in float. Nothing is added to the covariance
// against rounding: Joseph's form keeps it definite by itself. In float the variance of a state that nobody
// observes stops growing once its increment falls below the last digit (here up to a
// quarter below the true value); that is rounding, not loss of definiteness.
#include <gtest/gtest.h>

#include "tauhat/core/filters/ekf.hpp"
#include "tauhat/core/models/two_mass_drive.hpp"
#include "tauhat/core/unknowns/random_walk.hpp"

namespace tauhat {
namespace {

#if defined(__SANITIZE_ADDRESS__) || !defined(NDEBUG)
constexpr long kSteps = 200'000;
#else
constexpr long kSteps = 10'000'000;
#endif
constexpr long kCheckpoints = 50;

template <class T>
using Drive = Augmented<TwoMassDrive<T>, RandomWalk<TwoMassDrive<T>::transmission_torque>>;

template <class T>
struct Case {
  Drive<T> drive;
  T interval, noise_width, variance;
  bool load_sensor;
};

// The drive of Hovland et al. 2002, section 4 (simulation 2): both velocities are measured, the positions
// drift.
template <class T>
Case<T> both_velocities() {
  Drive<T> drive;
  drive.model.motor_inertia = T(0.0008);
  drive.model.load_inertia = T(0.001765);
  drive.model.damping = T(0.01);
  drive.model.motor_friction = {T(0.27), T(0.01), T(0.01)};
  drive.model.noise[TwoMassDrive<T>::motor_velocity] = T(10);
  drive.intensity = T(31.6);
  return {drive, T(5e-4), T(1), T(0.09), true};
}

// The motor's velocity alone, held by a position loop; the load leaks away at 0.1/s, its position is never
// seen.
template <class T>
Case<T> motor_only() {
  Drive<T> drive;
  drive.model.motor_inertia = T(0.006442);
  drive.model.load_inertia = T(0.023454);
  drive.model.damping = T(0.01);
  drive.model.position_gain = T(1);
  drive.model.motor_friction.viscous = T(0.2);
  drive.model.load_friction.viscous = T(0.1 * 0.023454);
  drive.intensity = T(10);
  return {drive, T(1e-3), T(0.05), T(2.5e-4), false};
}

// Numerical Recipes' linear congruence: the same excitation in every scalar type.
struct Random {
  std::uint32_t state = 1;
  double uniform() { return static_cast<double>(state = state * 1664525u + 1013904223u) / 4294967296.0 - 0.5; }
};

template <class T>
void endure(const Case<T>& c) {
  using D = TwoMassDrive<T>;
  Vector<T, 5> variances;
  variances << T(1e-8), T(1e-8), T(1e-4), T(1e-4), T(1e-2);
  Ekf<Drive<T>> filter(c.drive, Gaussian<T, 5>::from_variances(Vector<T, 5>::Zero(), variances));
  Random random;
  Vector<T, 1> torque = Vector<T, 1>::Zero();
  for (long k = 1; k <= kSteps; ++k) {
    if (k % 10 == 1) torque[0] = random.uniform() > 0.0 ? T(2) : T(-2);
    filter.predict(torque, c.interval);
    const T velocity = T(random.uniform()) * c.noise_width;
    filter.correct({D::motor_velocity_output, velocity, c.variance});
    if (c.load_sensor) filter.correct({D::load_velocity_output, -velocity, c.variance});
    if (k % (kSteps / kCheckpoints) == 0) {
      ASSERT_TRUE(filter.belief().mean.allFinite()) << "step " << k;
      ASSERT_TRUE(is_definite(filter.belief())) << "step " << k << '\n' << filter.belief().covariance();
    }
  }
}

TEST(Endurance, BothVelocitiesInDouble) { endure(both_velocities<double>()); }
TEST(Endurance, BothVelocitiesInFloat) { endure(both_velocities<float>()); }
TEST(Endurance, MotorOnlyInDouble) { endure(motor_only<double>()); }
TEST(Endurance, MotorOnlyInFloat) { endure(motor_only<float>()); }

}  // namespace
}  // namespace tauhat
