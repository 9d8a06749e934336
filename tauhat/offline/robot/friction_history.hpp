// What laws with a memory make of a whole motion: the parts of each joint's friction torque that its parameters are the
// coefficients of. The torque of such a law is homogeneous in (coulomb, excess), so that by Euler
//   tau = coulomb dtau/dcoulomb + excess dtau/dexcess
// at any ratio of the two; it is linearised about one, and about a decay and a reach. Contacts begin unbent.
#pragma once

#include <cstddef>
#include <vector>

#include "tauhat/core/robot/joint_friction.hpp"

namespace tauhat {

using JointValues = JointVector<double, Eigen::Dynamic>;

// The friction law of all joints, and what of it is assumed for each.
struct AssumedFriction {
  double width = 0.05;  // rad/s (m/s), of the change of the Coulomb friction's sign
  SlidingLaw law = SlidingLaw::coulomb;
  std::vector<double> decay{};  // s/rad (s/m) of a law with an excess; zero: the friction does not fall
  std::vector<double> reach{};  // rad (m) of a law with a memory; zero: there is none
  std::vector<double> ratio{};  // excess over coulomb that a law with both is linearised about
};

// Of one joint at one instant: dtau/dcoulomb, dtau/dexcess, dtau/d(excess ln decay), dtau/d(coulomb ln reach).
struct RememberedTerms {
  double coulomb = 0.0, excess = 0.0, decay = 0.0, reach = 0.0;
};

class FrictionHistory {
 public:
  // Of the actuators' velocities, one series for each, sampled together; joints without a reach have no history.
  FrictionHistory(const AssumedFriction& shape, const std::vector<std::vector<double>>& velocity, double period);

  bool covers(int joint) const noexcept { return !terms_[static_cast<std::size_t>(joint)].empty(); }
  const RememberedTerms& at(int joint, std::size_t sample) const noexcept {
    return terms_[static_cast<std::size_t>(joint)][sample];
  }

 private:
  std::vector<std::vector<RememberedTerms>> terms_;
};

}  // namespace tauhat
