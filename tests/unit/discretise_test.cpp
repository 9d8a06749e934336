// Exact discretisation, against Van Loan's block matrix (Eigen's exponential, in long double) and closed
// forms.
#include "tauhat/core/math/discretise.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "support/differences.hpp"
#include "support/linear_model.hpp"
#include "support/named.hpp"
#include "support/random.hpp"
#include "tauhat/core/math/discretise_constants.hpp"

namespace tauhat {
namespace {

using Dense = VanLoan::Dense;

struct Step {
  Dense transition, noise;
  bool padding_is_zero;
};

// Sizes and numbers at run time: the checks are compiled once, for all of them.
template <class T, int N>
Step step_of(const Dense& a, const Dense& density, double interval) {
  const auto step = discretise<T, N>(a.cast<T>(), density.cast<T>(), static_cast<T>(interval));
  const auto padding = step.noise.rows() - N;
  return {step.transition.topRows(N).template cast<VanLoan::Real>(),
          step.noise.topRows(N).template cast<VanLoan::Real>(),
          step.transition.bottomRows(padding).isZero(0) && step.noise.bottomRows(padding).isZero(0)};
}

struct Case : Named {
  int size;
  double tolerance, rounding;
  int order;  // of the series
  Step (*step)(const Dense&, const Dense&, double);
};

template <class T, int N>
Case case_of(const char* name) {
  const double rounding = 16.0 * static_cast<double>(std::numeric_limits<T>::epsilon());
  return {{name}, N, sizeof(T) == 8 ? 1e-11 : 1e-5, rounding, discretise_detail::kNoiseOrder<T>, step_of<T, N>};
}

double factorial(int k) { return std::tgamma(k + 1.0); }

struct Discretise : testing::TestWithParam<Case> {
  Draw draw{11};
  const int n = GetParam().size;

  // Numbers that a float holds exactly, so that both precisions are given the same drive.
  Dense drawn(int rows, int columns) {
    return Dense::NullaryExpr(rows, columns, [this](Eigen::Index, Eigen::Index) {
      return static_cast<VanLoan::Real>(static_cast<float>(draw.normal()));
    });
  }
  Dense density() { return drawn(n, 1).cwiseAbs(); }
  Dense unstable() { return drawn(n, n) + 2 * Dense::Identity(n, n); }
  // Gershgorin's bound moves all eigenvalues to the left.
  Dense stable() {
    const Dense a = drawn(n, n);
    return (a - a.cwiseAbs().rowwise().sum().maxCoeff() * Dense::Identity(n, n)).cast<float>().cast<VanLoan::Real>();
  }
  void expect_van_loan(const Dense& a) {
    for (const float interval : {1e-3F, 0.03F, 0.3F}) {
      const Dense q = density();
      const Step step = GetParam().step(a, q, static_cast<double>(interval));
      const VanLoan exact(a, Dense::Zero(n, 1), q, static_cast<VanLoan::Real>(interval));
      EXPECT_LT(relative_difference(step.transition, exact.transition), GetParam().tolerance) << interval;
      EXPECT_LT(relative_difference(step.noise, exact.noise), GetParam().tolerance) << interval;
    }
  }
};
INSTANTIATE_TEST_SUITE_P(Sizes, Discretise,
                         testing::Values(case_of<double, 1>("double1"), case_of<double, 2>("double2"),
                                         case_of<double, 3>("double3"), case_of<double, 4>("double4"),
                                         case_of<double, 5>("double5"), case_of<double, 6>("double6"),
                                         case_of<double, 7>("double7"), case_of<double, 8>("double8"),
                                         case_of<float, 4>("float4"), case_of<float, 7>("float7")),
                         by_name);

TEST_P(Discretise, MatchesVanLoanOnStableDrives) { expect_van_loan(stable()); }
TEST_P(Discretise, MatchesVanLoanOnUnstableDrives) { expect_van_loan(unstable()); }

TEST_P(Discretise, NoiseIsSymmetricAndPositive) {
  for (int i = 0; i < 20; ++i) {
    const Dense noise = GetParam().step(stable(), density(), 0.2).noise;
    EXPECT_LT(relative_difference(noise, noise.transpose()), GetParam().rounding);
    const Eigen::SelfAdjointEigenSolver<Dense> solver(noise);
    EXPECT_GT(solver.eigenvalues().minCoeff(), -GetParam().rounding * solver.eigenvalues().maxCoeff());
  }
}

// Two steps are one of twice the length: Phi(2h) = Phi(h)^2, Qd(2h) = Qd(h) + Phi(h) Qd(h) Phi(h)^T.
TEST_P(Discretise, TwoStepsAreOneOfTwiceTheLength) {
  const Dense a = stable(), q = density();
  const Step once = GetParam().step(a, q, 0.0625), twice = GetParam().step(a, q, 0.125);
  const Dense composed = once.noise + once.transition * once.noise * once.transition.transpose();
  EXPECT_LT(relative_difference(twice.transition, once.transition * once.transition), GetParam().tolerance);
  EXPECT_LT(relative_difference(twice.noise, composed), GetParam().tolerance);
}

TEST_P(Discretise, KeepsThePaddingZero) { EXPECT_TRUE(GetParam().step(stable(), density(), 0.3).padding_is_zero); }

// A chain of integrators with noise at its end: Phi_ij = h^(j-i) / (j-i)!, and with a = n-i, b = n-j (from
// one)
//   Qd_ij = q h^(a+b+1) / (a! b! (a + b + 1))
TEST_P(Discretise, MatchesTheClosedFormOfIntegrators) {
  const double h = 0.125, q = 3.0;
  Dense a = Dense::Zero(n, n);
  for (int i = 0; i + 1 < n; ++i) a(i, i + 1) = 1;
  const Step step = GetParam().step(a, q * Dense::Identity(n, n).col(n - 1), h);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const int to_i = n - 1 - i, to_j = n - 1 - j;
      // The series stops at its order: in long chains the last, smallest terms are missing.
      if (to_i + to_j > GetParam().order) continue;
      const double noise = q * std::pow(h, to_i + to_j + 1) / (factorial(to_i) * factorial(to_j) * (to_i + to_j + 1));
      const double transition = j < i ? 0.0 : std::pow(h, j - i) / factorial(j - i);
      EXPECT_NEAR(static_cast<double>(step.noise(i, j)), noise, GetParam().rounding * noise);
      EXPECT_NEAR(static_cast<double>(step.transition(i, j)), transition, GetParam().rounding * transition);
    }
  }
}

// One pole: Phi = e^(-a h), Qd = q (1 - e^(-2 a h)) / (2 a). 2e4 1/s is friction at standstill; 1e7 overflows
// Van Loan.
TEST(DiscretiseStiff, MatchesTheClosedFormOfOnePole) {
  for (const double pole : {1.0, 2e4, 1e7}) {
    const double h = 5e-4, q = 3.0;
    const auto step = discretise<double, 1>(Matrix<double, 1>(-pole), Vector<double, 1>(q), h);
    const double noise = q * -std::expm1(-2.0 * pole * h) / (2.0 * pole);
    EXPECT_NEAR(step.transition(0, 0), std::exp(-pole * h), 1e-11 * std::exp(-pole * h)) << pole;
    EXPECT_NEAR(step.noise(0, 0), noise, 1e-12 * noise) << pole;
  }
}

// Position and velocity with friction a: x' = v, v' = -a v + w. With e = e^(-a h),
//   Qd_vv = q (1 - e^2) / (2a),  Qd_xv = q (1 - e)^2 / (2a^2),  Qd_xx = q (2 a h - 3 + 4 e - e^2) / (2a^3)
TEST(DiscretiseStiff, MatchesTheClosedFormOfAMassAtStandstill) {
  for (const double a : {2e4, 1e7}) {
    const double h = 5e-4, q = 2.0, e = std::exp(-a * h);
    Matrix<double, 2> drift;
    drift << 0.0, 1.0, 0.0, -a;
    const auto step = discretise<double, 2>(drift, Vector<double, 2>(0.0, q), h);
    Matrix<double, 2> noise, transition;
    noise(1, 1) = q * (1.0 - e * e) / (2.0 * a);
    noise(0, 1) = noise(1, 0) = q * (1.0 - e) * (1.0 - e) / (2.0 * a * a);
    noise(0, 0) = q * (2.0 * a * h - 3.0 + 4.0 * e - e * e) / (2.0 * a * a * a);
    transition << 1.0, (1.0 - e) / a, 0.0, e;
    EXPECT_LT(scaled_difference(step.noise.topRows<2>(), noise), 1e-11) << a;
    EXPECT_LT(relative_difference(step.transition.topRows<2>(), transition), 1e-11) << a;
  }
}

TEST(DiscretiseStiff, StaysFiniteInFloat) {
  Matrix<float, 2> drift;
  drift << 0.0F, 1.0F, 0.0F, -1e7F;
  const auto step = discretise<float, 2>(drift, Vector<float, 2>(0.0F, 2.0F), 5e-4F);
  EXPECT_TRUE(step.transition.allFinite() && step.noise.allFinite());
  EXPECT_NEAR(step.noise(1, 1), 1e-7F, 1e-12F);  // q / (2 a)
}

// States that only stand there are spared the products, and nothing else changes; those that drift are not spared.
TEST(DiscretiseWithConstants, IsThatOfAllStates) {
  constexpr int kStates = 7, kMoving = 2;
  Draw draw(5);
  for (const double rate : {0.1, 10.0, 1e3, 1e5}) {
    for (const double drift : {0.0, 0.3}) {
      Matrix<double, kStates> a = Matrix<double, kStates>::Zero();
      Vector<double, kStates> q = Vector<double, kStates>::Constant(drift * drift);
      a.topRows<kMoving>() = Matrix<double, kMoving, kStates>::NullaryExpr([&] { return draw.between(-1.0, 1.0); });
      a(0, 1) = 1.0, a(1, 1) = -rate, q[0] = 0.0, q[1] = 0.4;
      const auto all = discretise<double, kStates>(a, q, 1e-3);
      const auto spared = discretise_with_constants<kMoving, double, kStates>(a, q, 1e-3);
      EXPECT_LT((spared.transition - all.transition).norm(), 1e-14 * all.transition.norm()) << rate;
      EXPECT_LT((spared.noise - all.noise).norm(), 1e-12 * all.noise.norm()) << rate;  // of the noise's series
    }
  }
}

}  // namespace
}  // namespace tauhat
