// Which fitted numbers the data cannot tell from each other.
#pragma once

#include <Eigen/Dense>

#include <string>
#include <vector>

#include "tauhat/offline/report/report.hpp"

namespace tauhat {

// Errors of two numbers that go together so closely are told apart badly: with the other one known, either would be
// known more than twice as well.
inline constexpr double kConfounded = 0.9;

// Names each result's partner by the covariance of the fit, whose rows are called `names`.
void name_partners(const std::vector<std::string>& names, const Eigen::MatrixXd& covariance,
                   std::vector<Result>& results);

}  // namespace tauhat
