// Frequency responses to look at: of the axis as measured and as modelled, of the virtual sensor, and of what observers
// leave of what they do not know.
#pragma once

#include <complex>
#include <optional>
#include <string>
#include <vector>

#include "tauhat/offline/joint/joint_spec.hpp"
#include "tauhat/offline/report/report.hpp"

namespace tauhat {

struct BodeCurve {
  std::string name;
  std::vector<double> frequency;           // Hz
  std::vector<std::complex<double>> gain;  // may be hidden behind a click
  bool measured = false;                   // points, not a line
};

// Magnitude in dB of `unit`, and the phase.
std::vector<Plot> bode_plots(const std::string& title, const std::string& unit, const std::vector<BodeCurve>& curves);

// Motor torque to motor position, rad/(N m).
BodeCurve plant_curve(const std::string& name, const ElasticJoint<double>& joint, double period);
// Motor velocity over the ratio to link velocity.
BodeCurve virtual_sensor_curve(const std::string& name, const ElasticJoint<double>& joint, double period);
// Where at least so many lines are coherent; empty where not, or where samples are missing.
std::optional<BodeCurve> measured_curve(const std::string& name, const std::vector<double>& input,
                                        const std::vector<double>& output, double period);

// Of every observer with a fixed gain: how friction, a torque at the link and the sensor's noise come through.
std::vector<Plot> error_plots(const JointSpec& spec, double period, double sensor_variance);

}  // namespace tauhat
