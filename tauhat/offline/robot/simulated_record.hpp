// What a robot's sensors would record of a motion that it follows exactly: the torque from its dynamics, and white
// noise on both. Its seed draws the noise.
#pragma once

#include <cstdint>

#include "tauhat/offline/robot/fourier_trajectory.hpp"
#include "tauhat/offline/robot/motion_rows.hpp"

namespace tauhat {

struct RecordNoise {
  double position = 0.0, torque = 0.0;  // rad, N m: standard deviations
};

// One series of samples from time 0 on. `parameters` are standard, in the columns' order.
RobotRecord simulated_record(const FourierTrajectory& motion, const TorqueColumns& columns,
                             const Eigen::VectorXd& parameters, double duration, double period,
                             const RecordNoise& noise, std::uint64_t seed);

}  // namespace tauhat
