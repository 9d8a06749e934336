// By how much a robot's parameters differ from run to run beyond their noise: friction changes with its temperature, a
// cable pulls. Runs are logs, or the periods of one log whose motion repeats itself.
// Each parameter's as between_runs.hpp has it, of (runs - 1) degrees of freedom: what changes friction changes one
// parameter of a joint and leaves another, whatever noise either has. Two runs say little, and intervals say so.
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

// s, after which all joints that move do the same again, to a hundredth of what they do; zero where they do not.
double period_of(const RobotRecord& record);

}  // namespace tauhat
