// What a law leaves of the friction, in means over stretches of sliding.
#include "tauhat/offline/friction/unexplained_force.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "support/random.hpp"
#include "tauhat/offline/friction/identify_friction.hpp"

namespace tauhat {
namespace {

constexpr double kLevel = 0.2, kNoise = 1e-3;  // N m, of the blind friction, sample by sample

// An axis that swings, with Coulomb friction and what lies beside it, as the blind smoother would have seen it.
FrictionFit swung(const std::function<double(double time, double position)>& beside) {
  constexpr double kPeriod = 1e-3, kRate = 1.0;
  constexpr int kSamples = 25'000;
  Draw draw(3);
  FrictionFit fit;
  fit.law = {LawKind::coulomb_viscous, {kLevel, 0.0}, {}};
  fit.parametric.parameters = {{"friction.coulomb", "N m", kLevel, 1e-4}, {"friction.viscous", "N m s/rad", 0.0, 1e-4}};
  fit.blind_options.intensity = 0.2, fit.blind_options.reversal_speed = 0.02;
  fit.timeline.inputs = {std::vector<double>(kSamples, 0.0)};
  Timeline::Sensor sensor{"axis.position", Axis<double>::position_output, 1e-10, {}};
  for (int k = 0; k < kSamples; ++k) {
    const double t = k * kPeriod, position = std::sin(kRate * t), velocity = kRate * std::cos(kRate * t);
    const double friction = velocity > 0.0 ? kLevel : -kLevel;
    fit.timeline.time.push_back(t);
    sensor.value.push_back(position);
    fit.blind.velocity.value.push_back(velocity), fit.blind.velocity.std.push_back(1e-4);
    fit.blind.friction.value.push_back(friction + beside(t, position) + kNoise * draw.normal());
    fit.parametric.smoothed_friction.value.push_back(friction);
  }
  fit.timeline.sensors = {sensor};
  return fit;
}

TEST(UnexplainedForce, IsNoneWhereTheLawHolds) {
  const UnexplainedForce found = unexplained_force(swung([](double, double) { return 0.0; }));
  EXPECT_GT(found.velocity.size(), 20U);
  EXPECT_FALSE(found.is_significant()) << found.over_noise;
  EXPECT_LT(found.share, 1e-3);
}

// A sine has its size over the root of two, a line from -1 to 1 its over the root of three.
TEST(UnexplainedForce, IsAsLargeAsWhatActsBesideTheLaw) {
  const UnexplainedForce ripple = unexplained_force(swung([](double, double x) { return 0.02 * std::sin(3.0 * x); }));
  EXPECT_TRUE(ripple.is_significant());
  EXPECT_NEAR(ripple.size, 0.02 / std::sqrt(2.0), 0.003);
  const UnexplainedForce drift = unexplained_force(swung([](double t, double) { return 0.02 * (t / 12.5 - 1.0); }));
  EXPECT_NEAR(drift.size, 0.02 / std::sqrt(3.0), 0.003);
  EXPECT_NEAR(drift.share, drift.size / kLevel, 0.01 * drift.share);
}

// For one level, and as much of it: size / sqrt(3). A parameter that does not show in sliding owes nothing to it.
TEST(UnexplainedForce, WidensWhatTheLawSays) {
  FrictionFit fit = swung([](double, double x) { return 0.02 * std::sin(3.0 * x); });
  const UnexplainedForce found = unexplained_force(fit);
  const Eigen::MatrixXd spread = spread_by_unexplained(fit, found);
  ASSERT_EQ(spread.rows(), 3);
  // Level and slope of a line through all stretches are known less well than a level alone.
  EXPECT_GT(std::sqrt(spread(0, 0)), found.size / std::sqrt(3.0));
  EXPECT_LT(std::sqrt(spread(0, 0)), 5.0 * found.size);
  const double middle = 0.7;  // rad/s: there the band is that of a mean
  const Eigen::Vector2d gradient = fit.steady_gradient(middle);
  EXPECT_NEAR(std::sqrt(gradient.dot(spread.topLeftCorner(2, 2) * gradient)), found.size / std::sqrt(3.0),
              0.1 * found.size);
  EXPECT_EQ(spread(2, 2), 0.0);  // the constant force was known
}

}  // namespace
}  // namespace tauhat
