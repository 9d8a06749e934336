#include "tauhat/offline/reproduce/zampolini_pose.hpp"

#include <cmath>
#include <numbers>

#include "tauhat/offline/joint/joint_core.hpp"
#include "tauhat/offline/joint/joint_estimator.hpp"
#include "tauhat/offline/reproduce/zampolini_identification.hpp"
#include "tauhat/offline/reproduce/zampolini_observers.hpp"
#include "tauhat/offline/reproduce/zampolini_setup.hpp"

namespace tauhat::zampolini {
namespace {

constexpr int kRebuiltEvery = 25;                                // samples: 10 ms
constexpr double kFrozenPose = 75.1 * std::numbers::pi / 180.0;  // rad
constexpr double kCoulomb = 0.386;                               // N m

// The axis as the observer knows it: a few per cent off.
struct KnownAxis {
  Plant plant = [] {
    Plant known;
    known.straight_inertia *= 1.02, known.reach *= 0.97;
    known.stiffness *= 0.97, known.neighbour_stiffness *= 1.01, known.damping *= 0.87;
    known.load_gravity = 121.2, known.neighbour_gravity = 59.4;
    return known;
  }();

  ElasticJoint<double> at(double pose) const {
    ElasticJoint<double> joint = true_parameters().joint;
    joint.load_inertia = plant.load_inertia(pose), joint.coupling_inertia = plant.coupling_inertia(pose);
    joint.stiffness = plant.stiffness, joint.damping = plant.damping;
    joint.neighbour_stiffness = plant.neighbour_stiffness;
    return joint;
  }

  // What gravity, the neighbour's acceleration and both velocities ask of the two links.
  JointTorques torques(double load, double load_velocity, const MotionPoint& motor) const {
    const double h = -plant.reach * std::sin(motor.position);
    const double neighbour_gravity = plant.neighbour_gravity * std::cos(load + motor.position);
    return {0.0,
            plant.gravity_torque(load, motor.position) + plant.coupling_inertia(motor.position) * motor.acceleration +
                h * (2.0 * load_velocity * motor.velocity + motor.velocity * motor.velocity),
            neighbour_gravity + plant.neighbour_inertia * motor.acceleration - h * load_velocity * load_velocity};
  }
};

using Joint = ElasticJoint<double>;

LinearJoint<double, 7> disturbed(Joint joint, const ObserverSpec& observer) {
  joint.torque_noise << std::pow(observer.motor_noise, 2), std::pow(observer.load_noise, 2), 0.0;
  using Disturbed = Augmented<Joint, RandomWalk<Joint::motor_disturbance>>;
  return linear_joint(Disturbed{joint, observer.motor_disturbance->intensity, observer.motor_disturbance->leak});
}

JointSpec frozen_spec(const KnownAxis& axis) {
  JointSpec spec;
  spec.joint = axis.at(kFrozenPose);
  spec.has_neighbour = true;
  spec.coulomb = kCoulomb;
  spec.friction = assumed_friction(kCoulomb, 1.3, 3.0, 40.0);
  return spec;
}

template <class Core>
double fit_of(Core core, const KnownAxis& axis, const JointSpec& spec, const ObserverSpec& observer,
              const Record& record, bool follows_pose) {
  const std::vector<double> current = saturated_current({}, record.current);
  const double ratio = spec.joint.ratio, torque_constant = true_parameters().torque_constant;
  JointState start = JointState::Zero();
  start[Joint::motor_position] = record.motor_position.front();
  const double load = start[Joint::motor_position] / ratio;
  const JointTorques at_rest = axis.torques(load, 0.0, record.neighbour_motor.front());
  start[Joint::load_position] = load - at_rest[load_torque_input] / spec.joint.stiffness;
  start[Joint::neighbour_position] = -at_rest[neighbour_torque_input] / spec.joint.neighbour_stiffness;
  core.start(start);
  std::vector<double> estimate;
  for (std::size_t k = 0; k < record.size(); ++k) {
    const MotionPoint& pose = record.neighbour_motor[k];
    if (follows_pose && k % kRebuiltEvery == 0) core.set_joint(disturbed(axis.at(pose.position), observer), {});
    core.correct(record.motor_position[k], kMeasurementVariance);
    estimate.push_back(core.output(joint_load_velocity));
    JointTorques torques = axis.torques(record.motor_position[k] / ratio, estimate.back(), pose);
    torques[motor_torque_input] = torque_constant * current[k];
    core.predict(torques, kPeriod);
  }
  return fit_percent(record.load_velocity, estimate);
}

// The set-up's observer: fixed gains, friction fed forward.
double fit_with_fixed_gains(const Record& record, bool follows_pose) {
  const KnownAxis axis;
  const JointSpec spec = frozen_spec(axis);
  ObserverSpec observer = disturbance_filter();
  observer.friction_compensation = true;
  const FixedGainCore<7> core(disturbed(spec.joint, observer), spec, observer, kPeriod, kMeasurementVariance);
  return fit_of(core, axis, spec, observer, record, follows_pose);
}

// The same noise, the friction's law inside. The neighbour has none, as in the set-up: with some, both forms are
// better, and the frozen one gains more by it, since it takes its wrong matrices for noise.
double fit_with_bristle(const Record& record, bool follows_pose) {
  const KnownAxis axis;
  const JointSpec spec = frozen_spec(axis);
  ObserverSpec observer = bristle_filter();
  observer.neighbour_noise = 0.0;
  const BristleCore<7> core(disturbed(spec.joint, observer), spec, observer, kPeriod);
  return fit_of(core, axis, spec, observer, record, follows_pose);
}

}  // namespace

RunFigures pose_figures(std::uint64_t seed) {
  const Record record = moving_neighbour({.seed = seed});
  const double scheduled = fit_with_bristle(record, true), k6d = fit_with_fixed_gains(record, true);
  return {{"lpv.fit_exciting", scheduled},
          {"lpv.gain_over_frozen", scheduled - fit_with_bristle(record, false)},
          {"lpv_k6d.fit_exciting", k6d},
          {"lpv_k6d.gain_over_frozen", k6d - fit_with_fixed_gains(record, false)}};
}

}  // namespace tauhat::zampolini
