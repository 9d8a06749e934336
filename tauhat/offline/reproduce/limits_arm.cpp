#include "tauhat/offline/reproduce/limits_arm.hpp"

#include <cmath>

#include "tauhat/core/robot/inverse_dynamics.hpp"
#include "tauhat/offline/reproduce/limits_log.hpp"
#include "tauhat/offline/reproduce/pyrhonen_identification.hpp"
#include "tauhat/offline/reproduce/tx40.hpp"
#include "tauhat/offline/robot/robot_identification.hpp"
#include "tauhat/offline/simulate/random.hpp"

namespace tauhat::limits {
namespace {

using Values = JointVector<double, Eigen::Dynamic>;
using Series = std::vector<std::vector<double>>;

struct Torques {
  Values load, friction;  // what the gears transmit and what friction takes
};

// Friction that has turned over only after a way: the direction that each bristle has come to, -1 to 1.
class Bristles {
 public:
  Bristles(int joints, double way) : state_(Values::Zero(joints)), way_(way) {}
  // Over a motion of dq; Dahl's law, exactly.
  void move(const Values& dq) {
    for (Eigen::Index i = 0; i < state_.size(); ++i) {
      const double direction = dq[i] >= 0.0 ? 1.0 : -1.0;
      state_[i] = direction + (state_[i] - direction) * std::exp(-std::abs(dq[i]) / way_);
    }
  }
  const Values& state() const { return state_; }

 private:
  Values state_;
  double way_;
};

Torques torques_at(const HostileArm& arm, const ReferencePoint<Eigen::Dynamic>& at, double time,
                   const Bristles& bristles, const Eigen::Vector3d& force) {
  const RobotSpec& truth = arm.truth;
  const auto friction = friction_of(truth);
  Torques torques{inverse_dynamics(truth.robot, at.position, at.velocity, at.acceleration),
                  friction_torque(truth.robot.transmission(), friction, at.velocity)};
  if (!force.isZero(0.0)) {
    const NamedFrame& frame = *truth.find_frame(truth.force.frame);
    torques.load -= external_torque(
        truth.robot, pose_of(truth.robot, at.position),
        {{FrameName(frame.name), frame.link, frame.placement}, {force, Eigen::Vector3d::Zero()}, WrenchAxes::world});
  }
  for (int j = 0; j < truth.count(); ++j) {
    if (arm.bristle > 0.0)
      torques.friction[j] += friction.coulomb[j] * (bristles.state()[j] - std::tanh(at.velocity[j] / friction.width));
    torques.friction[j] += arm.beside({j, time, at.position[j], at.velocity[j], at.acceleration[j], torques.load[j]});
  }
  return torques;
}

// White, or with a memory.
class Noise {
 public:
  Noise(std::uint64_t seed, const char* stream, std::size_t number, double std, double memory, double period)
      : random_(seed, stream, number), std_(std), pole_(memory > 0.0 ? std::exp(-period / memory) : 0.0) {
    value_ = std_ * random_.normal();
  }
  double next() {
    const double now = value_;
    value_ = pole_ * value_ + std::sqrt(1.0 - pole_ * pole_) * std_ * random_.normal();
    return now;
  }

 private:
  Random random_;
  double std_, pole_, value_;
};

double rounded(double value, double step) { return step > 0.0 ? step * std::round(value / step) : value; }

void cut_off(std::vector<double>& torque, double share) {
  double largest = 0.0;
  for (const double each : torque) largest = std::max(largest, std::abs(each));
  for (double& each : torque) each = std::clamp(each, -(1.0 - share) * largest, (1.0 - share) * largest);
}

// What reading a file would have said of them.
void check_channels(Log& log) {
  for (const Channel& channel : log.channels) {
    if (channel.missing > 0)
      log.diagnostics.push_back({"log.missing", Severity::warning, channel.signal + ": samples are missing."});
    if (channel.clipped_share > 0.0 && !channel.signal.ends_with(".position"))
      log.diagnostics.push_back({"log.clipped", Severity::warning, channel.signal + " looks clipped."});
  }
}

std::string joint_name(int joint) { return "joint" + std::to_string(joint + 1); }

void place(RobotSpec& arm, int joint, double a) {
  const pyrhonen::ArmRow& row = pyrhonen::kTable[static_cast<std::size_t>(joint)];
  const ModifiedDh<double> dh{row.alpha, a, row.d, row.theta};
  arm.robot.set_joint(joint, Joint<double>(joint - 1, JointType::revolute, dh.placement()));
}

}  // namespace

RobotSpec limits_arm() {
  RobotSpec arm;
  arm.robot = pyrhonen::tx40().cast<double, Eigen::Dynamic>();
  for (int j = 0; j < arm.count(); ++j) {
    const pyrhonen::ArmRow& row = pyrhonen::kTable[static_cast<std::size_t>(j)];
    RobotJoint joint;
    joint.name = joint.link = joint_name(j);
    joint.friction = {row.viscous, row.coulomb, 0.0};
    arm.joints.push_back(joint);
  }
  arm.frames = {
      {"flange", pyrhonen::kJoints - 1, {Matrix<double, 3>::Identity(), {0.0, 0.0, pyrhonen::kFlangeDistance}}}};
  arm.torques_sampled = true;
  return arm;
}

void lengthen(RobotSpec& arm, double share) {
  constexpr int kThird = 2;
  place(arm, kThird, (1.0 + share) * pyrhonen::kTable[kThird].a);
}

void tilt(RobotSpec& arm, double angle) {
  arm.robot.gravity = 9.81 * Vector<double, 3>(std::sin(angle), 0.0, -std::cos(angle));
}

Study arm_study(const RobotSpec& arm) {
  Study study;
  study.source = "study";
  study.robot = arm;
  for (int j = 0; j < arm.count(); ++j) {
    study.channels.push_back({.spec = {.signal = joint_name(j) + ".position"}, .unit = "rad", .std = {}});
    study.channels.push_back({.spec = {.signal = joint_name(j) + ".torque"}, .unit = "N m", .std = {}});
  }
  return study;
}

ArmMotion exciting_motion() {
  static const FourierTrajectory found = [] {
    const RobotSpec arm = limits_arm();
    const RobotIdentification identification(arm);
    return optimise_excitation(identification.columns(), identification.base(), pyrhonen::motion_limits(),
                               {.random_starts = 30, .evaluations = 150})
        .trajectory;
  }();
  return [](double time) {
    const JointMotion at = found.at(time);
    return ReferencePoint<Eigen::Dynamic>{at.position, at.velocity, at.acceleration};
  };
}

Log arm_log(const HostileArm& arm, const ArmMotion& motion, std::uint64_t seed,
            const std::vector<Eigen::Vector3d>& force) {
  const int joints = arm.truth.count();
  const auto samples = static_cast<std::size_t>(std::lround(arm.duration / arm.period)) + 1;
  std::vector<Noise> of_position, of_torque;
  for (int j = 0; j < joints; ++j) {
    const auto number = static_cast<std::size_t>(j);
    of_position.emplace_back(seed, "position", number, arm.position_noise, 0.0, arm.period);
    of_torque.emplace_back(seed, "torque", number, arm.torque_noise, arm.noise_memory, arm.period);
  }
  Random shaken(seed, "jitter"), dropped(seed, "dropouts");
  Bristles bristles(joints, arm.bristle);
  Values before = motion(-arm.torque_late).position;
  Series position(static_cast<std::size_t>(joints)), torque(position.size());
  std::vector<double> time;
  for (std::size_t k = 0; k < samples; ++k) {
    time.push_back(static_cast<double>(k) * arm.period);
    const double seen_at = time.back() + arm.jitter * arm.period * shaken.uniform(-0.5, 0.5);
    const double acts_at = time.back() - arm.torque_late;
    const auto acting = motion(acts_at), seen = arm.jitter > 0.0 || arm.torque_late != 0.0 ? motion(seen_at) : acting;
    if (arm.bristle > 0.0) bristles.move(acting.position - before);
    before = acting.position;
    const Torques now =
        torques_at(arm, acting, acts_at, bristles, k < force.size() ? force[k] : Eigen::Vector3d::Zero());
    for (int j = 0; j < joints; ++j) {
      const auto at = static_cast<std::size_t>(j);
      const double shown = seen.position[j] + arm.compliance * now.load[j] + of_position[at].next();
      position[at].push_back(dropped.uniform() < arm.dropout ? std::nan("") : rounded(shown, arm.resolution));
      constexpr int kThird = 2;
      const double gain = arm.torque_gain * (j == kThird ? arm.gain_of_third : 1.0);
      const double acts = now.load[j] + now.friction[j] + (j == kThird ? arm.offset_of_third : 0.0);
      torque[at].push_back(rounded(gain * acts + of_torque[at].next(), arm.torque_resolution));
    }
  }
  std::vector<std::pair<std::string, std::vector<double>>> columns;
  for (int j = 0; j < joints; ++j) {
    const auto at = static_cast<std::size_t>(j);
    if (arm.saturation > 0.0) cut_off(torque[at], arm.saturation);
    columns.emplace_back(joint_name(j) + ".position", std::move(position[at]));
    columns.emplace_back(joint_name(j) + ".torque", std::move(torque[at]));
  }
  Log log = log_in_memory(columns, time);
  check_channels(log);
  return log;
}

}  // namespace tauhat::limits
