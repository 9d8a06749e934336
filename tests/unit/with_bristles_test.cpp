// A two-mass drive whose motor has friction with memory: the drive beside its equations, and a filter that runs with
// stiff bristles at speed.
#include "tauhat/core/models/with_bristles.hpp"

#include <gtest/gtest.h>

#include "support/parameters.hpp"
#include "tauhat/core/filters/ekf.hpp"
#include "tauhat/core/friction/dahl.hpp"
#include "tauhat/core/friction/lugre.hpp"
#include "tauhat/core/friction/maxwell_slip.hpp"
#include "tauhat/core/friction/viscous.hpp"
#include "tauhat/core/models/drive_with_law.hpp"
#include "tauhat/core/models/two_mass_drive.hpp"
#include "tauhat/core/transmission/linear_spring.hpp"
#include "tauhat/core/unknowns/random_walk.hpp"
#include "tauhat/offline/simulate/simulate.hpp"

namespace tauhat {
namespace {

template <template <class> class Friction>
using Bristled = WithBristles<TwoMassDrive<double, Viscous>, Friction>;

TwoMassDrive<double, Viscous> servo() {
  TwoMassDrive<double, Viscous> drive;
  drive.motor_inertia = 0.01, drive.load_inertia = 0.05, drive.damping = 0.1;
  return drive;
}

// All of the drive's derivative as if the friction were a torque less; the memory as the law says.
TEST(WithBristles, IsTheDriveLessItsFriction) {
  const Bristled<LuGre> bristled{servo(), {.bristle_stiffness = 300.0, .viscous = 0.02, .coulomb = 0.4}};
  const Vector<double, 5> x(0.1, 0.2, 3.0, 2.0, 1e-3);
  const Vector<double, 2> u(1.5, 0.3);
  const double friction = bristled.bristles.torque(3.0, Vector<double, 1>(1e-3));
  const Vector<double, 5> dx = bristled.derivative(x, u);
  EXPECT_TRUE(dx.head<4>().isApprox(servo().derivative(x.head<4>(), {1.5 - friction, 0.3}), 1e-14));
  EXPECT_DOUBLE_EQ(dx[4], bristled.bristles.memory_rate(3.0, Vector<double, 1>(1e-3))[0]);
}

TEST(WithBristles, ListsTheLawUnderTheMotor) {
  const Bristled<Dahl> bristled{servo(), {}};
  const auto names = parameter_names(bristled);
  EXPECT_NE(std::find(names.begin(), names.end(), "motor.friction.stiffness"), names.end());
}

// Where it is limited, the contact settles later, but where it would.
TEST(WithBristles, LimitedBristlesSettleAtTheSameForce) {
  const LuGre<double> law{.bristle_stiffness = 2e4, .coulomb = 0.2, .breakaway = 0.35, .stribeck_velocity = 0.3};
  for (const double velocity : {0.05, -1.0, 100.0}) {
    Vector<double, 1> z(0.0);
    for (int k = 0; k < 2000; ++k) z += 1e-5 * limited_memory_rate(law, velocity, z, 2000.0);
    EXPECT_NEAR(law.torque(velocity, z), law.steady_torque(velocity), 1e-6) << velocity;
  }
}

// Below it, nothing is changed.
TEST(WithBristles, SlowBristlesAreNotLimited) {
  const LuGre<double> law{.bristle_stiffness = 2e4, .coulomb = 0.2, .breakaway = 0.35, .stribeck_velocity = 0.3};
  const Vector<double, 1> z(5e-6);
  EXPECT_EQ(limited_memory_rate(law, 1e-3, z, 2000.0), law.memory_rate(1e-3, z));
}

template <template <class> class Friction>
struct Case {
  static Friction<double> law();
};
template <>
Dahl<double> Case<Dahl>::law() {
  return {.coulomb = 0.3, .stiffness = 2e4, .viscous = 0.002};
}
template <>
LuGre<double> Case<LuGre>::law() {
  return {.bristle_stiffness = 2e4,
          .bristle_damping = 0.5,
          .viscous = 0.002,
          .coulomb = 0.2,
          .breakaway = 0.35,
          .stribeck_velocity = 0.3};
}
template <>
MaxwellSlipOfFour<double> Case<MaxwellSlipOfFour>::law() {
  MaxwellSlipOfFour<double> law;
  law.stiffness.setConstant(2e3), law.level.setConstant(0.07);
  return law;
}

constexpr double kNoise = 1e-5;  // rad, of both positions

// Up to 40 rad/s and through standstill.
template <template <class> class Friction>
Simulated recorded() {
  using Truth = WithBristles<DriveWithLaw<double, Viscous, LinearSpring>, Friction>;
  const Truth truth{{servo(), {.stiffness = 80.0, .offset = 0.0}}, Case<Friction>::law()};
  SimulationSpec spec;
  spec.duration = 3.0;
  spec.excitation.kind = Excitation::Kind::sines;
  spec.excitation.tones = {{0.7, 1.2, 0.0}, {1.9, 0.7, 1.0}};
  spec.sensors = {{.output = "motor.position", .std = kNoise}, {.output = "load.position", .std = kNoise}};
  return simulate(truth_of(truth), spec, 5);
}

struct Followed {
  double error = 0.0, nis = 0.0;  // of the transmission's torque, rms over rms; mean
};

template <class M>
Followed follow(const M& model, const Simulated& log) {
  Vector<double, M::kStates> variances = Vector<double, M::kStates>::Constant(1e-10);
  variances[M::kWalk] = 1e-2;
  Ekf<M> filter(model, Gaussian<double, M::kStates>::from_variances(Vector<double, M::kStates>::Zero(), variances));
  const auto torque = static_cast<std::size_t>(index_of(M::kOutputs, "transmission.torque"));
  double error = 0.0, size = 0.0, nis = 0.0;
  for (std::size_t k = 0; k < log.time.size(); ++k) {
    for (const int sensor : {0, 1})
      nis += filter.correct({sensor, log.sensors[static_cast<std::size_t>(sensor)][k], kNoise * kNoise}).nis();
    const double seen = filter.belief().mean[M::kWalk], real = log.truth[torque][k];
    error += (seen - real) * (seen - real), size += real * real;
    filter.predict(Vector<double, 1>(log.input[k]), 1e-3);
  }
  return {std::sqrt(error / size), nis / (2.0 * static_cast<double>(log.time.size()))};
}

// The filter that knows the bristles finds the torque; the one that does not takes their friction for it.
template <template <class> class Friction>
void follow_the_torque() {
  constexpr double kIntensity = 3.0;
  const Simulated log = recorded<Friction>();
  using Knowing = Augmented<Bristled<Friction>, RandomWalk<1>>;
  const Followed knowing = follow(Knowing{{servo(), Case<Friction>::law(), 4000.0}, kIntensity, 0.0}, log);
  EXPECT_LT(knowing.error, 0.1);
  EXPECT_NEAR(knowing.nis, 1.0, 0.2);
  using Ignorant = Augmented<TwoMassDrive<double, Viscous>, RandomWalk<1>>;
  EXPECT_GT(follow(Ignorant{servo(), kIntensity, 0.0}, log).error, 2.0 * knowing.error);
}

TEST(WithBristles, DahlFollowsTheTorque) { follow_the_torque<Dahl>(); }
TEST(WithBristles, LuGreFollowsTheTorque) { follow_the_torque<LuGre>(); }
TEST(WithBristles, MaxwellSlipFollowsTheTorque) { follow_the_torque<MaxwellSlipOfFour>(); }

}  // namespace
}  // namespace tauhat
