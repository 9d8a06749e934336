// Contact force in a 1 kHz loop, built as firmware is: -fno-exceptions, -fno-rtti, and no heap. A three-joint arm is
// pushed at its tool while it moves; the force filter and both observers of the momentum have to find the force.
#include <cmath>
#include <cstdio>

#include "tauhat/core/robot/disturbance_filter.hpp"
#include "tauhat/core/robot/force_filter.hpp"
#include "tauhat/core/robot/momentum_observer.hpp"
#include "three_joint_arm.hpp"

#if defined(__cpp_exceptions) || defined(__cpp_rtti)
#error "this file stands for firmware: compile it with -fno-exceptions -fno-rtti"
#endif

namespace {

template <class T, int Joints>
struct Pushed {
  using Vector = tauhat::JointVector<T, Joints>;
  tauhat::Robot<T, Joints> arm = three_joint_arm<T, Joints>();
  tauhat::JointFriction<T, Joints> friction{3};
  tauhat::ExternalWrench<T> push;

  Pushed() noexcept {
    friction.viscous.setConstant(T(2));
    friction.coulomb.setConstant(T(1));
    push.frame = *arm.find_frame("tool");
    push.wrench.force = {T(5), T(-3), T(8)};
  }
};

// Moves as its controller wants, for half a second; `estimator` sees positions and torques.
template <class T, int Joints, class Estimator, class Predict>
void watch(const Pushed<T, Joints>& pushed, Estimator& estimator, const Predict& predict) noexcept {
  using Vector = typename Pushed<T, Joints>::Vector;
  constexpr T kStep = T(1e-3);
  Vector q(3), v(3);
  q << T(0.3), T(0.5), T(-0.8);
  v << T(0.4), T(-0.3), T(0.5);
  estimator.start(q, v);
  for (int k = 0; k < 500; ++k) {
    estimator.correct(q);
    const Vector a = T(-0.2) * v;
    const Vector torque = tauhat::inverse_dynamics(pushed.arm, q, v, a, pushed.push) +
                          tauhat::friction_torque(pushed.arm.transmission(), pushed.friction, v);
    predict(torque, kStep);
    q += kStep * (v + kStep / T(2) * a);
    v += kStep * a;
  }
  estimator.correct(q);
}

template <class T, int Axes>
bool is_found(const char* name, const tauhat::ForceEstimate<T, Axes>& estimate,
              const tauhat::Vector<T, 3>& force) noexcept {
  const tauhat::Vector<T, 3> found = estimate.force.template head<3>();
  std::printf("%s: %.2f %.2f %.2f N\n", name, static_cast<double>(found[0]), static_cast<double>(found[1]),
              static_cast<double>(found[2]));
  return (found - force).norm() < T(0.06) * force.norm() && estimate.standard_deviation(0) > T(0);
}

template <class T, int Joints>
bool filter_finds_the_force() noexcept {
  using Vector = typename Pushed<T, Joints>::Vector;
  const Pushed<T, Joints> pushed;
  tauhat::ForceNoise<T, Joints> noise(3);
  noise.position.setConstant(T(2e-5));
  noise.torque.setConstant(T(0.05));
  tauhat::ForceFilter<T, Joints, 3> filter(pushed.arm, pushed.friction, pushed.push.frame, noise);
  watch(pushed, filter, [&](const Vector& torque, T step) noexcept { filter.predict(torque, step); });
  return is_found("filter", filter.force(), pushed.push.wrench.force) && !filter.at_rest().any() &&
         filter.external_torque().standard_deviation(0) > T(0);
}

template <class T, int Joints>
bool observers_find_the_force() noexcept {
  using Vector = typename Pushed<T, Joints>::Vector;
  const Pushed<T, Joints> pushed;
  const tauhat::Vector<T, 3> prior = tauhat::Vector<T, 3>::Constant(T(1e4));
  tauhat::MomentumObserverSettings<T, Joints> settings(3);
  settings.position_noise.setConstant(T(2e-5));
  settings.torque_noise.setConstant(T(0.05));
  tauhat::MomentumObserver<T, Joints> observer(pushed.arm, pushed.friction, settings);
  watch(pushed, observer, [&](const Vector& torque, T) noexcept { observer.predict(torque); });
  tauhat::DisturbanceNoise<T, Joints> noise(3);
  noise.position.setConstant(T(2e-5));
  noise.torque.setConstant(T(0.05));
  noise.walk.setConstant(T(10));
  tauhat::DisturbanceFilter<T, Joints> filter(pushed.arm, pushed.friction, noise);
  watch(pushed, filter, [&](const Vector& torque, T) noexcept { filter.predict(torque); });
  const auto& frame = pushed.push.frame;
  return is_found("momentum observer", observer.template force<3>(frame, prior), pushed.push.wrench.force) &&
         is_found("disturbance filter", filter.template force<3>(frame, prior), pushed.push.wrench.force);
}

}  // namespace

int main() {
  return filter_finds_the_force<float, 3>() && filter_finds_the_force<double, Eigen::Dynamic>() &&
                 observers_find_the_force<float, 3>() && observers_find_the_force<double, Eigen::Dynamic>()
             ? 0
             : 1;
}
