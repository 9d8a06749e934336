#include "tauhat/offline/joint/axes_spec.hpp"

#include "tauhat/core/robot/inverse_dynamics.hpp"
#include "tauhat/core/robot/mass_matrix.hpp"

namespace tauhat {

int axes_signal(const AxesSpec& spec, const std::string& name) {
  for (std::size_t axis = 0; axis < spec.count(); ++axis)
    for (int k = 0; k < kAxisSignals; ++k)
      if (name == spec.signal(axis, static_cast<AxisSignal>(k))) return static_cast<int>(axis) * kAxisSignals + k;
  return -1;
}

int place_of_torque_gain(const AxesSpec& spec, std::size_t axis) {
  AxesSpec copy = spec;
  int count = 0;
  visit_axes_numbers(copy, [&](const ParameterInfo&, double&) { ++count; });
  return count - static_cast<int>(spec.count() - axis);
}

Eigen::MatrixXd mass_at(const AxesSpec& spec, const Eigen::VectorXd& position) {
  if (!spec.robot) return spec.mass;
  return mass_matrix<double, Eigen::Dynamic>(*spec.robot, position);
}

Eigen::VectorXd bias_at(const AxesSpec& spec, const Eigen::VectorXd& position, const Eigen::VectorXd& velocity) {
  if (!spec.robot) return Eigen::VectorXd::Zero(position.size());
  return bias_torque<double, Eigen::Dynamic>(*spec.robot, position, velocity);
}

}  // namespace tauhat
