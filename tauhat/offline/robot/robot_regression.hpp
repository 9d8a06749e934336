// The base parameters of a robot by linear regression on records of its motion.
//   beta = argmin sum_j |tau_j - Y_j beta|^2 / s_j^2      s_j = 1: ordinary; joint j's residual rms: weighted
// Robust: rows far off count less besides (Huber 1981). The covariance is that of correlated noise:
//   Cov = H^-1 S H^-1,   H = sum Y^T Y / s^2,   S: of the sum of the scores Y^T e / s^2, batch by batch
// S is seen in a band of low frequencies, where the motion is; the fit has taken its parameters out of the residuals
// there, for which S is made larger.
#pragma once

#include <Eigen/Dense>

#include <optional>
#include <string>
#include <vector>

#include "tauhat/offline/robot/row_sums.hpp"

namespace tauhat {

enum class JointWeights { equal, by_residual };

// Of all joints together, weighed.
struct WeightedSums {
  Eigen::MatrixXd gram;
  Eigen::VectorXd product;
  double square = 0.0, rows = 0.0;
  // Of each batch, to tell how certain a fit is.
  std::vector<Eigen::MatrixXd> batch_gram;
  std::vector<Eigen::VectorXd> batch_product;

  // What is left of the torques' squares with these parameters.
  double residual(const Eigen::VectorXd& values) const;
};

struct LinearFit {
  Eigen::VectorXd values;      // of the parameters; zero where undetermined or left out
  Eigen::MatrixXd covariance;  // zero there
  // Of each parameter, how much of it (0 to 1) lies in directions that the motion does not tell.
  Eigen::VectorXd lost;
};

struct RobotFit {
  LinearFit base;
  // To predict torques with: what is not determined is as small as the motion of the fit allows.
  Eigen::VectorXd values;
  Eigen::VectorXd residual_rms;  // N m, of each joint
  Eigen::VectorXd torque_rms;    // N m
  double condition = 0.0;        // of the unweighed regressor, columns as they are
  double rows = 0.0;             // of each joint
  WeightedSums sums;             // what it was fitted to
  Eigen::MatrixXd score_covariance;

  bool is_determined(int parameter) const noexcept;
  std::vector<int> undetermined() const;
  double deviation(int parameter) const noexcept;
};

struct RobotRegressionOptions {
  JointWeights weights = JointWeights::by_residual;
  int reweightings = 1;  // by the joints' residuals
};

RobotFit fit_robot(const RowSums& sums, const RobotRegressionOptions& options = {});

// Robust: begins with fit_robot, then reads the rows again for each pass.
struct RobustOptions {
  int passes = 5;
  double limit = 1.345;  // times a joint's residual rms: 95 % efficient where the noise is normal
};
RobotFit fit_robot_robustly(const std::vector<MotionRowSource>& sources, const RobotRegressionOptions& options = {},
                            const RobustOptions& robust = {});

// Parameters that the torque needs: the least certain is left out, one after the other, while its relative deviation is
// above `relative` and above `ratio` times the smallest (Khalil and Dombre 2002, ch. 12).
struct EssentialOptions {
  double relative = 0.1, ratio = 10.0;
};
struct EssentialFit {
  std::vector<int> parameters;  // that are left, in rising order
  LinearFit fit;
};
EssentialFit essential_parameters(const RobotFit& fit, const EssentialOptions& options = {});

// "Ixy3 (joint 3): ..." for each parameter that the motion does not tell; where the joints have names, "Ixy3 (elbow)".
std::vector<std::string> undetermined_text(const TorqueColumns& columns, const BaseParameters& base,
                                           const RobotFit& fit, const std::vector<std::string>& joint_names = {});

// Measured and modelled, of each joint, at the rows' times.
struct TorquePrediction {
  std::vector<double> time;                              // s
  std::vector<std::vector<double>> measured, predicted;  // N m
};
TorquePrediction predict_torque(const MotionRowSource& source, const Eigen::VectorXd& values);
// Of each joint, in N m.
Eigen::VectorXd residual_rms(const TorquePrediction& prediction);

}  // namespace tauhat
