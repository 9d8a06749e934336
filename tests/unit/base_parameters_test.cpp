// Base parameters: known groupings, and the identity that defines them on random robots.
#include "tauhat/offline/robot/base_parameters.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/robots.hpp"
#include "tauhat/offline/reproduce/tx40.hpp"

namespace tauhat {
namespace {

std::vector<std::string> names(const TorqueColumns& columns, const std::vector<int>& chosen) {
  std::vector<std::string> all;
  for (const int column : chosen) all.push_back(columns.name(column));
  return all;
}

TorqueColumns tx40_columns() { return TorqueColumns(pyrhonen::tx40().cast<double, Eigen::Dynamic>()); }

// The set of the paper (fig. 2a), in the order of its set-up.
TEST(BaseParameters, OfTheTx40AreThePublishedOnesInTheirOrder) {
  std::vector<std::string> expected{"Izz1"};
  for (int link = 2; link <= 6; ++link) {
    for (const char* symbol : {"Ixx", "Izz", "Ixy", "Ixz", "Iyz", "mX", "mY"})
      expected.push_back(symbol + std::to_string(link));
    if (link > 2) expected.push_back("Ja" + std::to_string(link));
  }
  for (int joint = 1; joint <= 6; ++joint)
    for (const char* symbol : {"Fv", "Fc"}) expected.push_back(symbol + std::to_string(joint));

  const TorqueColumns columns = tx40_columns();
  const BaseParameters base = base_parameters(columns);
  EXPECT_EQ(names(columns, base.columns), expected);
  EXPECT_GT(base.gap, 1e12);
  EXPECT_THAT(names(columns, base.without_effect), testing::Contains("m1"));
}

// Printed by the paper's authors, found by numbers alone.
TEST(BaseParameters, OfTheTx40GroupAsPublished) {
  const TorqueColumns columns = tx40_columns();
  const BaseParameters base = base_parameters(columns);
  EXPECT_EQ(grouping_text(columns, base, 0),
            "Izz1 + Iyy2 + Iyy3 + 0.07 mZ3 + 0.05185 m3 + 0.05185 m4 + 0.05185 m5 + 0.05185 m6 + Ja1");
  EXPECT_EQ(grouping_text(columns, base, 4),
            "Ixz2 - 0.225 mZ3 - 0.007875 m3 - 0.007875 m4 - 0.007875 m5 - 0.007875 m6");
  EXPECT_EQ(grouping_text(columns, base, 14), "mY3 - mZ4 - 0.225 m4 - 0.225 m5 - 0.225 m6");
  EXPECT_EQ(grouping_text(columns, base, 16), "Ixx4 - Iyy4 + Iyy5");
  EXPECT_EQ(grouping_text(columns, base, 40), "Fv1");
}

// 43 of the links without actuators; these add those whose inertia no link's can stand for.
TEST(BaseParameters, OfAPandaAre43OfItsLinks) {
  Draw draw(1);
  const TorqueColumns columns(panda(draw).cast<double, Eigen::Dynamic>(), {false, false, false});
  const BaseParameters base = base_parameters(columns);
  int of_links = 0;
  for (const int column : base.columns) of_links += column < 10 * columns.joints() ? 1 : 0;
  EXPECT_EQ(of_links, 43);
}

//   Y phi = Y_b K phi in states that the base was not found from; and a joint's torque depends on what it says.
TEST(BaseParameters, GiveTheTorqueOfAnyRobot) {
  for_random_robots(1, [](const Robot<double>& robot, const RobotState& s, Draw& draw) {
    const TorqueColumns columns(robot, {.offset = true});
    const BaseParameters base = base_parameters(columns);
    Eigen::VectorXd phi(columns.count());
    for (double& value : phi) value = draw.normal();
    TorqueRows rows;
    columns.fill(s.position, s.velocity, s.acceleration, rows);
    const Eigen::VectorXd beta = base.grouping * phi, torque = rows * phi;
    const Eigen::MatrixXd chosen = rows(Eigen::all, base.columns);
    EXPECT_LT((chosen * beta - torque).cwiseAbs().maxCoeff(), 1e-8 * (1.0 + torque.cwiseAbs().maxCoeff()));
    EXPECT_LT((rows * standard_parameters(columns, base, beta) - torque).cwiseAbs().maxCoeff(),
              1e-8 * (1.0 + torque.cwiseAbs().maxCoeff()));
    for (int joint = 0; joint < robot.joints(); ++joint) {
      const std::vector<int>& depends_on = base.of_joint[static_cast<std::size_t>(joint)];
      const Eigen::VectorXd own = beta(depends_on);
      EXPECT_NEAR(Eigen::VectorXd(chosen(joint, depends_on)).dot(own), torque[joint],
                  1e-7 * (1.0 + std::abs(torque[joint])));
    }
  });
}

TEST(TorqueColumns, TakeParametersApartAndPutThemTogether) {
  const pyrhonen::Arm arm = pyrhonen::tx40();
  const TorqueColumns columns(arm.cast<double, Eigen::Dynamic>(), {.coulomb = false, .offset = true, .width = 0.1});
  JointFriction<double, Eigen::Dynamic> friction(6);
  friction.viscous.setLinSpaced(1.0, 6.0);
  friction.offset.setLinSpaced(-3.0, 3.0);
  const Eigen::VectorXd phi = columns.parameters(columns.robot(), friction);
  EXPECT_EQ(phi.size(), 78);
  EXPECT_EQ(columns.name(67), "Fo1");
  EXPECT_EQ(columns.unit(67), "N m");
  EXPECT_EQ(columns.joint(77), 5);
  EXPECT_EQ(columns.robot_with(phi).parameters(), arm.parameters());
  EXPECT_EQ(columns.friction_with(phi).viscous, friction.viscous);
  EXPECT_EQ(columns.friction_with(phi).offset, friction.offset);
}

// All terms of the friction: columns times parameters are what the friction takes.
TEST(TorqueColumns, OfFrictionAreItsLaw) {
  const pyrhonen::Arm arm = pyrhonen::tx40();
  const TorqueColumns columns(arm.cast<double, Eigen::Dynamic>(), {.offset = true, .asymmetry = true, .width = 0.1});
  JointFriction<double, Eigen::Dynamic> friction(6);
  friction.viscous.setLinSpaced(1.0, 6.0);
  friction.coulomb.setLinSpaced(3.0, 2.0);
  friction.offset.setLinSpaced(-3.0, 3.0);
  friction.asymmetry.setLinSpaced(-0.5, 0.7);
  friction.width = 0.1;
  const Eigen::VectorXd phi = columns.parameters(columns.robot(), friction);
  EXPECT_EQ(columns.name(columns.count() - 1), "Fa6");
  EXPECT_EQ(columns.unit(columns.count() - 1), "N m s/rad");
  const JointValues still = JointValues::Zero(6), velocity = JointValues::LinSpaced(6, -0.2, 0.3);
  TorqueRows rows;
  columns.fill(still, velocity, still, rows);
  const int own = columns.count() - columns.inertial();
  EXPECT_LT((rows.rightCols(own) * phi.tail(own) - friction.torque(velocity)).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_EQ(columns.friction_with(phi).asymmetry, friction.asymmetry);
}

}  // namespace
}  // namespace tauhat
