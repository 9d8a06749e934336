#include "tauhat/offline/reproduce/zampolini_identification.hpp"

#include <cmath>

#include "tauhat/offline/friction/constant_speed.hpp"
#include "tauhat/offline/friction/regression.hpp"

namespace tauhat::zampolini {
namespace {

constexpr double kCutOff = 20.0;  // Hz, of the filter on the motor's position
constexpr double kTrimmed = 0.2;  // s, at both ends the axis rests

// As seen at the load: position over the ratio, torque times it.
AxisRecord at_load(const Record& record, const Plant& plant, double torque_constant) {
  AxisRecord axis{.source = "friction run", .period = kPeriod};
  for (std::size_t k = 0; k < record.size(); ++k) {
    axis.position.push_back(record.motor_position[k] / plant.ratio);
    axis.force.push_back(plant.ratio * torque_constant * plant.saturated(record.current[k]));
  }
  return axis;
}

//   friction at the load = N (viscous N v + coulomb sign v)
MotorFriction at_motor(double viscous, double coulomb, double ratio) {
  return {viscous / (ratio * ratio), coulomb / ratio};
}

}  // namespace

ParameterSet true_parameters(const Plant& plant) {
  ParameterSet set;
  set.joint.motor_inertia = plant.motor_inertia;
  set.joint.motor_viscous = plant.friction.viscous;
  set.joint.ratio = plant.ratio;
  set.joint.stiffness = plant.stiffness;
  set.joint.damping = plant.damping;
  set.joint.load_inertia = plant.load_inertia(kNeighbourPosition);
  set.joint.load_viscous = plant.load_viscous;
  set.joint.coupling_inertia = plant.coupling_inertia(kNeighbourPosition);
  set.joint.neighbour_inertia = plant.neighbour_inertia;
  set.joint.neighbour_stiffness = plant.neighbour_stiffness;
  set.joint.neighbour_damping = plant.neighbour_damping;
  set.joint.neighbour_viscous = plant.neighbour_viscous;
  set.torque_constant = plant.torque_constant;
  set.coulomb = plant.friction.coulomb;
  // load cos(q) + neighbour cos(q + p) = (load + neighbour cos p) cos(q) - neighbour sin p sin(q)
  set.gravity_sine = -plant.neighbour_gravity * std::sin(kNeighbourPosition);
  set.gravity_cosine = plant.load_gravity + plant.neighbour_gravity * std::cos(kNeighbourPosition);
  return set;
}

ParameterSet nominal() {
  ParameterSet set = true_parameters();
  set.joint.stiffness = 1.38e5;
  set.joint.neighbour_stiffness = 2.64e4;
  set.joint.load_inertia = 13.3784;
  set.joint.coupling_inertia = 3.1609;
  set.joint.motor_inertia = 7.42e-4;
  set.joint.motor_viscous = 0.0068;
  set.joint.damping = 48.0;
  set.joint.neighbour_damping = 18.0;
  set.torque_constant = 0.3395;
  set.coulomb = 0.4116;
  set.gravity_sine = set.gravity_cosine = 0.0;
  return set;
}

FrictionResult identify_friction(const Record& record, const Plant& plant, double torque_constant) {
  const AxisRecord axis = at_load(record, plant, torque_constant);
  RegressionOptions regression;
  regression.cut_off = kCutOff;
  regression.trimmed = kTrimmed;
  regression.held_force = true;
  regression.gravity = true;
  const RegressionFit first = fit_axis(axis, regression);
  FrictionResult result;
  result.regression =
      at_motor(first.find("friction.viscous")->value, first.find("friction.coulomb")->value, plant.ratio);
  result.gravity_sine = first.find("gravity.sine")->value;
  result.gravity_cosine = first.find("gravity.cosine")->value;

  ConstantSpeedOptions constant_speed;
  constant_speed.cut_off = kCutOff;
  constant_speed.trimmed = kTrimmed;
  constant_speed.shortest_section = 0.15;
  constant_speed.gravity = Gravity{result.gravity_sine, result.gravity_cosine, 0.0};
  const SpeedCurve second = friction_curve(axis, constant_speed);
  result.constant_speed = at_motor(0.5 * (second.positive.viscous + second.negative.viscous),
                                   0.5 * (second.positive.coulomb + second.negative.coulomb), plant.ratio);
  return result;
}

FrequencyResponse identify_response(const RecordOptions& options) {
  constexpr std::uint64_t kRuns = 3;
  const MultisineOptions multisine{.period = kPeriod,
                                   .repetition = kMultisinePeriod,
                                   .dropped = 1,
                                   .band = {kIdentifying.lowest, kIdentifying.highest}};
  std::vector<FrequencyResponse> runs;
  for (std::uint64_t number = 0; number < kRuns; ++number) {
    const Record record = multisine_run(options, number);
    runs.push_back(multisine_response(saturated_current(options.plant, record.current), record.motor_position,
                                      record.injected, multisine));
  }
  return average_responses(runs);
}

ModalFit identify_modes(const FrequencyResponse& response, const ParameterSet& start) {
  ModalFitOptions options;
  options.period = kPeriod;
  options.torque_constant = start.torque_constant;
  options.highest = 36.0;
  options.free = {"motor.inertia",       "load.inertia",         "neighbour.coupling_inertia", "transmission.stiffness",
                  "neighbour.stiffness", "transmission.damping", "neighbour.damping"};
  return fit_modes(response, start.joint, options);
}

ParameterSet identified(const RecordOptions& options) {
  ParameterSet set = nominal();
  const FrictionResult friction = identify_friction(friction_run(options), options.plant, set.torque_constant);
  set.joint.motor_viscous = friction.mean().viscous;
  set.coulomb = friction.mean().coulomb;
  set.gravity_sine = friction.gravity_sine;
  set.gravity_cosine = friction.gravity_cosine;
  set.joint = identify_modes(identify_response(options), set).joint;
  return set;
}

ParameterSets parameter_sets(const RecordOptions& options) {
  ParameterSets sets{nominal(), identified(options)};
  sets.nominal.gravity_sine = sets.identified.gravity_sine;
  sets.nominal.gravity_cosine = sets.identified.gravity_cosine;
  return sets;
}

}  // namespace tauhat::zampolini
