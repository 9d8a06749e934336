// How a joint changes with the pose of its robot: numbers of the study on a grid of another axis' position p, the
// neighbour's, and what its motion asks of the links (Lagrange's equations for M(p), p(t) given):
//   at the link        M_ln p'' + M_ll' p' w_l + M_ln' p'^2
//   at the neighbour   M_nn p'' - M_ll' w_l^2 / 2                                  ' of M: by p
// Between the points a cubic (signal/cubic.hpp): cosines of 15 degrees apart are met to 4e-4.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "tauhat/core/models/elastic_joint.hpp"
#include "tauhat/core/models/gravity_torque.hpp"

namespace tauhat {

// Channels of the log.
inline constexpr std::array<Signal, 3> kPoseSignals{
    {{"pose.position", "rad"}, {"pose.velocity", "rad/s"}, {"pose.acceleration", "rad/s^2"}}};

struct PosePoint {
  double position = 0.0, velocity = 0.0, acceleration = 0.0;
};

struct PoseSchedule {
  std::vector<double> position;  // rad, rising
  // One value a point; empty: does not follow the pose.
  std::vector<double> load_inertia, coupling_inertia, neighbour_inertia, gravity_sine, gravity_cosine;
  std::size_t every = 25;    // samples between two models
  bool solves_gain = false;  // else that of [drive] stays

  double lowest() const noexcept { return position.front(); }
  double highest() const noexcept { return position.back(); }
  bool contains(double pose) const noexcept { return pose >= lowest() && pose <= highest(); }

  // What follows the pose, by the names that the study has for it.
  template <class Self, class Visitor>
  static void visit_columns(Self& self, Visitor&& visit) {
    visit("load.inertia", "kg m^2", self.load_inertia);
    visit("neighbour.coupling_inertia", "kg m^2", self.coupling_inertia);
    visit("neighbour.inertia", "kg m^2", self.neighbour_inertia);
    visit("gravity.sine", "N m", self.gravity_sine);
    visit("gravity.cosine", "N m", self.gravity_cosine);
  }
};

// The numbers of this pose; beyond the grid, those of its end.
void take_pose(const PoseSchedule& schedule, double pose, ElasticJoint<double>& joint, GravityTorque<double>& gravity);

// What the pose's motion asks of link and neighbour beside gravity, N m.
struct PoseTorques {
  double load = 0.0, neighbour = 0.0;
};
PoseTorques torques_of(const PoseSchedule& schedule, const ElasticJoint<double>& joint, const PosePoint& pose,
                       double load_velocity);

}  // namespace tauhat
