// What a report draws of a robot's parameters is what its results say.
#include "tauhat/offline/robot/robot_plots.hpp"

#include <gtest/gtest.h>

#include "support/robot_records.hpp"
#include "tauhat/offline/report/series.hpp"

namespace tauhat {
namespace {

TEST(RobotPlots, RepeatTheIntervalsOfTheResults) {
  const RobotSpec robot = tx40_spec();
  const RobotIdentification identification(robot);
  const Eigen::VectorXd values = Eigen::VectorXd::Ones(identification.base().count());
  const RobotPrior prior = robot_prior(identification.robot(), identification.columns(), identification.base(), values);
  const std::string name = identification.result_name(0), unit(identification.unit(0));
  const std::vector<Result> results{with_interval(name, 1.25, 0.5, unit)};
  const Section section = parameter_section(identification, results, prior, {});
  ASSERT_EQ(section.tables.size(), 1U);
  const auto& row = section.tables.front().rows.front();
  EXPECT_EQ(row[0], name);
  EXPECT_EQ(row[3], "1.25");
  EXPECT_EQ(row[4], "± 0.98");
  EXPECT_EQ(section.tables.front().rows[1][3], "not determined");
  ASSERT_EQ(section.plots.size(), 1U);
  EXPECT_NEAR(section.plots.front().series.front().upper.front(), 0.98, 1e-3);
}

}  // namespace
}  // namespace tauhat
