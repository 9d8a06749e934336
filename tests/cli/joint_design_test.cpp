// What is said of an observer beside its gain: how errors come through it, which poles it should have, and the sensor
// that needs none.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/joint_specs.hpp"
#include "support/random.hpp"
#include "tauhat/offline/joint/error_response.hpp"
#include "tauhat/offline/joint/joint_core.hpp"
#include "tauhat/offline/joint/joint_estimator.hpp"
#include "tauhat/offline/joint/joint_response.hpp"
#include "tauhat/offline/joint/pole_sweep.hpp"
#include "tauhat/offline/joint/pose_stability.hpp"

namespace tauhat {
namespace {

constexpr double kPeriod = kJointPeriod, kVariance = kJointVariance;
using std::numbers::pi;

ObserverSpec placed() {
  ObserverSpec observer;
  observer.name = "poles";
  observer.kind = ObserverSpec::Kind::luenberger;
  observer.poles = {{40.0, 0.9}, {80.0, 0.9}, {100.0, 0.9}};
  return observer;
}

// The axis and its observer, run: amplitude of the link velocity's error at one frequency.
enum class Enters { motor, load, sensor };
double error_amplitude(const ObserverSpec& observer, double frequency, Enters where) {
  const JointSpec spec = axis_with_neighbour();
  const auto axis = linear_joint(spec.joint);
  const auto plant = sampled_joint(axis, kPeriod);
  return with_joint_model(spec, observer, [&](const auto& joint) {
    constexpr int kStates = std::decay_t<decltype(joint)>::kStates;
    FixedGainCore<kStates> core(joint, spec, observer, kPeriod, kVariance);
    core.start(JointState::Zero());
    Vector<double, 6> x = Vector<double, 6>::Zero();
    double sine = 0.0, cosine = 0.0, count = 0.0;
    const int settled = static_cast<int>(6.0 / kPeriod);
    const int periods = static_cast<int>(std::ceil(2.0 * frequency));
    const int rows = static_cast<int>(std::lround(periods / frequency / kPeriod));
    for (int k = 0; k < settled + rows; ++k) {
      const double phase = 2.0 * pi * frequency * k * kPeriod, wave = std::sin(phase);
      core.correct(x[0] + (where == Enters::sensor ? wave : 0.0), kVariance);
      const double error = x[4] - core.output(joint_load_velocity);
      if (k >= settled) sine += error * std::sin(phase), cosine += error * std::cos(phase), count += 0.5;
      core.predict(JointTorques::Zero(), kPeriod);
      Vector<double, kJointInputs> acting = Vector<double, kJointInputs>::Zero();
      if (where == Enters::motor) acting[motor_torque_input] = -wave;
      if (where == Enters::load) acting[load_torque_input] = wave;
      x = plant.transition * x + plant.by_input * acting;
    }
    return std::hypot(sine, cosine) / count;
  });
}

TEST(ErrorResponse, IsWhatRunsShow) {
  for (const ObserverSpec& observer : {kalman_observer(false), kalman_observer(true), placed()}) {
    for (const double frequency : {5.0, 20.0, 125.0}) {
      const ErrorResponse response = error_response(axis_with_neighbour(), observer, kPeriod, kVariance, {frequency});
      const auto expect = [&](Enters where, const std::complex<double>& gain) {
        EXPECT_NEAR(error_amplitude(observer, frequency, where) / std::abs(gain), 1.0, 1e-2)
            << observer.name << observer.predicts << " at " << frequency << " Hz, " << static_cast<int>(where);
      };
      expect(Enters::motor, response.by_motor_torque[0]);
      expect(Enters::load, response.by_load_torque[0]);
      expect(Enters::sensor, response.by_sensor[0]);
    }
  }
}

// A motor that swings evenly moves the links as their response says.
TEST(VirtualSensor, FollowsItsResponse) {
  ObserverSpec observer;
  observer.name = "links";
  observer.kind = ObserverSpec::Kind::virtual_sensor;
  const JointSpec spec = axis_with_neighbour();
  EXPECT_EQ(states_of(spec, observer), 4);
  for (const double frequency : {2.0, 12.0, 30.0}) {
    const auto estimator = make_joint_estimator(spec, observer, kPeriod, kVariance);
    double sine = 0.0, cosine = 0.0, count = 0.0;
    for (int k = 0; k < 25000; ++k) {
      const double phase = 2.0 * pi * frequency * k * kPeriod;
      estimator->correct({joint_motor_position, std::sin(phase), kVariance});
      double velocity = 0.0, std = 0.0;
      estimator->estimate(joint_load_velocity, velocity, std);
      if (k >= 20000) sine += velocity * std::sin(phase), cosine += velocity * std::cos(phase), count += 0.5;
      const double torque = 0.0;
      estimator->predict({&torque, 1}, kPeriod);
    }
    // The motor's velocity is 2 pi f cos: what is in phase with it is the real part.
    const std::complex<double> found(cosine / count, -sine / count);
    const std::complex<double> expected = 2.0 * pi * frequency * virtual_sensor_gain(spec.joint, frequency);
    EXPECT_LT(std::abs(found - expected), 0.01 * std::abs(expected)) << frequency;
  }
}

// A motor shaken by white noise: the sweep finds how strongly, and its error is what the filter that is best, Kalman's
// for this noise, nearly reaches.
TEST(PoleSweep, FindsTheNoiseAndWeighsIt) {
  const JointSpec spec = axis_with_neighbour();
  const auto plant = sampled_joint(linear_joint(spec.joint), kPeriod);
  constexpr double kTorqueNoise = 0.02;  // N m/sqrt(Hz)
  Draw draw(3);
  Timeline record;
  record.inputs.emplace_back();
  record.sensors.push_back({"motor.position", joint_motor_position, kVariance, {}});
  std::vector<double> velocity;
  Vector<double, 6> x = Vector<double, 6>::Zero();
  for (int k = 0; k < 50000; ++k) {
    record.time.push_back(k * kPeriod);
    record.inputs[0].push_back(0.0);
    record.sensors[0].value.push_back(x[0] + std::sqrt(kVariance) * draw.normal());
    velocity.push_back(x[4]);
    const double torque = kTorqueNoise / std::sqrt(kPeriod) * draw.normal();
    x = plant.transition * x + plant.by_input.col(motor_torque_input) * torque;
  }
  const PoleSweep sweep = sweep_poles(spec, placed(), {record}, kPeriod);
  EXPECT_NEAR(sweep.torque_noise, kTorqueNoise, 0.1 * kTorqueNoise);
  const auto error_of = [&](const ObserverSpec& observer) {
    const Replay replay = make_joint_estimator(spec, observer, kPeriod, kVariance)->replay(record, {});
    double sum = 0.0;
    for (std::size_t k = 2500; k < velocity.size(); ++k)
      sum += std::pow(replay.filtered[joint_load_velocity].value[k] - velocity[k], 2);
    return std::sqrt(sum / static_cast<double>(velocity.size() - 2500));
  };
  const SweptPoles& best = sweep.points[sweep.best];
  EXPECT_NEAR(error_of(sweep.observer), best.error(), 0.15 * best.error());
  EXPECT_LE(error_of(sweep.observer), error_of(placed()) * 1.001);
  // Fast poles are noisy, slow ones late.
  EXPECT_GT(sweep.points.back().noise, sweep.points.front().noise);
  EXPECT_LT(sweep.points.back().settling, sweep.points.front().settling);
}

JointSpec posed_axis(double lightest) {
  JointSpec spec = axis_with_neighbour();
  PoseSchedule& pose = spec.pose.emplace();
  pose.position = {0.0, 1.0, 2.0};
  pose.load_inertia = {18.0, 14.0, lightest};
  return spec;
}

TEST(PoseStability, OfOnePoseIsItsRadius) {
  JointSpec spec = posed_axis(10.0);
  spec.pose->load_inertia = {14.3854, 14.3854, 14.3854};
  const PoseStability found = pose_stability(spec, kalman_observer(false), kPeriod, kVariance);
  const double radius = design_of(spec, kalman_observer(false), kPeriod, kVariance).radius;
  EXPECT_NEAR(found.worst_radius, radius, 1e-9);
  // One F: the mean square is F^n's, and any order is one order.
  EXPECT_NEAR(found.mean_square_radius, std::pow(radius, 50.0), 1e-6);
  EXPECT_TRUE(found.in_any_order());
}

TEST(PoseStability, SaysWhereAGainDoesNotHold) {
  const PoseStability fine = pose_stability(posed_axis(10.0), kalman_observer(false), kPeriod, kVariance);
  EXPECT_TRUE(fine.at_rest());
  EXPECT_TRUE(fine.at_random());
  // Poles placed tightly for the heavy arm, a link so light that it rings elsewhere: the error grows.
  ObserverSpec slow = placed();
  slow.predicts = true;
  const PoseStability lost = pose_stability(posed_axis(4.4), slow, kPeriod, kVariance);
  EXPECT_FALSE(lost.at_rest() && lost.at_random());
  EXPECT_GT(lost.worst_pose, 1.0);
}

}  // namespace
}  // namespace tauhat
