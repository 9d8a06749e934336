#include "tauhat/core/robot/force_filter.hpp"
#include "tauhat/offline/reproduce/pyrhonen_force.hpp"

namespace tauhat::pyrhonen {
namespace {

template <int Axes>
Wrenches filtered(const ArmModel& believed, const Frame<double>& frame, const ForceRecord& record) {
  ForceNoise<double, kJoints> noise(kJoints);
  noise.position.setConstant(kPositionNoise);
  noise.torque.setConstant(kTorqueNoise);
  ForceFilter<double, kJoints, Axes> filter(believed.arm, believed.friction, frame, noise);
  filter.start(record.front().position, record.front().velocity);
  Wrenches estimate;
  for (const auto& sample : record) {
    filter.correct(sample.measured_position);
    Vector<double, 6> wrench = Vector<double, 6>::Zero();
    wrench.head<Axes>() = filter.belief().mean.template tail<Axes>();
    estimate.push_back(wrench);
    filter.predict(sample.measured_torque, kPeriod);
  }
  return estimate;
}

}  // namespace

Wrenches filtered_wrench(const ArmModel& believed, const Frame<double>& frame, const ForceRecord& record, int axes) {
  return axes == 3 ? filtered<3>(believed, frame, record) : filtered<6>(believed, frame, record);
}

}  // namespace tauhat::pyrhonen
