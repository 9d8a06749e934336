// A study's axes as matrices about rest, without gravity: what trials on the model shake, strike and damp.
//   x+ = Phi x + Gamma [u; tau_e],   u at the motors, tau_e what acts against the links
#pragma once

#include <optional>
#include <vector>

#include "tauhat/offline/joint/axes_design.hpp"
#include "tauhat/offline/joint/joint_spec.hpp"

namespace tauhat {

struct ModelAxes {
  struct Axis {
    int motor_position = 0, motor_velocity = 0, load_velocity = 0;  // among the states
    Eigen::RowVectorXd joint_torque;                                // tau = joint_torque x
    double ratio = 1.0, stiffness = 0.0, motor_inertia = 0.0, load_inertia = 0.0;
  };
  SampledAnyAxes step;
  std::vector<Axis> axes;
  std::optional<MeshLuGre<double>> friction;  // of a single axis' motor
  double period = 0.0;

  std::size_t count() const noexcept { return axes.size(); }
  Eigen::Index states() const noexcept { return step.transition.rows(); }
};

// One axis, with its neighbour where the study has one.
ModelAxes model_axes(const JointSpec& spec, double period);
// All of them, where gains are designed.
ModelAxes model_axes(const AxesSpec& spec, double period);

// The same study for an observer of such axes: nothing pulls at the links, and the pose stays.
JointSpec weightless(JointSpec spec);
AxesSpec weightless(AxesSpec spec);

}  // namespace tauhat
