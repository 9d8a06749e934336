// Poles of an observer with several outputs.
#include "tauhat/core/linear/robust_placement.hpp"

#include <gtest/gtest.h>

#include "support/elastic_axis.hpp"
#include "support/random.hpp"

namespace tauhat {
namespace {

using namespace elastic_axis;

// Motor position and link velocity are measured.
Matrix<double, 2, 6> motor_and_gyro() {
  Matrix<double, 2, 6> c = Matrix<double, 2, 6>::Zero();
  c(0, 5) = c(1, 0) = 1.0;
  return c;
}

TEST(RobustPlacement, PlacesPairsWithTwoOutputs) {
  const auto axis = six();
  for (const auto& poles :
       {six_poles(40.0, 80.0, 100.0), six_poles(200.0, 250.0, 300.0), six_poles(60.0, 60.0, 90.0)}) {
    const auto placed = place_poles_robustly<double, 6, 2>(axis.a, motor_and_gyro(), poles);
    EXPECT_TRUE(placed.placed()) << static_cast<int>(placed.status);
    EXPECT_LT(placed.error, 1e-8);
    EXPECT_LT(placed.condition, 1e4);
  }
}

// Drawn models, real poles and pairs: poles hold, and a perturbation moves them by less than the condition allows.
TEST(RobustPlacement, HoldsOnDrawnModels) {
  Draw draw(9);
  for (int run = 0; run < 50; ++run) {
    const Matrix<double, 5> a = draw.matrix<double, 5, 5>() * 0.4;
    const Matrix<double, 3, 5> c = draw.matrix<double, 3, 5>();
    Poles<double, 5> poles;
    const std::complex<double> pair(draw.between(-0.5, 0.9), draw.between(0.01, 0.4));
    poles << draw.between(0.0, 0.9), pair, draw.between(-0.9, 0.0), std::conj(pair), draw.between(0.0, 0.9);
    const auto placed = place_poles_robustly<double, 5, 3>(a, c, poles);
    ASSERT_TRUE(placed.placed()) << run;
    EXPECT_LT(placed.error, 1e-11) << run;
    // Bauer and Fike: no eigenvalue moves further than the perturbation times the condition.
    const double size = 1e-6;
    const Matrix<double, 5> moved = a - placed.gain * c + size * draw.matrix<double, 5, 5>();
    EXPECT_LT((largest_distance<double, 5>(poles, eigenvalues<double, 5>(moved))), 20.0 * size * placed.condition);
  }
}

// The freedom is used: the chain in two halves, each with its output, has a condition of some tens; through one output
// the same poles have one of thousands.
TEST(RobustPlacement, TurnsTheEigenvectorsApart) {
  Matrix<double, 4> a = Matrix<double, 4>::Identity();
  a(0, 1) = a(1, 2) = a(2, 3) = 0.1;
  Matrix<double, 2, 4> c = Matrix<double, 2, 4>::Zero();
  c(0, 0) = c(1, 2) = 1.0;
  const Poles<double, 4> poles(0.5, 0.6, 0.7, 0.8);
  const auto placed = place_poles_robustly<double, 4, 2>(a, c, poles);
  EXPECT_TRUE(placed.placed());
  EXPECT_LT(placed.condition, 60.0);
}

TEST(RobustPlacement, SaysWhyThereIsNone) {
  const auto axis = six();
  const auto poles = six_poles(40.0, 80.0, 100.0);
  EXPECT_EQ((place_poles_robustly<double, 6, 2>(axis.a, motor_and_gyro(), six_poles(60.0, 60.0, 60.0)).status),
            PlacementStatus::repeated_too_often);
  Matrix<double, 2, 6> twice;
  twice << axis.c, 2.0 * axis.c;
  EXPECT_EQ((place_poles_robustly<double, 6, 2>(axis.a, twice, poles).status), PlacementStatus::outputs_dependent);
  Matrix<double, 2, 6> velocities = Matrix<double, 2, 6>::Zero();  // where the motor is, no velocity says
  velocities(0, 0) = velocities(1, 2) = 1.0;
  EXPECT_EQ((place_poles_robustly<double, 6, 2>(axis.a, velocities, poles).status), PlacementStatus::not_observable);
  Poles<double, 6> alone = poles;
  alone[1] = 0.5;
  EXPECT_EQ((place_poles_robustly<double, 6, 2>(axis.a, motor_and_gyro(), alone).status),
            PlacementStatus::poles_at_fault);
}

}  // namespace
}  // namespace tauhat
