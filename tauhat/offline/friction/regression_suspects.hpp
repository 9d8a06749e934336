// What else could make the force of an axis? One column for each suspect, beside those of the regression: a cause that
// is named is seen where the bands of misfit.hpp, which look for anything, see nothing yet.
//
//   axis.force.delay: -f',   friction.bump: exp(-|v| / v_s) sign(v),   friction.bend: v |v|
//   friction.asymmetry: |v|,   friction.load: |load| sign(v),   friction.drift: friction (t / T - 1/2)
//   force.position.n: sine and cosine of n waves over the travel
//   c = column less what the fitted ones explain of it,   change = c^T e / c^T c,   z = c^T e / std(c^T e)
// with the standard deviation of a sum that is correlated in time (long_run_covariance).
#pragma once

#include <Eigen/Dense>

#include <string>
#include <vector>

#include "tauhat/offline/friction/misfit.hpp"
#include "tauhat/offline/friction/regression_columns.hpp"
#include "tauhat/offline/report/suspect.hpp"

namespace tauhat {

struct SuspectColumn {
  std::string name, unit;      // the unit of a turning axis
  std::vector<double> values;  // at the record's rate
};

// `parameters` of the linear columns, in the order of regression_columns.
std::vector<SuspectColumn> suspect_columns(const AxisMotion& motion, FrictionShape friction, bool gravity,
                                           bool torque_dependent, const Eigen::VectorXd& parameters);

// Each by itself; `column` at the samples of the fit.
Suspect try_suspect(const FitRemains& remains, const SuspectColumn& suspect, const Eigen::VectorXd& column);

}  // namespace tauhat
