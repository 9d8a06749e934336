// Law: on their own truth the filters of forces are as sure as they may be. Errors squared in units of their covariance
// (NEES) and innovations squared in theirs (NIS) have the means of chi-square; innovations are white.
#include <gtest/gtest.h>

#include <vector>

#include "support/bands.hpp"
#include "support/pushed_arm.hpp"
#include "support/random.hpp"
#include "tauhat/core/robot/disturbance_filter.hpp"
#include "tauhat/core/robot/force_filter.hpp"

namespace tauhat {
namespace {

constexpr int kRuns = 400, kInstants = 80;
constexpr double kPeriod = 1e-3;

Arm::Vector joint_velocity() { return (Arm::Vector() << 0.9, -0.7, 0.8, 1.0, -0.9, 1.1).finished(); }
// Under which the arm keeps it, but for what nobody knows.
Arm::Vector joint_torque(const Arm& arm) {
  return gravity_torque(arm, bent_pose()) + arm_friction().torque(joint_velocity());
}

// States differ by powers of ten.
template <int N>
double normalised_square(const Vector<double, N>& error, const Matrix<double, N>& covariance) {
  const Vector<double, N> scale = covariance.diagonal().cwiseSqrt().cwiseInverse(), scaled = scale.cwiseProduct(error);
  const Matrix<double, N> correlation = scale.asDiagonal() * covariance * scale.asDiagonal();
  return scaled.dot(correlation.ldlt().solve(scaled));
}

struct Consistency {
  std::vector<double> nees, nis, innovations;
};

// The first state is drawn from the prior, noises from the model's own. The joints keep moving, and their velocities
// are known to within friction's width: inside it no linear filter is consistent, which is why at_rest() is said.
template <int Axes>
Consistency run_force_filters() {
  using Filter = ForceFilter<double, 6, Axes>;
  using Model = typename Filter::Model;
  const Arm arm = pyrhonen::tx40();
  Consistency result;
  for (int run = 0; run < kRuns; ++run) {
    Draw draw(static_cast<std::uint64_t>(500 + run));
    auto noise = arm_noise();
    noise.velocity_start = 0.005;
    noise.moment_start = 0.1, noise.moment_walk = 0.2;  // more would turn the last joint round
    Filter filter(arm, arm_friction(), *arm.find_frame("flange"), noise);
    filter.start(bent_pose(), joint_velocity());
    typename Model::State x = filter.belief().mean + draw.template sample<Model::kStates>(filter.belief().covariance());
    for (int k = 0; k < kInstants; ++k) {
      const Arm::Vector measured = x.template head<6>() + 1.745e-5 * draw.template matrix<double, 6>();
      const auto done = filter.correct(measured);
      for (int i = 0; i < 6; ++i) {
        result.nis.push_back(done.joint[i].nis());
        result.innovations.push_back(done.joint[i].innovation / std::sqrt(done.joint[i].variance));
      }
      const Arm::Vector torque = joint_torque(arm);
      const auto next = filter.model().step(x, torque, kPeriod);
      filter.predict(torque, kPeriod);
      x = next.mean + draw.template sample<Model::kStates>(next.step.noise.template topRows<Model::kStates>());
    }
    result.nees.push_back(normalised_square<Model::kStates>(x - filter.belief().mean, filter.belief().covariance()));
  }
  return result;
}

template <int Axes>
void expect_consistent() {
  constexpr int kStates = ForceFilter<double, 6, Axes>::Model::kStates;
  const Consistency found = run_force_filters<Axes>();
  EXPECT_THAT(mean_of(found.nees), Within95(static_cast<double>(kStates), static_cast<double>(kRuns)));
  EXPECT_THAT(mean_of(found.nis), Within95(1.0, static_cast<double>(found.nis.size())));
  // From one instant to the next, the same encoder.
  EXPECT_LT(std::abs(autocorrelation(found.innovations, 6)),
            kNormal999 / std::sqrt(static_cast<double>(found.innovations.size())));
}

TEST(ForceFilterConsistency, OfAForce) { expect_consistent<3>(); }
TEST(ForceFilterConsistency, OfAForceAndAMoment) { expect_consistent<6>(); }

// The arm moves by the momentum that the model says, and the torques that nobody knows walk.
double disturbance_error(const Arm& arm, std::uint64_t seed) {
  using Filter = DisturbanceFilter<double, 6>;
  Draw draw(seed);
  DisturbanceNoise<double, 6> noise(6);
  Arm::Vector position = bent_pose();
  // So slow that no joint comes to rest, where friction would hide the torques.
  noise.torque.setConstant(0.05), noise.walk = 10.0 * mass_matrix(arm, position).diagonal();
  noise.velocity.setConstant(1e-3), noise.measures_velocity = true;
  noise.start = 0.01, noise.interval = kPeriod;
  Filter filter(arm, arm_friction(), noise);
  Filter::Model model;
  model.torque_variance = noise.torque.cwiseAbs2(), model.walk_density = noise.walk.cwiseAbs2();
  filter.start(position, joint_velocity());
  Filter::Model::State x;
  const Arm::Vector first = joint_velocity() + 1e-3 * draw.matrix<double, 6>();
  x.head<6>() = mass_matrix(arm, position) * first;
  x.tail<6>() = noise.start * draw.matrix<double, 6>();
  for (int k = 0; k < kInstants; ++k) {
    const Arm::Vector velocity = mass_matrix(arm, position).ldlt().solve(x.head<6>());
    filter.correct(position, Arm::Vector(velocity + 1e-3 * draw.matrix<double, 6>()));
    filter.predict(joint_torque(arm));
    const auto next = model.step(x, filter.balance().known_rate(), kPeriod);
    x = next.mean + draw.sample<Filter::Model::kStates>(next.step.noise.topRows<Filter::Model::kStates>());
    position += kPeriod * velocity;
  }
  const auto found = filter.external_torque();
  return normalised_square<6>(x.tail<6>() - found.torque, found.covariance);
}

TEST(DisturbanceFilterConsistency, OfTheTorques) {
  const Arm arm = pyrhonen::tx40();
  std::vector<double> nees;
  for (int run = 0; run < kRuns; ++run) nees.push_back(disturbance_error(arm, static_cast<std::uint64_t>(500 + run)));
  EXPECT_THAT(mean_of(nees), Within95(6.0, static_cast<double>(kRuns)));
}

}  // namespace
}  // namespace tauhat
