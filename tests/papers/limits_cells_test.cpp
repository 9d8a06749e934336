// Cells of the grid, one record each: friendly truths are not flagged, hostile ones are covered or named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tauhat/offline/reproduce/limits_grid.hpp"

namespace tauhat::limits {
namespace {

Answer answer_of(const std::vector<Cell>& cells, const std::string& misfit, const std::string& size) {
  for (const Cell& cell : cells)
    if (cell.misfit == misfit && cell.size == size) return cell.run(1);
  throw std::out_of_range(misfit + " " + size);
}

std::vector<std::string> warnings(const Answer& answer) {
  std::vector<std::string> all;
  for (const Diagnostic& each : answer.diagnostics)
    if (each.severity != Severity::info) all.push_back(each.name + ": " + each.message);
  return all;
}

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(LimitsCells, TheLinksVelocityIsHeldAndAWrongStiffnessNamed) {
  const auto cells = link_cells();
  const Answer friendly = answer_of(cells, "none", ""), hostile = answer_of(cells, "stiffness", "-2 %");
  EXPECT_THAT(warnings(friendly), IsEmpty());
  EXPECT_NEAR(friendly.many.at("load.velocity").held, 0.95, 0.03);
  EXPECT_THAT(warnings(hostile), Contains(AllOf(HasSubstr("model.suspect"), HasSubstr("transmission.stiffness"))));
}

TEST(LimitsCells, ARobotsParametersAreHeldAndLateTorquesNamed) {
  const auto cells = robot_cells();
  const Answer friendly = answer_of(cells, "none", ""), hostile = answer_of(cells, "torques late", "10 ms");
  EXPECT_THAT(warnings(friendly), IsEmpty());
  EXPECT_GT(friendly.many.at("inertias").held, 0.85);
  EXPECT_THAT(warnings(hostile), Contains(AllOf(HasSubstr("model.suspect"), HasSubstr("torque.delay"))));
}

// What the log without contact shows makes the bands as wide as they have to be.
TEST(LimitsCells, TheForcesBandHoldsWhatTheModelLacks) {
  const auto cells = force_cells();
  EXPECT_THAT(warnings(answer_of(cells, "none", "")), IsEmpty());
  EXPECT_GT(answer_of(cells, "none", "").many.at("force").held, 0.9);
  EXPECT_GT(answer_of(cells, "friction", "+20 %").many.at("force").held, 0.85);
}

}  // namespace
}  // namespace tauhat::limits
