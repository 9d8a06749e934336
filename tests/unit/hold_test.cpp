// Held inputs and white torques over one period: against closed forms, the series and the integral taken step by step.
#include "tauhat/core/linear/hold.hpp"

#include <gtest/gtest.h>

#include "support/differences.hpp"
#include "support/elastic_axis.hpp"

namespace tauhat {
namespace {

// A mass: x' = v, v' = u.
TEST(Hold, OfAMassIsTheParabola) {
  Matrix<double, 2> a;
  a << 0.0, 1.0, 0.0, 0.0;
  const double h = 0.3;
  const auto sampled = held<double, 2, 1>(a, Vector<double, 2>(0.0, 1.0), h);
  EXPECT_DOUBLE_EQ(sampled.transition(0, 1), h);
  EXPECT_DOUBLE_EQ(sampled.by_input[0], h * h / 2.0);
  EXPECT_DOUBLE_EQ(sampled.by_input[1], h);
}

// x' = -a x + u, with two inputs of which one does nothing: (1 - e^(-a h)) / a, in both precisions.
template <class T>
void expect_decay(double tolerance) {
  for (const double rate : {1e-6, 3.0, 2e4}) {
    const double h = 5e-4;
    const auto sampled = held<T, 1, 2>(Matrix<T, 1>(T(-rate)), Matrix<T, 1, 2>(T(1), T(0)), T(h));
    const double gain = -std::expm1(-rate * h) / rate;
    EXPECT_NEAR(static_cast<double>(sampled.by_input[0]), gain, tolerance * gain) << rate;
    EXPECT_EQ(sampled.by_input[1], T(0));
  }
}
TEST(Hold, OfADecayIsItsClosedForm) { expect_decay<double>(1e-12); }
TEST(Hold, OfADecayIsItsClosedFormInFloat) { expect_decay<float>(3e-6); }

// exp and its integral by Taylor's series, in long double, over a 64th of the period, sixty-four times.
TEST(Hold, OfTheElasticAxisIsTheSeries) {
  using Wide = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
  const auto axis = elastic_axis::six();
  Wide all = Wide::Zero(7, 7);
  all.topLeftCorner(6, 6) = axis.continuous.cast<long double>();
  all.topRightCorner(6, 1) = axis.continuous_input.cast<long double>();
  all *= static_cast<long double>(elastic_axis::kPeriod) / 64;
  Wide term = Wide::Identity(7, 7), sum = term;
  for (int j = 1; j < 30; ++j) sum += term = Wide(term * all / j);
  for (int i = 0; i < 6; ++i) sum = Wide(sum * sum);
  for (int i = 0; i < 6; ++i) {  // the small elements, too: positions move little in a period
    for (int j = 0; j < 6; ++j) EXPECT_NEAR(axis.a(i, j), double(sum(i, j)), 2e-13 * axis.a.row(i).norm()) << i << j;
    EXPECT_NEAR(axis.b[i], double(sum(i, 6)), 1e-12 * std::abs(axis.b[i])) << i;
  }
}

// Torques at both links and the motor, which the mass matrix couples: Simpson's rule on the integral.
TEST(Hold, NoiseOfCoupledTorquesIsItsIntegral) {
  const auto axis = elastic_axis::six();
  const double h = elastic_axis::kPeriod;
  Matrix<double, 6, 2> directions;
  directions << elastic_axis::against_the_link(), Vector<double, 6>::Unit(2) / elastic_axis::kMotorInertia;
  const Vector<double, 2> densities(0.1, 1e-6);
  const Matrix<double, 6> found = sampled_noise<double, 6, 2>(axis.continuous, directions, densities, h);
  constexpr int kPanels = 200;
  const Matrix<double, 6> step = transition_over<double, 6>(axis.continuous, h / kPanels);
  Matrix<double, 6, 2> moved = directions;
  Matrix<double, 6> integral = Matrix<double, 6>::Zero();
  for (int k = 0; k <= kPanels; ++k) {
    const double weight = k == 0 || k == kPanels ? 1.0 : k % 2 == 1 ? 4.0 : 2.0;
    integral += weight * h / (3.0 * kPanels) * moved * densities.asDiagonal() * moved.transpose();
    moved = (step * moved).eval();
  }
  EXPECT_LT(scaled_difference(found, integral), 1e-7);
  EXPECT_LT(found(0, 1), -0.1 * std::sqrt(found(0, 0) * found(1, 1)));  // a torque at one link moves the other back
  EXPECT_EQ(found, found.transpose());
}

// The diagonal is a special case of the matrix.
TEST(Hold, IndependentNoisesAreADiagonalDensity) {
  const auto axis = elastic_axis::four();
  const Vector<double, 4> q(1.0, 2.0, 0.0, 3.0);
  const auto diagonal = discretise<double, 4>(axis.continuous, q, 1e-3);
  const auto full = discretise_correlated<double, 4>(axis.continuous, Matrix<double, 4>(q.asDiagonal()), 1e-3);
  EXPECT_EQ(diagonal.noise, full.noise);
  EXPECT_EQ(diagonal.transition, full.transition);
  EXPECT_LT(relative_difference(transition_over<double, 4>(axis.continuous, 1e-3), full.transition.topRows<4>()),
            1e-15);
}

// The model of the core, linearised, is the one that is printed: [qm q2 q3 vm v2 v3] against [v2 v3 vm q2 q3 qm].
TEST(Hold, TheElasticJointIsThePrintedAxis) {
  using namespace elastic_axis;
  using Joint = ElasticJoint<double>;
  Joint joint;
  joint.motor_inertia = kMotorInertia, joint.motor_viscous = kMotorViscous, joint.ratio = kRatio;
  joint.stiffness = kK2, joint.damping = kDamping2, joint.load_inertia = kM22, joint.load_viscous = kViscous2;
  joint.coupling_inertia = kM23, joint.neighbour_inertia = kM33, joint.neighbour_stiffness = kK3;
  joint.neighbour_damping = kDamping3, joint.neighbour_viscous = kViscous3;
  const auto at = linearise(joint, StateOf<Joint>::Zero(), InputOf<Joint>::Zero());
  const std::array order{Joint::load_velocity, Joint::neighbour_velocity, Joint::motor_velocity,
                         Joint::load_position, Joint::neighbour_position, Joint::motor_position};
  const auto printed = six();
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < 6; ++j) {
      const double element = printed.continuous(static_cast<int>(i), static_cast<int>(j));
      EXPECT_NEAR(at.by_state(order[i], order[j]), element, 1e-13 * std::abs(element)) << i << j;
    }
    EXPECT_NEAR(at.by_input(order[i], Joint::motor_torque) * kTorqueConstant,
                printed.continuous_input[static_cast<int>(i)], 1e-12);
    EXPECT_NEAR(at.by_input(order[i], Joint::external_torque), against_the_link()[static_cast<int>(i)], 1e-13);
  }
}

}  // namespace
}  // namespace tauhat
