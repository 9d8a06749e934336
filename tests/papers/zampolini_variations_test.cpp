// The thesis's figures carry over: other axes, a neighbour that moves, stick-slip, a torque at the link. Each by the
// program's own observers, with parameters identified from motor signals or a few per cent off.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/named.hpp"
#include "tauhat/offline/reproduce/zampolini_observers.hpp"
#include "tauhat/offline/reproduce/zampolini_trial.hpp"

namespace tauhat::zampolini {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0;

// What its maker says of an axis: off as the set-up's nominal numbers are.
ParameterSet nominal_of(const Plant& plant) {
  ParameterSet set = true_parameters(plant);
  ElasticJoint<double>& joint = set.joint;
  joint.stiffness *= 1.15, joint.neighbour_stiffness *= 0.88;
  joint.load_inertia *= 0.93, joint.coupling_inertia *= 0.92, joint.motor_inertia *= 1.06;
  joint.damping *= 0.6, joint.neighbour_damping *= 1.5;
  set.torque_constant *= 0.97;
  return set;
}

ParameterSet identified_of(const RecordOptions& options) {
  ParameterSet set = nominal_of(options.plant);
  const FrictionResult friction = identify_friction(friction_run(options), options.plant, set.torque_constant);
  set.joint.motor_viscous = friction.mean().viscous, set.coulomb = friction.mean().coulomb;
  set.gravity_sine = friction.gravity_sine, set.gravity_cosine = friction.gravity_cosine;
  set.joint = identify_modes(identify_response(options), set).joint;
  return set;
}

// A shoulder that carries more, and an elbow that carries less.
Plant shoulder() {
  Plant plant;
  plant.ratio = 150.0, plant.motor_inertia = 9e-4, plant.stiffness = 2.2e5, plant.damping = 140.0;
  plant.straight_inertia = 20.0, plant.reach = 3.2, plant.neighbour_inertia = 3.6;
  plant.neighbour_stiffness = 4.5e4, plant.neighbour_damping = 18.0;
  return plant;
}
Plant elbow() {
  Plant plant;
  plant.ratio = 100.0, plant.motor_inertia = 6e-4, plant.stiffness = 7e4, plant.damping = 45.0;
  plant.straight_inertia = 8.5, plant.reach = 1.4, plant.neighbour_inertia = 1.7;
  plant.neighbour_stiffness = 2e4, plant.neighbour_damping = 8.0;
  plant.load_gravity = 70.0, plant.neighbour_gravity = 30.0;
  for (double* wrist :
       {&plant.load_wrist_inertia, &plant.neighbour_wrist_inertia, &plant.wrist_inertia, &plant.wrist_damping})
    *wrist *= 0.5;  // a lighter arm has a lighter hand
  return plant;
}

// Its study: the axis, and what shakes it. Beside the elbow's small torques friction is large: it is fed forward, and
// what is left of it wanders less.
struct OtherAxis : Named {
  Plant plant;
  double noise;  // of link and disturbance, over that of the figures
  bool friction_compensation;
};
class OtherAxes : public testing::TestWithParam<OtherAxis> {};

TEST_P(OtherAxes, AreSeenAsWellBySeventeenBits) {
  const Encoder encoder = coarse_encoder(17);
  const RecordOptions options{.plant = GetParam().plant, .encoder = encoder, .seed = 21};
  const ParameterSet found = identified_of(options);
  const JointSpec spec = with_friction(spec_of(found), assumed_friction(found.coulomb, 1.4, 4.0, 28.0));
  ObserverSpec filter = disturbance_filter();
  filter.load_noise *= GetParam().noise, filter.motor_disturbance->intensity *= GetParam().noise;
  filter.friction_compensation = GetParam().friction_compensation;
  const Record quiet = normal(options), excited = exciting(options);
  EXPECT_GE(fit_of(spec, filter, quiet, found, encoder.variance()), 99.2);
  EXPECT_GE(fit_of(spec, filter, excited, found, encoder.variance()), 95.5);
  EXPECT_GE(fit_of(spec, bristle_filter(), quiet, found, encoder.variance()), 99.2);
  EXPECT_GE(fit_of(spec, bristle_filter(), excited, found, encoder.variance()), 96.5);
}

INSTANTIATE_TEST_SUITE_P(Zampolini, OtherAxes,
                         testing::Values(OtherAxis{{"shoulder"}, shoulder(), 1.0, false},
                                         OtherAxis{{"elbow"}, elbow(), 0.3, true}),
                         by_name);

// By a schedule of a study: M(q) every ten degrees, two to three per cent off, and the reference of the other axis.
TEST(MovingNeighbour, IsFollowedByAStudysSchedule) {
  for (const std::uint64_t seed : {21U, 22U}) {
    const Record record = moving_neighbour({.seed = seed});
    ParameterSet set = true_parameters();
    set.joint.stiffness *= 0.97, set.joint.neighbour_stiffness *= 1.01, set.joint.damping *= 0.87;
    set.coulomb = 0.386;
    JointSpec spec = with_friction(spec_of(set), assumed_friction(set.coulomb, 1.3, 3.0, 40.0));
    spec.gravity = {};
    PoseSchedule& pose = spec.pose.emplace();
    for (int degrees = 0; degrees <= 170; degrees += 10) {
      const double cosine = std::cos(degrees * kDegree), reach = 2.5 * 0.97;
      pose.position.push_back(degrees * kDegree);
      pose.load_inertia.push_back(13.0992 * 1.02 + 2.0 * reach * cosine);
      pose.coupling_inertia.push_back(2.7927 + reach * cosine);
      pose.gravity_cosine.push_back(121.2 + 59.4 * cosine);
      pose.gravity_sine.push_back(-59.4 * std::sin(degrees * kDegree));
    }
    const Timeline bare = timeline_of(record, set, kMeasurementVariance);
    Timeline followed = bare, frozen = bare;
    std::vector<double> position, velocity, acceleration, weight, load_pull, neighbour_pull;
    for (std::size_t k = 0; k < record.size(); ++k) {
      const MotionPoint& motor = record.neighbour_motor[k];
      position.push_back(motor.position), velocity.push_back(motor.velocity);
      acceleration.push_back(motor.acceleration);
      const double load = record.motor_position[k] / set.joint.ratio, w = record.reference.velocity[k];
      const double cosine = 2.5 * 0.97 * std::cos(motor.position), h = -2.5 * 0.97 * std::sin(motor.position);
      weight.push_back(59.4 * std::cos(load + motor.position));
      // What the schedule computes by itself, for the model of one pose.
      load_pull.push_back(121.2 * std::cos(load) + weight.back() + (2.7927 + cosine) * motor.acceleration +
                          h * (2.0 * w * motor.velocity + motor.velocity * motor.velocity));
      neighbour_pull.push_back(weight.back() + 2.7927 * motor.acceleration - h * w * w);
    }
    followed.sensors.push_back({"neighbour.torque", joint_neighbour_torque, 0.0, weight});
    followed.sensors.push_back({"pose.position", joint_pose_position, 0.0, position});
    followed.sensors.push_back({"pose.velocity", joint_pose_velocity, 0.0, velocity});
    followed.sensors.push_back({"pose.acceleration", joint_pose_acceleration, 0.0, acceleration});
    frozen.sensors.push_back({"load.torque", joint_load_torque, 0.0, load_pull});
    frozen.sensors.push_back({"neighbour.torque", joint_neighbour_torque, 0.0, neighbour_pull});
    ObserverSpec observer = bristle_filter();
    observer.neighbour_noise = 0.0;
    const auto fit = [&](const JointSpec& by, const Timeline& on) {
      const Replay replay = make_joint_estimator(by, observer, kPeriod, kMeasurementVariance)->replay(on, {});
      return fit_percent(record.load_velocity, replay.filtered[joint_load_velocity].value);
    };
    const double with_schedule = fit(spec, followed);
    spec.pose.reset();
    EXPECT_GE(with_schedule, 98.8) << seed;
    EXPECT_GE(with_schedule - fit(spec, frozen), 3.0) << seed;
  }
}

// An axis that creeps at 20 mrad/s, its motor below Stribeck's velocity, with twice the breakaway: it sticks and slips.
// So slow a motion shakes the links less: their noise is a sixth of that of the figures.
TEST(StickSlip, IsSeenByFourteenBits) {
  const Encoder encoder = coarse_encoder(14);
  for (const std::uint64_t seed : {21U, 22U}) {
    RecordOptions options{.encoder = encoder, .seed = seed};
    options.plant.friction.breakaway = 0.8;
    Reference creep;
    for (int k = 0; k < 25000; ++k) {
      creep.position.push_back(87.0 * kDegree + 0.02 * k * kPeriod);
      creep.velocity.push_back(0.02);
    }
    const Record record = run(creep, {}, options);
    const ParameterSet set = identified({.seed = seed});
    const JointSpec spec = with_friction(spec_of(set), assumed_friction(set.coulomb, 0.8 / 0.343, 3.0, 40.0));
    ObserverSpec observer = bristle_filter();
    observer.load_noise = observer.neighbour_noise = 0.05;
    EXPECT_GE(fit_of(spec, observer, record, set, encoder.variance()), 94.0) << seed;
  }
}

// Somebody pushes: 25 N m rms at the link, while the axis goes about its work.
TEST(ExternalTorque, IsFoundBesideFriction) {
  for (const std::uint64_t seed : {21U, 22U}) {
    RecordOptions options{.seed = seed};
    const std::size_t rows = normal(options).size();
    for (std::size_t k = 0; k < rows; ++k) {
      const double t = static_cast<double>(k) * kPeriod, phase = 0.7 * static_cast<double>(seed);
      options.external_torque.push_back(
          25.0 * (std::sin(2.0 * std::numbers::pi * 0.4 * t + phase) + std::sin(2.0 * std::numbers::pi * 1.1 * t)));
    }
    const Record record = normal(options);
    const ParameterSet set = identified({.seed = seed});
    const JointSpec spec = with_friction(spec_of(set), assumed_friction(set.coulomb, 1.3, 3.0, 40.0));
    ObserverSpec observer = bristle_filter();
    observer.motor_disturbance = TorqueWalk{0.3, 2.0 * std::numbers::pi * 5.0};
    observer.external_torque = TorqueWalk{100.0, 0.0};
    const auto estimator = make_joint_estimator(spec, observer, kPeriod, kMeasurementVariance);
    const Replay replay = estimator->replay(timeline_of(record, set, kMeasurementVariance), {});
    EXPECT_GE(fit_percent(record.load_velocity, replay.filtered[joint_load_velocity].value), 99.5) << seed;
    const auto& torque =
        replay.filtered[static_cast<std::size_t>(estimator->find_output("load.external_torque"))].value;
    double sum = 0.0;
    const std::size_t first = 1250;
    for (std::size_t k = first; k < rows; ++k) sum += std::pow(torque[k] - options.external_torque[k], 2);
    EXPECT_LE(std::sqrt(sum / static_cast<double>(rows - first)), 8.0) << seed;
  }
}

}  // namespace
}  // namespace tauhat::zampolini
