// The force of the environment on an arm from its encoders and motor torques: an extended Kalman filter whose state is
// positions, velocities and the force (Pyrhonen, Mikkola and Naets). As everywhere, correct() with the samples of now,
// read, then predict() with the torque that is held until the next.
//
// It needs no velocity, though it takes one that was measured, and no acceleration; near singular poses the force
// coasts with a growing covariance. What it takes for force is all that the model does not explain: tell it the
// residual of the identification. That residual moves the states as noise would, and stays as an error would: the
// force's covariance holds both.
#pragma once

#include "tauhat/core/filters/ekf.hpp"
#include "tauhat/core/robot/force_least_squares.hpp"
#include "tauhat/core/robot/force_model.hpp"
#include "tauhat/core/robot/resting_joints.hpp"

namespace tauhat {

template <class T, int Joints>
struct ForceCorrection {
  LinkArray<Correction<T>, Joints> joint;     // of each encoder, in their order
  LinkArray<Correction<T>, Joints> velocity;  // of each measured velocity; unset where there is none
  // Where any rests, friction hides the force: force() and external_torque() carry its Coulomb torque as deviation.
  RestingJoints<T, Joints> at_rest;
};

template <class T, int Joints, int Axes = 3>
class ForceFilter {
 public:
  using Model = ForceModel<T, Joints, Axes>;
  using Joint = JointVector<T, Joints>;
  using Belief = Gaussian<T, Model::kStates>;

  // The frame is the robot's find_frame(), or any other place on a link.
  ForceFilter(const Robot<T, Joints>& robot, const JointFriction<T, Joints>& friction, const Frame<T>& frame,
              const ForceNoise<T, Joints>& noise, WrenchAxes axes = WrenchAxes::world)
      : filter_(Model(robot, friction, frame, noise, axes), {}) {
    start(Joint::Zero(robot.joints()), Joint::Zero(robot.joints()));
  }

  // No force so far, as far as is known.
  void start(const Joint& position, const Joint& velocity) noexcept {
    const auto& noise = model().noise();
    Vector<T, Model::kStates> mean = Vector<T, Model::kStates>::Zero(), variance = mean;
    mean.head(joints()) = position;
    mean.segment(Model::kVelocity, joints()) = velocity;
    variance.head(joints()) = noise.position.cwiseAbs2();
    variance.segment(Model::kVelocity, joints()).setConstant(noise.velocity_start * noise.velocity_start);
    variance.template tail<Axes>() = force_start();
    filter_.reset(Belief::from_variances(mean, variance));
    filter_.model().forget();
  }

  // Corrections with a normalised innovation squared above this are refused. Infinite, as at first: none are.
  void set_gate(T nis) noexcept { filter_.set_gate(nis); }

  // An encoder that is silent gives NaN.
  ForceCorrection<T, Joints> correct(const Joint& position) noexcept {
    ForceCorrection<T, Joints> done;
    for (int i = 0; i < joints(); ++i) {
      const T deviation = model().noise().position[i];
      done.joint[i] = filter_.correct({i, position[i], deviation * deviation});
    }
    done.at_rest = at_rest();
    return done;
  }

  // The same with velocities that were measured.
  ForceCorrection<T, Joints> correct(const Joint& position, const Joint& velocity) noexcept {
    ForceCorrection<T, Joints> done = correct(position);
    for (int i = 0; i < joints(); ++i) {
      const T deviation = model().noise().velocity[i];
      done.velocity[i] = filter_.correct({Model::kVelocity + i, velocity[i], deviation * deviation});
    }
    done.at_rest = at_rest();
    return done;
  }

  // A torque that is not finite: the last good ones are held.
  StepStatus predict(const Joint& torque, T dt) noexcept {
    typename Model::Input input = Model::Input::Zero();
    input.head(joints()) = torque;
    const auto before = belief().mean;
    const StepStatus status = filter_.predict(input, dt);
    if (dt > T(0)) filter_.model().remember(before, dt);
    return status;
  }

  const Model& model() const noexcept { return filter_.model(); }
  const Belief& belief() const noexcept { return filter_.belief(); }
  Stage stage() const noexcept { return filter_.stage(); }
  int joints() const noexcept { return model().joints(); }
  Joint positions() const noexcept { return model().positions(belief().mean); }
  Joint velocities() const noexcept { return model().velocities(belief().mean); }
  RestingJoints<T, Joints> at_rest() const noexcept {
    return {model().friction(), model().actuator_velocities(belief().mean)};
  }

  // From the environment on the robot, at the frame's origin and in the axes that were chosen.
  ForceEstimate<T, Axes> force() const noexcept {
    ForceEstimate<T, Axes> estimate{belief().mean.template tail<Axes>(),
                                    belief().covariance().template block<Axes, Axes>(Model::kForce, Model::kForce)};
    const auto resting = at_rest();
    if (resting.any()) {
      const auto hidden = resting.hidden_torque(model().robot().transmission(), model().friction());
      estimate.covariance += force_of(hidden, force_start());
    }
    const auto& residual = model().noise().residual;
    if ((residual.array() > T(0)).any()) {
      const JointMatrix<T, Joints> unexplained = residual.cwiseAbs2().asDiagonal();
      // Ten times what is known beforehand: where the arm is singular, and only there, it counts.
      estimate.covariance += force_of(unexplained, constant<T>(100) * force_start());
    }
    return estimate;
  }

  // J^T f: what the force does to the joints. A joint that rests may bear up to its Coulomb torque besides, whatever
  // its lever to the frame; nor is any known better than what the model lacks there.
  ExternalTorque<T, Joints> external_torque() const noexcept {
    const auto j = jacobian();
    const auto estimate = force();
    const auto columns = j.template topRows<Axes>();
    const auto spread = estimate.covariance.lazyProduct(columns);
    ExternalTorque<T, Joints> external{columns.transpose().lazyProduct(estimate.force),
                                       columns.transpose().lazyProduct(spread.eval())};
    auto variance = external.covariance.diagonal();
    variance = variance.cwiseMax(model().noise().residual.cwiseAbs2()).eval();
    const auto resting = at_rest();
    if (resting.any()) {
      const auto hidden = resting.hidden_torque(model().robot().transmission(), model().friction());
      variance = variance.cwiseMax(hidden.diagonal()).eval();
    }
    return external;
  }

 private:
  Vector<T, Axes> force_start() const noexcept {
    const auto& noise = model().noise();
    Vector<T, Axes> variance = Vector<T, Axes>::Constant(noise.force_start * noise.force_start);
    if constexpr (Axes == 6) variance.template tail<3>().setConstant(noise.moment_start * noise.moment_start);
    return variance;
  }

  // Rows in the axes of the force.
  FrameJacobian<T, Joints> jacobian() const noexcept {
    const auto pose = pose_of(model().robot(), positions());
    FrameJacobian<T, Joints> j = frame_jacobian(model().robot(), pose, model().frame());
    if (model().axes() == WrenchAxes::world) return j;
    const Matrix<T, 3> axes = frame_placement(pose, model().frame()).rotation.transpose();
    j.template topRows<3>() = axes.lazyProduct(j.template topRows<3>()).eval();
    j.template bottomRows<3>() = axes.lazyProduct(j.template bottomRows<3>()).eval();
    return j;
  }

  // What the filter takes torques of this covariance for that stay: it weighs the joints by the noise of their torques.
  Matrix<T, Axes> force_of(const JointMatrix<T, Joints>& torques, const Vector<T, Axes>& prior) const noexcept {
    const auto& noise = model().noise();
    const JointMatrix<T, Joints> weights = (noise.torque.cwiseAbs2() + noise.residual.cwiseAbs2()).asDiagonal();
    const TorqueToForce<T, Joints, Axes> to_force(jacobian(), weights, prior);
    const auto spread = to_force.gain.lazyProduct(torques).eval();
    return spread.lazyProduct(to_force.gain.transpose());
  }

  Ekf<Model> filter_;
};

}  // namespace tauhat
