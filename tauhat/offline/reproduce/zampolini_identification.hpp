// What an observer is told of the axis: its true numbers, a nominal set that is off by up to half, and numbers
// identified from the motor's signals alone.
#pragma once

#include <cstdint>

#include "tauhat/core/models/elastic_joint.hpp"
#include "tauhat/offline/joint/frequency_response.hpp"
#include "tauhat/offline/joint/modal_fit.hpp"
#include "tauhat/offline/reproduce/zampolini_setup.hpp"

namespace tauhat::zampolini {

struct ParameterSet {
  ElasticJoint<double> joint;                       // with the motor's viscous friction
  double torque_constant = 0.0, coulomb = 0.0;      // N m/A, N m
  double gravity_sine = 0.0, gravity_cosine = 0.0;  // N m: the link is pulled by sine sin(q) + cosine cos(q)
};

inline constexpr Mode<double> kDisturbanceResonance{20.0, 0.2};  // of the seven-state model

ParameterSet true_parameters(const Plant& plant = {});
// Without gravity, which is always identified.
ParameterSet nominal();

// Viscous and Coulomb friction of the motor by both methods of the thesis, and gravity by the first.
struct MotorFriction {
  double viscous = 0.0, coulomb = 0.0;
};
struct FrictionResult {
  MotorFriction regression, constant_speed;  // methods 1 and 2
  double gravity_sine = 0.0, gravity_cosine = 0.0;

  MotorFriction mean() const noexcept {
    return {0.5 * (regression.viscous + constant_speed.viscous), 0.5 * (regression.coulomb + constant_speed.coulomb)};
  }
};
FrictionResult identify_friction(const Record& record, const Plant& plant, double torque_constant);

// From the current, as the torque follows it, to the motor's position: three runs.
FrequencyResponse identify_response(const RecordOptions& options);
ModalFit identify_modes(const FrequencyResponse& response, const ParameterSet& start);

// Friction, gravity, then the modes; the torque constant stays nominal.
ParameterSet identified(const RecordOptions& options);

// Both sets as the observers of one seed get them: with the gravity that this seed identified.
struct ParameterSets {
  ParameterSet nominal, identified;
};
ParameterSets parameter_sets(const RecordOptions& options);

}  // namespace tauhat::zampolini
