// What a study says of several elastic axes whose links shake each other, and of the observers that are to watch them.
#pragma once

#include <Eigen/Core>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "tauhat/core/models/elastic_axes.hpp"
#include "tauhat/core/robot/robot.hpp"
#include "tauhat/core/signal.hpp"
#include "tauhat/offline/drive/two_mass.hpp"
#include "tauhat/offline/joint/pole_spec.hpp"

namespace tauhat {

// Signals of one axis: "axis2.load.velocity". The first are what observers tell; the torques are what they are told.
enum AxisSignal {
  axis_motor_position,
  axis_load_position,
  axis_motor_velocity,
  axis_load_velocity,
  axis_transmission_torque,
  axis_motor_disturbance,
  kAxisOutputs,
  axis_load_torque = kAxisOutputs,
  axis_motor_torque,
  kAxisSignals
};
inline constexpr std::array<Signal, kAxisSignals> kSignalsOfAxis{{{"motor.position", "rad"},
                                                                  {"load.position", "rad"},
                                                                  {"motor.velocity", "rad/s"},
                                                                  {"load.velocity", "rad/s"},
                                                                  {"transmission.torque", "N m"},
                                                                  {"motor.disturbance", "N m"},
                                                                  {"load.torque", "N m"},
                                                                  {"motor.torque", "N m"}}};

// Fixed gains, by noise or by poles. One number an axis: noise torques, N m/sqrt(Hz), how the disturbance at the motor
// wanders, N m/sqrt(s), and leaks, 1/s.
struct AxesObserver {
  enum class Kind {
    kalman,     // stationary gains
    luenberger  // by pole placement: of noise nothing is said
  };
  std::string name;
  bool coupled = true;  // else each axis alone: of the mass matrix the diagonal only
  std::vector<double> motor_noise, load_noise, disturbance, leak;
  bool predicts = false;  // the output is x(k|k-1) instead of x(k|k)
  Kind kind = Kind::kalman;
  std::vector<PoleSpec> poles{};  // luenberger
  std::string place{};            // "study.toml:16", for what is refused
};

// Of the axes' motors in `simulate`: a slow position control keeps them at the pose, or on a sine about it.
struct AxesMotion {
  std::vector<double> amplitude;     // rad, of the links
  double frequency = 0.0;            // Hz
  std::vector<double> torque_share;  // of the excitation that each motor gets
};

struct AxesSpec {
  static constexpr std::size_t kFewest = 2, kMost = 7;

  std::vector<std::string> names;
  // One number an axis.
  std::vector<double> motor_inertia, motor_viscous, ratio, stiffness, damping, load_viscous;
  std::vector<double> torque_gain;            // of each motor: torque that acts over torque as logged; empty: one
  std::vector<UncertainParameter> uncertain;  // by their places in visit_axes_numbers
  Eigen::MatrixXd mass;                       // of the links, without rotors, where gains are designed
  std::optional<Robot<double>> robot;         // by a URDF: its mass matrix and torques follow the pose
  std::vector<double> pose;                   // rad, where gains are designed
  std::size_t every = 25;                     // samples between two models
  double period = 0.0;                        // s; 0: the log's
  std::vector<AxesObserver> observers;
  std::size_t chosen = 0;  // that `estimate` and `stream` run
  AxesMotion motion;

  std::size_t count() const noexcept { return names.size(); }
  std::string signal(std::size_t axis, AxisSignal which) const {
    return names[axis] + "." + std::string(kSignalsOfAxis[which].name);
  }
};

// All numbers of ElasticAxes::visit_parameters, axis by axis, then the scales of the motors' torques.
template <class Visitor>
void visit_axes_numbers(AxesSpec& spec, Visitor&& visit) {
  ElasticAxes<double, 1>::visit_parameters(spec, [&](const ParameterInfo& info, std::vector<double>& values) {
    for (double& value : values) visit(info, value);
  });
  const ParameterInfo gain{"motor", "torque.gain", "1", Range::positive(), "torque that acts over torque as logged"};
  for (double& value : spec.torque_gain) visit(gain, value);
}
int place_of_torque_gain(const AxesSpec& spec, std::size_t axis);

// The number of a signal among those of all axes, axis by axis; -1 where it is none.
int axes_signal(const AxesSpec& spec, const std::string& name);
inline constexpr AxisSignal kind_of_axes_signal(int number) noexcept {
  return static_cast<AxisSignal>(number % kAxisSignals);
}
// Whether a sample of it is for comparison alone.
inline constexpr bool is_axes_reference(AxisSignal signal) noexcept {
  return signal < kAxisOutputs && signal != axis_motor_position;
}

// Of the links at their positions; the study's where no URDF says it.
Eigen::MatrixXd mass_at(const AxesSpec& spec, const Eigen::VectorXd& position);
// What gravity and their motion ask of the links there, N m; nothing where no URDF says it.
Eigen::VectorXd bias_at(const AxesSpec& spec, const Eigen::VectorXd& position, const Eigen::VectorXd& velocity);

}  // namespace tauhat
