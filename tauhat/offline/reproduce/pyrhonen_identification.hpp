// The dynamic parameters of Pyrhonen's arm from its motion: exciting trajectory, records with noise, regression, and
// parameters of an arm that can exist.
#pragma once

#include <cstdint>

#include "tauhat/offline/reproduce/plan.hpp"
#include "tauhat/offline/reproduce/pyrhonen_setup.hpp"
#include "tauhat/offline/robot/base_parameters.hpp"
#include "tauhat/offline/robot/excitation.hpp"
#include "tauhat/offline/robot/robot_regression.hpp"
#include "tauhat/offline/robot/simulated_record.hpp"

namespace tauhat::pyrhonen {

// What all seeds share; made once.
struct Identification {
  TorqueColumns columns;
  BaseParameters base;
  Eigen::VectorXd truth;  // of the base parameters
  ExcitingMotion excitation, validation;

  static const Identification& of_the_arm();
};

MotionLimits motion_limits();

struct Noise {
  const char* name;
  RecordNoise deviations;
};
inline constexpr Noise kNoiseFree{"noise_free", {0.0, 0.0}}, kLowNoise{"low", {1.745e-5, 0.05}},
    kHighNoise{"high", {1.745e-4, 0.5}};

// One period of the exciting trajectory at 1 kHz.
RobotRecord exciting_record(const Noise& noise, std::uint64_t seed);

// By weighted least squares on the record with high noise; standard parameters that stand for no group are zero.
ArmModel identified_model(std::uint64_t seed);

// The base parameters by the record with high noise, and those of the nominal arm.
RobotFit high_noise_fit(std::uint64_t seed);
Eigen::VectorXd nominal_base_parameters(std::uint64_t seed);

RunFigures base_figures(std::uint64_t seed);
RunFigures excitation_figures();
RunFigures identification_figures(std::uint64_t seed);

}  // namespace tauhat::pyrhonen
