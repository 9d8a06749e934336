// The stages of the gap's filters, beside motions whose answer is known.
#include <gtest/gtest.h>

#include <cmath>

#include "tauhat/core/filters/gap_cascade.hpp"
#include "tauhat/core/filters/staircase_positions.hpp"
#include "tauhat/core/filters/stationary_positions.hpp"
#include "tauhat/core/filters/time_varying_observer.hpp"

namespace tauhat {
namespace {

using P = Powertrain<double>;
using Stairs = StaircasePositions<double>;
using Belief = Gaussian<double, P::kStates>;

constexpr double kPitch = 0.131;  // rad, of 48 teeth
const Stairs::Positions kPitches(0.105, kPitch);

Belief turning(double load_velocity) {
  Belief start;
  start.mean[P::load_velocity] = load_velocity, start.mean[P::motor_velocity] = P{}.ratio * load_velocity;
  start.mean[P::upper_limit] = 0.03, start.mean[P::lower_limit] = -0.03;
  return start;
}

// Over whole teeth at a steady speed the staircase has the mean of the position: no half tooth is left.
TEST(StaircasePositions, HaveNoBias) {
  for (const double velocity : {10.0, -10.0}) {
    Stairs stairs(turning(velocity), kPitches);
    const double interval = kPitch / std::abs(velocity), step = std::copysign(kPitch, velocity);
    for (int n = 1; n <= 3; ++n) {  // teeth stand at n * pitch
      stairs.advance(interval);
      stairs.correct({P::load_position, n * step, 0.0});
    }
    stairs.begin_period();
    stairs.advance(interval);
    EXPECT_NEAR(stairs.measured()[1], 3.5 * step, 1e-15);
    EXPECT_NEAR(stairs.motion(P::load_position)[1], velocity, 1e-12);
  }
}

// A wheel that turns back passes the tooth again that it passed last, and is before it then.
TEST(StaircasePositions, FollowAWheelThatTurnsBack) {
  Stairs stairs(turning(10.0), kPitches);
  for (const double tooth : {kPitch, 2.0 * kPitch})
    stairs.advance(0.013), stairs.correct({P::load_position, tooth, 0.0});
  EXPECT_NEAR(stairs.positions()[1], 2.5 * kPitch, 1e-15);
  stairs.advance(0.02);
  stairs.correct({P::load_position, 2.0 * kPitch, 0.0});
  EXPECT_NEAR(stairs.positions()[1], 1.5 * kPitch, 1e-15);
  stairs.correct({P::load_position, kPitch, 0.0});
  EXPECT_NEAR(stairs.positions()[1], 0.5 * kPitch, 1e-15);
}

// Of a wheel that sends nothing where five teeth should have passed nobody knows how far it went.
TEST(StaircasePositions, SayWhenAWheelIsSilent) {
  Stairs stairs(turning(10.0), kPitches);
  stairs.advance(4.9 * kPitch / 10.0);
  EXPECT_EQ(stairs.overdue(P::load_position), 0.0);
  stairs.advance(0.2 * kPitch / 10.0);
  EXPECT_NEAR(stairs.overdue(P::load_position), 5.1 * kPitch, 1e-12);
}

// A steady acceleration is what [th w a] can follow for ever: the mean of each period is all that it is told.
TEST(StationaryPositions, FollowASteadyAcceleration) {
  constexpr double kPeriod = 1e-3, kAcceleration = 7.0;
  StationaryPositions<double>::Tuning tuning;
  tuning.noise << 0.0, 0.0, 0.0, 0.0, 1e4, 1e3;
  tuning.sensors << 5e-9, 5e-7;
  StationaryPositions<double> filter(P{}, tuning, kPeriod, PositionSample::mean);
  ASSERT_TRUE(filter.usable());
  filter.start(StateOf<P>::Zero());
  double t = 0.0;
  for (; t < 2.0; t += kPeriod) {
    const double mean = kAcceleration / 6.0 * (std::pow(t + kPeriod, 3) - std::pow(t, 3)) / kPeriod;
    filter.step(0.0, {mean, -mean});
  }
  const StateOf<P> x = filter.whole_state();
  EXPECT_NEAR(x[P::motor_position], 0.5 * kAcceleration * t * t, 1e-6);
  EXPECT_NEAR(x[P::load_velocity], -kAcceleration * t, 1e-3);
  const StateOf<P> ahead = filter.ahead(0.0, 0.4e-3);
  EXPECT_NEAR(ahead[P::motor_position], 0.5 * kAcceleration * (t + 0.4e-3) * (t + 0.4e-3), 1e-6);
}

// Long in contact, a gain that follows its covariance is the stationary one, so that both say the same.
TEST(TimeVaryingObserver, BecomesStationaryInContact) {
  SwitchingObserver<double>::Tuning tuning;
  tuning.noise << 1e-12, 204.0, 1e-12, 3.59e-4, 1.87e3, 34.6, 1.61e-9;
  tuning.sensors << 5.3e-7, 7.45e-7;
  constexpr double kPeriod = 1e-4;  // the continuous equation's gains are those of short steps
  TimeVaryingObserver<double> varying(P{}, tuning, kPeriod, PositionSample::instant);
  SwitchingObserver<double> stationary(P{}, tuning, kPeriod, PositionSample::instant);
  StateOf<P> x = turning(10.0).mean;
  x[P::motor_torque] = 30.0, x[P::load_torque] = 100.0, x[P::gap_position] = 0.03;
  x[P::motor_position] = P{}.ratio * (0.03 + 250.0 / P{}.stiffness);
  varying.start(x), stationary.start(x);
  ASSERT_EQ(varying.mode(), GapMode::upper);
  for (int k = 0; k < 20000; ++k) {
    const double t = k * kPeriod;
    // The load is a little behind: both have to find out why.
    const SwitchingObserver<double>::Positions y(x[P::motor_position] + 120.0 * t, 10.0 * t - 1e-3);
    varying.step(30.0, y), stationary.step(30.0, y);
  }
  const StateOf<P> difference = varying.whole_state() - stationary.whole_state();
  EXPECT_NEAR(difference[P::load_position], 0.0, 0.02 * 1e-3);  // two per cent of what the load is behind
  EXPECT_NEAR(difference[P::load_torque], 0.0, 0.02 * std::abs(stationary.whole_state()[P::load_torque]));
  for (const int state : {P::load_position, P::load_torque, P::motor_velocity})
    EXPECT_NEAR(varying.covariance()(state, state) / stationary.covariance()(state, state), 1.0, 0.05) << state;
}

}  // namespace
}  // namespace tauhat
