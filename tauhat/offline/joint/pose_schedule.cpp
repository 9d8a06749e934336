#include "tauhat/offline/joint/pose_schedule.hpp"

#include "tauhat/offline/signal/cubic.hpp"

namespace tauhat {
namespace {

double slope_of(const PoseSchedule& schedule, const std::vector<double>& column, double pose) {
  return column.empty() ? 0.0 : on_cubic(schedule.position, column, pose).slope;
}

}  // namespace

void take_pose(const PoseSchedule& schedule, double pose, ElasticJoint<double>& joint, GravityTorque<double>& gravity) {
  const auto take = [&](const std::vector<double>& column, double& value) {
    if (!column.empty()) value = on_cubic(schedule.position, column, pose).value;
  };
  take(schedule.load_inertia, joint.load_inertia);
  take(schedule.coupling_inertia, joint.coupling_inertia);
  take(schedule.neighbour_inertia, joint.neighbour_inertia);
  take(schedule.gravity_sine, gravity.sine);
  take(schedule.gravity_cosine, gravity.cosine);
}

PoseTorques torques_of(const PoseSchedule& schedule, const ElasticJoint<double>& joint, const PosePoint& pose,
                       double load_velocity) {
  const double load_slope = slope_of(schedule, schedule.load_inertia, pose.position),
               coupling_slope = slope_of(schedule, schedule.coupling_inertia, pose.position);
  // Without a neighbour in the model the axis that moves is another one: it does not pull by its own inertia.
  const bool pulls = !schedule.coupling_inertia.empty();
  const double coupling = pulls ? joint.coupling_inertia : 0.0, own = pulls ? joint.neighbour_inertia : 0.0;
  return {coupling * pose.acceleration + load_slope * pose.velocity * load_velocity +
              coupling_slope * pose.velocity * pose.velocity,
          own * pose.acceleration - 0.5 * load_slope * load_velocity * load_velocity};
}

}  // namespace tauhat
