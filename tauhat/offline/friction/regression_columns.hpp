// What the force of an axis is made of: one column for each parameter of the regression.
//
//   axis.mass: a,   gravity.sine: sin(q),   gravity.cosine: cos(q)                 the load that the mesh carries
//   friction.viscous: v,   friction.coulomb: sign(v),   friction.offset: 1         symmetric
//   friction.viscous(+-): v,   friction.coulomb(+-): sign(v) in that direction     asymmetric
//   friction.load(+-): |load| sign(v) in that direction                            torque-dependent
#pragma once

#include <Eigen/Dense>

#include <string>
#include <vector>

#include "tauhat/offline/friction/axis_motion.hpp"

namespace tauhat {

enum class FrictionShape { symmetric, asymmetric };

struct RegressionColumn {
  std::string name;
  std::vector<double> values;  // at the record's rate
  bool is_load = false;        // the mesh carries it: mass and gravity
};

// Of the model that is linear: all but the friction that grows with the load.
std::vector<RegressionColumn> regression_columns(const AxisMotion& motion, FrictionShape friction, bool gravity);

// The names of all parameters, and the unit of one by its name: that of a turning axis.
std::vector<std::string> regression_names(FrictionShape friction, bool gravity, bool torque_dependent);
std::string regression_unit(const std::string& name);

// The deviation of each column's noise, by its name.
Eigen::VectorXd column_noise(const std::vector<std::string>& names, const MotionNoise& noise);

Eigen::VectorXd decimated(const std::vector<double>& values, int factor);

// What the force depends on, linear about the current parameters:  force ~ regressor * parameters + rest.
struct LinearForce {
  Eigen::MatrixXd regressor;
  Eigen::VectorXd rest;
};
LinearForce linear_force(const std::vector<RegressionColumn>& columns, int decimation);

// The last two parameters are friction.load.positive and friction.load.negative. With L the load, and
// m = load(+-) sign(v):
//   f = L + m |L| + ...,   df/dL = 1 + m sign(L),   df/dload(+-) = |L| sign(v) in that direction
//   f - (derivatives times parameters) = -m |L|
LinearForce with_load_friction(const std::vector<RegressionColumn>& columns, const AxisMotion& motion,
                               const Eigen::VectorXd& parameters, int decimation);

}  // namespace tauhat
