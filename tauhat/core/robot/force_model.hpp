// An arm that is pushed somewhere, as a filter sees it (Pyrhonen, Mikkola and Naets): the unknown force is a state.
//   M(q) v' = tau - friction(v) - c(q, v) + J^T f,   f' = white: a random walk, or a constant where it has no intensity
// One step is exponential about the state where it begins: x + h phi_1(h A) x', exact for the linearised arm, whatever
// the slope of friction at rest. The torque's noise is held over the step as the torque is, and enters as it does.
//
// Friction with a memory is followed along the mean: the covariance does not know that the memory may be wrong.
//
// With a number of joints known at run time the states are those of kMaxJoints joints; who is missing never moves.
#pragma once

#include <cmath>
#include <limits>

#include "tauhat/core/filters/propagate.hpp"
#include "tauhat/core/robot/derivatives.hpp"
#include "tauhat/core/robot/force_transition.hpp"
#include "tauhat/core/robot/friction_under_load.hpp"

namespace tauhat {

template <class T, int Joints>
struct ForceNoise {
  using Vector = JointVector<T, Joints>;

  Vector position;                  // rad: standard deviation of the encoders
  Vector velocity;                  // rad/s: of measured velocities, where there are any
  Vector torque;                    // N m: of the measured torques, sample by sample
  Vector residual;                  // N m: rms of what the identified model leaves unexplained; else it becomes force
  T force_walk = T(20);             // N/sqrt(s); 0: the force is constant
  T moment_walk = T(2);             // N m/sqrt(s)
  T force_start = T(10);            // N: standard deviations at the start
  T moment_start = T(1);            // N m
  T velocity_start = T(1) / T(10);  // rad/s

  explicit ForceNoise(int joints)
      : position(Vector::Zero(joints)),
        velocity(Vector::Zero(joints)),
        torque(Vector::Zero(joints)),
        residual(Vector::Zero(joints)) {}
};

// Axes: 3 for a force at the frame's origin, 6 for a force and a moment there.
template <class T, int Joints, int Axes>
class ForceModel {
  static_assert(Axes == 3 || Axes == 6);

 public:
  using Scalar = T;
  static constexpr int kBound = kJointBound<Joints>;
  // Positions, velocities, the force; inputs are the torques, outputs the positions and velocities as they stand there.
  static constexpr int kVelocity = kBound, kForce = 2 * kBound, kStates = 2 * kBound + Axes, kInputs = kBound;
  static constexpr int kConstantStates = Axes;
  using State = Vector<T, kStates>;
  using Input = Vector<T, kInputs>;
  using Joint = JointVector<T, Joints>;

  ForceModel(const Robot<T, Joints>& robot, const JointFriction<T, Joints>& friction, const Frame<T>& frame,
             const ForceNoise<T, Joints>& noise, WrenchAxes axes)
      : robot_(robot),
        friction_(friction),
        noise_(noise),
        torque_deviation_((noise.torque.cwiseAbs2() + noise.residual.cwiseAbs2()).cwiseSqrt()),
        memory_(no_memory(friction)),
        bends_(bends_anywhere(friction)),
        push_{frame, Wrench<T>::zero(), axes} {}

  const Robot<T, Joints>& robot() const noexcept { return robot_; }
  const JointFriction<T, Joints>& friction() const noexcept { return friction_; }
  const ForceNoise<T, Joints>& noise() const noexcept { return noise_; }
  const Frame<T>& frame() const noexcept { return push_.frame; }
  WrenchAxes axes() const noexcept { return push_.axes; }
  int joints() const noexcept { return robot_.joints(); }

  T output(int state, const State& x, const Input&) const noexcept { return x[state]; }
  int output_state(int state) const noexcept { return state; }
  OutputGradient<T, kStates, kInputs> output_gradient(int state, const State&, const Input&) const noexcept {
    return {State::Unit(state), Input::Zero()};
  }

  Joint positions(const State& x) const noexcept { return x.template head<kBound>().head(joints()); }
  Joint velocities(const State& x) const noexcept { return x.template segment<kBound>(kVelocity).head(joints()); }
  Joint actuator_velocities(const State& x) const noexcept {
    return robot_.transmission().actuator_motion(velocities(x));
  }
  ExternalWrench<T> push(const State& x) const noexcept {
    ExternalWrench<T> push = push_;
    push.wrench.force = x.template segment<3>(kForce);
    if constexpr (Axes == 6) push.wrench.moment = x.template tail<3>();
    return push;
  }
  // Of the force's and the moment's random walk.
  T intensity(int axis) const noexcept { return axis < 3 ? noise_.force_walk : noise_.moment_walk; }

  // Contacts that bend before they slide: from a state on for a time; and from nowhere.
  void remember(const State& x, T dt) noexcept {
    if (bends_) memory_ = memory_after(friction_, actuator_velocities(x), memory_, dt);
  }
  void forget() noexcept { memory_ = no_memory(friction_); }

  struct Step {
    State mean;
    Discrete<T, kStates> step;
  };

  Step step(const State& x, const Input& u, T dt) const noexcept {
    const auto at = accelerations(x, u.head(joints()));
    Block by_position = Block::Zero(), by_velocity = Block::Zero(), by_torque = Block::Zero();
    Matrix<T, Block::RowsAtCompileTime, Axes> by_force = Matrix<T, Block::RowsAtCompileTime, Axes>::Zero();
    PaddedVector<T, kBound> a = PaddedVector<T, kBound>::Zero(), v = a;
    by_position.template topLeftCorner<Joints, Joints>(joints(), joints()) = at.by_position;
    by_velocity.template topLeftCorner<Joints, Joints>(joints(), joints()) = at.by_velocity;
    by_torque.template topLeftCorner<Joints, Joints>(joints(), joints()) = at.by_torque;
    by_force.template topRows<Joints>(joints()) = at.by_wrench.template leftCols<Axes>();
    a.template head<Joints>(joints()) = at.acceleration;
    v.template head<kBound>() = x.template segment<kBound>(kVelocity);

    const auto s = second_order_transition<T, kBound>(by_position, by_velocity, dt);
    const PaddedVector<T, kBound> pushed = by_position.lazyProduct(v.template head<kBound>());
    const auto top = [](const auto& block) { return block.template topRows<kBound>(); };
    Step next;
    next.mean = x;
    next.mean.template head<kBound>() += top(v * dt + s.u.lazyProduct(top(a)) + s.y.lazyProduct(top(pushed)));
    next.mean.template segment<kBound>(kVelocity) += top(s.w.lazyProduct(top(a)) + s.u.lazyProduct(top(pushed)));
    if (!at.mass_is_positive) next.mean.setConstant(std::numeric_limits<T>::quiet_NaN());

    auto& phi = next.step.transition;
    phi.template block<kBound, kBound>(0, 0) = top(multiply(s.u, by_position));
    phi.template block<kBound, kBound>(0, kVelocity) = top(s.w);
    phi.template block<kBound, Axes>(0, kForce) = top(s.u.lazyProduct(top(by_force)));
    phi.template block<kBound, kBound>(kVelocity, 0) = top(multiply(s.w, by_position));
    phi.template block<kBound, kBound>(kVelocity, kVelocity) = top(s.v);
    phi.template block<kBound, Axes>(kVelocity, kForce) = top(s.w.lazyProduct(top(by_force)));
    phi.template topLeftCorner<kBound, kBound>().diagonal().array() += T(1);
    phi.template block<Axes, Axes>(kForce, kForce).setIdentity();
    add_noise(s, by_torque, dt, next.step);
    return next;
  }

 private:
  using Block = PaddedMatrix<T, kBound>;

  ForwardDerivatives<T, Joints> accelerations(const State& x, const Joint& torque) const noexcept {
    const auto& transmission = robot_.transmission();
    const auto friction = tauhat::torque_and_slope(friction_, actuator_velocities(x), memory_, torque);
    const Joint acting = torque - transmission.joint_torque(friction.torque);
    auto at = forward_derivatives(robot_, positions(x), velocities(x), acting, push(x));
    if (transmission.is_coupled()) {
      const JointMatrix<T, Joints> slope = friction.slope.asDiagonal() * transmission.coupling();
      const JointMatrix<T, Joints> joint_slope = transmission.coupling().transpose().lazyProduct(slope);
      at.by_velocity -= at.by_torque.lazyProduct(joint_slope);
    } else {
      at.by_velocity -= at.by_torque * friction.slope.asDiagonal();
    }
    return at;
  }

  // Qd = [U; W] M^-1 S M^-T [U; W]^T of the torques, and of the random walk half before the transition and half after.
  void add_noise(const SecondOrderTransition<T, kBound>& s, const Block& by_torque, T dt,
                 Discrete<T, kStates>& step) const noexcept {
    const Block position = multiply(s.u, by_torque), velocity = multiply(s.w, by_torque);
    Matrix<T, PaddedVector<T, kStates>::RowsAtCompileTime, kBound + Axes> root;
    root.setZero();
    for (int i = 0; i < joints(); ++i) {
      root.col(i).template head<kBound>() = position.col(i).template head<kBound>() * torque_deviation_[i];
      root.col(i).template segment<kBound>(kVelocity) = velocity.col(i).template head<kBound>() * torque_deviation_[i];
    }
    Vector<T, Axes> half;
    for (int axis = 0; axis < Axes; ++axis) {
      half[axis] = intensity(axis) * intensity(axis) * dt / T(2);
      root.col(kBound + axis) = step.transition.col(kForce + axis) * std::sqrt(half[axis]);
    }
    step.noise = root.lazyProduct(root.template topRows<kStates>().transpose());
    step.noise.template block<Axes, Axes>(kForce, kForce).diagonal() += half;
  }

  Robot<T, Joints> robot_;
  JointFriction<T, Joints> friction_;
  ForceNoise<T, Joints> noise_;
  Joint torque_deviation_;  // of both, measured and unexplained
  FrictionMemory<T, Joints> memory_;
  bool bends_ = false;
  ExternalWrench<T> push_;
};

}  // namespace tauhat
