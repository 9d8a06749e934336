// The blocks of a second-order system's exponential against Eigen's own, and against its doubling.
#include "tauhat/core/robot/force_transition.hpp"

#include <gtest/gtest.h>

#include <unsupported/Eigen/MatrixFunctions>

#include "support/random.hpp"

namespace tauhat {
namespace {

constexpr int kJoints = 3;

struct SecondOrderSystem {
  Matrix<double, kJoints> by_position, by_velocity;
};

// exp(h [A, F, x'; 0, 0, 0]) with F = [0; 1]: transition, answer to a held acceleration, and to (v, a).
Eigen::MatrixXd whole_exponential(const SecondOrderSystem& system, const Vector<double, kJoints>& v,
                                  const Vector<double, kJoints>& a, double h) {
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(3 * kJoints + 1, 3 * kJoints + 1);
  all.block<kJoints, kJoints>(0, kJoints).setIdentity();
  all.block<kJoints, kJoints>(kJoints, 0) = system.by_position;
  all.block<kJoints, kJoints>(kJoints, kJoints) = system.by_velocity;
  all.block<kJoints, kJoints>(kJoints, 2 * kJoints).setIdentity();
  all.block<kJoints, 1>(0, 3 * kJoints) = v;
  all.block<kJoints, 1>(kJoints, 3 * kJoints) = a;
  return (h * all).exp();
}

void expect_blocks_of_the_exponential(const SecondOrderSystem& system, double h, double tolerance) {
  Draw draw(5);
  const Vector<double, kJoints> v = draw.matrix<double, kJoints>(), a = 10.0 * draw.matrix<double, kJoints>();
  const auto all = whole_exponential(system, v, a, h);
  const auto blocks = second_order_transition<double, kJoints>(padded<double, kJoints>(system.by_position),
                                                               padded<double, kJoints>(system.by_velocity), h);
  const auto close = [&](const Eigen::MatrixXd& found, const Eigen::MatrixXd& expected) {
    EXPECT_LT((found - expected).cwiseAbs().maxCoeff(), tolerance * (expected.cwiseAbs().maxCoeff() + 1e-30));
  };
  const Matrix<double, kJoints> w = blocks.w.topRows<kJoints>(), u = blocks.u.topRows<kJoints>(),
                                y = blocks.y.topRows<kJoints>();
  close(blocks.v.topRows<kJoints>(), all.block<kJoints, kJoints>(kJoints, kJoints));
  close(w, all.block<kJoints, kJoints>(0, kJoints));
  close(w, all.block<kJoints, kJoints>(kJoints, 2 * kJoints));
  close(u, all.block<kJoints, kJoints>(0, 2 * kJoints));
  close(w * system.by_position, all.block<kJoints, kJoints>(kJoints, 0));
  close(Matrix<double, kJoints>::Identity() + u * system.by_position, all.block<kJoints, kJoints>(0, 0));
  const Vector<double, kJoints> pushed = system.by_position * v;
  close(h * v + u * a + y * pushed, all.block<kJoints, 1>(0, 3 * kJoints));
  close(w * a + u * pushed, all.block<kJoints, 1>(kJoints, 3 * kJoints));
}

TEST(SecondOrderTransition, HasTheBlocksOfTheExponential) {
  Draw draw(2);
  for (int k = 0; k < 20; ++k) {
    const SecondOrderSystem system{300.0 * draw.matrix<double, 3, 3>(), 60.0 * draw.matrix<double, 3, 3>()};
    expect_blocks_of_the_exponential(system, 1e-3, 1e-11);
  }
}

// Friction at rest: a pole at 2e4 1/s beside slow ones, over a step of a millisecond.
TEST(SecondOrderTransition, StaysExactWhereFrictionIsSteep) {
  Draw draw(3);
  const Matrix<double, 3> mixing = draw.covariance<double, 3>();
  const Vector<double, 3> slope(40.0, 900.0, 2e4);
  const SecondOrderSystem system{300.0 * draw.matrix<double, 3, 3>(), -(mixing * slope.asDiagonal())};
  expect_blocks_of_the_exponential(system, 1e-3, 1e-9);
}

TEST(SecondOrderTransition, OfFreeJointsIsStraightMotion) {
  const Matrix<double, 3> none = Matrix<double, 3>::Zero();
  expect_blocks_of_the_exponential({none, none}, 2e-3, 1e-14);
}

}  // namespace
}  // namespace tauhat
