// All axes of a robot in one linear model: against the model of one joint, and as an observer of thirty states against
// one of each axis alone.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <unsupported/Eigen/MatrixFunctions>

#include <cmath>
#include <numbers>

#include "support/random.hpp"
#include "support/robots.hpp"
#include "tauhat/core/models/elastic_axes.hpp"
#include "tauhat/core/models/linear_joint.hpp"
#include "tauhat/core/observers/fixed_gain.hpp"
#include "tauhat/core/robot/mass_matrix.hpp"
#include "tauhat/core/unknowns/random_walk.hpp"

namespace tauhat {
namespace {

constexpr double kPeriod = 400e-6, kLeak = 2.0 * std::numbers::pi * 0.2;

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

// ---- six axes

constexpr int kAxes = 6;
using Six = ElasticAxes<double, kAxes>;

// Links of an arm of six joints, bent; gears and motors sized so that each axis alone rings at 10 to 20 Hz.
struct Arm {
  Matrix<double, kAxes> mass;
  Six axes;
};
Arm arm() {
  Draw draw(11);
  const Robot<double, 7> robot = panda(draw);
  JointVector<double, 7> pose;
  pose << 0.3, 0.6, -0.4, -1.4, 0.5, 1.2, 0.2;
  Arm arm;
  arm.mass = 3.0 * mass_matrix(robot, pose).topLeftCorner<kAxes, kAxes>();
  for (int i = 0; i < kAxes; ++i) {
    const double inertia = arm.mass(i, i), ringing = 2.0 * std::numbers::pi * (10.0 + 2.0 * i);
    ElasticJoint<double, false> joint = robot_axis();
    joint.ratio = 100.0, joint.stiffness = inertia * ringing * ringing, joint.damping = 0.06 * inertia * ringing;
    joint.motor_inertia = 0.7 * inertia / (joint.ratio * joint.ratio);
    joint.motor_viscous = 0.5 * joint.motor_inertia, joint.load_viscous = 0.1 * inertia;
    joint.torque_noise << std::pow(1e-4 * inertia, 2), std::pow(0.02 * inertia, 2);
    set_axis(arm.axes, i, joint);
    arm.axes.disturbance_noise[i] = std::pow(3e-3 * inertia, 2);
  }
  return arm;
}

// Every stiffness and inertia that an observer believes in is a few per cent off.
Arm believed(Arm arm) {
  for (int i = 0; i < kAxes; ++i) arm.axes.stiffness[i] *= 1.0 + (i % 2 == 0 ? 0.05 : -0.05);
  Vector<double, kAxes> scale;
  for (int i = 0; i < kAxes; ++i) scale[i] = std::sqrt(1.0 + (i % 3 == 0 ? -0.05 : 0.05));
  const Matrix<double, kAxes> mass = scale.asDiagonal() * arm.mass * scale.asDiagonal();
  arm.mass = mass;
  return arm;
}

constexpr double kSensorVariance = 1e-11;
using Dynamic = Eigen::MatrixXd;

// [Phi Gamma; 0 I], with matrices of any size: thirty states at compile time take a compiler minutes.
template <int Axes>
Dynamic step_of(const LinearAxes<double, Axes>& linear) {
  using M = ElasticAxes<double, Axes>;
  Dynamic all = Dynamic::Zero(M::kStates + M::kInputs, M::kStates + M::kInputs);
  all.topLeftCorner(M::kStates, M::kStates) = linear.dynamics * kPeriod;
  all.topRightCorner(M::kStates, M::kInputs) = linear.by_torque * kPeriod;
  return all.exp();
}

// The filter's gain by its recursion, run until it settles.
template <int Axes>
Dynamic settled_gain(const Dynamic& a, const Dynamic& c, const Dynamic& q) {
  Dynamic p = q, gain;
  for (int k = 0; k < 6000; ++k) {
    const Dynamic seen = c * p;
    const Dynamic innovation = seen * c.transpose() + kSensorVariance * Dynamic::Identity(Axes, Axes);
    gain = innovation.llt().solve(seen).transpose();
    const Dynamic corrected = p - gain * seen;
    p = a * corrected * a.transpose() + q;
    p = 0.5 * (p + p.transpose()).eval();
  }
  return gain;
}

template <int Axes>
auto observer_of(const ElasticAxes<double, Axes>& axes, const Matrix<double, Axes>& mass) {
  using M = ElasticAxes<double, Axes>;
  const auto linear = linear_axes<double, Axes>(axes, mass);
  const Dynamic step = step_of(linear), a = step.topLeftCorner(M::kStates, M::kStates);
  // Within a sample the noise has no time to swing.
  const Dynamic gain = settled_gain<Axes>(a, linear.measured, linear.noise * kPeriod);
  return FixedGainObserver<double, M::kStates, M::kInputs, Axes>(a, step.topRightCorner(M::kStates, M::kInputs),
                                                                 linear.measured, ObserverForm::filter, gain);
}

template <int Axes>
ElasticAxes<double, 1> one_of(const ElasticAxes<double, Axes>& axes, int i) {
  ElasticAxes<double, 1> one;
  one.ratio[0] = axes.ratio[i], one.motor_inertia[0] = axes.motor_inertia[i];
  one.motor_viscous[0] = axes.motor_viscous[i], one.stiffness[0] = axes.stiffness[i];
  one.damping[0] = axes.damping[i], one.load_viscous[0] = axes.load_viscous[i], one.leak[0] = axes.leak[i];
  one.motor_noise[0] = axes.motor_noise[i], one.load_noise[0] = axes.load_noise[i];
  one.disturbance_noise[0] = axes.disturbance_noise[i];
  return one;
}

// Thirty states with six sensors see each link better than six observers that do not know of each other: what shakes
// an axis there is a torque of another axis, not noise.
TEST(ElasticAxes, SixTogetherAreBetterThanSixAlone) {
  const Arm truth = arm(), known = believed(truth);
  const auto plant = linear_axes<double, kAxes>(truth.axes, truth.mass);
  const Dynamic step = step_of(plant), transition = step.topLeftCorner(Six::kStates, Six::kStates),
                by_input = step.topRightCorner(Six::kStates, Six::kInputs);
  auto together = observer_of<kAxes>(known.axes, known.mass), exact = observer_of<kAxes>(truth.axes, truth.mass);
  std::vector<FixedGainObserver<double, 5, 2, 1>> alone;
  for (int i = 0; i < kAxes; ++i)
    alone.push_back(observer_of<1>(one_of(known.axes, i), Matrix<double, 1>(known.mass(i, i))));
  Draw draw(5);
  Vector<double, Six::kStates> x = Vector<double, Six::kStates>::Zero();
  Vector<double, kAxes> spread = Vector<double, kAxes>::Zero(), of_all = spread, of_one = spread, of_exact = spread;
  for (int k = 0; k < 10000; ++k) {
    Vector<double, Six::kInputs> u = Vector<double, Six::kInputs>::Zero();
    for (int i = 0; i < kAxes; ++i)  // a chord of its own for each motor, over its joint's resonance
      for (int line = 0; line < 8; ++line)
        u[i] += 0.02 * truth.mass(i, i) / truth.axes.ratio[i] * 10.0 *
                std::sin(2.0 * std::numbers::pi * (6.0 + 3.1 * line + 0.37 * i) * k * kPeriod + 1.7 * line * (i + 1));
    Vector<double, kAxes> y = x.head<kAxes>();
    for (int i = 0; i < kAxes; ++i) y[i] += std::sqrt(kSensorVariance) * draw.normal();
    together.step(u, y);
    exact.step(u, y);
    for (int i = 0; i < kAxes; ++i)
      alone[static_cast<std::size_t>(i)].step(Vector<double, 2>(u[i], 0.0), Vector<double, 1>(y[i]));
    const Vector<double, kAxes> v = x.segment<kAxes>(Six::load_velocity);
    if (k > 1000) {
      spread += v.cwiseAbs2();
      of_exact += (exact.estimate().segment<kAxes>(Six::load_velocity) - v).cwiseAbs2();
      of_all += (together.estimate().segment<kAxes>(Six::load_velocity) - v).cwiseAbs2();
      for (int i = 0; i < kAxes; ++i) of_one[i] += std::pow(alone[static_cast<std::size_t>(i)].estimate()[3] - v[i], 2);
    }
    x = transition * x + by_input * u;
  }
  const auto fit = [&](const Vector<double, kAxes>& error, int i) {
    return 100.0 * (1.0 - std::sqrt(error[i] / spread[i]));
  };
  for (int i = 0; i < kAxes; ++i) {
    EXPECT_GT(fit(of_exact, i), fit(of_all, i)) << "axis " << i + 1;
    EXPECT_GT(fit(of_all, i), fit(of_one, i) + 20.0) << "axis " << i + 1;
  }
}

}  // namespace
}  // namespace tauhat
