// Motion that tells a robot's parameters apart: Fourier series whose regressor has a small condition number (Swevers et
// al. 1997), within what the robot can do.
//
// Every trial fills a chosen share of its joint's limits, and its centre lies where there is room for it, so that
// limits of position, velocity and acceleration hold by construction. A motion outside those of torque and height
// counts as worse than any inside. The best of some random starts is improved by random steps, which grow after a
// success and shrink after failures.
//
// A motion that begins and ends at rest has  sum_l sine_l = 0  (velocity) and  sum_l l cosine_l = 0  (acceleration).
#pragma once

#include <Eigen/Dense>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tauhat/offline/robot/base_parameters.hpp"
#include "tauhat/offline/robot/fourier_trajectory.hpp"

namespace tauhat {

// Of each joint.
struct MotionLimits {
  Eigen::VectorXd lower, upper;            // rad (m)
  Eigen::VectorXd velocity, acceleration;  // rad/s, rad/s^2: of either sign
  Eigen::VectorXd torque{};                // N m, of either sign; infinite: none; empty: none of all
  std::function<Eigen::VectorXd(const JointMotion&)> torque_of{};  // N m, all that the joints need; empty: not known
  std::optional<double> height{};  // m: no joint and no named frame that any motion raises comes lower
  // For what is said of them: the study, and the joints' names; numbers where there are none.
  std::string source{};
  std::vector<std::string> names{};

  std::string name_of(int joint) const;
};

struct ExcitationOptions {
  double period = 10.0;  // s
  int harmonics = 5;
  int samples = 150;  // that the condition is computed from
  int random_starts = 60, evaluations = 960;
  bool from_rest = false;  // else it begins with the velocity that it ends with
  std::uint64_t seed = 1;
  std::function<void(double)> progress{};  // share of the evaluations
};

struct ExcitingMotion {
  FourierTrajectory trajectory;
  double condition = 0.0;  // of the base columns as they are, in SI
  int evaluations = 0;
};

// Condition of the base parameters' regressor at equidistant samples of one period.
double condition_of(const FourierTrajectory& trajectory, const TorqueColumns& columns, const BaseParameters& base,
                    int samples);

// m, of the lowest joint or named frame that any motion raises; infinite where there is none.
double lowest_point(const Robot<double>& robot, const JointValues& position);

// Throws Error (wrong_use) where the limits leave no room, or no motion was found within those of torque and height.
ExcitingMotion optimise_excitation(const TorqueColumns& columns, const BaseParameters& base, const MotionLimits& limits,
                                   const ExcitationOptions& options = {});

}  // namespace tauhat
