// Friction of a robot's actuators that remembers, and that grows with the load, against closed forms.
#include "tauhat/core/robot/friction_memory.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tauhat/core/robot/friction_under_load.hpp"
#include "tauhat/offline/robot/friction_history.hpp"

namespace tauhat {
namespace {

using Friction = JointFriction<double, 1>;
using Value = JointVector<double, 1>;

Friction bending(SlidingLaw law) {
  Friction friction;
  friction.law = law;
  friction.coulomb << 3.0;
  friction.viscous << 0.5;
  friction.reach << 0.02;
  friction.decay << 5.0;
  if (has_excess(law)) friction.excess << 1.2;
  return friction;
}

double after_way(const Friction& friction, double velocity, double way) {
  auto memory = no_memory(friction);
  const double h = 1e-3;
  const int steps = static_cast<int>(std::lround(way / velocity / h));
  for (int k = 0; k < steps; ++k) memory = memory_after(friction, Value(velocity), memory, h);
  return torque_and_slope(friction, Value(velocity), memory).torque[0];
}

// Dahl from rest:  tau = coulomb (1 - exp(-x / reach)) + viscous w.
TEST(FrictionMemory, OfDahlBendsByItsReach) {
  const Friction friction = bending(SlidingLaw::dahl);
  for (const double way : {0.005, 0.02, 0.06})
    EXPECT_NEAR(after_way(friction, 0.1, way), 3.0 * (1.0 - std::exp(-way / 0.02)) + 0.05, 1e-7) << way;
}

// LuGre at constant speed has the level G of that speed:  tau = G (1 - exp(-x coulomb / (reach G))) + viscous w.
TEST(FrictionMemory, OfLuGreBendsToTheLevelOfItsSpeed) {
  const Friction friction = bending(SlidingLaw::lugre);
  const double w = 0.15, level = 3.0 + 1.2 * std::exp(-(w * 5.0) * (w * 5.0));
  for (const double way : {0.006, 0.03, 0.3})
    EXPECT_NEAR(after_way(friction, w, way), level * (1.0 - std::exp(-way * 3.0 / 0.02 / level)) + 0.5 * w, 1e-6)
        << way;
}

// Maxwell's springs all slide behind the reach, and half of the way bends all but the first quarter less.
TEST(FrictionMemory, OfMaxwellSlipSlidesBehindItsReach) {
  const Friction friction = bending(SlidingLaw::maxwell_slip);
  const double behind = after_way(friction, 0.1, 0.2), half = after_way(friction, 0.1, 0.01);
  EXPECT_NEAR(behind, 3.0 + 0.05, 0.03);  // springs come to their level as r^4 does: by 1 % of it
  EXPECT_GT(half, 1.5);
  EXPECT_LT(half, 2.7);
}

TEST(FrictionMemory, IsThatOfTheSlidingLawWithoutAReach) {
  for (const SlidingLaw law : {SlidingLaw::dahl, SlidingLaw::lugre, SlidingLaw::maxwell_slip}) {
    Friction friction = bending(law);
    friction.reach << 0.0;
    EXPECT_FALSE(bends_anywhere(friction));
    for (const double w : {-0.4, 0.0, 0.02})
      EXPECT_EQ(torque_and_slope(friction, Value(w), no_memory(friction)).torque[0], friction.torque(Value(w))[0]);
  }
}

// What is left of the motor's torque is the load, and friction has grown by its share of it.
TEST(FrictionUnderLoad, GrowsWithWhatItLeavesOfTheTorque) {
  Friction friction = bending(SlidingLaw::coulomb);
  friction.load << 0.2;
  for (const double w : {-1.0, -0.03, 0.04, 0.7}) {
    for (const double motor : {-9.0, 0.3, 20.0}) {
      const auto taken = torque_and_slope(friction, Value(w), no_memory(friction), Value(motor)).torque[0];
      const double load = motor - taken, unloaded = friction.torque(Value(w))[0];
      EXPECT_NEAR(taken, unloaded + 0.2 * std::abs(load) * std::tanh(w / friction.width), 1e-12) << w << " " << motor;
    }
  }
}

// A feed-forward that knows the load is what the arm then takes.
TEST(FrictionUnderLoad, FeedForwardGivesTheLoadBack) {
  Friction friction = bending(SlidingLaw::coulomb);
  friction.load << 0.15;
  const Transmission<double, 1> transmission(1);
  for (const double w : {-0.5, 0.02, 1.0}) {
    for (const double load : {-6.0, 4.0}) {
      const Value motor = Value(load) + friction_of_load(transmission, friction, Value(w), Value(load));
      const Value taken = friction_torque(transmission, friction, Value(w), no_memory(friction), motor);
      EXPECT_NEAR(motor[0] - taken[0], load, 1e-12);
    }
  }
}

// The columns of a history make the torque of the law that it was linearised about, and that of neighbours but for the
// square of the difference.
TEST(FrictionHistory, ColumnsAreTheLawsDerivatives) {
  std::vector<double> velocity;
  for (int k = 0; k < 3000; ++k) velocity.push_back(0.6 * std::sin(2.0e-3 * k) * std::cos(0.9e-3 * k));
  for (const SlidingLaw law : {SlidingLaw::dahl, SlidingLaw::lugre, SlidingLaw::maxwell_slip}) {
    const double ratio = has_excess(law) ? 0.3 : 0.0;
    const FrictionHistory history({0.05, law, {4.0}, {0.03}, {ratio}}, {velocity}, 1e-3);
    const auto largest_error = [&](double coulomb, double excess, double decay, double reach) {
      Friction friction;
      friction.law = law;
      friction.coulomb << coulomb, friction.excess << excess, friction.decay << decay, friction.reach << reach;
      auto memory = no_memory(friction);
      double largest = 0.0;
      for (std::size_t k = 0; k < velocity.size(); ++k) {
        if (k > 0) memory = memory_after(friction, Value(0.5 * (velocity[k - 1] + velocity[k])), memory, 1e-3);
        const double torque = torque_and_slope(friction, Value(velocity[k]), memory).torque[0];
        const RememberedTerms& at = history.at(0, k);
        const double linear = coulomb * at.coulomb + excess * at.excess + excess * std::log(decay / 4.0) * at.decay +
                              coulomb * std::log(reach / 0.03) * at.reach;
        largest = std::max(largest, std::abs(torque - linear));
      }
      return largest;
    };
    EXPECT_LT(largest_error(2.0, 2.0 * ratio, 4.0, 0.03), 1e-5) << kSlidingLaws[static_cast<std::size_t>(law)];
    const double changed = largest_error(2.0, 2.0 * ratio * 1.02, 4.0 * 1.02, 0.03 * 1.02);
    EXPECT_LT(changed, 2.0 * 4.0 * 0.02 * 0.02) << kSlidingLaws[static_cast<std::size_t>(law)];
  }
}

}  // namespace
}  // namespace tauhat
