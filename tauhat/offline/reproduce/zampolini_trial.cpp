#include "tauhat/offline/reproduce/zampolini_trial.hpp"

namespace tauhat::zampolini {

JointSpec spec_of(const ParameterSet& set) {
  JointSpec spec;
  spec.joint = set.joint;
  spec.has_neighbour = true;
  spec.gravity = {set.gravity_sine, set.gravity_cosine};
  spec.coulomb = set.coulomb;
  spec.period = kPeriod;
  return spec;
}

JointSpec with_friction(JointSpec spec, const MeshLuGre<double>& friction) {
  spec.friction = friction;
  return spec;
}

Timeline timeline_of(const Record& record, const ParameterSet& set, double variance) {
  Timeline timeline;
  timeline.inputs.emplace_back(saturated_current({}, record.current));
  for (double& current : timeline.inputs.front()) current *= set.torque_constant;
  for (std::size_t k = 0; k < record.size(); ++k) timeline.time.push_back(record.time(k));
  timeline.sensors.push_back({"motor.position", joint_motor_position, variance, record.motor_position});
  return timeline;
}

Replay seen(const JointSpec& spec, const ObserverSpec& observer, const Record& record, const ParameterSet& set,
            double variance) {
  return make_joint_estimator(spec, observer, kPeriod, variance)->replay(timeline_of(record, set, variance), {});
}

double fit_of(const JointSpec& spec, const ObserverSpec& observer, const Record& record, const ParameterSet& set,
              double variance) {
  const Replay replay = seen(spec, observer, record, set, variance);
  return fit_percent(record.load_velocity, replay.filtered[joint_load_velocity].value);
}

}  // namespace tauhat::zampolini
