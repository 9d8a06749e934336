#include "tauhat/offline/joint/model_axes.hpp"

#include "tauhat/offline/joint/joint_model.hpp"

namespace tauhat {
namespace {

// tau = K (q_m / N - q) + D (w_m / N - w), where a link's position and velocity stand `to_load` behind its motor's.
Eigen::RowVectorXd joint_torque_row(const ModelAxes::Axis& axis, double damping, int to_load, Eigen::Index states) {
  Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(states);
  row[axis.motor_position] = axis.stiffness / axis.ratio;
  row[axis.motor_position + to_load] = -axis.stiffness;
  row[axis.motor_velocity] = damping / axis.ratio;
  row[axis.motor_velocity + to_load] = -damping;
  return row;
}

}  // namespace

ModelAxes model_axes(const JointSpec& spec, double period) {
  using Joint = ElasticJoint<double>;
  const Joint joint = axis_in_study(spec).joint;
  const auto at = linearise(joint, StateOf<Joint>::Zero(), InputOf<Joint>::Zero());
  const auto step = held<double, Joint::kStates, Joint::kInputs>(at.by_state, at.by_input, period);
  ModelAxes model;
  model.period = period, model.friction = spec.friction;
  model.step.transition = step.transition;
  model.step.by_input.resize(Joint::kStates, 2);
  model.step.by_input << step.by_input.col(Joint::motor_torque), step.by_input.col(Joint::external_torque);
  ModelAxes::Axis axis{Joint::motor_position, Joint::motor_velocity, Joint::load_velocity, {}};
  axis.ratio = joint.ratio, axis.stiffness = joint.stiffness;
  axis.motor_inertia = joint.motor_inertia, axis.load_inertia = joint.load_inertia;
  axis.joint_torque = joint_torque_row(axis, joint.damping, Joint::load_position, Joint::kStates);
  model.axes = {axis};
  return model;
}

ModelAxes model_axes(const AxesSpec& spec, double period) {
  AxesObserver nobody;  // who would add what is unknown
  nobody.kind = AxesObserver::Kind::luenberger;
  nobody.leak.assign(spec.count(), 0.0);
  const AnyAxes axes = elastic_axes(spec, nobody);
  const SampledAnyAxes step = sampled_axes(linear_axes<double, Eigen::Dynamic>(axes, spec.mass), period);
  ModelAxes model;
  model.period = period;
  // Without the disturbances, which nothing but an observer moves.
  const int states = axes.begin(AnyAxes::motor_disturbance);
  model.step = {step.transition.topLeftCorner(states, states), step.by_input.topRows(states)};
  for (int i = 0; i < axes.count(); ++i) {
    ModelAxes::Axis axis{axes.begin(AnyAxes::motor_position) + i,
                         axes.begin(AnyAxes::motor_velocity) + i,
                         axes.begin(AnyAxes::load_velocity) + i,
                         {}};
    axis.ratio = axes.ratio[i], axis.stiffness = axes.stiffness[i];
    axis.motor_inertia = axes.motor_inertia[i], axis.load_inertia = spec.mass(i, i);
    axis.joint_torque = joint_torque_row(axis, axes.damping[i], axes.count(), states);
    model.axes.push_back(axis);
  }
  return model;
}

JointSpec weightless(JointSpec spec) {
  spec.gravity = {};
  spec.pose.reset();
  return spec;
}

AxesSpec weightless(AxesSpec spec) {
  spec.robot.reset();
  return spec;
}

}  // namespace tauhat
