// Laws of robots in float: what the loop computes is what the double model says.
#include <gtest/gtest.h>

#include "support/robots.hpp"
#include "tauhat/core/robot/derivatives.hpp"
#include "tauhat/core/robot/momentum.hpp"
#include "tauhat/core/robot/regressor.hpp"

namespace tauhat {
namespace {

// Relative to the largest element, but not where all of them are zero: the inertia of one joint never changes.
double difference(const Eigen::MatrixXd& value, const Eigen::MatrixXd& reference) {
  return (value - reference).cwiseAbs().maxCoeff() / (1.0 + reference.cwiseAbs().maxCoeff());
}

TEST(FloatRobots, AgreeWithDouble) {
  for_random_robots(4, [](const Robot<double>& robot, const RobotState& s, Draw& draw) {
    const auto narrow = robot.cast<float>();
    const JointVector<float, Eigen::Dynamic> q = s.position.cast<float>(), v = s.velocity.cast<float>(),
                                             a = s.acceleration.cast<float>();
    const ExternalWrench<double> f{*robot.find_frame("tool"),
                                   {10.0 * draw.matrix<double, 3>(), draw.matrix<double, 3>()}};
    const ExternalWrench<float> narrow_f{*narrow.find_frame("tool"),
                                         {f.wrench.force.cast<float>(), f.wrench.moment.cast<float>()}};
    EXPECT_LT(difference(inverse_dynamics(narrow, q, v, a).cast<double>(),
                         inverse_dynamics(robot, s.position, s.velocity, s.acceleration)),
              1e-5);
    EXPECT_LT(difference(torque_regressor(narrow, q, v, a).cast<double>(),
                         torque_regressor(robot, s.position, s.velocity, s.acceleration)),
              1e-5);
    EXPECT_LT(difference(generalised_momentum(narrow, q, v).drift.cast<double>(),
                         generalised_momentum(robot, s.position, s.velocity).drift),
              1e-5);
    const auto narrow_step = forward_derivatives(narrow, q, v, a, narrow_f);
    const auto step = forward_derivatives(robot, s.position, s.velocity, s.acceleration, f);
    // The mass matrices of eight joints have condition numbers up to some thousands.
    EXPECT_LT(difference(narrow_step.acceleration.cast<double>(), step.acceleration), 2e-3);
    EXPECT_LT(difference(narrow_step.by_position.cast<double>(), step.by_position), 5e-3);
    EXPECT_LT(difference(narrow_step.by_velocity.cast<double>(), step.by_velocity), 5e-3);
    EXPECT_LT(difference(narrow_step.by_wrench.cast<double>(), step.by_wrench), 5e-3);
  });
}

}  // namespace
}  // namespace tauhat
