// Law: on its own truth the force filter is as sure as it may be. Errors squared in units of its covariance (NEES) and
// innovations squared in theirs (NIS) have the means of chi-square; innovations are white.
#include <gtest/gtest.h>

#include <vector>

#include "support/bands.hpp"
#include "support/pushed_arm.hpp"
#include "support/random.hpp"
#include "tauhat/core/robot/force_filter.hpp"

namespace tauhat {
namespace {

using Filter = ForceFilter<double, 6, 3>;
using Model = Filter::Model;
constexpr int kRuns = 150, kInstants = 80;
constexpr double kPeriod = 1e-3;

struct Consistency {
  std::vector<double> nees, nis, innovations;
};

// The first state is drawn from the prior, noises from the model's own.
Consistency run_force_filters() {
  const Arm arm = pyrhonen::tx40();
  Consistency result;
  for (int run = 0; run < kRuns; ++run) {
    Draw draw(static_cast<std::uint64_t>(500 + run));
    Filter filter(arm, arm_friction(), *arm.find_frame("flange"), arm_noise());
    filter.start(bent_pose(), Arm::Vector(0.5 * draw.matrix<double, 6>()));
    Model::State x = filter.belief().mean + draw.sample<Model::kStates>(filter.belief().covariance());
    for (int k = 0; k < kInstants; ++k) {
      const Arm::Vector measured = x.head<6>() + 1.745e-5 * draw.matrix<double, 6>();
      const auto done = filter.correct(measured);
      for (int i = 0; i < 6; ++i) {
        result.nis.push_back(done.joint[i].nis());
        result.innovations.push_back(done.joint[i].innovation / std::sqrt(done.joint[i].variance));
      }
      const Arm::Vector torque = gravity_torque(arm, bent_pose()) + 3.0 * draw.matrix<double, 6>();
      const auto next = filter.model().step(x, torque, kPeriod);
      filter.predict(torque, kPeriod);
      x = next.mean + draw.sample<Model::kStates>(next.step.noise.topRows<Model::kStates>());
    }
    const Model::State error = x - filter.belief().mean;
    const Matrix<double, Model::kStates> covariance = filter.belief().covariance();
    const Model::State scale = covariance.diagonal().cwiseSqrt().cwiseInverse(), scaled = scale.cwiseProduct(error);
    const Matrix<double, Model::kStates> correlation = scale.asDiagonal() * covariance * scale.asDiagonal();
    result.nees.push_back(scaled.dot(correlation.ldlt().solve(scaled)));
  }
  return result;
}

TEST(ForceFilterConsistency, OnItsOwnTruthItIsAsSureAsItMayBe) {
  const Consistency found = run_force_filters();
  EXPECT_THAT(mean_of(found.nees), Within999(static_cast<double>(Model::kStates), static_cast<double>(kRuns)));
  EXPECT_THAT(mean_of(found.nis), Within999(1.0, static_cast<double>(found.nis.size())));
  // From one instant to the next, the same encoder.
  EXPECT_LT(std::abs(autocorrelation(found.innovations, 6)),
            kNormal999 / std::sqrt(static_cast<double>(found.innovations.size())));
}

}  // namespace
}  // namespace tauhat
