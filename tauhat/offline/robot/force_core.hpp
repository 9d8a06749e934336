// Who estimates the force of the environment, in one shape: the augmented filter, the momentum observer and the
// disturbance filter, for any number of joints.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "tauhat/core/robot/disturbance_filter.hpp"
#include "tauhat/core/robot/force_filter.hpp"
#include "tauhat/core/robot/momentum_observer.hpp"
#include "tauhat/offline/log/part.hpp"
#include "tauhat/offline/replay/estimator.hpp"
#include "tauhat/offline/robot/force_covariance.hpp"

namespace tauhat {

template <int Axes>
class FilterCore {
 public:
  explicit FilterCore(const ForceSetup& setup) : setup_(setup) {}

  // From a sample and the velocities there.
  void start(const JointValues& now, const JointValues& velocity, double interval) {
    ForceNoise<double, Eigen::Dynamic> noise(setup_.robot.joints());
    noise.position = setup_.position_noise, noise.torque = setup_.torque_noise, noise.residual = setup_.residual;
    if (setup_.measures_velocity()) noise.velocity = setup_.velocity_noise;
    noise.force_walk = setup_.spec.walk, noise.moment_walk = setup_.spec.moment_walk;
    noise.force_start = setup_.spec.start, noise.moment_start = setup_.spec.moment_start;
    noise.velocity_start = std::max(noise.velocity_start, std::numbers::sqrt2 * noise.position.maxCoeff() / interval);
    filter_.emplace(setup_.robot, setup_.friction, *setup_.frame(), noise, setup_.spec.axes);
    if (gate_) filter_->set_gate(*gate_);
    filter_->start(now, velocity);
  }
  // From the next start on; the moment's walk goes with the force's.
  void set_walk(double walk) {
    setup_.spec.moment_walk *= walk / setup_.spec.walk;
    setup_.spec.walk = walk;
  }
  void set_gate(double nis) {
    gate_ = nis;
    if (filter_) filter_->set_gate(nis);
  }
  bool bridges(double) const noexcept { return true; }  // its covariance grows meanwhile
  double settling() const noexcept { return 0.0; }

  InnovationCounts correct(const JointValues& position, const JointValues& velocity) noexcept {
    const auto done = setup_.measures_velocity() ? filter_->correct(position, velocity) : filter_->correct(position);
    InnovationCounts counts;
    for (int i = 0; i < filter_->joints(); ++i) counts.count(done.joint[i]);
    for (int i = 0; setup_.measures_velocity() && i < filter_->joints(); ++i) counts.count(done.velocity[i]);
    return counts;
  }
  StepStatus predict(const JointValues& torque, double interval) noexcept { return filter_->predict(torque, interval); }

  ForceReading read() const noexcept {
    const auto estimate = filter_->force();
    ForceReading reading;
    reading.external = filter_->external_torque();
    reading.force.force.template head<Axes>() = estimate.force;
    reading.force.covariance.template topLeftCorner<Axes, Axes>() = estimate.covariance;
    reading.resting = filter_->at_rest();
    return reading;
  }
  ReadingNoise noise(const ForceReading&) const {
    const auto columns = force_jacobian(setup_, filter_->positions()).template topRows<Axes>().eval();
    constexpr int kForce = ForceFilter<double, Eigen::Dynamic, Axes>::Model::kForce;
    const Matrix<double, Axes> covariance = filter_->belief().covariance().template block<Axes, Axes>(kForce, kForce);
    ReadingNoise noise{(columns.transpose() * covariance * columns).diagonal()};
    noise.force.template head<Axes>() = covariance.diagonal();
    return noise;
  }

 private:
  ForceSetup setup_;
  std::optional<ForceFilter<double, Eigen::Dynamic, Axes>> filter_;
  std::optional<double> gate_;
};

// Observers of the momentum: torques of the joints first, then the force by least squares.
template <class Observer>
class ObserverCore {
 public:
  explicit ObserverCore(const ForceSetup& setup) : setup_(setup) {}

  void start(const JointValues& now, const JointValues& velocity, double) {
    make(now);
    observer_->start(now - setup_.period * velocity, velocity);
    take(now, velocity);
    last_ = now, last_velocity_ = velocity, behind_ = 0;
  }
  void set_gate(double) noexcept {}  // they have none
  void set_walk(double) noexcept {}  // nor a likelihood to choose it by
  // Over a few periods the joints move on straight lines; over more, nobody knows what they did.
  bool bridges(double silence) const noexcept { return silence <= kBridgedPeriods * setup_.period; }
  // s from a start on, in which its standard deviations do not hold yet.
  double settling() const noexcept;

  // The steps of an observer are one period each: it makes up for those that no position came in.
  InnovationCounts correct(const JointValues& position, const JointValues& velocity) noexcept {
    InnovationCounts counts;
    if (!position.allFinite() || !velocity.allFinite()) return counts;
    for (std::size_t k = 1; k < behind_; ++k) {
      const double share = static_cast<double>(k) / static_cast<double>(behind_);
      take(last_ + share * (position - last_), last_velocity_ + share * (velocity - last_velocity_));
      counts.failed += observer_->predict(torques_[std::min(k, kMostBehind - 1)]) != StepStatus::ok;
    }
    take(position, velocity);
    last_ = position, last_velocity_ = velocity, behind_ = 0;
    return counts;
  }
  StepStatus predict(const JointValues& torque, double interval) noexcept {
    const bool is_first = behind_ == 0;
    const auto periods = static_cast<std::size_t>(std::max(1L, std::lround(interval / setup_.period)));
    for (std::size_t k = behind_; k < std::min(behind_ + periods, kMostBehind); ++k) torques_[k] = torque;
    behind_ += periods;
    return is_first ? observer_->predict(torque) : StepStatus::ok;
  }

  ForceReading read() const noexcept {
    ForceReading reading;
    reading.external = observer_->external_torque();
    reading.resting = observer_->balance().at_rest();
    if (setup_.axes() == 3) read_force<3>(reading);
    if (setup_.axes() == 6) read_force<6>(reading);
    return reading;
  }
  // But for what the model lacks, and what friction hides.
  ReadingNoise noise(const ForceReading& now) const {
    JointMatrix<double, Eigen::Dynamic> torques = now.external.covariance;
    torques.diagonal() -= setup_.residual.cwiseAbs2();
    if (now.resting.any()) torques -= now.resting.hidden_torque(setup_.robot.transmission(), setup_.friction);
    ReadingNoise noise{torques.diagonal()};
    if (setup_.axes() > 0) noise.force = force_covariance(now, torques).diagonal();
    return noise;
  }

 private:
  Matrix<double, 6> force_covariance(const ForceReading& now,
                                     const JointMatrix<double, Eigen::Dynamic>& torques) const {
    const JointValues& position = observer_->balance().positions();
    return setup_.axes() == 6 ? force_covariance_of<6>(setup_, position, now.external.covariance, torques)
                              : force_covariance_of<3>(setup_, position, now.external.covariance, torques);
  }

  void make(const JointValues& position);

  void take(const JointValues& position, const JointValues& velocity) noexcept {
    setup_.measures_velocity() ? observer_->correct(position, velocity) : observer_->correct(position);
  }

  template <int Axes>
  void read_force(ForceReading& reading) const noexcept {
    const Vector<double, Axes> prior = known_beforehand<Axes>(setup_.spec);
    const Frame<double>& frame = *setup_.frame();
    const auto found = observer_->balance().template force_at<Axes>(frame, reading.external, prior.cwiseAbs2());
    reading.force.force.template head<Axes>() = found.force;
    reading.force.covariance.template topLeftCorner<Axes, Axes>() = found.covariance;
    if (setup_.spec.axes == WrenchAxes::world) return;
    const auto pose = pose_of(setup_.robot, observer_->balance().positions());
    const Matrix<double, 3> rotation = frame_placement(pose, frame).rotation.transpose();
    Matrix<double, 6> turned = Matrix<double, 6>::Zero();
    turned.topLeftCorner<3, 3>() = turned.bottomRightCorner<3, 3>() = rotation;
    reading.force.force = (turned * reading.force.force).eval();
    reading.force.covariance = (turned * reading.force.covariance * turned.transpose()).eval();
  }

  ForceSetup setup_;
  std::optional<Observer> observer_;
  static constexpr auto kMostBehind = static_cast<std::size_t>(kBridgedPeriods) + 1;
  JointValues last_, last_velocity_;  // position and velocity
  std::array<JointValues, kMostBehind> torques_;
  std::size_t behind_ = 0;  // periods since then, each with its torque
};

using MomentumObserverCore = ObserverCore<MomentumObserver<double, Eigen::Dynamic>>;
using DisturbanceFilterCore = ObserverCore<DisturbanceFilter<double, Eigen::Dynamic>>;

template <>
inline void MomentumObserverCore::make(const JointValues&) {
  MomentumObserverSettings<double, Eigen::Dynamic> settings(setup_.robot.joints());
  settings.gain = setup_.spec.gain;
  settings.velocity_cut_off = setup_.spec.velocity_cut_off.value_or(settings.velocity_cut_off);
  settings.interval = setup_.period;
  settings.position_noise = setup_.position_noise, settings.torque_noise = setup_.torque_noise;
  settings.measures_velocity = setup_.measures_velocity();
  if (setup_.measures_velocity()) settings.velocity_noise = setup_.velocity_noise;
  settings.residual = setup_.residual;
  observer_.emplace(setup_.robot, setup_.friction, settings);
}

// It begins at zero, and says nothing of that: 5 time constants later less than a hundredth is missing.
template <>
inline double MomentumObserverCore::settling() const noexcept {
  return 5.0 / setup_.spec.gain;
}
template <>
inline double DisturbanceFilterCore::settling() const noexcept {
  return 0.0;
}

// Torques walk as the force at its frame would move them, in the pose at the start.
template <>
inline void DisturbanceFilterCore::make(const JointValues& position) {
  constexpr double kShortestLever = 0.02, kUsualLever = 0.5;  // m: of joints that it does not turn; without a frame
  DisturbanceNoise<double, Eigen::Dynamic> noise(setup_.robot.joints());
  noise.position = setup_.position_noise, noise.torque = setup_.torque_noise, noise.residual = setup_.residual;
  noise.measures_velocity = setup_.measures_velocity();
  if (setup_.measures_velocity()) noise.velocity = setup_.velocity_noise;
  JointValues lever = JointValues::Constant(setup_.robot.joints(), kUsualLever);
  if (const Frame<double>* frame = setup_.frame()) {
    const auto jacobian = frame_jacobian(setup_.robot, pose_of(setup_.robot, position), *frame);
    lever = jacobian.topRows<3>().colwise().norm().transpose().cwiseMax(kShortestLever);
  }
  noise.walk = setup_.spec.walk * lever;
  noise.velocity_cut_off = setup_.spec.velocity_cut_off.value_or(noise.velocity_cut_off);
  noise.interval = setup_.period;
  observer_.emplace(setup_.robot, setup_.friction, noise);
}

}  // namespace tauhat
