// Why a record cannot tell a parameter of the regression, in a sentence that says what to record instead.
#pragma once

#include <Eigen/Dense>

#include <string>
#include <vector>

namespace tauhat {

// For each parameter: empty where it is told. `lost` is the projector on the directions of the (scaled) parameters that
// the record does not tell; `velocity` is that of the samples used.
std::vector<std::string> reasons_of_loss(const std::vector<std::string>& names, const Eigen::MatrixXd& lost,
                                         const Eigen::VectorXd& velocity);

}  // namespace tauhat
