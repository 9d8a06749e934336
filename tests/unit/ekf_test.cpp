// The filter's algebra, against the matrices of the textbook.
#include "tauhat/core/filters/ekf.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "support/bands.hpp"
#include "support/differences.hpp"
#include "support/drives.hpp"
#include "support/kalman_reference.hpp"
#include "support/linear_model.hpp"
#include "support/random.hpp"
#include "support/truth.hpp"

namespace tauhat {
namespace {

constexpr int N = 3;
using Chain = LinearModel<double, N, 2>;

// A chain of integrators, for which RK4 and the series are exact, seen by two sensors that mix the states.
Chain observed_chain() {
  Chain chain = integrator_chain<double, N, 2>(0.5);
  chain.c << 1.0, 0.2, 0.0, 0.3, 1.0, -0.4;
  return chain;
}

struct EkfAlgebra : testing::Test {
  Draw draw{21};
  const Chain chain = observed_chain();
  const Gaussian<double, N> prior{draw.matrix<double, N>(), draw.covariance<double, N>()};
  const Vector<double, 2> r{0.3, 0.7};
  Ekf<Chain> filter{chain, prior};

  void correct_both(const Vector<double, 2>& z) {
    for (int i = 0; i < 2; ++i) filter.correct({i, z[i], r[i]});
  }
};

// Law of the whole library: on a linear model the extended filter is the Kalman filter, all sensors at once.
TEST_F(EkfAlgebra, IsTheKalmanFilterOfALinearModel) {
  const double dt = 0.1;
  const VanLoan exact = van_loan(chain, dt);
  KalmanReference reference{prior.mean, prior.covariance()};
  for (int k = 0; k < 500; ++k) {
    const Vector<double, 2> z = draw.matrix<double, 2>();
    const double u = draw.normal();
    correct_both(z);
    reference.correct(chain.c, Eigen::MatrixXd(r.asDiagonal()), z);
    filter.predict(Vector<double, 1>(u), dt);
    reference.predict(exact.transition.cast<double>(), exact.response.cast<double>() * u, exact.noise.cast<double>());
    ASSERT_LT(deviation(filter.belief().mean, reference.mean, reference.covariance), 1e-12) << k;
    ASSERT_LT(scaled_difference(filter.belief().covariance(), reference.covariance), 1e-12) << k;
  }
}

TEST_F(EkfAlgebra, ScalarCorrectionsAreTheVectorCorrection) {
  KalmanReference reference{prior.mean, prior.covariance()};
  const Vector<double, 2> z = draw.matrix<double, 2>();
  correct_both(z);
  reference.correct(chain.c, Eigen::MatrixXd(r.asDiagonal()), z);
  EXPECT_LT(deviation(filter.belief().mean, reference.mean, reference.covariance), 1e-13);
  EXPECT_LT(scaled_difference(filter.belief().covariance(), reference.covariance), 1e-13);
}

// The information form: P+^-1 = P^-1 + h h^T / R.
TEST_F(EkfAlgebra, CorrectionAddsInformation) {
  filter.correct({1, 0.4, r[1]});
  const Vector<double, N> h = chain.c.row(1).transpose();
  const Matrix<double, N> information = Matrix<double, N>(prior.covariance()).inverse() + h * h.transpose() / r[1];
  EXPECT_LT(scaled_difference(filter.belief().covariance(), information.inverse()), 1e-13);
}

// Joseph's form holds for any gain; with a sensor 10^14 times as sure as the prior, the short form loses its
// sign.
TEST_F(EkfAlgebra, StaysDefiniteWithAVerySureSensor) {
  for (int k = 0; k < 100; ++k) {
    filter.correct({0, 1.0, 1e-14});
    ASSERT_TRUE(is_definite(filter.belief())) << k;
  }
}

// e = z - h x, S = h P h + R, NIS = e^2 / S, log p = -(log(2 pi S) + e^2 / S) / 2, gain = P h / S.
TEST_F(EkfAlgebra, SaysInnovationLikelihoodAndGain) {
  const auto done = filter.correct({0, 1.5, r[0]});
  const Vector<double, N> h = chain.c.row(0).transpose();
  const double e = 1.5 - h.dot(prior.mean), s = h.dot(prior.covariance() * h) + r[0];
  EXPECT_EQ(done.status, StepStatus::ok);
  EXPECT_NEAR(done.innovation, e, 1e-14);
  EXPECT_NEAR(done.variance, s, 1e-14);
  EXPECT_NEAR(done.nis(), e * e / s, 1e-13);
  EXPECT_NEAR(done.log_likelihood(), -0.5 * (std::log(2.0 * std::numbers::pi * s) + e * e / s), 1e-13);
  EXPECT_LT(relative_difference(filter.gradient(), h), 1e-15);
  EXPECT_LT(relative_difference(filter.gain(), Vector<double, N>(prior.covariance() * h / s)), 1e-14);
}

// Likelihoods add up to that of all samples together, whatever their order: chain rule of probabilities.
TEST_F(EkfAlgebra, LikelihoodDoesNotDependOnTheOrder) {
  Ekf<Chain> other = filter;
  const Measurement<double> first{0, 0.4, r[0]}, second{1, -0.8, r[1]};
  const double forwards = filter.correct(first).log_likelihood() + filter.correct(second).log_likelihood();
  const double backwards = other.correct(second).log_likelihood() + other.correct(first).log_likelihood();
  EXPECT_NEAR(forwards, backwards, 1e-13);
  EXPECT_LT(deviation(filter.belief().mean, other.belief().mean, prior.covariance()), 1e-13);
}

TEST_F(EkfAlgebra, OutputsCarryTheirVariance) {
  const auto estimate = estimate_output(chain, 1, prior, Vector<double, 1>(0.0));
  const Vector<double, N> h = chain.c.row(1).transpose();
  EXPECT_NEAR(estimate.value, h.dot(prior.mean), 1e-14);
  EXPECT_NEAR(estimate.variance, h.dot(prior.covariance() * h), 1e-14);
}

// A drive that turns at 5 rad/s when the filter is switched on: its velocity is there with the first sample,
// and the next 50 samples of two sensors hold no surprise.
TEST(EkfStart, HasNoTransient) {
  using Drive = TwoMassDrive<double>;
  const auto model = hovland_drive();
  const double dt = 5e-4, variance = 0.01;
  const Vector<double, 1> u(model.model.motor_friction.torque(5.0));
  Draw draw(3);
  Vector<double, 5> truth;
  truth << 2.0, 2.0, 5.0, 5.0, 0.0;
  const auto sensor = [&](int output) {
    return Measurement<double>{output, model.output(output, truth, u) + 0.1 * draw.normal(), variance};
  };
  HovlandFilter filter(model, hovland_prior());
  filter.set_gate(9.0);  // must not keep the first samples out
  Vector<double, 5> wide;
  wide << 10.0, 10.0, 1e4, 1e4, 0.1;
  const std::array first{sensor(Drive::motor_velocity_output), sensor(Drive::load_velocity_output)};
  filter.start(Gaussian<double, 5>::from_variances(Vector<double, 5>::Zero(), wide), first);
  EXPECT_NEAR(filter.belief().mean[Drive::motor_velocity], 5.0, 3.0 * 0.1);
  EXPECT_NEAR(filter.belief().mean[Drive::load_velocity], 5.0, 3.0 * 0.1);

  filter.set_gate(std::numeric_limits<double>::infinity());
  std::vector<double> surprise;
  for (int k = 0; k < 50; ++k) {
    filter.predict(u, dt);
    truth = advance_truth(model, truth, u, dt, 20, draw);
    for (const int output : {Drive::motor_velocity_output, Drive::load_velocity_output}) {
      surprise.push_back(filter.correct(sensor(output)).nis());
    }
  }
  EXPECT_THAT(mean_of(surprise), Within95(1.0, static_cast<double>(surprise.size())));
}

TEST(EkfStart, KeepsItsGate) {
  HovlandFilter filter(hovland_drive(), hovland_prior());
  filter.set_gate(9.0);
  const std::array first{Measurement<double>{2, 100.0, 0.01}};
  filter.start(hovland_prior(), first);
  EXPECT_GT(filter.belief().mean[2], 90.0);
  EXPECT_EQ(filter.correct({2, -100.0, 0.01}).status, StepStatus::gated);
}

}  // namespace
}  // namespace tauhat
