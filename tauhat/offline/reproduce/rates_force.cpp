// The force on a robot, by the arm of the limits: arms that rest, and logs without contact that tell too little.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "tauhat/offline/reproduce/contact_motion.hpp"
#include "tauhat/offline/reproduce/limits_arm.hpp"
#include "tauhat/offline/reproduce/rates_table.hpp"
#include "tauhat/offline/robot/force_answer.hpp"
#include "tauhat/offline/simulate/random.hpp"

namespace tauhat::rates {
namespace {

using limits::ArmMotion, limits::HostileArm;
using Said = std::vector<Diagnostic>;
constexpr double kPositionNoise = 2e-5, kTorqueNoise = 0.1;  // rad, N m: as the study says
constexpr int kRecords = 40;

ArmMotion swinging(Random& random) {
  JointSines<Eigen::Dynamic> sines = contact_motion<Eigen::Dynamic>();
  for (double& phase : sines.phase) phase = random.uniform(0.0, 2.0 * std::numbers::pi);
  return [sines](double time) { return sines.at(time); };
}

ReferencePoint<Eigen::Dynamic> at_rest(const ArmMotion& motion, double time) {
  return {motion(time).position, JointValues::Zero(6), JointValues::Zero(6)};
}

// Somebody pushes while it is recorded; the log without contact is of the same motion.
struct Pushed {
  HostileArm arm;
  Study study;
  ArmMotion motion, motion_without_contact;
  bool has_floor = true, is_its_own_floor = false;
  std::function<void(Log&)> spoil = [](Log&) {};

  explicit Pushed(Random& random) {
    arm.truth = limits::limits_arm();
    arm.truth.force.frame = "flange";
    arm.duration = 3.0;
    arm.position_noise = kPositionNoise, arm.torque_noise = kTorqueNoise;
    arm.torque_late = -arm.period / 2.0;  // a torque is held from its row to the next
    study = limits::arm_study(limits::limits_arm());
    study.robot->torques_sampled = false;
    study.robot->force.frame = "flange";
    study.robot->force.contact.false_alarm_rate = 0.02;
    for (StudyChannel& channel : study.channels)
      channel.std = channel.spec.signal.ends_with(".position") ? kPositionNoise : kTorqueNoise;
    motion = motion_without_contact = swinging(random);
  }
};

// As `estimate --floor` answers.
Said answer_to(const Pushed& p, std::uint64_t seed) {
  const auto samples = static_cast<std::size_t>(std::lround(p.arm.duration / p.arm.period)) + 1;
  std::vector<Eigen::Vector3d> force(samples, Eigen::Vector3d::Zero());
  for (std::size_t k = samples / 2; k < samples; ++k) force[k] = {0.0, 20.0, 10.0};
  Log log = limits::arm_log(p.arm, p.motion, seed, force);
  p.spoil(log);
  std::optional<Log> without_contact;
  if (p.has_floor)
    without_contact = p.is_its_own_floor ? log : limits::arm_log(p.arm, p.motion_without_contact, seed + 1000000);
  const ForceAnswer answer = answer_force(p.study, log, without_contact);
  Said said = answer.diagnostics;
  said.insert(said.end(), answer.refusals.begin(), answer.refusals.end());
  if (!answer.refusals.empty()) return said;
  const Report report = force_report(answer.study, answer.log, answer.run, {}, answer.floor);
  said.insert(said.end(), report.diagnostics.begin(), report.diagnostics.end());
  return said;
}

Provocation of_push(const char* diagnostic, const char* by, void (*provoke)(Pushed&, Random&)) {
  return {diagnostic, by,
          [provoke](std::uint64_t seed, bool is_provoked) {
            Random motion(seed, "motion"), size(seed, "size");
            Pushed pushed(motion);
            if (is_provoked) provoke(pushed, size);
            return answer_to(pushed, seed);
          },
          kRecords};
}

void have_no_floor(Pushed& p, Random&) { p.has_floor = false; }
void be_its_own_floor(Pushed& p, Random&) { p.is_its_own_floor = true; }
void ask_for_few_alarms(Pushed& p, Random& random) {
  p.study.robot->force.contact.false_alarm_rate = random.uniform(1e-3, 5e-3);
}
void rest(Pushed& p, Random& random) {
  p.motion = [moving = p.motion, when = random.uniform(0.0, 3.0)](double) { return at_rest(moving, when); };
}
// The motion goes slower and slower over half a second, and stands.
void rest_at_the_end(Pushed& p, Random& random) {
  p.motion = [moving = p.motion, from = random.uniform(0.5, 2.0)](double time) {
    constexpr double kBraking = 0.5;  // s
    const double braked = std::clamp(time - from, 0.0, kBraking), pace = 1.0 - braked / kBraking;
    const bool brakes = braked > 0.0 && braked < kBraking;
    const auto at = moving(std::min(time, from) + braked - 0.5 * braked * braked / kBraking);
    const double change = brakes ? -1.0 / kBraking : 0.0;
    return ReferencePoint<Eigen::Dynamic>{at.position, pace * at.velocity,
                                          pace * pace * at.acceleration + change * at.velocity};
  };
}
void lose_a_position(Pushed& p, Random& random) {
  p.spoil = [which = 2 * static_cast<std::size_t>(random.uniform(0.0, 6.0))](Log& log) {
    for (std::size_t k = 1; k < log.channels[which].value.size(); ++k) log.channels[which].value[k] = std::nan("");
  };
}
void rest_one_without_contact(Pushed& p, Random& random) {
  p.motion_without_contact = [moving = p.motion, joint = static_cast<int>(random.uniform(0.0, 6.0))](double time) {
    auto at = moving(time);
    at.position[joint] = 0.3, at.velocity[joint] = at.acceleration[joint] = 0.0;
    return at;
  };
}
}  // namespace

std::vector<Provocation> of_forces() {
  return {of_push("force.floor_unknown", "no log without contact", have_no_floor),
          of_push("force.own_floor", "the log itself for the one without contact", be_its_own_floor),
          of_push("contact.extrapolated", "a false-alarm rate of 0.1 to 0.5 % from 1350 samples without contact",
                  ask_for_few_alarms),
          of_push("force.unobservable", "an arm that rests", rest),
          of_push("force.partly_unobservable", "an arm that comes to rest after 1 to 2.5 s of 3 s", rest_at_the_end),
          of_push("force.not_started", "one joint's position missing but for its first sample", lose_a_position),
          of_push("residual.unknown", "a joint that rests in the log without contact", rest_one_without_contact)};
}

}  // namespace tauhat::rates
