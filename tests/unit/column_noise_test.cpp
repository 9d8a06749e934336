// Noise of the motion is in the regressor, and moves the parameters by what is said.
#include "tauhat/offline/robot/column_noise.hpp"

#include <gtest/gtest.h>

#include "support/robot_records.hpp"

namespace tauhat {
namespace {

// 0.01 degrees, and a cut-off that lets much of it through.
RobotSpec fast_tx40() {
  RobotSpec robot = tx40_spec();
  robot.rows.cut_off = 40.0;
  return robot;
}
constexpr double kPositionNoise = 1.745e-4;  // rad

TEST(ColumnNoise, MovesTheParametersByWhatIsSaid) {
  const RobotSpec robot = fast_tx40();
  const RobotIdentification identification(robot);
  const std::vector<RobotRecord> quiet{tx40_record(1, 0.0, 0.5)};
  const Eigen::VectorXd truth = identification.fit(quiet).base.values;
  const std::vector<RobotRecord> noisy{tx40_record(1, kPositionNoise, 0.5)};
  const RobotFit fit = identification.fit(noisy);
  const Eigen::VectorXd said = shift_by_column_noise(identification, fit, noisy);
  int moved = 0, held = 0;
  for (int k = 0; k < identification.base().count(); ++k) {
    if (!fit.is_determined(k) || said[k] < 2.0 * fit.deviation(k)) continue;
    ++moved;
    held += std::abs(fit.base.values[k] - truth[k]) < 1.96 * std::hypot(said[k], fit.deviation(k));
  }
  EXPECT_GE(moved, 2);
  EXPECT_EQ(held, moved);
  // Where the filter lets nothing of it through, nothing moves.
  RobotSpec slow = robot;
  slow.rows.cut_off = 8.0;
  const RobotIdentification filtered(slow);
  const RobotFit calm = filtered.fit(noisy);
  const Eigen::VectorXd little = shift_by_column_noise(filtered, calm, noisy);
  for (int k = 0; k < filtered.base().count(); ++k) {
    if (calm.is_determined(k)) {
      EXPECT_LT(little[k], 0.5 * calm.deviation(k)) << filtered.result_name(k);
    }
  }
}

}  // namespace
}  // namespace tauhat
