// The slow travel on which a planned excitation of a joint swings, to and fro where the record is long enough for both:
// over it friction keeps its sign.
#pragma once

#include <functional>
#include <vector>

#include "tauhat/offline/simulate/excitation.hpp"
#include "tauhat/offline/simulate/simulated_study.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat {

struct JointTravel {
  std::vector<double> torque;  // that it takes, one value for each row
  // Whether the motor, whose velocity this is, went on in the travel's direction, but for a while after its turns.
  std::function<bool(const std::vector<double>& velocity)> goes_on;
};

// Throws Error (wrong_use) where the motor would not go on travelling
// so slowly: the plan's limits are too tight, whatever is added to it. `record` plays a torque.
JointTravel joint_travel(
    const Study& study, const Rows& rows,
    const std::function<SimulatedStudy(const std::vector<double>& input, std::uint64_t seed)>& record);

}  // namespace tauhat
