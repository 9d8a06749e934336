// The powertrain with backlash: its two linear models beside the hybrid equation itself, its truth beside brute force,
// and the teeth of its encoders.
#include "tauhat/core/models/powertrain.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tauhat/core/filters/gap_cascade.hpp"
#include "tauhat/core/filters/gap_filter.hpp"
#include "tauhat/core/filters/gap_imm.hpp"
#include "tauhat/offline/simulate/powertrain_truth.hpp"
#include "tauhat/offline/simulate/toothed_wheel.hpp"

namespace tauhat {
namespace {

using P = Powertrain<double>;

PowertrainState in_contact(const P& drive) {
  PowertrainState x = PowertrainState::Zero();
  x[P::load_velocity] = 10.0, x[P::motor_velocity] = 10.0 * drive.ratio;
  x[P::motor_torque] = 30.0, x[P::load_torque] = 100.0;
  x[P::upper_limit] = x[P::gap_position] = 0.03, x[P::lower_limit] = -0.03;
  x[P::motor_position] = drive.ratio * (0.03 + 250.0 / drive.stiffness);
  return x;
}

// J_m w_m' = T_m - b_m w_m - T_s / i and so on, with T_s = k (th_d - th_b) + c (w_d - w_b) written out.
TEST(Powertrain, FollowsItsEquationsInBothModes) {
  P drive;
  PowertrainState x = in_contact(drive);
  x[P::motor_velocity] += 0.7, x[P::gap_position] = 0.01;
  for (const GapMode mode : {GapMode::lower, GapMode::gap, GapMode::upper}) {
    drive.mode = mode;
    const double displacement = x[P::motor_position] / 12.0 - x[P::load_position];
    const double rate = x[P::motor_velocity] / 12.0 - x[P::load_velocity];
    const double shaft = mode == GapMode::gap ? 0.0 : 1e4 * (displacement - 0.01) + 120.0 * rate;
    const PowertrainState dx = drive.derivative(x, Vector<double, 1>(40.0));
    EXPECT_NEAR(dx[P::motor_velocity], (30.0 - shaft / 12.0) / 0.3, 1e-9);
    EXPECT_NEAR(dx[P::load_velocity], (shaft - 5.6 * 10.0 - 100.0) / 140.0, 1e-9);
    EXPECT_NEAR(dx[P::motor_torque], (40.0 - 30.0) / 0.1, 1e-9);
    EXPECT_NEAR(dx[P::gap_position], mode == GapMode::gap ? rate + 1e4 / 120.0 * (displacement - 0.01) : 0.0, 1e-9);
    // and the matrix is that derivative's
    PowertrainState by_matrix = drive.dynamics() * x;
    by_matrix[P::motor_torque] += 40.0 / 0.1;
    EXPECT_TRUE(by_matrix.isApprox(dx, 1e-12));
  }
}

TEST(Powertrain, StepIsTheExponentialToThirdOrder) {
  P drive;
  for (const GapMode mode : {GapMode::gap, GapMode::upper}) {
    drive.mode = mode;
    const auto exact = discretise<double, P::kStates>(drive.dynamics(), PowertrainState::Zero(), 1e-3).transition;
    const auto step = drive.step(in_contact(drive), Vector<double, 1>(0.0), 1e-3);
    EXPECT_LT((step.step.transition - exact).norm(), 1e-4 * exact.norm());
    EXPECT_TRUE(step.mean.isApprox(exact.topRows<P::kStates>() * in_contact(drive), 1e-8));
    // A command that is so much wrong moves all that follows it: the mean's difference is the transition's column.
    PowertrainState wrong = in_contact(drive);
    wrong[P::gain_error] = 0.1;
    const Vector<double, 1> command(40.0);
    const auto right = drive.step(in_contact(drive), command, 1e-3);
    const PowertrainState by_gain = (drive.step(wrong, command, 1e-3).mean - right.mean) / 0.1;
    EXPECT_NEAR(by_gain[P::motor_torque], 40.0 * (1.0 - std::exp(-1e-3 / 0.1)), 1e-6);
    EXPECT_LT((by_gain - right.step.transition.col(P::gain_error).head<P::kStates>()).norm(), 1e-9);
  }
}

// Nordin's backlash by small Euler steps: th_b moves at h unless that leads out of the gap.
PowertrainState by_brute_force(const P& drive, PowertrainState x, double command, double until, double dt) {
  for (double t = 0.0; t < until - 0.5 * dt; t += dt) {
    const auto rate_at = [&](const PowertrainState& at) {
      const double h = drive.guard_at(at);
      const bool held = (at[P::gap_position] >= at[P::upper_limit] && h > 0.0) ||
                        (at[P::gap_position] <= at[P::lower_limit] && h < 0.0);
      P now = drive;
      now.mode = !held ? GapMode::gap : h > 0.0 ? GapMode::upper : GapMode::lower;
      return now.derivative(at, Vector<double, 1>(command));
    };
    const PowertrainState half = x + 0.5 * dt * rate_at(x);
    x += dt * rate_at(half);
    x[P::gap_position] = std::clamp(x[P::gap_position], x[P::lower_limit], x[P::upper_limit]);
  }
  return x;
}

TEST(PowertrainTruth, AgreesWithBruteForceThroughTheGap) {
  P drive;
  drive.mode = GapMode::upper;
  PowertrainTruth truth(drive, in_contact(drive), 1e-3);
  for (int k = 0; k < 800; ++k) truth.advance(-25.0, 0.0);
  EXPECT_GE(std::count_if(truth.nodes().begin(), truth.nodes().end(), [](const auto& node) { return node.is_event; }),
            2);
  // Brute force meets contact up to a step late, where the torque jumps: its error falls with the step.
  const auto error = [&](double dt) {
    const PowertrainState brute = by_brute_force(drive, in_contact(drive), -25.0, 0.8, dt);
    return (truth.state() - brute).head<4>().cwiseAbs().maxCoeff();
  };
  const double coarse = error(4e-6), fine = error(4e-7);
  EXPECT_LT(fine, 1e-3);
  EXPECT_LT(fine, 0.25 * coarse);
}

// A sine that turns back: teeth are passed forth and back, at the right instants.
TEST(ToothedWheel, FindsEveryPassage) {
  ToothedWheel wheel{.teeth = 12, .phase = 0.1, .timer = 0.0};
  wheel.error.assign(12, 0.0);
  wheel.error[3] = 0.02;
  std::vector<Pulse> pulses;
  const auto position = [](double t) { return 2.0 * std::sin(t); };
  const auto velocity = [](double t) { return 2.0 * std::cos(t); };
  constexpr double kStep = 1e-3;
  for (double t = 0.0; t < 6.0; t += kStep)
    append_pulses(wheel, {t, kStep, position(t), velocity(t), position(t + kStep), velocity(t + kStep)}, pulses);
  ASSERT_FALSE(pulses.empty());
  for (std::size_t i = 0; i < pulses.size(); ++i) {
    EXPECT_NEAR(position(pulses[i].stamp), wheel.edge(pulses[i].number), 1e-9);
    EXPECT_EQ(pulses[i].forward, velocity(pulses[i].stamp) > 0.0);
    if (i > 0) {
      EXPECT_GT(pulses[i].stamp, pulses[i - 1].stamp);
    }
  }
}

TEST(ToothedWheel, SkipsMissingTeethAndRoundsStampsUp) {
  const ToothedWheel wheel{.teeth = 60, .missing = 2, .timer = 1e-6};
  std::vector<Pulse> pulses;
  for (int k = 0; k < 1000; ++k) append_pulses(wheel, {k * 1e-3, 1e-3, k * 1e-2, 10.0, (k + 1) * 1e-2, 10.0}, pulses);
  EXPECT_EQ(pulses.size(), 93u);  // 95 edges in 10 rad, without 58 and 59
  for (const Pulse& pulse : pulses) {
    EXPECT_LT(tooth_of(pulse.number, 60), 58);
    const double exact = wheel.edge(pulse.number) / 10.0;
    EXPECT_GE(pulse.stamp, exact - 1e-12);
    EXPECT_LE(pulse.stamp, exact + 1e-6);
  }
}

// A sensor that stops: the filter coasts, and says how far it may be off.
TEST(GapFilter, GrowsUnsureWithoutPulses) {
  P drive;
  drive.mode = GapMode::upper;
  drive.noise[P::motor_velocity] = 1.1, drive.noise[P::load_velocity] = 1e-4, drive.noise[P::load_torque] = 225.0,
  drive.noise[P::motor_torque] = 3000.0;
  PowertrainState variances = PowertrainState::Constant(1e-6);
  variances.tail<6>().setZero();
  GapFilter<double> filter(drive, Gaussian<double, P::kStates>::from_variances(in_contact(drive), variances));
  const auto spread = [&] {
    return estimate_output(filter.model(), P::displacement_output, filter.belief(), Vector<double, 1>(0.0)).variance;
  };
  for (int k = 0; k < 100; ++k) filter.predict(Vector<double, 1>(30.0), 1e-3);
  const double after = spread();
  for (int k = 0; k < 400; ++k) filter.predict(Vector<double, 1>(30.0), 1e-3);
  EXPECT_GT(spread(), 2.0 * after);
  EXPECT_TRUE(filter.belief().mean.allFinite());
}

// A load's wheel that runs out of true by 2 mrad, at steady speed in contact: what the filter takes for the
// displacement over the last turn of five, and for the runout.
struct Cruise {
  double rms = 0.0;
  Gaussian<double, P::kStates> belief;
};
constexpr double kRunout = 2e-3, kRunoutPhase = 0.5;  // rad
Cruise cruise(double runout_std) {
  constexpr double kSpeed = 10.0, kCommand = 40.0, kStep = 1e-3, kPitch = 2.0 * std::numbers::pi / 48.0;
  P drive;
  drive.mode = GapMode::upper;
  drive.noise[P::motor_velocity] = 1.1, drive.noise[P::load_velocity] = 1e-4, drive.noise[P::load_torque] = 225.0,
  drive.noise[P::motor_torque] = 3000.0;
  const double twist = drive.ratio * kCommand / drive.stiffness;
  PowertrainState x = PowertrainState::Zero(), variances = x;
  x[P::upper_limit] = x[P::gap_position] = 0.03, x[P::lower_limit] = -0.03;
  x[P::load_velocity] = kSpeed, x[P::motor_velocity] = drive.ratio * kSpeed, x[P::motor_torque] = kCommand;
  x[P::motor_position] = drive.ratio * (twist + 0.03);
  x[P::load_torque] = drive.ratio * kCommand - drive.load_damping * kSpeed;
  variances.head<6>() << 1e-6, 1.0, 7e-6, 0.1, 1e4, 25.0;
  variances[P::runout_cosine] = variances[P::runout_sine] = runout_std * runout_std;
  GapFilter<double> filter(drive, Gaussian<double, P::kStates>::from_variances(x, variances));
  const double turn = 2.0 * std::numbers::pi / kSpeed;
  int tooth = 1, counted = 0;
  double square = 0.0;
  for (double now = 0.0; now < 5.0 * turn; now += kStep) {
    const double next = now + kStep;
    filter.predict(Vector<double, 1>(kCommand), kStep);
    filter.correct({P::motor_position, drive.ratio * (kSpeed * next + twist + 0.03), 1e-6});
    // The tooth that came last has gone on since.
    const double place = tooth * kPitch, passes = place + kRunout * std::cos(place + kRunoutPhase);
    if (passes <= kSpeed * next) filter.correct({P::load_position, place + kSpeed * next - passes, 7e-6}), ++tooth;
    if (now < 4.0 * turn) continue;
    const auto seen = filter.belief().mean;
    const double error = seen[P::motor_position] / drive.ratio - seen[P::load_position] - twist - 0.03;
    square += error * error, ++counted;
  }
  return {std::sqrt(square / counted), filter.belief()};
}

TEST(GapFilter, LearnsHowFarAWheelRunsOutOfTrue) {
  const Cruise learned = cruise(1e-3), taken_for_motion = cruise(0.0);
  EXPECT_LT(learned.rms, 0.25 * taken_for_motion.rms);
  const double expected[] = {kRunout * std::cos(kRunoutPhase), -kRunout * std::sin(kRunoutPhase)};
  for (const int i : {0, 1}) {
    const int state = P::runout_cosine + i;
    const double std = std::sqrt(learned.belief.covariance()(state, state));
    EXPECT_NEAR(learned.belief.mean[state], expected[i], 3.0 * std);
    EXPECT_LT(std, 0.5e-3);
    EXPECT_EQ(taken_for_motion.belief.mean[state], 0.0);
  }
}

template <class F>
class GapFilters : public testing::Test {};
using Both = testing::Types<GapFilter<double>, GapFilter<float>, GapImm<double>, GapImm<float>>;
TYPED_TEST_SUITE(GapFilters, Both);

// In contact the position in the gap is the limit, whatever the samples say.
TYPED_TEST(GapFilters, PinThePositionInContact) {
  using T = typename TypeParam::Scalar;
  Powertrain<T> drive;
  drive.mode = GapMode::upper;
  drive.noise[P::motor_velocity] = T(1.1), drive.noise[P::load_torque] = T(225);
  Vector<T, P::kStates> mean = in_contact({}).template cast<T>(), variances = Vector<T, P::kStates>::Constant(T(1e-6));
  variances.template tail<6>().setZero();
  TypeParam filter(drive, Gaussian<T, P::kStates>::from_variances(mean, variances));
  for (int k = 0; k < 200; ++k) {
    filter.predict(Vector<T, 1>(T(30)), T(1e-3));
    const auto x = filter.belief().mean;
    filter.correct({P::motor_position, x[P::motor_position] + T(1e-4), T(1e-6)});
    filter.correct({P::load_position, x[P::load_position] - T(1e-4), T(1e-6)});
    ASSERT_EQ(filter.mode(), GapMode::upper);
    // A mode that is uncertain at first leaves a little of the gap in the mean.
    if (k > 20) {
      ASSERT_NEAR(static_cast<double>(filter.belief().mean[P::gap_position]), 0.03, 2e-4);
    }
  }
}

GapCascade<double> cascade_in_contact() {
  P drive;
  drive.mode = GapMode::upper;
  PowertrainState variances = PowertrainState::Constant(1e-6);
  variances.tail<6>().setZero();
  GapCascade<double>::Tuning tuning{.first = {3.2e4, 3e2}};  // the paper's, for imperfect teeth
  tuning.second.noise << 1e-12, 204.0, 1e-12, 3.59e-4, 1.87e3, 34.6, 1.61e-9;
  tuning.second.sensors << 5.3e-7, 7.45e-7;
  return {drive, Gaussian<double, P::kStates>::from_variances(in_contact(drive), variances), tuning};
}

// Pulses come when they like: the observer behind them keeps to its grid, however the time between is cut.
TEST(GapCascade, KeepsItsGrid) {
  GapCascade<double> whole = cascade_in_contact(), cut = whole;
  ASSERT_TRUE(whole.usable());
  constexpr double kPulses = 7.3e-3, kCuts[] = {0.31e-3, 1.9e-3, 4.1e-3, 7.3e-3};
  for (int k = 0; k < 50; ++k) {
    const Vector<double, 1> command(k < 25 ? 30.0 : -25.0);
    whole.predict(command, kPulses);
    double at = 0.0;
    for (const double next : kCuts) cut.predict(command, next - at), at = next;
    const double tooth = whole.positions()[1] + (k % 2 == 0 ? 1e-3 : -1e-3);
    for (auto* filter : {&whole, &cut}) filter->correct({P::load_position, tooth, 6.8e-6});
    EXPECT_LT((whole.belief().mean - cut.belief().mean).cwiseAbs().maxCoeff(), 1e-9) << k;
    EXPECT_EQ(whole.mode(), cut.mode());
  }
}

// Between two instants of the grid the state goes on with the drive; at the next one it is the observer's.
TEST(GapCascade, GoesOnBetweenTheGridsInstants) {
  GapCascade<double> filter = cascade_in_contact();
  filter.predict(Vector<double, 1>(30.0), 1e-3);
  const auto before = filter.belief().mean;
  filter.predict(Vector<double, 1>(30.0), 0.4e-3);
  const auto between = filter.belief().mean;
  EXPECT_NEAR(between[P::motor_position], before[P::motor_position] + 0.4e-3 * before[P::motor_velocity], 1e-4);
  EXPECT_EQ(between[P::gap_position], before[P::gap_position]);
  // In contact the position in the gap is the limit, which is known.
  EXPECT_EQ(filter.belief().covariance()(P::gap_position, P::gap_position), 0.0);
  EXPECT_GT(filter.belief().covariance()(P::load_torque, P::load_torque), 0.0);
}

}  // namespace
}  // namespace tauhat
