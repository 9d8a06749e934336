// Law: the force filter, the momentum observer and the disturbance filter allocate nothing. (allocation_test.cpp
// counts; like it, this file is left out where a sanitizer owns malloc.)
#include <gtest/gtest.h>

#include "support/allocations.hpp"
#include "support/pushed_arm.hpp"
#include "tauhat/core/robot/disturbance_filter.hpp"
#include "tauhat/core/robot/force_filter.hpp"
#include "tauhat/core/robot/momentum_observer.hpp"

namespace tauhat {
namespace {

TEST(ForceAllocation, NothingIsAllocatedInAStepOrByAnAnswer) {
  const Arm arm = pyrhonen::tx40();
  const Frame<double> frame = *arm.find_frame("flange");
  const Arm::Vector torque = gravity_torque(arm, bent_pose());
  const Vector<double, 6> prior = Vector<double, 6>::Constant(1e4);
  DisturbanceNoise<double, 6> noise(6);
  noise.position.setConstant(1.745e-5);
  noise.torque.setConstant(0.05);
  noise.walk.setConstant(10.0);
  MomentumObserverSettings<double, 6> settings(6);
  settings.position_noise = noise.position;
  settings.torque_noise = noise.torque;
  double sum = 0.0;
  const long count = allocations_of([&] {
    ForceFilter<double, 6, 6> filter(arm, arm_friction(), frame, arm_noise());
    MomentumObserver<double, 6> observer(arm, arm_friction(), settings);
    DisturbanceFilter<double, 6> disturbance(arm, arm_friction(), noise);
    filter.start(bent_pose(), Arm::Vector::Zero());
    for (int k = 0; k < 20; ++k) {
      filter.correct(bent_pose());
      observer.correct(bent_pose());
      disturbance.correct(bent_pose());
      filter.predict(torque, 1e-3);
      observer.predict(torque);
      disturbance.predict(torque);
    }
    sum = filter.force().force.sum() + filter.external_torque().torque.sum() +
          observer.force<6>(frame, prior).force.sum() + disturbance.force<6>(frame, prior).force.sum();
  });
  EXPECT_EQ(count, 0);
  EXPECT_TRUE(std::isfinite(sum));
}

}  // namespace
}  // namespace tauhat
