// An elastic axis whose neighbour travels to and fro, for `simulate`: the joint of the pose at every instant, and what
// the pose's motion asks of the links.
//   p'' = -w^2 (p - centre)
#pragma once

#include <algorithm>
#include <array>
#include <numbers>

#include "tauhat/core/models/elastic_axis.hpp"
#include "tauhat/offline/joint/pose_schedule.hpp"

namespace tauhat {

struct MovingAxis {
  using Axis = ElasticAxis<double>;
  using Joint = ElasticJoint<double>;
  using Scalar = double;
  template <class>
  using Rebind = MovingAxis;

  enum State { pose_position = Axis::kStates, pose_velocity, kStates };
  enum Input { motor_torque, kInputs };
  static constexpr auto kOutputs = [] {
    std::array<Signal, Joint::kOutputCount + kPoseSignals.size()> outputs{};
    std::copy(Joint::kOutputs.begin(), Joint::kOutputs.end(), outputs.begin());
    std::copy(kPoseSignals.begin(), kPoseSignals.end(), outputs.begin() + Joint::kOutputCount);
    return outputs;
  }();

  Axis axis;
  PoseSchedule schedule;
  double centre = 0.0, frequency = 1.0;  // rad, Hz

  PosePoint pose(const Vector<double, kStates>& x) const {
    const double rate = 2.0 * std::numbers::pi * frequency;
    return {x[pose_position], x[pose_velocity], -rate * rate * (x[pose_position] - centre)};
  }

  Vector<double, kStates> derivative(const Vector<double, kStates>& x, const Vector<double, kInputs>& u) const {
    const PosePoint at = pose(x);
    const Axis posed = axis_at(at.position);
    const PoseTorques asked = torques_of(schedule, posed.joint, at, x[Joint::load_velocity]);
    InputOf<Joint> motion = InputOf<Joint>::Zero();
    motion[Joint::load_torque] = asked.load, motion[Joint::neighbour_torque] = asked.neighbour;
    Vector<double, kStates> dx;
    dx.head<Axis::kStates>() = posed.derivative(x.head<Axis::kStates>(), u);
    dx.head<Joint::kStates>() += posed.joint.derivative(StateOf<Joint>::Zero(), motion);
    dx[pose_position] = at.velocity, dx[pose_velocity] = at.acceleration;
    return dx;
  }

  double output(int index, const Vector<double, kStates>& x, const Vector<double, kInputs>& u) const {
    const PosePoint at = pose(x);
    switch (index - Joint::kOutputCount) {
      case 0:
        return at.position;
      case 1:
        return at.velocity;
      case 2:
        return at.acceleration;
      default:
        return axis_at(at.position).output(index, x.head<Axis::kStates>(), u);
    }
  }

  Vector<double, kStates> spectral_density() const { return Vector<double, kStates>::Zero(); }
  double fastest_rate() const {
    double fastest = 0.0;
    for (const double position : schedule.position) fastest = std::max(fastest, axis_at(position).joint.fastest_rate());
    return fastest;
  }

 private:
  Axis axis_at(double position) const {
    Axis posed = axis;
    take_pose(schedule, position, posed.joint, posed.gravity);
    return posed;
  }
};

}  // namespace tauhat
