// A robot's dynamics in a 1 kHz loop, built as firmware is: -fno-exceptions, -fno-rtti, and no heap. A three-joint arm
// is pushed at its tool; a momentum observer has to find the torques, and the Jacobian the force.
#include <Eigen/LU>

#include <cmath>
#include <cstdio>

#include "tauhat/core/robot/derivatives.hpp"
#include "tauhat/core/robot/momentum.hpp"
#include "tauhat/core/robot/regressor.hpp"
#include "three_joint_arm.hpp"

#if defined(__cpp_exceptions) || defined(__cpp_rtti)
#error "this file stands for firmware: compile it with -fno-exceptions -fno-rtti"
#endif

namespace {

template <class T, int Joints>
bool finds_the_force() noexcept {
  using Vector = tauhat::JointVector<T, Joints>;
  constexpr T kStep = T(1e-3), kGain = T(60);
  const auto arm = three_joint_arm<T, Joints>();
  const tauhat::Vector<T, 3> force(T(5), T(-3), T(8));
  const tauhat::ExternalWrench<T> push{*arm.find_frame("tool"), {force, tauhat::Vector<T, 3>::Zero()}};
  Vector q(3), v = Vector::Zero(3), integral = Vector::Zero(3), residual = Vector::Zero(3);
  q << T(0.3), T(0.5), T(-0.8);
  for (int k = 0; k < 500; ++k) {
    const Vector torque = tauhat::gravity_torque(arm, q) - T(20) * v;
    const auto step = tauhat::forward_derivatives(arm, q, v, torque, push);
    if (!step.mass_is_positive) return false;
    const auto momentum = tauhat::generalised_momentum(arm, q, v);
    integral += kStep * (torque + momentum.drift + residual);
    v += kStep * step.acceleration;
    q += kStep * v;
    residual = kGain * (tauhat::generalised_momentum(arm, q, v).momentum - integral);
  }
  const auto jacobian = tauhat::frame_jacobian(arm, tauhat::pose_of(arm, q), push.frame);
  const tauhat::Matrix<T, 3> positions = jacobian.template topRows<3>();
  const tauhat::Vector<T, 3> found = positions.transpose().inverse() * tauhat::Vector<T, 3>(residual);
  const Vector torque = tauhat::torque_regressor(arm, q, v, v).lazyProduct(arm.parameters());
  const T difference = (torque - tauhat::inverse_dynamics(arm, q, v, v)).cwiseAbs().maxCoeff();
  std::printf("force %.3f %.3f %.3f N, found %.3f %.3f %.3f N\n", static_cast<double>(force[0]),
              static_cast<double>(force[1]), static_cast<double>(force[2]), static_cast<double>(found[0]),
              static_cast<double>(found[1]), static_cast<double>(found[2]));
  return (found - force).norm() < T(0.03) * force.norm() && difference < T(1e-3);
}

}  // namespace

int main() {
  return finds_the_force<double, 3>() && finds_the_force<float, 3>() && finds_the_force<double, Eigen::Dynamic>() ? 0
                                                                                                                  : 1;
}
