// What an observer with a fixed gain makes of what it does not know: from the motor's friction, a torque at the link
// and the noise of its sensor to the error of the link's velocity. With e = x - x(k|k-1), d a torque and v the noise:
//   e+ = (A - L C) e + Gamma d - L v,   error = c e (predictor)  or  c ((I - K C) e - K v) (filter)
// A torque that the model carries as a state is zero in the axis: what acts comes in as d.
#pragma once

#include <complex>
#include <vector>

#include "tauhat/offline/joint/joint_spec.hpp"

namespace tauhat {

struct ErrorResponse {
  std::vector<std::complex<double>> by_motor_torque, by_load_torque;  // rad/s per N m
  std::vector<std::complex<double>> by_sensor;                        // rad/s per rad
};

// At these frequencies, Hz; for luenberger and kalman.
ErrorResponse error_response(const JointSpec& spec, const ObserverSpec& observer, double period, double sensor_variance,
                             const std::vector<double>& frequency);

// So many frequencies, evenly by their logarithms.
std::vector<double> spread_frequencies(double lowest, double highest, std::size_t count);

}  // namespace tauhat
