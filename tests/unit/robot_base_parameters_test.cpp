// How many parameters the torques of an arm can tell apart: known numbers, which a wrong column would change.
#include <gtest/gtest.h>

#include <Eigen/SVD>

#include <vector>

#include "support/robots.hpp"
#include "tauhat/core/robot/regressor.hpp"
#include "tauhat/offline/reproduce/tx40.hpp"

namespace tauhat {
namespace {

// Singular values of the regressors of 100 states, their columns normalised, those that are zero left out.
template <int Joints>
Eigen::VectorXd singular_values(const Robot<double, Joints>& robot, int columns) {
  Draw draw(7);
  const int n = robot.joints();
  Eigen::MatrixXd rows(100 * n, columns);
  for (int k = 0; k < 100; ++k) {
    const RobotState s = random_state(draw, n);
    rows.middleRows(k * n, n) =
        torque_regressor<double, Joints>(robot, s.position, s.velocity, s.acceleration).leftCols(columns);
  }
  std::vector<int> used;
  const Eigen::VectorXd size = rows.colwise().norm();
  for (int c = 0; c < columns; ++c) {
    if (size[c] > 1e-9 * size.maxCoeff()) used.push_back(c);
  }
  Eigen::MatrixXd normalised = rows(Eigen::all, used);
  normalised.colwise().normalize();
  return Eigen::JacobiSVD<Eigen::MatrixXd>(normalised.transpose() * normalised).singularValues().cwiseSqrt();
}

// 36 of six revolute joints, and the actuators of joints 3 to 6 (Pyrhonen et al., fig. 2a).
TEST(RobotBaseParameters, Tx40Has40) {
  const Eigen::VectorXd values = singular_values(pyrhonen::tx40(), 66);
  EXPECT_GT(values[39], 1e-3);
  EXPECT_LT(values[40], 1e-6);
}

// 43 of the links.
TEST(RobotBaseParameters, PandaHas43) {
  Draw draw(1);
  const Eigen::VectorXd values = singular_values(panda(draw), 70);
  EXPECT_GT(values[42], 1e-3);
  EXPECT_LT(values[43], 1e-6);
}

// Groupings of the paper's set-up: one base parameter in the place of several gives the same torque.
TEST(RobotBaseParameters, Tx40GroupsAsPublished) {
  const pyrhonen::Arm arm = pyrhonen::tx40();
  const auto moment = [&](int link, int row, int column) { return arm.link(link - 1).moment(row, column); };
  double distal = 0.0;
  for (int i = 2; i < 6; ++i) distal += arm.link(i).mass;
  EXPECT_NEAR(moment(1, 2, 2) + moment(2, 1, 1) + moment(3, 1, 1) + 0.07 * arm.link(2).first_moment[2] +
                  0.05185 * distal + arm.actuator_inertia()[0],
              1.3050, 5e-5);
  EXPECT_NEAR(arm.link(1).first_moment[0] + 0.225 * distal, 2.3968, 5e-5);
}

}  // namespace
}  // namespace tauhat
