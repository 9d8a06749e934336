// Exact discretisation, against Van Loan's block matrix (Eigen's exponential, in long double) and closed forms.
#include "tauhat/core/math/discretise.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "support/differences.hpp"
#include "support/linear_model.hpp"
#include "support/random.hpp"

namespace tauhat {
namespace {

template <class Number, int Size>
struct Case {
  using T = Number;
  static constexpr int kSize = Size;
  static constexpr double kTolerance = sizeof(T) == 8 ? 1e-11 : 1e-5;
};

template <class C>
struct Discretise : testing::Test {
  using T = typename C::T;
  static constexpr int N = C::kSize;
  Draw draw{11};

  Vector<T, N> density() { return draw.matrix<T, N>().cwiseAbs(); }
  void expect_van_loan(const Matrix<T, N>& a, T interval) {
    const Vector<T, N> q = density();
    const auto step = discretise<T, N>(a, q, interval);
    const VanLoan<N> exact(a, Vector<T, N>(Vector<T, N>::Zero()), q, interval);
    EXPECT_LT(relative_difference(step.transition.template topRows<N>().template cast<long double>(), exact.transition),
              C::kTolerance);
    EXPECT_LT(relative_difference(step.noise.template topRows<N>().template cast<long double>(), exact.noise),
              C::kTolerance);
  }
};
using Cases = testing::Types<Case<double, 1>, Case<double, 2>, Case<double, 3>, Case<double, 4>, Case<double, 5>,
                             Case<double, 6>, Case<double, 7>, Case<double, 8>, Case<float, 1>, Case<float, 2>,
                             Case<float, 4>, Case<float, 5>, Case<float, 7>, Case<float, 8>>;
TYPED_TEST_SUITE(Discretise, Cases);

TYPED_TEST(Discretise, MatchesVanLoanOnStableDrives) {
  using T = typename TestFixture::T;
  for (const double interval : {1e-3, 0.03, 0.3}) {
    this->expect_van_loan(stable_matrix<T, TestFixture::N>(this->draw), static_cast<T>(interval));
  }
}

TYPED_TEST(Discretise, MatchesVanLoanOnUnstableDrives) {
  using T = typename TestFixture::T;
  constexpr int N = TestFixture::N;
  for (const double interval : {1e-3, 0.03, 0.3}) {
    const Matrix<T, N> a = this->draw.template matrix<T, N, N>() + T(2) * Matrix<T, N>::Identity();
    this->expect_van_loan(a, static_cast<T>(interval));
  }
}

TYPED_TEST(Discretise, NoiseIsSymmetricAndPositive) {
  using T = typename TestFixture::T;
  constexpr int N = TestFixture::N;
  constexpr double kRounding = 16.0 * std::numeric_limits<T>::epsilon();
  for (int i = 0; i < 20; ++i) {
    const auto step = discretise<T, N>(stable_matrix<T, N>(this->draw), this->density(), T(0.2));
    const Matrix<double, N> noise = step.noise.template topRows<N>().template cast<double>();
    EXPECT_LT(relative_difference(noise, Matrix<double, N>(noise.transpose())), kRounding);
    const Eigen::SelfAdjointEigenSolver<Matrix<double, N>> solver(noise);
    EXPECT_GT(solver.eigenvalues().minCoeff(), -kRounding * solver.eigenvalues().maxCoeff());
  }
}

// Two steps are one of twice the length: Phi(2h) = Phi(h)^2, Qd(2h) = Qd(h) + Phi(h) Qd(h) Phi(h)^T.
TYPED_TEST(Discretise, TwoStepsAreOneOfTwiceTheLength) {
  using T = typename TestFixture::T;
  constexpr int N = TestFixture::N;
  const Matrix<T, N> a = stable_matrix<T, N>(this->draw);
  const Vector<T, N> q = this->density();
  const auto once = discretise<T, N>(a, q, T(0.07)), twice = discretise<T, N>(a, q, T(0.14));
  const Matrix<T, N> phi = once.transition.template topRows<N>(), noise = once.noise.template topRows<N>();
  EXPECT_LT(relative_difference(twice.transition.template topRows<N>(), Matrix<T, N>(phi * phi)), TypeParam::kTolerance);
  EXPECT_LT(relative_difference(twice.noise.template topRows<N>(), Matrix<T, N>(noise + phi * noise * phi.transpose())),
            TypeParam::kTolerance);
}

TYPED_TEST(Discretise, KeepsThePaddingZero) {
  using T = typename TestFixture::T;
  constexpr int N = TestFixture::N, kPadding = padded_rows<T, N>() - N;
  const auto step = discretise<T, N>(stable_matrix<T, N>(this->draw), this->density(), T(0.3));
  EXPECT_TRUE(step.transition.template bottomRows<kPadding>().isZero(0));
  EXPECT_TRUE(step.noise.template bottomRows<kPadding>().isZero(0));
}

// A chain of integrators with noise at its end: Phi_ij = h^(j-i) / (j-i)!, and with a = n-i, b = n-j (from one)
//   Qd_ij = q h^(a+b+1) / (a! b! (a + b + 1))
TYPED_TEST(Discretise, MatchesTheClosedFormOfIntegrators) {
  using T = typename TestFixture::T;
  constexpr int N = TestFixture::N;
  const auto chain = integrator_chain<T, N>(T(3));
  constexpr double h = 0.125;  // exact in float
  const auto step = discretise<T, N>(chain.a, chain.density, T(h));
  constexpr double kRounding = 16.0 * std::numeric_limits<T>::epsilon();
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j < N; ++j) {
      const int a = N - 1 - i, b = N - 1 - j;
      const double noise = 3.0 * std::pow(h, a + b + 1) / (std::tgamma(a + 1) * std::tgamma(b + 1) * (a + b + 1));
      const double phi = j < i ? 0.0 : std::pow(h, j - i) / std::tgamma(j - i + 1);
      // The series of the noise stops at its order: longer chains miss their last, smallest terms.
      if (a + b <= discretise_detail::kTaylorOrder<T>) EXPECT_NEAR(step.noise(i, j), noise, kRounding * noise);
      if (j - i <= discretise_detail::kTaylorOrder<T>) EXPECT_NEAR(step.transition(i, j), phi, kRounding * phi);
    }
  }
}

// One pole: Phi = e^(-a h), Qd = q (1 - e^(-2 a h)) / (2 a). 2e4 1/s is friction at standstill; 1e7 overflows Van Loan.
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

}  // namespace
}  // namespace tauhat
