// The observers that stand beside the filter, with the gains and cut-offs of the set-up.
#include "tauhat/core/robot/disturbance_filter.hpp"
#include "tauhat/core/robot/momentum_observer.hpp"
#include "tauhat/offline/reproduce/pyrhonen_force.hpp"

namespace tauhat::pyrhonen {
namespace {

using Joint = JointVector<double, kJoints>;

template <class Observer, class Force>
Wrenches observed(Observer& observer, const ForceRecord& record, const Force& force) {
  observer.start(record.front().position - kPeriod * record.front().velocity, record.front().velocity);
  Wrenches estimate;
  for (const auto& sample : record) {
    observer.correct(sample.measured_position);
    Vector<double, 6> wrench = Vector<double, 6>::Zero();
    wrench.head<3>() = force();
    estimate.push_back(wrench);
    observer.predict(sample.measured_torque);
  }
  return estimate;
}

}  // namespace

// f by least squares of J^T f = r, all joints alike.
Wrenches momentum_observer_force(const ArmModel& believed, const Frame<double>& frame, const ForceRecord& record) {
  MomentumObserverSettings<double, kJoints> settings(kJoints);
  MomentumObserver<double, kJoints> observer(believed.arm, believed.friction, settings);
  const Vector<double, 3> unlimited = Vector<double, 3>::Constant(1e12);  // N^2
  return observed(observer, record, [&] {
    const ExternalTorque<double, kJoints> external{observer.residual(), Arm::Matrix::Identity()};
    return observer.balance().force_at<3>(frame, external, unlimited).force;
  });
}

// Torques walk as a force of 20 N/sqrt(s) at the frame would move them, in the pose at the start.
Wrenches disturbance_filter_force(const ArmModel& believed, const Frame<double>& frame, const ForceRecord& record) {
  constexpr double kForceWalk = 20.0, kShortestLever = 0.02;  // N/sqrt(s), m: of joints that the force does not turn
  const auto jacobian = frame_jacobian(believed.arm, pose_of(believed.arm, record.front().position), frame);
  const Joint lever = jacobian.topRows<3>().colwise().norm().transpose();
  DisturbanceNoise<double, kJoints> noise(kJoints);
  noise.position.setConstant(kPositionNoise);
  noise.torque.setConstant(kTorqueNoise);
  noise.walk = kForceWalk * lever.cwiseMax(kShortestLever);
  DisturbanceFilter<double, kJoints> filter(believed.arm, believed.friction, noise);
  const Vector<double, 3> prior = Vector<double, 3>::Constant(1e4);  // N^2
  return observed(filter, record, [&] { return filter.force<3>(frame, prior).force; });
}

}  // namespace tauhat::pyrhonen
