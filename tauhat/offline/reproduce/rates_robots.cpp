// A robot's records, by the arm of the limits: what `identify`, `check` and `excite` say of motions that tell too
// little, of joints that are wired wrongly, and of what the arm carries.
#include <cmath>
#include <numbers>

#include "tauhat/offline/reproduce/pyrhonen_identification.hpp"
#include "tauhat/offline/reproduce/rates_robotic.hpp"
#include "tauhat/offline/robot/excitation_report.hpp"
#include "tauhat/offline/robot/robot_report.hpp"
#include "tauhat/offline/robot/urdf_write.hpp"
#include "tauhat/offline/simulate/random.hpp"

namespace tauhat::rates {
namespace {

using limits::ArmMotion;
using Said = std::vector<Diagnostic>;
constexpr int kOfASecond = 20, kOfSeconds = 10;  // records, where an answer takes so long

std::string joint_signal(int joint, const char* quantity) {
  return "joint" + std::to_string(joint + 1) + "." + quantity;
}

using Answering = Said (*)(const Robotic&, std::uint64_t seed);
using Provoke = void (*)(Robotic&, Random&);

Said identified(const Robotic& r, std::uint64_t seed) {
  RobotLogs logs;
  logs.motion.push_back(r.log(seed));
  return answer_robot(r.study, std::move(logs)).report.diagnostics;
}
Said checked(const Robotic& r, std::uint64_t seed) { return check_robot(r.study, r.log(seed)).diagnostics; }
// As identify --validation; what is spoiled is the other log.
Said validated(const Robotic& r, std::uint64_t seed) {
  Robotic whole = r;
  whole.spoil = [](Log&) {};
  RobotLogs logs;
  logs.motion.push_back(whole.log(seed));
  logs.validation = r.log(seed + 1000000);
  return answer_robot(r.study, std::move(logs)).report.diagnostics;
}
// As identify --urdf.
Said written(const Robotic& r, std::uint64_t seed) {
  RobotLogs logs;
  logs.motion.push_back(r.log(seed));
  const RobotAnswer answer = answer_robot(r.study, std::move(logs));
  return answer.identified ? diagnose_urdf(*answer.identified) : Said{};
}
Said excited(const Robotic& r, std::uint64_t seed) {
  return answer_excitation(*r.study.robot, "study", seed).report.diagnostics;
}

Provocation of_robot(
    const char* diagnostic, const char* by, Answering answer, Provoke provoke,
    Provoke without = [](Robotic&, Random&) {}, int records = kOfASecond) {
  return {diagnostic, by,
          [=](std::uint64_t seed, bool is_provoked) {
            Robotic robot;
            Random random(seed, "robot");
            without(robot, random);
            if (is_provoked) provoke(robot, random);
            return answer(robot, seed);
          },
          records};
}

// ---- motions

int some_joint(Random& random, int first, int last) { return static_cast<int>(random.uniform(first, last + 1.0)); }

ArmMotion hold_joint(const ArmMotion& motion, int joint) {
  return [=](double time) {
    auto at = motion(time);
    at.position[joint] = 0.3, at.velocity[joint] = at.acceleration[joint] = 0.0;
    return at;
  };
}
void hold_one(Robotic& r, Random& random) { r.motion = hold_joint(r.motion, some_joint(random, 1, 5)); }
void hold_all(Robotic& r, Random& random) {
  const double where = random.uniform(0.1, 0.6);
  r.arm.position_noise = 0.0;
  r.motion = [where](double) {
    return ReferencePoint<Eigen::Dynamic>{JointValues::Constant(6, where), JointValues::Zero(6), JointValues::Zero(6)};
  };
}
// All joints swing alike and little.
void swing_alike(Robotic& r, Random& random) {
  const double rate = random.uniform(1.0, 2.0), size = random.uniform(0.05, 0.1);
  r.motion = [=](double time) {
    const double phase = rate * time;
    return ReferencePoint<Eigen::Dynamic>{JointValues::Constant(6, 0.3 + size * std::sin(phase)),
                                          JointValues::Constant(6, size * rate * std::cos(phase)),
                                          JointValues::Constant(6, -size * rate * rate * std::sin(phase))};
  };
}
void lose_rows(Robotic& r, Random& random) {
  r.spoil = [at = static_cast<std::ptrdiff_t>(random.uniform(100, 4000)),
             rows = static_cast<std::ptrdiff_t>(random.uniform(1, 6))](Log& log) {
    std::vector<double> time = *log.channels.front().time;
    time.erase(time.begin() + at, time.begin() + at + rows);
    const auto shared = std::make_shared<const std::vector<double>>(std::move(time));
    for (Channel& channel : log.channels) {
      channel.value.erase(channel.value.begin() + at, channel.value.begin() + at + rows);
      channel.time = shared;
    }
  };
}

// ---- joints and bodies

void multiply(Log& log, const std::string& signal, double factor) {
  for (Channel& channel : log.channels)
    if (channel.signal == signal)
      for (double& value : channel.value) value *= factor;
}
void turn_sign(Robotic& r, Random& random) {
  r.spoil = [signal = joint_signal(some_joint(random, 0, 5), random.bit() ? "torque" : "position")](Log& log) {
    multiply(log, signal, -1.0);
  };
}
constexpr double kDegree = std::numbers::pi / 180.0;
void mistake_unit(Robotic& r, Random& random) {
  r.spoil = [signal = joint_signal(some_joint(random, 0, 4), "position")](Log& log) {
    multiply(log, signal, 1.0 / kDegree);
  };
}
void mistake_units(Robotic& r, Random&) {
  r.spoil = [](Log& log) {
    for (int j = 0; j < 6; ++j) multiply(log, joint_signal(j, "position"), 1.0 / kDegree);
  };
}
void mistake_gear(Robotic& r, Random& random) {
  r.spoil = [signal = joint_signal(some_joint(random, 1, 3), "torque"), factor = random.uniform(1.4, 2.0)](Log& log) {
    multiply(log, signal, factor);
  };
}
// Position and torque of the last joint, which carries little, are its motor's.
void log_the_motor(Robotic& r, Random&) {
  constexpr int kLast = 5;
  r.spoil = [ratio = r.study.robot->robot.transmission().ratio()[kLast]](Log& log) {
    multiply(log, joint_signal(kLast, "position"), ratio);
    multiply(log, joint_signal(kLast, "torque"), 1.0 / ratio);
    for (Channel& channel : log.channels)
      for (const char* quantity : {"position", "torque"})
        if (channel.signal == joint_signal(kLast, quantity)) channel.signal = joint_signal(kLast, "motor.") + quantity;
  };
}
void delay_joint(Robotic& r, Random& random) {
  r.spoil = [signal = joint_signal(some_joint(random, 0, 5), "torque"),
             late = static_cast<std::ptrdiff_t>(random.uniform(2, 7))](Log& log) {
    for (Channel& channel : log.channels)
      if (channel.signal == signal) std::rotate(channel.value.begin(), channel.value.end() - late, channel.value.end());
  };
}
void shift_zero(Robotic& r, Random& random) {
  r.spoil = [signal = joint_signal(some_joint(random, 1, 2), "position"), by = random.uniform(0.1, 0.2)](Log& log) {
    for (Channel& channel : log.channels)
      if (channel.signal == signal)
        for (double& value : channel.value) value += by;
  };
}
// Noise that a cut-off of 40 Hz lets into the accelerations.
void shake_positions(Robotic& r, Random& random) {
  r.study.robot->rows.cut_off = 40.0;
  r.arm.position_noise = random.uniform(2e-4, 4e-4);
}
void turn_third(Robotic& r, Random& random) { r.arm.gain_of_third = -random.uniform(0.8, 1.2); }
void mistake_third(Robotic& r, Random& random) { r.arm.gain_of_third = random.uniform(1.03, 1.1); }
void forget_a_body(Robotic& r, Random& random) { r.study.robot->robot.set_link(some_joint(random, 0, 5), {}); }

void ask_for_fall(Robotic& r, Random&) {
  r.study.robot->terms.law = SlidingLaw::exponential;
  r.study.robot->terms.decay.assign(6, 10.0);
}
// Friction that falls, for the records that do not provoke.
void let_friction_fall(Robotic& r, Random& random) {
  ask_for_fall(r, random);
  r.arm.truth.terms.law = SlidingLaw::exponential;
  for (RobotJoint& joint : r.arm.truth.joints)
    joint.friction.excess = joint.friction.coulomb / 3.0, joint.friction.decay = 4.0;
}
void let_it_not_fall(Robotic& r, Random&) {
  for (RobotJoint& joint : r.arm.truth.joints) joint.friction.excess = 0.0;
}
// Contacts that bend, for the records that do not provoke; and a sign that jumps.
void let_friction_bend(Robotic& r, Random&) {
  r.study.robot->terms.law = SlidingLaw::dahl;
  r.arm.bristle = 0.03;
}
void let_it_jump(Robotic& r, Random&) {
  r.arm.bristle = 0.0;
  r.arm.truth.terms.width = 1e-4;
}
void ask_for_memory(Robotic& r, Random&) { r.study.robot->terms.law = SlidingLaw::dahl; }
void ask_for_offset(Robotic& r, Random&) { r.study.robot->terms.offset = true; }
void see_no_rotors(Robotic& r, Random&) {
  r.study.robot->terms.actuators = false;
  r.arm.truth.robot.actuator_inertia().setZero();
}

// ---- excite

void limit_all(Robotic& r, Random&) {
  const MotionLimits limits = pyrhonen::motion_limits();
  for (int j = 0; j < 6; ++j)
    r.study.robot->joints[static_cast<std::size_t>(j)].limits = {limits.lower[j], limits.upper[j], limits.velocity[j],
                                                                 limits.acceleration[j], 1e4};
  r.study.robot->excite.evaluations = 60;
}
void forget_friction(Robotic& r, Random&) {
  for (RobotJoint& joint : r.study.robot->joints) joint.friction = {};
}

}  // namespace

std::vector<Provocation> of_robots() {
  return {
      of_robot("excitation.none", "a robot that stands still", checked, hold_all),
      of_robot("excitation.poor", "joints that swing alike, by 0.05 to 0.1 rad", checked, swing_alike),
      of_robot("parameter.undetermined", "a robot one of whose joints stands still", identified, hold_one),
      of_robot("log.interpolated", "1 to 5 rows of a robot's log missing", checked, lose_rows),
      of_robot("joint.sign", "one joint's torque or position turned", checked, turn_sign),
      of_robot("joint.unit", "the position of joint 1 to 5 in degrees, read as radians", checked, mistake_unit),
      of_robot("joints.unit", "all positions in degrees, read as radians", checked, mistake_units),
      of_robot("joint.ratio", "the torque of joint 2, 3 or 4 1.4 to 2 times too large", checked, mistake_gear),
      of_robot("joint.ratio_unknown", "the last joint's position and torque measured at its motor", checked,
               log_the_motor),
      of_robot("joint.clock", "one joint's torque 4 to 12 ms late", checked, delay_joint),
      of_robot("joints.unchecked", "friction with a memory in the study", checked, ask_for_memory),
      of_robot("noise.motion", "positions with noise of 0.2 to 0.4 mrad, and a cut-off of 40 Hz", identified,
               shake_positions),
      of_robot("validation.misfit", "another log whose joint 2 or 3 has its zero 0.1 to 0.2 rad off", validated,
               shift_zero),
      of_robot("consistent.misfit", "the torque of joint 3 turned", identified, turn_third),
      of_robot("model.suspect", "the torque of joint 3 3 to 10 % too large", identified, mistake_third),
      of_robot("inertia.guessed", "a link without inertia in the study", identified, forget_a_body),
      of_robot("inertia.missing", "a link without inertia in the study", checked, forget_a_body),
      of_robot("friction.no_excess", "an excess asked for where friction does not fall", identified, let_it_not_fall,
               let_friction_fall, kOfSeconds),
      of_robot("friction.no_memory", "a memory asked for where friction's sign jumps", identified, let_it_jump,
               let_friction_bend, kOfSeconds),
      of_robot("urdf.incomplete", "an offset of friction asked for", written, ask_for_offset, see_no_rotors),
      of_robot("torque.not_limited", "limits of torque, and a link without inertia", excited, forget_a_body, limit_all),
      of_robot("torque.without_friction", "limits of torque, and no friction in the study", excited, forget_friction,
               limit_all)};
}

}  // namespace tauhat::rates
