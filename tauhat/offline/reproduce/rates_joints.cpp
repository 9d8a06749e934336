// Elastic joints: what `identify` says of their records, and `estimate` and `describe` of their observers.
#include <cmath>
#include <numbers>

#include "tauhat/offline/joint/compare.hpp"
#include "tauhat/offline/joint/joint_report.hpp"
#include "tauhat/offline/reproduce/limits_joint.hpp"
#include "tauhat/offline/reproduce/limits_log.hpp"
#include "tauhat/offline/reproduce/rates_subject.hpp"

namespace tauhat::rates {
namespace {

// A joint that is shaken by many sines while it travels one way.
constexpr const char* kShaken = R"toml(
[drive]
model = "elastic-joint"
motor.inertia = 7e-4
motor.viscous = 0.008
motor.friction = { law = "lugre", bristle_stiffness = 40, bristle_damping = 0.03, coulomb = 0.343, breakaway = 0.45, stribeck_velocity = 3, fading_velocity = 5 }
transmission = { ratio = 120, stiffness = 1.2e5, damping = 80 }
load = { inertia = 14.3854, viscous = 2 }
[log]
time = { column = "time", unit = "s" }
[log.channels]
"motor.torque" = { column = "torque", unit = "N m" }
"motor.position" = { column = "motor", unit = "rad", std = 2e-6 }
[estimator]
period = "1 ms"
[simulate]
duration = 14
rate = 1000
input = { kind = "multisine", lowest = 2, highest = 40, lines = 120, amplitude = 0.9, offset = 1.6 }
)toml";

// The same without friction, which moves slowly and has an encoder at its load.
constexpr const char* kWithEncoders = R"toml(
[drive]
model = "elastic-joint"
motor.inertia = 7e-4
motor.viscous = 0.008
transmission = { ratio = 120, stiffness = 1.2e5, damping = 80 }
load = { inertia = 14.3854, viscous = 2 }
[log]
time = { column = "time", unit = "s" }
[log.channels]
"motor.torque" = { column = "torque", unit = "N m" }
"motor.position" = { column = "motor", unit = "rad", std = 2e-6 }
"load.position" = { column = "load", unit = "rad", std = 2e-6 }
[estimator]
period = "1 ms"
[simulate]
duration = 10
rate = 1000
input = { kind = "multisine", lowest = 0.1, highest = 3, lines = 30, amplitude = 0.9 }
)toml";

constexpr int kRecords = 40;

// Joints of one size.
void vary(Subject& s, Random& random) {
  s.truth.joint->joint.stiffness *= random.uniform(0.95, 1.05);
  s.truth.joint->joint.load_inertia *= random.uniform(0.95, 1.05);
  // Bristles as stiff as the shaken joint's are too much for steps of one length on one record of ten.
  s.truth.simulation->integrator = Integrator::cvode;
}
Said identified(const Study& study, const Log& log) { return answer_joint(study, log).diagnostics; }
// ---- records

void delay_torque(Subject& s, Random& random) {
  s.spoil = [late = static_cast<std::ptrdiff_t>(random.uniform(1.0, 6.0))](Log& log) {
    change_values(log, "motor.torque", [late](std::vector<double>& values) {
      std::rotate(values.begin(), values.end() - late, values.end());
    });
  };
}
void mistake_units(Subject& s, Random& random) {
  s.spoil = [torque = random.bit()](Log& log) {
    change_values(log, torque ? "motor.torque" : "motor.position", [torque](std::vector<double>& values) {
      for (double& value : values) value *= torque ? 10.0 : 180.0 / std::numbers::pi;
    });
  };
}
void delay_load(Subject& s, Random& random) { sensor_in(s.truth, "load.position").delay = random.uniform(1e-3, 4e-3); }
void turn_back(Subject& s, Random&) { s.truth.simulation->excitation.offset = 0.0; }
void shake_narrowly(Subject& s, Random& random) {
  Excitation& input = s.truth.simulation->excitation;
  input.lowest = random.uniform(3.0, 8.0), input.highest = input.lowest + 3.0, input.lines = 10;
}
void shake_briefly(Subject& s, Random& random) { s.truth.simulation->duration = random.uniform(3.0, 5.5); }
void hardly_push(Subject& s, Random& random) { s.truth.simulation->excitation.amplitude = random.uniform(1e-4, 3e-4); }
void shake_fast(Subject& s, Random& random) {
  s.truth.simulation->excitation.lowest = random.uniform(34.0, 38.0);
  s.truth.simulation->excitation.highest = 60.0;
}
// An encoder at the load that is not of the best.
void vary_coarsely(Subject& s, Random& random) {
  vary(s, random);
  sensor_in(s.truth, "load.position").std = 3e-5;
}

// ---- observers, on records whose noise is the study's

using limits::HostileJoint;

Provocation of_observer(const char* diagnostic, const char* by, void (*provoke)(HostileJoint&, Random&)) {
  return {diagnostic, by,
          [provoke](std::uint64_t seed, bool is_provoked) {
            HostileJoint joint;
            Random size(seed, "size");
            if (is_provoked) provoke(joint, size);
            const limits::JointRecord record = limits::joint_record(joint, seed);
            return estimated(joint.study,
                             limits::log_in_memory(
                                 {{"motor.torque", record.torque}, {"motor.position", record.position}}, record.time));
          },
          kRecords};
}

// `compare`, with a gyro at the link.
Provocation of_comparison(const char* diagnostic, const char* by, void (*provoke)(HostileJoint&, Random&)) {
  return {diagnostic, by,
          [provoke](std::uint64_t seed, bool is_provoked) {
            HostileJoint joint;
            joint.study.channels.push_back(channel_in(joint.study, "motor.position"));
            joint.study.channels.back().spec.signal = "load.velocity";
            joint.study.channels.back().std = 1e-3;
            Random size(seed, "size");
            if (is_provoked) provoke(joint, size);
            const limits::JointRecord record = limits::joint_record(joint, seed);
            return compare_observers(joint.study, {},
                                     limits::log_in_memory({{"motor.torque", record.torque},
                                                            {"motor.position", record.position},
                                                            {"load.velocity", record.velocity}},
                                                           record.time),
                                     {})
                .diagnostics;
          },
          kRecords};
}

void believe_in_softness(HostileJoint& joint, Random& random) {
  joint.study.joint->joint.stiffness *= random.uniform(0.1, 0.2);
}
void delay_one_sample(HostileJoint& joint, Random& random) { joint.torque_late = random.bit() ? 1 : 2; }
void soften(HostileJoint& joint, Random& random) { joint.truth.stiffness *= random.uniform(0.85, 0.97); }
void hear_noise(HostileJoint& joint, Random& random) { joint.noise *= random.uniform(2.0, 5.0); }

}  // namespace

std::vector<Provocation> of_joints() {
  const Part shaken{kShaken, vary, identified}, encoders{kWithEncoders, vary, identified};
  const Part coarse{kWithEncoders, vary_coarsely, identified};
  return {
      shaken("clock.torque", "a torque that comes 1 to 5 samples late", delay_torque, kRecords),
      encoders("clock.skew", "a load encoder that comes 1 to 4 ms late", delay_load, kRecords),
      shaken("excitation.reversals", "a motor that is shaken to and fro", turn_back, kRecords),
      shaken("excitation.too_narrow", "sines of 3 Hz of bandwidth only", shake_narrowly, kRecords),
      shaken("excitation.none", "a duration of 3 to 5.5 s, and no encoder at the load", shake_briefly, kRecords),
      coarse("excitation.torque_too_small", "a torque of 0.1 to 0.3 mN m", hardly_push, kRecords),
      shaken("parameter.undetermined", "sines above the joint's resonance alone, 34 to 60 Hz", shake_fast, kRecords),
      shaken("parameter.not_of_this_joint", "positions in degrees, or a torque's constant ten times too large",
             mistake_units, kRecords),
      of_comparison("observer.worse_than_naive", "`compare`, a joint 5 to 10 times as stiff as the study says",
                    believe_in_softness),
      of_observer("filter.coloured", "`estimate`, a torque that comes 1 or 2 samples late", delay_one_sample),
      of_observer("model.suspect", "`estimate`, a joint 3 to 15 % softer than the study says", soften),
      of_observer("filter.lag", "`estimate`, a sensor 2 to 5 times as noisy as its `std`", hear_noise)};
}

}  // namespace tauhat::rates
