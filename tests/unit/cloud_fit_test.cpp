// The cloud fit against clouds whose law is known exactly.
#include "tauhat/offline/identify/cloud_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tauhat/offline/simulate/random.hpp"

namespace tauhat {
namespace {

// Samples of a curve along a slow sweep, with noise in the torque and an offset that drifts.
Cloud cloud_of(Curve curve, const CurveParameters& parameters, double drift, double noise) {
  Cloud cloud;
  Random random(11, "cloud", 0);
  for (int k = 0; k < 6000; ++k) {
    const double t = 1e-3 * k;
    const double offset = drift * std::sin(0.5 * t);
    const double x = 0.3 * std::sin(9.0 * t) + 0.1 * std::sin(23.0 * t);
    cloud.time.push_back(t);
    cloud.displacement.push_back(x + offset);
    cloud.torque.push_back(evaluate(curve, parameters, x).torque + noise * random.normal());
    cloud.torque_variance.push_back(noise * noise);
    cloud.displacement_rate.push_back(0.3 * 9.0 * std::cos(9.0 * t) + 2.3 * std::cos(23.0 * t));
  }
  cloud.bandwidth = 2000.0;
  for (int i = 0; i <= 60; ++i) cloud.offset.knot_times.push_back(0.1 * i);
  cloud.offset.step_variance.assign(60, 1e-4);
  cloud.offset.value.assign(61, 0.0);
  return cloud;
}

TEST(CloudFit, FindsGapAndStiffnessUnderADriftingOffset) {
  const Cloud cloud = cloud_of(Curve::dead_zone, {40.0, 0.1}, 0.05, 0.05);
  const CloudFit fit = fit_cloud(cloud, Curve::dead_zone);
  EXPECT_LT(std::abs(fit.gap() - 0.2), 4.0 * fit.gap_std());
  EXPECT_LT(std::abs(fit.stiffness() - 40.0), 4.0 * fit.stiffness_std());
  EXPECT_LT(fit.gap_std(), 5e-4);  // white noise of 0.05 N m on 6000 samples cannot leave more
}

TEST(CloudFit, FindsTwoStiffnesses) {
  const CloudFit fit =
      fit_cloud(cloud_of(Curve::asymmetric_dead_zone, {40.0, 25.0, 0.05}, 0.02, 0.05), Curve::asymmetric_dead_zone);
  EXPECT_NEAR(fit.parameters[0], 40.0, 0.2);
  EXPECT_NEAR(fit.parameters[1], 25.0, 0.2);
  EXPECT_NEAR(fit.gap(), 0.1, 1e-3);
}

TEST(CloudFit, ADeadZoneBeatsItsRivals) {
  const Cloud cloud = cloud_of(Curve::dead_zone, {40.0, 0.03}, 0.02, 0.1);
  const auto evidence = compare_with_rivals(cloud, fit_cloud(cloud, Curve::dead_zone),
                                            {fit_cloud(cloud, Curve::linear), fit_cloud(cloud, Curve::stiffening)});
  EXPECT_GT(evidence.weakest(), 10.0);
}

TEST(CloudFit, ASpringBeatsTheDeadZone) {
  for (const auto& [curve, parameters] :
       {std::pair{Curve::linear, CurveParameters{40.0}}, {Curve::stiffening, CurveParameters{20.0, 150.0}}}) {
    const Cloud cloud = cloud_of(curve, parameters, 0.02, 0.1);
    const auto evidence = compare_with_rivals(cloud, fit_cloud(cloud, Curve::dead_zone),
                                              {fit_cloud(cloud, Curve::linear), fit_cloud(cloud, Curve::stiffening)});
    EXPECT_LT(evidence.weakest(), 10.0);
  }
}

// Solved by elimination it must equal the dense solution of the same normal equations.
TEST(BorderedSystem, EqualsTheDenseSolution) {
  Random random(3, "system", 0);
  DriftingOffset offset;
  offset.knot_times = {0.0, 1.0, 2.0, 3.0};
  offset.step_variance = {0.5, 0.2, 0.1};
  offset.value = {0.1, -0.2, 0.3, 0.0};
  BorderedSystem system(4, 2);
  Eigen::MatrixXd normal = Eigen::MatrixXd::Zero(6, 6);
  Eigen::VectorXd right = Eigen::VectorXd::Zero(6);
  for (int i = 0; i < 30; ++i) {
    const Eigen::Vector2d gradient(random.normal(), random.normal());
    const double slope = random.normal(), residual = random.normal(), weight = 0.5 + random.uniform();
    const auto place = offset.place(0.1 * i);
    system.add(gradient, slope, place, weight, residual);
    Eigen::VectorXd row = Eigen::VectorXd::Zero(6);
    row.head(2) = gradient;
    row[2 + static_cast<Eigen::Index>(place.index)] += slope * (1.0 - place.fraction);
    row[3 + static_cast<Eigen::Index>(place.index)] += slope * place.fraction;
    normal += weight * row * row.transpose();
    right += weight * residual * row;
  }
  system.add_prior(offset);
  for (Eigen::Index i = 0; i < 3; ++i) {
    Eigen::VectorXd row = Eigen::VectorXd::Zero(6);
    row[2 + i] = -1.0, row[3 + i] = 1.0;
    const auto k = static_cast<std::size_t>(i);
    normal += row * row.transpose() / offset.step_variance[k];
    right -= row * (offset.value[k + 1] - offset.value[k]) / offset.step_variance[k];
  }
  normal(2, 2) += 1e-2, right[2] -= 1e-2 * offset.value[0];
  Eigen::VectorXd step;
  std::vector<double> knots;
  ASSERT_TRUE(system.solve(step, knots));
  const Eigen::VectorXd dense = normal.ldlt().solve(right);
  EXPECT_LT((step - dense.head(2)).norm(), 1e-10);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(knots[k], dense[static_cast<Eigen::Index>(2 + k)], 1e-10);
}

}  // namespace
}  // namespace tauhat
