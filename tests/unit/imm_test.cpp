// Several filters in parallel: the moments of their mixture, and that those of the gap move as each would alone.
#include "tauhat/core/filters/imm.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "tauhat/core/filters/gap_imm.hpp"

namespace tauhat {
namespace {

using P = Powertrain<double>;
using F = Ekf<P>;
using State = Vector<double, P::kStates>;

// A belief that differs with `number`: a mean, and a full covariance.
F::Belief some_belief(int number) {
  Matrix<double, P::kStates> root = Matrix<double, P::kStates>::Identity();
  for (int i = 0; i < P::kStates; ++i)
    for (int j = 0; j < i; ++j) root(i, j) = 0.3 * std::sin(1.0 + i + 2.0 * j + 3.0 * number);
  State mean;
  for (int i = 0; i < P::kStates; ++i) mean[i] = std::cos(i + 5.0 * number);
  return {mean, 1e-2 * root * root.transpose()};
}

std::array<F, 3> some_filters() {
  P lower, gap, upper;
  lower.mode = GapMode::lower, upper.mode = GapMode::upper;
  return {F(lower, some_belief(0)), F(gap, some_belief(1)), F(upper, some_belief(2))};
}

// m = sum w_i m_i and E[(x - m)(x - m)^T] = sum w_i (P_i + m_i m_i^T) - m m^T.
TEST(Imm, MixtureHasTheMomentsOfItsParts) {
  const auto filters = some_filters();
  const Vector<double, 3> weights(0.2, 0.5, 0.3);
  State mean = State::Zero();
  Matrix<double, P::kStates> square = Matrix<double, P::kStates>::Zero();
  for (int i = 0; i < 3; ++i) {
    const auto& part = filters[static_cast<std::size_t>(i)].belief();
    mean += weights[i] * part.mean;
    square += weights[i] * (part.covariance() + part.mean * part.mean.transpose());
  }
  const auto mixed = mixture(filters, weights);
  EXPECT_TRUE(mixed.mean.isApprox(mean, 1e-14));
  EXPECT_TRUE(mixed.covariance().isApprox(square - mean * mean.transpose(), 1e-13));
  EXPECT_TRUE(mixed.padded_covariance.bottomRows(mixed.padded_covariance.rows() - P::kStates).isZero(0.0));
}

// What was to be expected is what the filters expected, each as likely as it was.
TEST(Imm, SaysWhatTheMixtureHadExpected) {
  const std::array<F, 3> filters = some_filters();
  const Vector<double, 3> weights(0.2, 0.5, 0.3);
  const Measurement<double> z{P::load_position, 0.1, 1e-2};
  const Correction<double> done = Imm<F, 3>(filters, weights).correct(z);
  EXPECT_EQ(done.status, StepStatus::ok);
  double mean = 0.0, square = 0.0;
  for (int i = 0; i < 3; ++i) {
    F alone = filters[static_cast<std::size_t>(i)];
    const Correction<double> one = alone.correct(z);
    mean += weights[i] * one.innovation, square += weights[i] * (one.variance + one.innovation * one.innovation);
  }
  EXPECT_NEAR(done.innovation, mean, 1e-14);
  EXPECT_NEAR(done.variance, square - mean * mean, 1e-14);
}

// Both contacts share their transition; nothing comes of that but speed.
TEST(GapImm, MovesAsItsFiltersWouldAlone) {
  P drive;
  drive.mode = GapMode::gap;
  drive.noise.setConstant(0.1);
  constexpr double kNever = std::numeric_limits<double>::infinity();
  GapImm<double> imm(drive, some_belief(1), kNever);
  std::array<F, 3> alone = some_filters();
  for (const GapMode mode : {GapMode::lower, GapMode::gap, GapMode::upper}) {
    F& one = alone[static_cast<std::size_t>(static_cast<int>(mode) + 1)];
    drive.mode = mode;
    F::Belief start = some_belief(1);
    if (drive.in_contact()) tie(start, P::gap_position, drive.limit_state());
    one = F(drive, start);
  }
  for (const double dt : {1e-3, 0.3e-3, 0.7e-3}) {
    imm.predict(Vector<double, 1>(30.0), dt);
    for (F& one : alone) one.predict(Vector<double, 1>(30.0), dt);
  }
  const auto expected = mixture(alone, Vector<double, 3>(0.01, 0.98, 0.01)), found = imm.belief();
  EXPECT_TRUE(found.mean.isApprox(expected.mean, 1e-12));
  EXPECT_TRUE(found.covariance().isApprox(expected.covariance(), 1e-12));
}

TEST(GapImm, HoldsTheLastCommandAndRefusesIntervalsThatAreNone) {
  GapImm<double> imm(P{}, some_belief(1)), held(P{}, some_belief(1));
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(imm.predict(Vector<double, 1>(30.0), 1e-3), StepStatus::ok);
  EXPECT_EQ(imm.predict(Vector<double, 1>(kNan), 1e-3), StepStatus::input_held);
  held.predict(Vector<double, 1>(30.0), 1e-3), held.predict(Vector<double, 1>(30.0), 1e-3);
  EXPECT_TRUE(imm.belief().mean == held.belief().mean);
  for (const double dt : {0.0, -1e-3, kNan})
    EXPECT_EQ(imm.predict(Vector<double, 1>(30.0), dt), StepStatus::interval_not_positive);
  EXPECT_TRUE(imm.belief().mean == held.belief().mean);
}

}  // namespace
}  // namespace tauhat
