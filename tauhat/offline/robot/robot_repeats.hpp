// By how much a robot's parameters differ from run to run beyond their noise: friction changes with its temperature, a
// cable pulls. Runs are logs, or the periods of one log whose motion repeats itself.
//   r = mean of s^2 / noise^2 over the parameters of a joint's bodies, or of its friction,
//   repeat^2 = noise_k^2 max(r - 1, 0) (1 + sum w^2)
// s^2 as between_runs.hpp has it. Two runs say little of one parameter; those of one cause have (runs - 1) degrees of
// freedom each, and chance widens none of them alone.
#pragma once

#include <Eigen/Dense>

#include <vector>

#include "tauhat/offline/robot/robot_identification.hpp"

namespace tauhat {

struct RobotRepeats {
  Eigen::VectorXd std, freedom;  // of each base parameter; zero and infinite where there is but one run
  std::size_t runs = 1;
};
RobotRepeats repeats_of(const RobotIdentification& identification, const RobotFit& fit,
                        const std::vector<RobotRecord>& records);

// s, after which all joints do the same again, to a hundredth of what they do; zero where they do not.
double period_of(const RobotRecord& record);

}  // namespace tauhat
