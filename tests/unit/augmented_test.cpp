// What unknowns add to a model: a wandering torque, a parameter.
#include <gtest/gtest.h>

#include "support/core_types.hpp"
#include "support/parameters.hpp"
#include "tauhat/core/filters/ekf.hpp"

namespace tauhat {
namespace {

using Drive = TwoMassDrive<double>;
using Free = FreeTorqueDrive<double>;

Free example() {
  Free model{with_distinct_parameters<Drive>(), 3.0, 0.5};
  model.model.noise << 0.1, 0.2, 0.3, 0.4;
  return model;
}
const Vector<double, 5> kState = (Vector<double, 5>() << 0.1, -0.2, 0.3, 0.4, 0.7).finished();
const Vector<double, 1> kTorque(0.6);

// The last state takes the place of the last input; it leaks towards zero and does nothing else.
TEST(RandomWalk, IsTheInnerModelsLastInput) {
  const Free model = example();
  const Vector<double, 5> dx = model.derivative(kState, kTorque);
  const Vector<double, 4> inner = model.model.derivative(kState.head<4>(), {0.6, 0.7});
  EXPECT_LT((dx.head<4>() - inner).norm(), 1e-15 * inner.norm());  // products may be fused in one and not the other
  EXPECT_DOUBLE_EQ(dx[Free::kWalk], -0.5 * 0.7);
}

TEST(RandomWalk, IsReadAsAnOutput) {
  const Free model = example();
  EXPECT_EQ(model.output(Drive::transmission_torque_output, kState, kTorque), 0.7);
  const auto gradient = differentiate_output(model, Drive::transmission_torque_output, kState, kTorque);
  EXPECT_TRUE(gradient.by_state == (Vector<double, 5>::Unit(Free::kWalk)));
}

TEST(RandomWalk, AddsItsIntensitySquared) {
  EXPECT_TRUE(example().spectral_density() == (Vector<double, 5>() << 0.1, 0.2, 0.3, 0.4, 9.0).finished());
}

TEST(RandomWalk, KeepsIntensityAndLeakWhenCast) {
  const auto single = example().cast<float>();
  EXPECT_EQ(single.intensity, 3.0F);
  EXPECT_EQ(single.leak, 0.5F);
}

// Left alone, the variance of a walk grows by intensity^2 t; that of a leaking one settles at intensity^2 /
// (2 leak).
TEST(RandomWalk, SpreadsLikeBrownianMotion) {
  for (const double leak : {0.0, 0.5}) {
    Free model = example();
    model.leak = leak;
    Ekf<Free> filter(model, {Vector<double, 5>::Zero(), Matrix<double, 5>::Zero()});
    for (int k = 0; k < 200; ++k) filter.predict(kTorque, 0.01);
    const double grown = leak == 0.0 ? 9.0 * 2.0 : 9.0 * -std::expm1(-2.0 * leak * 2.0) / (2.0 * leak);
    EXPECT_NEAR(filter.belief().covariance()(4, 4), grown, 1e-10 * grown) << leak;
  }
}

struct ConstantsTest : testing::Test {
  using Tuned = SelfTuningDrive<double>;
  Tuned model{example(), {1, 3, 5}};  // load inertia, damping, Coulomb friction
  Vector<double, 8> at(double a, double b, double c) const {
    Vector<double, 8> x;
    x << kState, a, b, c;
    return x;
  }
};

// The states are relative to the start: at one, nothing is changed.
TEST_F(ConstantsTest, AreRelativeToTheirStart) {
  const Vector<double, 8> dx = model.derivative(at(1.0, 1.0, 1.0), kTorque);
  EXPECT_TRUE(dx.head<5>().isApprox(model.model.derivative(kState, kTorque), 1e-14));
  EXPECT_TRUE(dx.tail<3>().isZero(0));
}

TEST_F(ConstantsTest, ScaleTheParametersAtTheirPositions) {
  Free other = model.model;
  set_parameter(other, "load.inertia", 2.0 * parameter(other, "load.inertia"));
  set_parameter(other, "transmission.damping", 3.0 * parameter(other, "transmission.damping"));
  set_parameter(other, "motor.friction.coulomb", 0.5 * parameter(other, "motor.friction.coulomb"));
  const Vector<double, 8> x = at(2.0, 3.0, 0.5);
  EXPECT_TRUE(model.derivative(x, kTorque).head<5>().isApprox(other.derivative(kState, kTorque), 1e-15));
  EXPECT_EQ(parameter_values(model.model_at(x)), parameter_values(other));
  EXPECT_EQ(parameter_values(model), parameter_values(example()));  // the start values stay
}

// d(w_l') / ds of the load inertia: -w_l' / s, as J_l w_l' is given.
TEST_F(ConstantsTest, AreDifferentiatedAutomatically) {
  const Vector<double, 8> x = at(2.0, 1.0, 1.0);
  const auto jacobian = linearise(model, x, kTorque);
  EXPECT_NEAR(jacobian.by_state(3, 5), -jacobian.derivative[3] / 2.0, 1e-14);
}

TEST_F(ConstantsTest, DoNotWander) {
  EXPECT_TRUE(model.spectral_density().head<5>() == example().spectral_density());
  EXPECT_TRUE(model.spectral_density().tail<3>().isZero(0));
}

TEST_F(ConstantsTest, KeepTheirPositionsWhenCast) { EXPECT_EQ(model.cast<float>().parameter, model.parameter); }

}  // namespace
}  // namespace tauhat
