// A filter in a 1 kHz loop, built as firmware is: -fno-exceptions, -fno-rtti, and no heap.
// A drive runs against a constant transmission torque; the filter, which sees velocities only, has to find
// it.
#include <cmath>
#include <cstdio>

#include "tauhat/core/filters/ekf.hpp"
#include "tauhat/core/models/two_mass_drive.hpp"
#include "tauhat/core/unknowns/random_walk.hpp"

#if defined(__cpp_exceptions) || defined(__cpp_rtti)
#error "this file stands for firmware: compile it with -fno-exceptions -fno-rtti"
#endif

namespace {

template <class T>
bool finds_the_torque() noexcept {
  using Drive = tauhat::TwoMassDrive<T>;
  using Model = tauhat::Augmented<Drive, tauhat::RandomWalk<Drive::transmission_torque>>;
  using Filter = tauhat::Ekf<Model>;
  constexpr T kStep = T(1e-3), kMotorTorque = T(0.7), kTorque = T(0.4), kVelocityVariance = T(1e-4);

  Model model;
  model.model.motor_friction.viscous = T(0.01);
  model.model.load_friction.viscous = T(0.02);
  model.intensity = T(2);
  typename Filter::Belief prior;
  prior.covariance().setIdentity();
  Filter filter(model, prior);

  const Drive truth = model.model;
  tauhat::StepCache<T, Drive::kStates> cache;
  tauhat::StateOf<Drive> x = tauhat::StateOf<Drive>::Zero();
  const tauhat::InputOf<Drive> acting(kMotorTorque, kTorque);
  const typename Filter::Input commanded(kMotorTorque);
  for (int k = 0; k < 1000; ++k) {
    for (const int output : {Drive::motor_velocity_output, Drive::load_velocity_output}) {
      const T value = truth.output(output, x, acting);
      if (filter.correct({output, value, kVelocityVariance}).status != tauhat::StepStatus::ok) return false;
    }
    if (filter.predict(commanded, kStep) != tauhat::StepStatus::ok) return false;
    x = tauhat::propagate(truth, x, acting, kStep, cache).mean;
  }
  const T found = filter.belief().mean[Model::kWalk];
  std::printf("transmission torque %.4f N m, found %.4f N m\n", static_cast<double>(kTorque),
              static_cast<double>(found));
  return std::abs(found - kTorque) < T(0.01) * kTorque && tauhat::is_definite(filter.belief());
}

}  // namespace

int main() { return finds_the_torque<double>() && finds_the_torque<float>() ? 0 : 1; }
