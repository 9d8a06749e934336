// The observers of a joint behind the face that commands work with.
#pragma once

#include <memory>

#include "tauhat/offline/joint/joint_spec.hpp"
#include "tauhat/offline/replay/estimator.hpp"

namespace tauhat {

// Inputs: motor.torque and load.torque (predictable beside gravity; zero where nobody gives it). The sensor is
// motor.position. Throws Error (wrong_use) that says why, and what would help, where the observer cannot be designed.
std::unique_ptr<Estimator> make_joint_estimator(const JointSpec& spec, const ObserverSpec& observer, double period,
                                                double sensor_variance);

// What the design gave: gains, poles, and how sure they are.
struct ObserverDesign {
  std::vector<std::string> states;
  std::vector<double> gain;                  // of the predictor, one per state
  std::vector<std::array<double, 2>> poles;  // Hz, damping
  double radius = 0.0;                       // of the observer's error, per sample
  double residual = 0.0;                     // of the Riccati equation, where there is one
};
ObserverDesign design_of(const JointSpec& spec, const ObserverSpec& observer, double period, double sensor_variance);

}  // namespace tauhat
