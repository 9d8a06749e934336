// Stationary filters of the elastic axis: their published gains, what is left of the equation, and what is refused.
#include "tauhat/core/linear/stationary_filter.hpp"

#include <gtest/gtest.h>

#include "support/differences.hpp"
#include "support/elastic_axis.hpp"
#include "support/random.hpp"

namespace tauhat {
namespace {

using namespace elastic_axis;
using Six = StepNoise<double, 6, 1>;
const Vector<double, 1> kPublishedSensor(1.1039e-6);

// Q = G G^T of the comparison.
Six published(const Vector<double, 6>& diagonal) {
  constexpr double kSmall = 0.1 / kRatio;
  Matrix<double, 6> g = diagonal.asDiagonal();
  g(0, 2) = g(2, 3) = g(3, 5) = kSmall, g(0, 3) = g(1, 4) = 0.01, g(2, 5) = 0.1;
  const Matrix<double, 6> symmetric = g.selfadjointView<Eigen::Upper>();
  return {symmetric * symmetric.transpose(), kPublishedSensor};
}
Six slow() { return published({0.1, 0.1, 100.0, 0.1, 0.1, 100.0}); }
Six quick() { return published({1.0, 100.0, 1.0, 1.0, 1.0, 1.0}); }

StepNoise<double, 7, 1> published_seven() {
  constexpr double kInverse = 1.0 / kRatio;
  Matrix<double, 7> g = Matrix<double, 7>::Zero();
  g.topLeftCorner<4, 4>() << 0.01, kInverse, 0.1, 0.0,  //
      kInverse, 1.0, kInverse, 0.1,                     //
      0.1, kInverse, 0.01, kInverse,                    //
      0.0, 0.1, kInverse, 500.0;
  g.block<2, 2>(4, 4) << 5e6, 100.0, 100.0, 1.0;
  g(6, 6) = 1.0;
  return {g * g.transpose(), kPublishedSensor};
}

TEST(StationaryFilter, GivesThePublishedGain) {
  const auto axis = six();
  const auto filter = stationary_filter<double, 6, 1>(axis.a, axis.c, slow(), kPeriod);
  ASSERT_TRUE(filter.designed());
  const Vector<double, 6> known(5.43777e-3, -0.0618384, 1.6098, 1.28472e-4, 6.47032e-5, 1.00159);
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(filter.predictor_gain[i] / known[i], 1.0, 1e-5) << i;
}

TEST(StationaryFilter, SolvesItsEquation) {
  const auto axis = six();
  for (const Six& noise : {slow(), quick()}) {
    const auto filter = stationary_filter<double, 6, 1>(axis.a, axis.c, noise, kPeriod);
    EXPECT_TRUE(filter.designed());
    EXPECT_LT(filter.residual, 1e-14);  // the figure of the comparison is 1e-9
    EXPECT_LT(filter.radius, 1.0);
    // As the equation stands, in the units of the model.
    const Matrix<double, 6> next = axis.a * filter.corrected * axis.a.transpose() + noise.process;
    EXPECT_LT(scaled_difference(next, filter.predicted), 1e-12);
  }
  // Of the seven states one has next to no noise: its pole is at 1 - 2.5e-8.
  const auto seventh = seven();
  const auto filter = stationary_filter<double, 7, 1>(seventh.a, seventh.c, published_seven(), kPeriod);
  EXPECT_TRUE(filter.designed());
  EXPECT_LT(filter.residual, 1e-13);
  EXPECT_NEAR(1.0 - filter.radius, 2.512e-8, 1e-11);
}

// Densities of torques, two sensors: where the filter's own recursion ends.
TEST(StationaryFilter, IsTheRecursionsEnd) {
  const auto axis = six_and_disturbance();
  Matrix<double, 7, 3> directions = Matrix<double, 7, 3>::Zero();
  directions(2, 0) = 1.0 / kMotorInertia, directions(6, 2) = 1.0;
  directions.col(1).head<6>() = against_the_link();
  const Vector<double, 3> densities(1e-6, 0.1, std::pow(10.0, -0.4));
  Matrix<double, 2, 7> c = Matrix<double, 2, 7>::Zero();
  c(0, 5) = c(1, 0) = 1.0;
  const DensityNoise<double, 7, 2> density{directions * densities.asDiagonal() * directions.transpose(),
                                           {4.2e-12, 1e-4}};
  const auto noise = step_noise<double, 7, 2>(axis.continuous, density, kPeriod);
  const auto filter = stationary_filter<double, 7, 2>(axis.a, c, noise, kPeriod);
  ASSERT_TRUE(filter.designed());
  Matrix<double, 7> p = Matrix<double, 7>::Identity();
  for (int k = 0; k < 60000; ++k) {
    for (int i = 0; i < 2; ++i) {
      const Vector<double, 7> seen = p * c.row(i).transpose(), gain = seen / (c.row(i) * seen + noise.sensors[i]);
      const Matrix<double, 7> left = Matrix<double, 7>::Identity() - gain * c.row(i);
      p = (left * p * left.transpose() + noise.sensors[i] * gain * gain.transpose()).eval();
    }
    if (k + 1 < 60000) p = (axis.a * p * axis.a.transpose() + noise.process).eval();
  }
  EXPECT_LT(scaled_difference(filter.corrected, p), 1e-9);
  EXPECT_LT(filter.residual, 1e-14);
}

TEST(StationaryFilter, RefusesWhatIsNone) {
  const auto axis = six();
  const auto status = [&](const Six& noise) {
    return stationary_filter<double, 6, 1>(axis.a, axis.c, noise, kPeriod).status;
  };
  Six noise = slow();
  noise.process(1, 1) = -1e-6;
  EXPECT_EQ(status(noise), FilterStatus::process_noise_not_positive);
  noise = slow();
  noise.process(0, 2) = noise.process(2, 0) = 2.0 * std::sqrt(noise.process(0, 0) * noise.process(2, 2));
  EXPECT_EQ(status(noise), FilterStatus::process_noise_not_positive);
  noise = slow();
  noise.process(0, 1) += 1.0;  // not symmetric
  EXPECT_EQ(status(noise), FilterStatus::process_noise_not_positive);
  noise = slow();
  noise.sensors[0] = 0.0;
  EXPECT_EQ(status(noise), FilterStatus::sensor_noise_not_positive);
  EXPECT_EQ((stationary_filter<double, 6, 1>(axis.a / 0.0, axis.c, slow(), kPeriod).status), FilterStatus::not_finite);
  // Without noise nothing moves the free axis, and the filter ends with a gain of zero.
  EXPECT_NE(status({Matrix<double, 6>::Zero(), kPublishedSensor}), FilterStatus::designed);
}

// The doubling alone returns a finite covariance here.
TEST(StationaryFilter, RefusesARandomWalkTooMany) {
  const auto axis = six_and_two_integrators();
  const StepNoise<double, 8, 1> noise{Matrix<double, 8>::Identity() * 1e-6, Vector<double, 1>(4.2e-12)};
  const auto filter = stationary_filter<double, 8, 1>(axis.a, axis.c, noise, kPeriod);
  EXPECT_EQ(filter.status, FilterStatus::not_detectable);
  EXPECT_EQ(filter.detectability.mode.frequency, 0.0);
  EXPECT_TRUE(solve_discrete_riccati<double>(axis.a, axis.c, noise.process, noise.sensors).covariance.allFinite());
}

// Any gain's covariance: that of the optimal one is the filter's own, and every other is larger.
TEST(ObserverCovariance, IsLeastForTheFiltersGain) {
  const auto axis = six();
  const auto filter = stationary_filter<double, 6, 1>(axis.a, axis.c, quick(), kPeriod);
  const auto own = observer_covariance<double, 6, 1>(axis.a, axis.c, filter.predictor_gain, quick());
  EXPECT_TRUE(own.converged);
  EXPECT_LT(scaled_difference(own.covariance, filter.predicted), 1e-10);
  const Vector<double, 6> other_gain = 0.9 * filter.predictor_gain;
  const auto other = observer_covariance<double, 6, 1>(axis.a, axis.c, other_gain, quick());
  EXPECT_TRUE((is_positive_semidefinite<double, 6>(other.covariance - filter.predicted)));
  EXPECT_GT(other.covariance(0, 0), filter.predicted(0, 0));
  EXPECT_FALSE((observer_covariance<double, 6, 1>(axis.a, axis.c, -filter.predictor_gain, quick()).converged));
}

// Seed 4: 400 000 steps of a placed observer's error; its variances come out within 5 %.
TEST(ObserverCovariance, IsWhatRunsShow) {
  Matrix<double, 2> a;
  a << 1.0, 0.01, -0.5, 0.97;
  const Matrix<double, 1, 2> c(1.0, 0.0);
  const Vector<double, 2> gain(0.4, 2.0);
  StepNoise<double, 2, 1> noise{Matrix<double, 2>::Zero(), Vector<double, 1>(1e-2)};
  noise.process << 1e-4, 1e-3, 1e-3, 4e-2;
  const auto expected = observer_covariance<double, 2, 1>(a, c, gain, noise);
  Draw draw(4);
  Vector<double, 2> error = Vector<double, 2>::Zero();
  Matrix<double, 2> sum = Matrix<double, 2>::Zero();
  constexpr int kSteps = 400000;
  for (int k = 0; k < kSteps; ++k) {
    error = (a * error + draw.sample<2>(noise.process) - gain * (c * error + Vector<double, 1>(0.1 * draw.normal())))
                .eval();
    sum += error * error.transpose() / kSteps;
  }
  EXPECT_LT(scaled_difference(sum, expected.covariance), 0.05);
}

}  // namespace
}  // namespace tauhat
