// From what a study says of a joint to the model's type: with or without neighbour, with what is unknown as states.
#pragma once

#include <fmt/format.h>

#include "tauhat/core/models/elastic_axis.hpp"
#include "tauhat/core/models/linear_joint.hpp"
#include "tauhat/core/unknowns/random_walk.hpp"
#include "tauhat/core/unknowns/resonance.hpp"
#include "tauhat/offline/error.hpp"
#include "tauhat/offline/joint/joint_spec.hpp"

namespace tauhat {

namespace joint_detail {

using Alone = ElasticJoint<double, false>;
using Coupled = ElasticJoint<double, true>;

inline Alone without_neighbour(const Coupled& joint) {
  Alone alone;
  alone.motor_inertia = joint.motor_inertia, alone.motor_viscous = joint.motor_viscous, alone.ratio = joint.ratio;
  alone.stiffness = joint.stiffness, alone.damping = joint.damping;
  alone.load_inertia = joint.load_inertia, alone.load_viscous = joint.load_viscous;
  alone.torque_noise = joint.torque_noise.head<2>();
  return alone;
}

}  // namespace joint_detail

// What `simulate` takes for the truth. A neighbour that the study does not have is one that nothing couples to.
inline ElasticAxis<double> axis_in_study(const JointSpec& spec) {
  ElasticAxis<double> axis{spec.joint, spec.friction.value_or(MeshLuGre<double>{}), spec.friction.has_value(),
                           spec.gravity};
  if (!spec.has_neighbour)
    axis.joint.coupling_inertia = 0.0, axis.joint.neighbour_inertia = 1.0, axis.joint.neighbour_stiffness = 1.0;
  return axis;
}

namespace joint_detail {

// Calls use(model) with the typed model of an observer.
template <class Use>
auto with_typed_model(const JointSpec& spec, const ObserverSpec& observer, Use&& use) {
  ElasticJoint<double> joint = spec.joint;
  const auto square = [](double x) { return x * x; };
  joint.torque_noise << square(observer.motor_noise), square(observer.load_noise), square(observer.neighbour_noise);
  const auto with_unknowns = [&](const auto& bare) {
    using M = std::decay_t<decltype(bare)>;
    using Disturbed = Augmented<M, RandomWalk<M::motor_disturbance>>;
    const auto& d = observer.motor_disturbance;
    const auto& e = observer.external_torque;
    const auto& ringing = observer.external_resonance;
    if (ringing) {
      using Ringing = Augmented<M, Resonance<M::external_torque>>;
      return use(
          Ringing{bare, ringing->frequency, ringing->relative_damping, ringing->intensity, ringing->rate_intensity});
    }
    if (d && e) {
      const Disturbed disturbed{bare, d->intensity, d->leak};
      return use(Augmented<Disturbed, RandomWalk<M::external_torque>>{disturbed, e->intensity, e->leak});
    }
    if (d) return use(Disturbed{bare, d->intensity, d->leak});
    if (e) return use(Augmented<M, RandomWalk<M::external_torque>>{bare, e->intensity, e->leak});
    return use(bare);
  };
  return observer.with_neighbour ? with_unknowns(joint) : with_unknowns(without_neighbour(joint));
}

}  // namespace joint_detail

// Calls use(joint) with the observer's model, a LinearJoint<double, 4> to <double, 9>.
template <class Use>
auto with_joint_model(const JointSpec& spec, const ObserverSpec& observer, Use&& use) {
  return joint_detail::with_typed_model(spec, observer, [&](const auto& model) { return use(linear_joint(model)); });
}

}  // namespace tauhat
