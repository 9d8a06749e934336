// The dynamics of robots by identities: random chains and trees of 1 to 8 joints, and a Staubli TX40.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "support/differences.hpp"
#include "support/robots.hpp"
#include "tauhat/core/robot/check.hpp"
#include "tauhat/core/robot/derivatives.hpp"
#include "tauhat/core/robot/momentum.hpp"
#include "tauhat/core/robot/parameters.hpp"
#include "tauhat/core/robot/regressor.hpp"
#include "tauhat/offline/reproduce/tx40.hpp"

namespace tauhat {
namespace {

using JointValues = JointVector<double, Eigen::Dynamic>;

double largest(const JointValues& difference) { return difference.cwiseAbs().maxCoeff(); }

// Along q(t) = q + v t + a t^2 / 2.
JointValues position_after(const RobotState& s, double t) {
  return s.position + s.velocity * t + s.acceleration * (t * t / 2.0);
}
JointValues velocity_after(const RobotState& s, double t) { return s.velocity + s.acceleration * t; }

TEST(RobotDynamics, RegressorTimesParametersIsTheTorque) {
  for_random_robots(10, [](const Robot<double>& robot, const RobotState& s, Draw&) {
    const JointValues torque = inverse_dynamics(robot, s.position, s.velocity, s.acceleration);
    const auto regressor = torque_regressor(robot, s.position, s.velocity, s.acceleration);
    EXPECT_LT(largest(regressor * robot.parameters() - torque), 1e-10);
  });
}

TEST(RobotDynamics, MassTimesAccelerationAndBiasAreTheTorque) {
  for_random_robots(10, [](const Robot<double>& robot, const RobotState& s, Draw&) {
    const JointValues torque = inverse_dynamics(robot, s.position, s.velocity, s.acceleration);
    const JointValues bias = bias_torque(robot, s.position, s.velocity);
    EXPECT_LT(largest(mass_matrix(robot, s.position) * s.acceleration + bias - torque), 1e-10);
  });
}

TEST(RobotDynamics, ForwardInvertsInverse) {
  for_random_robots(10, [](const Robot<double>& robot, const RobotState& s, Draw& draw) {
    const ExternalWrench<double> f{
        *robot.find_frame("tool"), {10.0 * draw.matrix<double, 3>(), draw.matrix<double, 3>()}, WrenchAxes::frame};
    const JointValues torque = inverse_dynamics(robot, s.position, s.velocity, s.acceleration, f);
    const auto forward = forward_dynamics(robot, s.position, s.velocity, torque, f);
    EXPECT_TRUE(forward.mass.is_positive());
    EXPECT_LT(largest(forward.acceleration - s.acceleration), 1e-9);
  });
}

TEST(RobotDynamics, MassMatrixIsSymmetricAndPositive) {
  for_random_robots(10, [](const Robot<double>& robot, const RobotState& s, Draw&) {
    const Eigen::MatrixXd mass = mass_matrix(robot, s.position);
    EXPECT_EQ(mass, Eigen::MatrixXd(mass.transpose()));
    EXPECT_GT(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(mass).eigenvalues().minCoeff(), 0.0);
    const MassFactor<double, Eigen::Dynamic> factor(mass);
    EXPECT_LT(relative_difference(factor.inverse() * mass, Eigen::MatrixXd::Identity(mass.rows(), mass.rows())), 1e-9);
  });
}

// d/dt (kinetic + potential energy) = v . tau
TEST(RobotDynamics, PowerBecomesEnergy) {
  for_random_robots(10, [](const Robot<double>& robot, const RobotState& s, Draw&) {
    const auto energy = [&](double t) {
      const JointValues q = position_after(s, t), v = velocity_after(s, t);
      return 0.5 * v.dot(mass_matrix(robot, q) * v) + potential_energy(robot, q);
    };
    const double power = s.velocity.dot(inverse_dynamics(robot, s.position, s.velocity, s.acceleration));
    EXPECT_NEAR(central_difference(energy, 0.0, 1e-4), power, 1e-6 * (1.0 + std::abs(power)));
  });
}

TEST(RobotDynamics, GravityIsTheGradientOfThePotential) {
  for_random_robots(10, [](const Robot<double>& robot, const RobotState& s, Draw&) {
    const JointValues gravity = gravity_torque(robot, s.position);
    EXPECT_LT(largest(gravity - bias_torque(robot, s.position, JointValues(0.0 * s.velocity))), 1e-11);
    for (int j = 0; j < robot.joints(); ++j) {
      const auto along = [&](double x) {
        JointValues q = s.position;
        q[j] = x;
        return potential_energy(robot, q);
      };
      EXPECT_NEAR(central_difference(along, s.position[j], 1e-3), gravity[j], 1e-8);
    }
  });
}

// Half of d tau / d v is the Coriolis matrix of Christoffel's symbols: C v is the bias without gravity, and M' - 2 C is
// skew-symmetric.
TEST(RobotDynamics, CoriolisMatrixIsPassive) {
  for_random_robots(10, [](const Robot<double>& robot, const RobotState& s, Draw&) {
    const auto derivatives = inverse_derivatives(robot, s.position, s.velocity, s.acceleration);
    const Eigen::MatrixXd coriolis = derivatives.by_velocity / 2.0;
    const JointValues bias = bias_torque(robot, s.position, s.velocity) - gravity_torque(robot, s.position);
    EXPECT_LT(largest(coriolis * s.velocity - bias), 1e-10);
    const double h = 1e-5;
    const Eigen::MatrixXd mass_rate = (mass_matrix(robot, JointValues(s.position + h * s.velocity)) -
                                       mass_matrix(robot, JointValues(s.position - h * s.velocity))) /
                                      (2.0 * h);
    EXPECT_LT((mass_rate - coriolis - coriolis.transpose()).cwiseAbs().maxCoeff(), 1e-6);
  });
}

TEST(RobotDynamics, MomentumChangesByTorqueAndDrift) {
  for_random_robots(10, [](const Robot<double>& robot, const RobotState& s, Draw&) {
    const auto now = generalised_momentum(robot, s.position, s.velocity);
    EXPECT_LT(largest(now.momentum - mass_matrix(robot, s.position) * s.velocity), 1e-11);
    const JointValues torque = inverse_dynamics(robot, s.position, s.velocity, s.acceleration);
    const Eigen::MatrixXd coriolis =
        inverse_derivatives(robot, s.position, s.velocity, s.acceleration).by_velocity / 2.0;
    const JointValues drift = coriolis.transpose() * s.velocity - gravity_torque(robot, s.position);
    EXPECT_LT(largest(now.drift - drift), 1e-10);
    for (int i = 0; i < robot.joints(); ++i) {
      const auto momentum = [&](double t) {
        return generalised_momentum(robot, position_after(s, t), velocity_after(s, t)).momentum[i];
      };
      const double rate = torque[i] + now.drift[i];
      EXPECT_NEAR(central_difference(momentum, 0.0, 1e-4), rate, 1e-6 * (1.0 + std::abs(rate)));
    }
  });
}

TEST(RobotDynamics, FixedAndRunTimeCountsAgree) {
  const pyrhonen::Arm fixed = pyrhonen::tx40();
  const Robot<double> dynamic = fixed.cast<double, Eigen::Dynamic>();
  Draw draw(3);
  for (int k = 0; k < 20; ++k) {
    const RobotState s = random_state(draw, 6);
    const pyrhonen::Arm::Vector q = s.position, v = s.velocity, a = s.acceleration;
    EXPECT_LT(
        largest(inverse_dynamics(fixed, q, v, a) - inverse_dynamics(dynamic, s.position, s.velocity, s.acceleration)),
        1e-12);
    EXPECT_LT(largest(forward_dynamics(fixed, q, v, a).acceleration -
                      forward_dynamics(dynamic, s.position, s.velocity, s.acceleration).acceleration),
              1e-10);
  }
}

TEST(RobotDynamics, ParametersGoThereAndBack) {
  for_random_robots(2, [](const Robot<double>& robot, const RobotState& s, Draw& draw) {
    Robot<double> other = robot;
    Robot<double>::Parameters changed = robot.parameters();
    for (auto& parameter : changed) parameter *= draw.between(0.5, 1.5);
    other.set_parameters(changed);
    EXPECT_EQ(other.parameters(), changed);
    const auto regressor = torque_regressor(robot, s.position, s.velocity, s.acceleration);
    EXPECT_LT(largest(regressor * changed - inverse_dynamics(other, s.position, s.velocity, s.acceleration)), 1e-10);
    const MassFactor<double, Eigen::Dynamic> factor(mass_matrix(other, s.position));
    EXPECT_EQ(forward_dynamics(other, s.position, s.velocity, s.acceleration).mass.inverse(), factor.inverse());
  });
}

TEST(RobotParameters, AreNamedByKindAndJoint) {
  EXPECT_EQ(RobotParameter::at(0, 6).name().view(), "Ixx1");
  EXPECT_EQ(RobotParameter::at(19, 6).name().view(), "m2");
  EXPECT_EQ(RobotParameter::at(65, 6).name().view(), "Ja6");
  EXPECT_EQ((RobotParameter{11, 6}.name().view()), "mX12");
  for (int i = 0; i < 66; ++i) EXPECT_EQ(RobotParameter::at(i, 6).index(6), i);
}

// All six links of the paper's arm are bodies that can exist.
TEST(RobotParameters, Tx40IsPhysical) {
  const pyrhonen::Arm arm = pyrhonen::tx40();
  EXPECT_TRUE(check(arm).passed());
  for (int i = 0; i < 6; ++i) {
    const Eigen::SelfAdjointEigenSolver<Matrix<double, 4>> spectrum(arm.link(i).pseudo_inertia());
    EXPECT_GT(spectrum.eigenvalues()[0], 0.0);
  }
}

TEST(RobotCheck, NamesTheJointAtFault) {
  Draw draw(5);
  const Robot<double> good = random_robot(draw, 4, Shape::chain);
  EXPECT_TRUE(check(good).passed());
  Robot<double> robot = good;
  robot.set_joint(2, Joint<double>(2, JointType::revolute, {}));
  EXPECT_EQ(check(robot).fault, RobotFault::parent_not_before_child);
  EXPECT_EQ(check(robot).joint, 2);
  robot = good;
  robot.set_joint(1, Joint<double>(0, JointType::revolute, {}, {0.0, 0.0, 2.0}));
  EXPECT_EQ(check(robot).fault, RobotFault::axis_not_unit);
  robot = good;
  robot.set_joint(1, Joint<double>(0, JointType::revolute, {Matrix<double, 3>(-Matrix<double, 3>::Identity()), {}}));
  EXPECT_EQ(check(robot).fault, RobotFault::placement_not_a_rotation);
  robot = good;
  robot.actuator_inertia()[3] = std::nan("");
  EXPECT_EQ(check(robot).fault, RobotFault::not_finite);
  EXPECT_EQ(check(robot).joint, 3);
}

TEST(RobotFrames, AreFoundByName) {
  Draw draw(5);
  Robot<double> robot = random_robot(draw, 4, Shape::chain);
  EXPECT_EQ(robot.find_frame("tool")->link, 3);
  EXPECT_EQ(robot.find_frame("too"), nullptr);
  EXPECT_FALSE(robot.add_frame("tool", 0, {}));                // taken
  EXPECT_FALSE(robot.add_frame("elbow", 4, {}));               // no such link
  EXPECT_FALSE(robot.add_frame(std::string(64, 'x'), 0, {}));  // too long
  EXPECT_TRUE(robot.add_frame(std::string(63, 'x'), kBase, {}));
}

}  // namespace
}  // namespace tauhat
