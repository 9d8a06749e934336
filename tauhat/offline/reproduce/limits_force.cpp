// The force at the flange of an arm from its encoders and torques, where the model of the arm, its torques or its
// sensors are not what the study says. A log without contact has told what that looks like as a force.
#include <cmath>

#include "tauhat/offline/identify/online.hpp"
#include "tauhat/offline/reproduce/contact_motion.hpp"
#include "tauhat/offline/reproduce/limits_arm.hpp"
#include "tauhat/offline/reproduce/limits_arm_friction.hpp"
#include "tauhat/offline/reproduce/limits_misfit.hpp"
#include "tauhat/offline/robot/force_estimator.hpp"
#include "tauhat/offline/robot/force_report.hpp"
#include "tauhat/offline/simulate/random.hpp"

namespace tauhat::limits {
namespace {

constexpr double kDuration = 3.0, kSettling = 0.3;           // s
constexpr double kPositionNoise = 2e-5, kTorqueNoise = 0.1;  // rad, N m: as the study says

HostileArm friendly_arm() {
  HostileArm arm;
  arm.truth = limits_arm();
  arm.truth.force.frame = "flange";
  arm.duration = kDuration;
  arm.position_noise = kPositionNoise, arm.torque_noise = kTorqueNoise;
  arm.torque_late = -arm.period / 2.0;  // a torque is held from its row to the next
  return arm;
}

Study force_study_of(const RobotSpec& arm) {
  Study study = arm_study(arm);
  study.robot->torques_sampled = false;
  for (StudyChannel& channel : study.channels)
    channel.std = channel.spec.signal.ends_with(".position") ? kPositionNoise : kTorqueNoise;
  return study;
}

// That of the paper's experiment; the record without contact is of the same.
ArmMotion motion() {
  return [sines = contact_motion<Eigen::Dynamic>()](double time) { return sines.at(time); };
}

// It walks as the study says that it may.
std::vector<Eigen::Vector3d> walking_force(const HostileArm& arm, const ForceSpec& spec, std::uint64_t seed) {
  Random random(seed, "force");
  const auto normal = [&](double size) {
    return Eigen::Vector3d(size * random.normal(), size * random.normal(), size * random.normal());
  };
  std::vector<Eigen::Vector3d> force{normal(spec.start)};
  const auto samples = static_cast<std::size_t>(std::lround(arm.duration / arm.period)) + 1;
  while (force.size() < samples) force.emplace_back(force.back() + normal(spec.walk * std::sqrt(arm.period)));
  return force;
}

// What is recorded, and whether it was so already when the record without contact was made.
struct HostileContact {
  HostileArm arm = friendly_arm();
  bool is_new = false;
};

// As `estimate --floor` answers.
Answer answer_to(const HostileContact& contact, std::uint64_t seed) {
  const HostileArm &arm = contact.arm, before = contact.is_new ? friendly_arm() : arm;
  Study study = force_study_of(limits_arm());
  study.robot->force.frame = arm.truth.force.frame;
  const std::vector<Eigen::Vector3d> truth = walking_force(arm, study.robot->force, seed);
  const Log without_contact = arm_log(before, motion(), seed + 1000000), log = arm_log(arm, motion(), seed, truth);
  const FloorAnswer floor = measure_floor(without_contact, study);
  Answer answer;
  answer.diagnostics = log.diagnostics;
  answer.diagnostics.insert(answer.diagnostics.end(), floor.diagnostics.begin(), floor.diagnostics.end());
  const Timeline timeline = online_timeline(study, log, answer.diagnostics);
  const auto estimator = make_online_estimator(study, study.robot->force.walk, first_row(timeline));
  const Replay replay = estimator->replay(timeline, {});
  for (const Diagnostic& remark : estimator->remarks()) answer.diagnostics.push_back(remark);
  const ForceRun run{study.robot->force.kind, timeline.time, estimator->outputs(), replay.filtered};
  for (const Diagnostic& each : force_report(study, log, run, {}, floor).diagnostics)
    answer.diagnostics.push_back(each);
  if (replay.mean_nis() > 1.5) answer.diagnostics.push_back({"filter.lag", Severity::warning, ""});

  double held = 0.0, count = 0.0, error = 0.0, square = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    const Track& track = replay.filtered[static_cast<std::size_t>(force_outputs(*study.robot).force(axis))];
    for (std::size_t k = 0; k < timeline.size(); ++k) {
      if (timeline.time[k] < kSettling) continue;
      const double at = truth[k][axis], off = track.value[k] - at;
      held += std::abs(off) <= k95 * track.std[k];
      error += off * off, square += at * at, ++count;
    }
  }
  answer.many["force"] = {held / count, std::sqrt(error / square)};
  return answer;
}

using Misfits = std::vector<Misfit<HostileArm>>;
using A = HostileArm;

Misfits misfits_of_the_torques() {
  return {{"torque gain", {{"+2 %", 1.02}, {"+10 %", 1.1}}, [](A& a, double gain) { a.torque_gain = gain; }},
          {"torque offset, one joint",
           {{"0.2 N m", 0.2}, {"1 N m", 1.0}},
           [](A& a, double offset) { a.offset_of_third = offset; }},
          {"torques late",
           {{"2 ms, one sample", 2e-3}, {"10 ms", 10e-3}},
           [](A& a, double delay) { a.torque_late += delay; }},
          {"torque ripple",
           {{"0.2 N m", 0.2}, {"1 N m", 1.0}},
           [](A& a, double size) {
             a.beside = [size](const JointInstant& at) { return size * std::sin(100.0 * at.position); };
           }},
          {"noise of the torques", {{"3 times", 3.0}}, [](A& a, double times) { a.torque_noise *= times; }},
          {"coloured noise of the torques", {{"20 ms", 20e-3}}, [](A& a, double memory) { a.noise_memory = memory; }},
          {"noise of the encoders", {{"3 times", 3.0}}, [](A& a, double times) { a.position_noise *= times; }}};
}

void scale_friction(RobotSpec& arm, double times) {
  for (RobotJoint& joint : arm.joints) joint.friction.viscous *= times, joint.friction.coulomb *= times;
}
void scale_inertias(RobotSpec& arm, double times) {
  for (int j = 0; j < arm.count(); ++j) {
    LinkInertia<double> link = arm.robot.link(j);
    link.mass *= times, link.first_moment *= times, link.moment *= times;
    arm.robot.set_link(j, link);
  }
}

Misfits misfits_of_the_arm() {
  return {{"inertias", {{"+2 %", 1.02}, {"+20 %", 1.2}}, [](A& a, double times) { scale_inertias(a.truth, times); }},
          {"friction", {{"+2 %", 1.02}, {"+20 %", 1.2}}, [](A& a, double times) { scale_friction(a.truth, times); }},
          {"Stribeck bump",
           {{"10 % of 5 N m", 0.5}, {"50 % of 5 N m", 2.5}},
           [](A& a, double size) {
             a.beside = [size](const JointInstant& at) {
               return size * direction_of(at.velocity) * std::exp(-std::abs(at.velocity) / 0.2);
             };
           }},
          friction_under_load(),
          {"friction that warms up",
           {{"-10 %", -0.1}, {"-30 %", -0.3}},
           [](A& a, double change) {
             a.beside = [change](const JointInstant& at) {
               return change * at.time / kDuration * (4.0 * at.velocity + 5.0 * direction_of(at.velocity));
             };
           }},
          {"friction turns over within a way",
           {{"1 mrad", 1e-3}, {"10 mrad", 1e-2}},
           [](A& a, double way) { a.bristle = way; }},
          {"elastic joints",
           {{"1e5 N m/rad", 1e-5}, {"1e4 N m/rad", 1e-4}},
           [](A& a, double compliance) { a.compliance = compliance; }},
          {"mounted askew", {{"0.5 deg", 0.0087}, {"3 deg", 0.052}}, [](A& a, double angle) { tilt(a.truth, angle); }}};
}

Misfits misfits_of_the_sensors() {
  return {
      {"quantisation", {{"0.1 mrad", 1e-4}, {"1 mrad", 1e-3}}, [](A& a, double step) { a.resolution = step; }},
      {"jitter", {{"5 % of a period", 0.05}, {"50 % of a period", 0.5}}, [](A& a, double share) { a.jitter = share; }},
      {"dropouts", {{"2 %", 0.02}}, [](A& a, double share) { a.dropout = share; }},
      {"saturated torques", {{"20 %", 0.2}}, [](A& a, double share) { a.saturation = share; }}};
}

// What has changed since the record without contact.
Misfits new_misfits() {
  return {{"friction, since the floor", {{"-20 %", 0.8}}, [](A& a, double times) { scale_friction(a.truth, times); }},
          {"torque gain, since the floor", {{"+10 %", 1.1}}, [](A& a, double gain) { a.torque_gain = gain; }}};
}

}  // namespace

std::vector<Cell> force_cells() {
  std::vector<Misfit<HostileContact>> misfits;
  const auto add = [&](const Misfits& group, bool is_new) {
    for (const Misfit<HostileArm>& each : group)
      misfits.push_back({each.name, each.sizes, [is_new, spoil = each.spoil](HostileContact& c, double size) {
                           c.is_new = is_new;
                           spoil(c.arm, size);
                         }});
  };
  for (const Misfits& group : {misfits_of_the_torques(), misfits_of_the_arm(), misfits_of_the_sensors()})
    add(group, false);
  add(new_misfits(), true);
  std::vector<Cell> cells;
  add_cells("force on a robot", HostileContact{}, {}, answer_to, misfits, cells);
  return cells;
}

}  // namespace tauhat::limits
