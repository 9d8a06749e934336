// Torques of the environment on a robot's joints by a Kalman filter of the momentum (Hu and Xiong 2018):
//   p' = tau - friction + C^T v - g + d + white,   d' = white: the external torques are random walks
//   measured: v = M^-1 p, joint by joint
// Unlike the momentum observer it weighs each joint's torque by how well its velocity is known, and has a covariance
// that follows the arm's pose. Where the force acts need not be known. The residual of the model moves the momentum as
// noise would, and stays as an error would: the torques' covariance holds both.
#pragma once

#include "tauhat/core/filters/ekf.hpp"
#include "tauhat/core/robot/momentum_balance.hpp"

namespace tauhat {

// Momentum and disturbance of kJointBound joints; those that are not there stay zero.
template <class T, int Joints>
struct DisturbanceModel {
  using Scalar = T;
  static constexpr int kBound = kJointBound<Joints>;
  static constexpr int kDisturbance = kBound, kStates = 2 * kBound, kInputs = kBound, kConstantStates = kBound;
  using State = Vector<T, kStates>;
  using Input = Vector<T, kInputs>;

  Vector<T, kBound> torque_variance = Vector<T, kBound>::Zero(), walk_density = torque_variance;  // (N m)^2, (N m)^2/s
  Matrix<T, kBound> inverse_mass = Matrix<T, kBound>::Zero();  // of the pose that the next corrections are about

  T output(int joint, const State& x, const Input&) const noexcept {
    return inverse_mass.col(joint).dot(x.template head<kBound>());
  }
  OutputGradient<T, kStates, kInputs> output_gradient(int joint, const State&, const Input&) const noexcept {
    OutputGradient<T, kStates, kInputs> gradient{State::Zero(), Input::Zero()};
    gradient.by_state.template head<kBound>() = inverse_mass.col(joint);
    return gradient;
  }

  struct Step {
    State mean;
    Discrete<T, kStates> step;
  };
  Step step(const State& x, const Input& u, T dt) const noexcept {
    Step next;
    next.mean = x;
    next.mean.template head<kBound>() += dt * (u + x.template tail<kBound>());
    for (int i = 0; i < kBound; ++i) {
      const int p = i, d = kDisturbance + i;
      next.step.transition(p, p) = next.step.transition(d, d) = T(1);
      next.step.transition(p, d) = dt;
      // The torque's noise is held as the torque is; the walk's integral is exact.
      next.step.noise(p, p) = dt * dt * (torque_variance[i] + dt / T(3) * walk_density[i]);
      next.step.noise(p, d) = next.step.noise(d, p) = dt * dt / T(2) * walk_density[i];
      next.step.noise(d, d) = dt * walk_density[i];
    }
    return next;
  }
};

template <class T, int Joints>
struct DisturbanceNoise {
  using Vector = JointVector<T, Joints>;

  Vector position, torque, walk;   // rad, N m, N m/sqrt(s)
  Vector residual;                 // N m: what the model lacks
  Vector velocity;                 // rad/s: of velocities that were measured
  bool measures_velocity = false;  // else they are taken from the positions
  T start = T(10);                 // N m: standard deviation of the disturbance at the start
  T velocity_cut_off = T(120);     // Hz
  T interval = constant<T>(1e-3);  // s

  explicit DisturbanceNoise(int joints)
      : position(Vector::Zero(joints)),
        torque(Vector::Zero(joints)),
        walk(Vector::Zero(joints)),
        residual(Vector::Zero(joints)),
        velocity(Vector::Zero(joints)) {}
};

template <class T, int Joints>
class DisturbanceFilter {
 public:
  using Model = DisturbanceModel<T, Joints>;
  using Joint = JointVector<T, Joints>;

  DisturbanceFilter(const Robot<T, Joints>& robot, const JointFriction<T, Joints>& friction,
                    const DisturbanceNoise<T, Joints>& noise) noexcept
      : balance_(robot, friction, noise.velocity_cut_off, noise.interval),
        noise_(noise),
        velocity_variance_(velocity_variance_of(noise)),
        filter_(model_of(noise), {}) {
    start(Joint::Zero(robot.joints()), Joint::Zero(robot.joints()));
  }

  // The momentum as well known as the velocities are, the disturbance hardly at all.
  void start(const Joint& position, const Joint& velocity) noexcept {
    balance_.start(position, velocity);
    const int n = joints();
    const JointMatrix<T, Joints> mass = mass_matrix(balance_.robot(), position);
    const JointMatrix<T, Joints> scaled = mass * velocity_variance_.asDiagonal();
    Gaussian<T, Model::kStates> prior;
    prior.mean.head(n) = balance_.momentum();
    prior.covariance().topLeftCorner(n, n) = scaled.lazyProduct(mass);
    prior.covariance().diagonal().segment(Model::kDisturbance, n).setConstant(noise_.start * noise_.start);
    filter_.reset(prior);
  }

  // The positions of now. Where one is missing, nothing is known of the velocities.
  StepStatus correct(const Joint& position) noexcept { return taken(balance_.measure(position)); }
  // With velocities that were measured.
  StepStatus correct(const Joint& position, const Joint& velocity) noexcept {
    return taken(balance_.measure(position, velocity));
  }

  StepStatus predict(const Joint& torque) noexcept {
    const StepStatus held = balance_.hold(torque);
    typename Model::Input input = Model::Input::Zero();
    input.head(joints()) = balance_.known_rate();
    const StepStatus status = filter_.predict(input, noise_.interval);
    return status == StepStatus::ok ? held : status;
  }

  const MomentumBalance<T, Joints>& balance() const noexcept { return balance_; }
  int joints() const noexcept { return balance_.robot().joints(); }

  ExternalTorque<T, Joints> external_torque() const noexcept {
    constexpr int kFirst = Model::kDisturbance;
    const auto& belief = filter_.belief();
    JointMatrix<T, Joints> covariance = belief.covariance().block(kFirst, kFirst, joints(), joints());
    covariance.diagonal() += noise_.residual.cwiseAbs2();
    return balance_.external_torque(belief.mean.segment(kFirst, joints()), covariance);
  }

  // At a frame, in world axes: 3 axes of a force, or 6 of a force and a moment.
  template <int Axes>
  ForceEstimate<T, Axes> force(const Frame<T>& frame, const Vector<T, Axes>& prior_variance) const noexcept {
    return balance_.template force_at<Axes>(frame, external_torque(), prior_variance);
  }

 private:
  static Joint velocity_variance_of(const DisturbanceNoise<T, Joints>& noise) noexcept {
    if (noise.measures_velocity) return noise.velocity.cwiseAbs2();
    return noise.position.cwiseAbs2() * FilteredVelocity<T, Joints>::noise_gain(noise.velocity_cut_off, noise.interval);
  }

  // With the momentum of now.
  StepStatus taken(StepStatus measured) noexcept {
    if (measured != StepStatus::ok) return measured;
    const MassFactor<T, Joints> mass(mass_matrix(balance_.robot(), balance_.positions()));
    if (!mass.is_positive()) return StepStatus::diverged;
    filter_.model().inverse_mass.topLeftCorner(joints(), joints()) = mass.inverse();
    for (int i = 0; i < joints(); ++i) {
      const StepStatus status = filter_.correct({i, balance_.velocities()[i], velocity_variance_[i]}).status;
      if (status != StepStatus::ok) return status;
    }
    return StepStatus::ok;
  }

  static Model model_of(const DisturbanceNoise<T, Joints>& noise) noexcept {
    Model model;
    model.torque_variance.head(noise.torque.size()) = noise.torque.cwiseAbs2() + noise.residual.cwiseAbs2();
    model.walk_density.head(noise.walk.size()) = noise.walk.cwiseAbs2();
    return model;
  }

  MomentumBalance<T, Joints> balance_;
  DisturbanceNoise<T, Joints> noise_;
  Joint velocity_variance_;
  Ekf<Model> filter_;
};

}  // namespace tauhat
