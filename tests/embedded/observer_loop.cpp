// An observer of an elastic joint, designed and run as firmware does it: -fno-exceptions, -fno-rtti, and no heap.
// Friction brakes the motor; the observer, which sees the motor's position only, has to find it, and the link's
// velocity.
#include <cmath>
#include <cstdio>

#include "tauhat/core/linear/hold.hpp"
#include "tauhat/core/linear/pole_placement.hpp"
#include "tauhat/core/linear/stationary_filter.hpp"
#include "tauhat/core/models/elastic_joint.hpp"
#include "tauhat/core/observers/disturbance_observer.hpp"

#if defined(__cpp_exceptions) || defined(__cpp_rtti)
#error "this file stands for firmware: compile it with -fno-exceptions -fno-rtti"
#endif

namespace {

constexpr double kPeriod = 400e-6, kFriction = 0.4;

bool finds_the_friction() noexcept {
  using Joint = tauhat::ElasticJoint<double, false>;
  constexpr int kN = Joint::kStates;
  Joint joint;
  joint.damping = 50.0, joint.motor_viscous = 0.01, joint.coupling_inertia = 2.0;
  const auto at = tauhat::linearise(joint, tauhat::StateOf<Joint>::Zero(), tauhat::InputOf<Joint>::Zero());
  const tauhat::Vector<double, kN> torque = at.by_input.col(Joint::motor_torque);
  const auto [a, b] = tauhat::held<double, kN, 1>(at.by_state, torque, kPeriod);
  const tauhat::Matrix<double, 1, kN> c = tauhat::Matrix<double, 1, kN>::Unit(Joint::motor_position);
  const auto poles = tauhat::ContinuousPoles<double, kN>().pair(60.0, 0.9).pair(80.0, 0.9);
  if (!poles.check(kPeriod).fine()) return false;
  const auto placed = tauhat::place_poles<double, kN>(a, c, poles.sampled(kPeriod));
  const auto design = tauhat::design_disturbance_observer<kN>(a, b, c, placed.gain, kPeriod);
  if (!placed.placed() || !design.designed()) return false;
  tauhat::DisturbanceObserver<kN, 1> observer({a, b, c, tauhat::ObserverForm::predictor, placed.gain}, design);

  tauhat::Vector<double, kN> x = tauhat::Vector<double, kN>::Zero();
  for (int k = 0; k < 5000; ++k) {
    const double u = 1.0 + std::sin(0.01 * k);
    observer.step(tauhat::Vector<double, 1>(u), c * x);
    const tauhat::Vector<double, kN> next = a * x + b * (u - kFriction);
    x = next;
  }
  const double found = observer.disturbance(), velocity = observer.state()[Joint::load_velocity];
  std::printf("friction %.4f N m, found %.4f N m\n", kFriction, found);
  return std::abs(found - kFriction) < 1e-6 && std::abs(velocity - x[Joint::load_velocity]) < 1e-6;
}

// In float the gain is a few digits of it, and enough.
bool designs_in_float() noexcept {
  tauhat::Matrix<float, 2> a;
  a << 1.0F, 1e-3F, 0.0F, 0.99F;
  const tauhat::Matrix<float, 1, 2> c(1.0F, 0.0F);
  tauhat::StepNoise<float, 2, 1> noise{tauhat::Matrix<float, 2>::Zero(), tauhat::Vector<float, 1>(1e-6F)};
  noise.process(1, 1) = 1e-4F;
  const auto filter = tauhat::stationary_filter<float, 2, 1>(a, c, noise, 1e-3F);
  tauhat::FixedGainObserver<float, 2, 1, 1> observer(a, tauhat::Vector<float, 2>(0.0F, 1e-3F), c,
                                                     tauhat::ObserverForm::filter, filter.gain);
  for (int k = 0; k < 5000; ++k) observer.step(tauhat::Vector<float, 1>(0.0F), tauhat::Vector<float, 1>(0.5F));
  return filter.designed() && std::abs(observer.estimate()[0] - 0.5F) < 1e-4F;
}

}  // namespace

int main() { return finds_the_friction() && designs_in_float() ? 0 : 1; }
