// What a study says of an elastic joint, and of the observers that are to watch it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tauhat/core/friction/mesh_lugre.hpp"
#include "tauhat/core/models/elastic_joint.hpp"
#include "tauhat/core/models/gravity_torque.hpp"
#include "tauhat/offline/drive/two_mass.hpp"
#include "tauhat/offline/joint/pole_spec.hpp"
#include "tauhat/offline/joint/pose_schedule.hpp"

namespace tauhat {

// A torque that nobody measures, as a state.
struct TorqueWalk {
  double intensity = 0.0;  // N m/sqrt(s)
  double leak = 0.0;       // 1/s; 0: it stays where it is
};
struct TorqueResonance {
  double frequency = 10.0, relative_damping = 0.1;  // Hz, 1
  double intensity = 0.0, rate_intensity = 0.0;     // of its level, and of its rate: N m/sqrt(s), N m/s/sqrt(s)
};

struct ObserverSpec {
  enum class Kind {
    luenberger,      // gains by pole placement
    kalman,          // stationary gains
    bristle_kalman,  // the extended filter with LuGre friction inside
    virtual_sensor   // the links alone, moved by the motor as it was measured: no gain, no torque of the motor
  };
  std::string name;
  std::string place{};  // "study.toml:16", for what is refused
  Kind kind = Kind::kalman;
  bool with_neighbour = true;

  std::optional<TorqueWalk> motor_disturbance;  // mostly friction
  std::optional<TorqueWalk> external_torque;    // at the link
  std::optional<TorqueResonance> external_resonance;

  std::vector<PoleSpec> poles;  // luenberger

  double motor_noise = 0.0, load_noise = 0.0, neighbour_noise = 0.0;  // kalman: torques, N m/sqrt(Hz)
  double bristle_noise = 0.0;                                         // rad/sqrt(s)
  // Kalman gains of the kind that textbooks print: Q = G G^T per sample, R per sample, states in the model's order.
  std::vector<std::vector<double>> covariance_root;
  std::optional<double> sensor_variance;  // else that of the channel
  bool predicts = false;                  // the output is x(k|k-1) instead of x(k|k)

  bool friction_compensation = false;  // Coulomb's, by an arctangent of the estimated velocity
  double compensation_slope = 0.5;     // s/rad, of the arctangent
  struct DisturbanceObserver {
    double slowest = 10.0, fastest = 200.0;  // Hz, the real poles
    double damping = 0.9;                    // of the pairs at the plant's zeros
  };
  std::optional<DisturbanceObserver> disturbance_observer;
};

// Among what is known only so well: the scale of the torque, beside the joint's parameters by their places.
inline constexpr int kTorqueGainIndex = -1;

struct JointSpec {
  ElasticJoint<double> joint;
  std::vector<UncertainParameter> uncertain;  // of ElasticJoint::visit_parameters, and the torque's gain
  double torque_gain = 1.0;                   // torque that acts over torque as logged
  bool has_neighbour = false;
  GravityTorque<double> gravity;
  double coulomb = 0.0;          // N m, for the compensation
  bool is_frictionless = false;  // the study says that there is none, instead of nothing
  std::optional<MeshLuGre<double>> friction;
  struct LoadShare {
    double value = 0.0, std = 0.0;
  };
  std::optional<LoadShare> load_share;  // of the torque passed on, that the teeth's friction takes; empty: not said
  std::optional<PoseSchedule> pose;
  // How the pose travels in `simulate`: from centre + amplitude, as a cosine.
  struct PoseMotion {
    double centre = 0.0, amplitude = 0.0, frequency = 0.0;  // rad, Hz
  } pose_motion;
  double period = 0.0;  // s; 0: the log's
  std::vector<ObserverSpec> observers;
  std::size_t chosen = 0;  // that `estimate` and `stream` run
};

}  // namespace tauhat
