// The axis of the link velocity's papers, and an observer of it, as an offline study holds them.
#pragma once

#include <numbers>

#include "tauhat/offline/joint/joint_spec.hpp"

namespace tauhat {

inline constexpr double kJointPeriod = 400e-6, kJointVariance = 4.2e-12;  // s; rad^2, of the motor's encoder

inline JointSpec single_axis() {
  JointSpec spec;
  ElasticJoint<double>& joint = spec.joint;
  joint.motor_inertia = 7e-4, joint.motor_viscous = 0.008, joint.ratio = 120.0;
  joint.stiffness = 1.2e5, joint.damping = 80.0, joint.load_inertia = 14.3854, joint.load_viscous = 2.0;
  return spec;
}

inline JointSpec axis_with_neighbour() {
  JointSpec spec = single_axis();
  spec.joint.coupling_inertia = 3.4358, spec.joint.neighbour_inertia = 2.7927;
  spec.joint.neighbour_stiffness = 3e4, spec.joint.neighbour_damping = 12.0, spec.joint.neighbour_viscous = 0.5;
  spec.has_neighbour = true;
  return spec;
}

inline ObserverSpec kalman_observer(bool predicts) {
  ObserverSpec observer;
  observer.name = "kalman";
  observer.motor_noise = 1e-3, observer.load_noise = 0.32;
  observer.motor_disturbance = TorqueWalk{0.63, 2.0 * std::numbers::pi * 0.2};
  observer.predicts = predicts;
  return observer;
}

}  // namespace tauhat
