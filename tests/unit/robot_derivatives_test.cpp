// Closed-form derivatives of the dynamics beside automatic differentiation, which shares none of their formulas.
#include "tauhat/core/robot/derivatives.hpp"

#include <gtest/gtest.h>

#include "support/robots.hpp"
#include "tauhat/core/robot/regressor.hpp"

namespace tauhat {
namespace {

using JointValues = JointVector<double, Eigen::Dynamic>;

// Directions: positions, velocities, and the six numbers of a wrench.
constexpr int kVelocity = kMaxJoints, kWrench = 2 * kMaxJoints;
using D = Dual<double, kWrench + 6>;
using DualValues = JointVector<D, Eigen::Dynamic>;

DualValues moving(const JointValues& x, int first) {
  DualValues dual(x.size());
  for (int i = 0; i < x.size(); ++i) dual[i] = D(x[i], D::DerType::Unit(first + i));
  return dual;
}

Eigen::MatrixXd jacobian(const DualValues& y, int first, int count) {
  Eigen::MatrixXd result(y.size(), count);
  for (int i = 0; i < y.size(); ++i) result.row(i) = y[i].derivatives().segment(first, count).transpose();
  return result;
}

// The largest difference, relative to 1 + |value|.
double difference(const Eigen::MatrixXd& value, const Eigen::MatrixXd& reference) {
  return ((value - reference).array().abs() / (1.0 + reference.array().abs())).maxCoeff();
}

TEST(RobotDerivatives, OfTorquesAreTheAutomaticOnes) {
  for_random_robots(4, [](const Robot<double>& robot, const RobotState& s, Draw&) {
    const int n = robot.joints();
    const DualValues torque = inverse_dynamics(robot.cast<D>(), moving(s.position, 0), moving(s.velocity, kVelocity),
                                               DualValues(s.acceleration.cast<D>()));
    const auto given = inverse_derivatives(robot, s.position, s.velocity, s.acceleration);
    EXPECT_LT(difference(given.torque, inverse_dynamics(robot, s.position, s.velocity, s.acceleration)), 1e-12);
    EXPECT_LT(difference(given.by_position, jacobian(torque, 0, n)), 1e-11);
    EXPECT_LT(difference(given.by_velocity, jacobian(torque, kVelocity, n)), 1e-11);
    EXPECT_LT(difference(given.by_acceleration, mass_matrix(robot, s.position)), 1e-12);
  });
}

TEST(RobotDerivatives, OfAccelerationsAreTheAutomaticOnes) {
  for_random_robots(4, [](const Robot<double>& robot, const RobotState& s, Draw& draw) {
    const int n = robot.joints();
    const auto dual_robot = robot.cast<D>();
    for (const WrenchAxes axes : {WrenchAxes::world, WrenchAxes::frame}) {
      for (const char* name : {"tool", "middle"}) {
        ExternalWrench<double> f{
            *robot.find_frame(name), {10.0 * draw.matrix<double, 3>(), draw.matrix<double, 3>()}, axes};
        ExternalWrench<D> dual_f{*dual_robot.find_frame(name), Wrench<D>::zero(), axes};
        for (int k = 0; k < 3; ++k) {
          dual_f.wrench.force[k] = D(f.wrench.force[k], D::DerType::Unit(kWrench + k));
          dual_f.wrench.moment[k] = D(f.wrench.moment[k], D::DerType::Unit(kWrench + 3 + k));
        }
        const DualValues acceleration =
            forward_dynamics(dual_robot, moving(s.position, 0), moving(s.velocity, kVelocity),
                             DualValues(s.acceleration.cast<D>()), dual_f)
                .acceleration;
        const auto given = forward_derivatives(robot, s.position, s.velocity, s.acceleration, f);
        EXPECT_TRUE(given.mass_is_positive);
        EXPECT_LT(difference(given.acceleration,
                             forward_dynamics(robot, s.position, s.velocity, s.acceleration, f).acceleration),
                  1e-9);
        EXPECT_LT(difference(given.by_position, jacobian(acceleration, 0, n)), 1e-9);
        EXPECT_LT(difference(given.by_velocity, jacobian(acceleration, kVelocity, n)), 1e-9);
        EXPECT_LT(difference(given.by_wrench, jacobian(acceleration, kWrench, 6)), 1e-9);
        EXPECT_LT(difference(given.by_torque * mass_matrix(robot, s.position), Eigen::MatrixXd::Identity(n, n)), 1e-9);
      }
    }
  });
}

// a(phi) = M^-1 (tau - c):  da/dphi = -M^-1 Y at that acceleration. The torque is linear in phi, so that a step of any
// size in Y is exact; the acceleration is not, and differences are taken.
TEST(RobotDerivatives, ByParametersAreTheRegressor) {
  for_random_robots(1, [](const Robot<double>& robot, const RobotState& s, Draw&) {
    const auto forward = forward_dynamics(robot, s.position, s.velocity, s.acceleration);
    const auto given = forward_by_parameters(robot, s.position, s.velocity, forward);
    for (int k = 0; k < robot.parameter_count(); k += 3) {
      const auto moved = [&](double step) {
        Robot<double> other = robot;
        Robot<double>::Parameters parameters = robot.parameters();
        parameters[k] += step;
        other.set_parameters(parameters);
        return forward_dynamics(other, s.position, s.velocity, s.acceleration).acceleration;
      };
      const JointValues slope = (moved(1e-6) - moved(-1e-6)) / 2e-6;
      EXPECT_LT(difference(given.col(k), slope), 1e-4) << k;
    }
  });
}

// The Jacobian's columns are the derivatives of the frame's origin and axes: d axis / dq = angular x axis.
TEST(RobotFrames, JacobianIsTheDerivativeOfThePlacement) {
  for_random_robots(4, [](const Robot<double>& robot, const RobotState& s, Draw&) {
    const Frame<double>& frame = *robot.find_frame("middle");
    const auto pose = pose_of(robot, s.position);
    const auto given = frame_jacobian(robot, pose, frame);
    const Matrix<double, 3> axes = frame_placement(pose, frame).rotation;
    const auto placed = frame_placement(pose_of(robot.cast<D>(), moving(s.position, 0)), frame.cast<D>());
    for (int j = 0; j < robot.joints(); ++j) {
      for (int row = 0; row < 3; ++row) {
        EXPECT_NEAR(placed.translation[row].derivatives()[j], given(row, j), 1e-12);
        const Vector<double, 3> angular = given.col(j).tail<3>();
        for (int c = 0; c < 3; ++c) {
          EXPECT_NEAR(placed.rotation(row, c).derivatives()[j], angular.cross(axes.col(c))[row], 1e-12);
        }
      }
    }
  });
}

// Virtual work: J^T f.
TEST(RobotFrames, JacobianTransposedGivesTheTorque) {
  for_random_robots(4, [](const Robot<double>& robot, const RobotState& s, Draw& draw) {
    const Frame<double>& frame = *robot.find_frame("tool");
    const auto pose = pose_of(robot, s.position);
    const Vector<double, 6> f = draw.matrix<double, 6>();
    const ExternalWrench<double> external{frame, {f.head<3>(), f.tail<3>()}, WrenchAxes::world};
    EXPECT_LT(difference(external_torque(robot, pose, external), frame_jacobian(robot, pose, frame).transpose() * f),
              1e-12);
    const Matrix<double, 3> axes = frame_placement(pose, frame).rotation;
    const ExternalWrench<double> turned{
        frame, {axes.transpose() * f.head<3>(), axes.transpose() * f.tail<3>()}, WrenchAxes::frame};
    EXPECT_LT(difference(external_torque(robot, pose, turned), external_torque(robot, pose, external)), 1e-12);
  });
}

}  // namespace
}  // namespace tauhat
