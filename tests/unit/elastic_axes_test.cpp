// All axes of a robot in one linear model, against the model of one joint.
#include <gtest/gtest.h>

#include <numbers>

#include "tauhat/core/models/elastic_axes.hpp"
#include "tauhat/core/models/linear_joint.hpp"
#include "tauhat/core/unknowns/random_walk.hpp"

namespace tauhat {
namespace {

constexpr double kLeak = 2.0 * std::numbers::pi * 0.2;

template <int Axes>
void set_axis(ElasticAxes<double, Axes>& axes, int i, const ElasticJoint<double, false>& joint) {
  axes.ratio[i] = joint.ratio, axes.motor_inertia[i] = joint.motor_inertia, axes.motor_viscous[i] = joint.motor_viscous;
  axes.stiffness[i] = joint.stiffness, axes.damping[i] = joint.damping, axes.load_viscous[i] = joint.load_viscous;
  axes.leak[i] = kLeak;
  axes.motor_noise[i] = joint.torque_noise[0], axes.load_noise[i] = joint.torque_noise[1];
}

ElasticJoint<double, false> robot_axis() {
  ElasticJoint<double, false> joint;
  joint.motor_inertia = 7e-4, joint.motor_viscous = 0.008, joint.ratio = 120.0;
  joint.stiffness = 1.2e5, joint.damping = 80.0, joint.load_inertia = 14.3854, joint.load_viscous = 2.0;
  joint.torque_noise << 1e-6, 0.1;
  return joint;
}

TEST(ElasticAxes, OneOfThemIsTheJointWithItsDisturbance) {
  using Alone = ElasticJoint<double, false>;
  const auto joint = linear_joint(Augmented<Alone, RandomWalk<Alone::motor_disturbance>>{robot_axis(), 0.6, kLeak});
  ElasticAxes<double, 1> axes;
  set_axis(axes, 0, robot_axis());
  axes.disturbance_noise[0] = 0.36;
  const auto linear = linear_axes<double, 1>(axes, Matrix<double, 1>(14.3854));
  ASSERT_TRUE(linear.mass_is_positive);
  EXPECT_LT((linear.dynamics - joint.dynamics).norm(), 1e-9 * joint.dynamics.norm());
  EXPECT_LT((linear.by_torque - joint.by_torque.leftCols<2>()).norm(), 1e-9 * joint.by_torque.norm());
  EXPECT_LT((linear.noise - joint.noise).norm(), 1e-12 * joint.noise.norm());
}

// With a motor that nothing turns, the second axis is the neighbour of the coupled joint.
TEST(ElasticAxes, TwoOfThemAreTheJointWithItsNeighbour) {
  ElasticJoint<double> coupled;
  coupled.motor_inertia = 7e-4, coupled.motor_viscous = 0.008, coupled.ratio = 120.0;
  coupled.stiffness = 1.2e5, coupled.damping = 80.0, coupled.load_inertia = 14.3854, coupled.load_viscous = 2.0;
  coupled.coupling_inertia = 3.4358, coupled.neighbour_inertia = 2.7927;
  coupled.neighbour_stiffness = 3e4, coupled.neighbour_damping = 12.0, coupled.neighbour_viscous = 0.5;
  const auto joint = linear_joint(coupled);
  ElasticAxes<double, 2> axes;
  set_axis(axes, 0, robot_axis());
  axes.ratio[1] = 100.0, axes.motor_inertia[1] = 1e12;
  axes.stiffness[1] = 3e4, axes.damping[1] = 12.0, axes.load_viscous[1] = 0.5;
  const Matrix<double, 2> mass{{14.3854, 3.4358}, {3.4358, 2.7927}};
  const auto linear = linear_axes<double, 2>(axes, mass);
  using Axes = ElasticAxes<double, 2>;
  const int place[6] = {Axes::motor_position, Axes::load_position, Axes::load_position + 1,
                        Axes::motor_velocity, Axes::load_velocity, Axes::load_velocity + 1};
  for (int i = 0; i < 6; ++i)
    for (int k = 0; k < 6; ++k)
      EXPECT_NEAR(linear.dynamics(place[i], place[k]), joint.dynamics(i, k), 1e-9 * joint.dynamics.norm())
          << i << ' ' << k;
}

TEST(ElasticAxes, AMassMatrixThatIsNoneIsSaid) {
  const Matrix<double, 2> mass{{1.0, 2.0}, {2.0, 1.0}};
  EXPECT_FALSE((linear_axes<double, 2>(ElasticAxes<double, 2>{}, mass).mass_is_positive));
}

}  // namespace
}  // namespace tauhat
