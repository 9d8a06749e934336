#include "tauhat/offline/robot/unit_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "tauhat/offline/other_units.hpp"
#include "tauhat/offline/robot/base_parameters.hpp"
#include "tauhat/offline/robot/joint_suspicions.hpp"
#include "tauhat/offline/robot/velocity_slope.hpp"

namespace tauhat {
namespace {

// Units that were mistaken together, and the record put right.
struct Mistake {
  std::vector<MistakenUnit> units;
  Hypothesis put_right;
  double gain = 0.0;
};

using Of = MistakenUnit::Of;

// Velocities are on the side of the positions.
const std::vector<bool>& at_motor(const MotorSides& sides, Of of) {
  return of == Of::torque ? sides.torque : sides.position;
}

constexpr const char* quantity(Of of) {
  return of == Of::position ? "position" : of == Of::velocity ? "velocity" : "torque";
}

std::string channel_of(const RobotSpec& robot, const MotorSides& sides, int joint, Of of) {
  const auto j = static_cast<std::size_t>(joint);
  return fmt::format("{}{}.{}", robot.joints[j].name, at_motor(sides, of)[j] ? ".motor" : "", quantity(of));
}

std::string usual_unit(const RobotSpec& robot, int joint, Of of) {
  return joint_unit(robot, joint, of == Of::position ? "rad" : of == Of::velocity ? "rad/s" : "N m");
}

// As the study has it.
std::string unit_of(const Study& study, const MotorSides& sides, int joint, Of of) {
  const StudyChannel* channel = study.find_channel(channel_of(*study.robot, sides, joint, of));
  return channel && !channel->unit.empty() ? channel->unit : usual_unit(*study.robot, joint, of);
}

// What one channel may have been instead.
std::vector<MistakenUnit> mistakes_of(const Study& study, const MotorSides& sides, int joint, Of of) {
  const RobotSpec& robot = *study.robot;
  const std::string usual = usual_unit(robot, joint, of), unit = unit_of(study, sides, joint, of);
  std::vector<MistakenUnit> mistakes;
  for (const OtherUnit& other : other_units(unit))
    mistakes.push_back({joint, of, fmt::format("in {}, not in {}", other.unit, unit), 1.0 / other.times_too_large});
  // Whoever wrote the log may have mistaken them before.
  for (const OtherUnit& other : other_units(usual)) {
    const auto is_new = [&](double factor) {
      return std::none_of(mistakes.begin(), mistakes.end(), [&](const MistakenUnit& each) {
        return std::abs(std::log(std::abs(each.factor / factor))) < 1e-6;
      });
    };
    const auto add = [&](double factor, const std::string& is, const std::string& taken_for) {
      if (is_new(factor)) mistakes.push_back({joint, of, fmt::format("{} taken for {}", is, taken_for), factor});
    };
    add(1.0 / other.times_too_large, other.unit, usual), add(other.times_too_large, usual, other.unit);
  }
  const double ratio = robot.robot.transmission().ratio()[joint];
  if (std::abs(ratio) == 1.0) return mistakes;
  // Positions grow towards the motor, torques towards the joint.
  const bool is_motors = at_motor(sides, of)[static_cast<std::size_t>(joint)];
  const char* side =
      is_motors ? "the joint's, behind its gear, not the motor's" : "the motor's, before its gear, not the joint's";
  mistakes.push_back({joint, of, side, is_motors == (of == Of::torque) ? 1.0 / ratio : ratio});
  return mistakes;
}

class Mistakes {
 public:
  Mistakes(const Study& study, const MotorSides& sides, const HypothesisFit& fit, const CheckedSamples& samples)
      : robot_(*study.robot), sides_(sides), fit_(fit), samples_(samples) {
    std::map<std::string, std::vector<MistakenUnit>> common;
    for (const Of of : {Of::position, Of::torque})
      for (int j = 0; j < robot_.count(); ++j)
        for (MistakenUnit& each : mistakes_of(study, sides, j, of)) {
          common[quantity(of) + each.is].push_back(each);
          possible_.push_back({std::move(each)});
        }
    for (auto& [what, of_joints] : common)
      if (of_joints.size() > 1) possible_.push_back(std::move(of_joints));
  }

  // The one that gains most; without units where none is certain.
  Mistake worst(const Hypothesis& now) const {
    const auto regressors = fit_.regressors(now.position);
    const auto before = fit_.misfit(regressors, now.torque);
    const double beyond = beyond_limits(now);
    Mistake worst{{}, now};
    const auto consider = [&](const std::vector<MistakenUnit>& units, const Hypothesis& right) {
      const auto after = units.front().of == Of::torque ? fit_.misfit(regressors, right.torque) : fit_.misfit(right);
      const double by_record = before.record - after.record + beyond - beyond_limits(right);
      const double gain = by_record + before.prior - after.prior;
      if (is_certain(gain, by_record, after.prior) && gain > worst.gain) worst = {units, right, gain};
    };
    for (const std::vector<MistakenUnit>& units : possible_) {
      const Hypothesis right = put_right(now, units);
      consider(units, right);
      // A joint whose sign is wrong as well gains nothing by its unit alone.
      if (units.size() == 1 && units[0].of == Of::position)
        consider(units, with_sign(right, robot_, sides_, units[0].joint, WrongSign::position));
    }
    return worst;
  }

  Hypothesis put_right(Hypothesis now, const std::vector<MistakenUnit>& units) const {
    for (const MistakenUnit& unit : units)
      now = unit.of == Of::torque ? scaled(now, robot_, sides_, unit.joint, 1.0, unit.factor)
                                  : scaled(now, robot_, sides_, unit.joint, unit.factor, 1.0);
    return now;
  }

 private:
  static constexpr double kCertain = 100.0;  // of a gain in -2 ln of the likelihood

  // Inertias speak for it only where they are about right then: otherwise it is they that are mistaken.
  bool is_certain(double gain, double by_record, double prior) const {
    constexpr double kAboutRight = 10.0;  // their squared distance, each in its deviations
    if (gain < kCertain) return false;
    return by_record > kCertain || (by_record > -kDecisive && prior < kAboutRight * fit_.known());
  }

  // What goes far beyond a joint's limits, as no wrong gear does, is as unlikely as what is certain.
  double beyond_limits(const Hypothesis& hypothesis) const {
    constexpr double kFar = 3.0, kFast = 4.0, kStrong = 10.0;  // times the limits
    const Eigen::MatrixXd position = samples_.position * hypothesis.position.transpose(),
                          velocity = samples_.velocity * hypothesis.position.transpose(),
                          torque = samples_.torque * hypothesis.torque.transpose();
    double unlikely = 0.0;
    for (int j = 0; j < robot_.count(); ++j) {
      const JointLimits& limits = robot_.joints[static_cast<std::size_t>(j)].limits;
      const double span = position.col(j).maxCoeff() - position.col(j).minCoeff();
      const bool is_far = span > kFar * (limits.upper - limits.lower),
                 is_fast = velocity.col(j).cwiseAbs().maxCoeff() > kFast * limits.velocity,
                 is_strong = torque.col(j).cwiseAbs().maxCoeff() > kStrong * limits.torque;
      if (is_far || is_fast) unlikely += 2.0 * kCertain;
      if (is_strong) unlikely += 2.0 * kCertain;
    }
    return unlikely;
  }

  const RobotSpec& robot_;
  const MotorSides& sides_;
  const HypothesisFit& fit_;
  const CheckedSamples& samples_;
  std::vector<std::vector<MistakenUnit>> possible_;
};

// One for each channel; what was mistaken with all joints, and put back for one, is no mistake of it.
std::vector<MistakenUnit> merged(const std::vector<MistakenUnit>& found) {
  std::vector<MistakenUnit> all;
  for (const MistakenUnit& each : found) {
    const auto same = std::find_if(all.begin(), all.end(), [&](const MistakenUnit& other) {
      return other.joint == each.joint && other.of == each.of;
    });
    if (same == all.end())
      all.push_back(each);
    else
      same->factor *= each.factor, same->is = each.is;
  }
  std::erase_if(all, [](const MistakenUnit& each) { return std::abs(std::log(std::abs(each.factor))) < 1e-6; });
  std::sort(all.begin(), all.end(), [](const MistakenUnit& a, const MistakenUnit& b) { return a.joint < b.joint; });
  return all;
}

// The worst is put right first, be it a unit, a sign or a ratio: each can pass for another.
std::vector<MistakenUnit> find_mistakes(const Mistakes& mistakes, const Suspicions& suspicions, int joints) {
  std::vector<MistakenUnit> found;
  Hypothesis now(joints);
  for (int round = 0; round < 2 * joints; ++round) {
    Mistake worst = mistakes.worst(now);
    if (worst.units.empty()) break;
    const Suspicion rival = suspicions.worst(now);
    if (rival.joint >= 0 && rival.gain > worst.gain) {
      now = rival.put_right;
      continue;
    }
    now = worst.put_right;
    for (MistakenUnit& unit : worst.units) found.push_back(std::move(unit));
  }
  return merged(found);
}

// "torques of the motion": what a channel does not fit, and is as many times too large by.
std::string misfit_of(const RobotSpec& robot, const MotorSides& sides, const MistakenUnit& unit) {
  if (unit.of == Of::velocity)
    return fmt::format("as it was read it is {:.3g} times the slope of {}", 1.0 / unit.factor,
                       channel_of(robot, sides, unit.joint, Of::position));
  return fmt::format("as it was read it does not fit the {} of the motion; {:.3g} times as large it would",
                     unit.of == Of::torque ? "other torques" : "torques", unit.factor);
}

// Of one kind, which turn or slide.
std::vector<int> joints_like(const RobotSpec& robot, int joint) {
  std::vector<int> alike;
  for (int j = 0; j < robot.count(); ++j)
    if (robot.robot.joint(j).is_revolute() == robot.robot.joint(joint).is_revolute()) alike.push_back(j);
  return alike;
}

// Of the robot, or of those that turn, or of those that slide.
bool are_all(const RobotSpec& robot, const std::vector<MistakenUnit>& own) {
  const std::vector<int> like = joints_like(robot, own[0].joint);
  const auto is_like = [&](const auto& each) { return std::find(like.begin(), like.end(), each.joint) != like.end(); };
  const auto count = static_cast<int>(own.size());
  return count == robot.count() || (own.size() == like.size() && std::all_of(own.begin(), own.end(), is_like));
}

Diagnostic of_all(const RobotSpec& robot, const std::vector<MistakenUnit>& alike) {
  const char* to_what = alike[0].of == Of::position   ? "do not fit the torques of the motion"
                        : alike[0].of == Of::velocity ? "are not the slopes of the positions"
                                                      : "do not fit the inertias of the study";
  const char* kind = static_cast<int>(alike.size()) == robot.count()   ? "all"
                     : robot.robot.joint(alike[0].joint).is_revolute() ? "all revolute"
                                                                       : "all prismatic";
  return {"joints.unit", Severity::error,
          fmt::format("The {} of {} joints are {}: as they were read they {}. Correct [log.channels].",
                      alike[0].of == Of::velocity ? "velocities" : fmt::format("{}s", quantity(alike[0].of)), kind,
                      alike[0].is, to_what)};
}

Diagnostic of_one(const RobotSpec& robot, const MotorSides& sides, const MistakenUnit& unit) {
  const std::string& name = robot.joints[static_cast<std::size_t>(unit.joint)].name;
  return {name + ".unit", Severity::error,
          fmt::format("{} is {}: {}. Correct [log.channels].", channel_of(robot, sides, unit.joint, unit.of), unit.is,
                      misfit_of(robot, sides, unit))};
}

// Of velocities, once the positions are right.
std::vector<MistakenUnit> mistaken_velocities(const Study& study, const MotorSides& sides, const RobotRecord& record) {
  constexpr double kAlike = 0.1;  // of the factor's logarithm
  std::vector<MistakenUnit> mistaken;
  for (int j = 0; j < study.robot->count(); ++j) {
    const double times = velocity_over_slope(record, static_cast<std::size_t>(j)).value_or(1.0);
    if (is_slope(times)) continue;
    const std::string unit = unit_of(study, sides, j, Of::velocity);
    std::string is = times < 0.0 ? "of the other sign" : "of another scale";
    for (const OtherUnit& other : other_units(unit))
      if (times > 0.0 && std::abs(std::log(times / other.times_too_large)) < kAlike)
        is = fmt::format("in {}, not in {}", other.unit, unit);
    mistaken.push_back({j, Of::velocity, is, 1.0 / times});
  }
  return mistaken;
}

bool are_slopes(const RobotRecord& record) {
  for (std::size_t j = 0; j < record.velocity.size(); ++j)
    if (!is_slope(velocity_over_slope(record, j).value_or(1.0))) return false;
  return true;
}

}  // namespace

UnitCheck check_units(const Study& study, const RobotRecord& recorded, const MotorSides& sides) {
  constexpr std::size_t kRows = 600;
  RobotSpec robot = *study.robot;
  robot.terms = robot.terms.plain();
  RobotRecord record = recorded;
  if (!are_slopes(record)) record.velocity.clear();
  const TorqueColumns columns(robot.robot, robot.terms);
  const BaseParameters base = base_parameters(columns);
  const CheckedSamples samples = checked_samples(record, robot.rows, kRows);
  const Eigen::MatrixXd measured = joint_torque_by_measured(robot, sides.torque, study.source).inverse();
  const HypothesisFit fit(robot, columns, base, samples, measured, samples.moving(robot.robot));
  const Mistakes mistakes(study, sides, fit, samples);
  UnitCheck check{find_mistakes(mistakes, Suspicions(fit, robot, sides), robot.count()), {}};
  check.record = multiplied(std::move(record), mistakes.put_right(Hypothesis(robot.count()), check.mistaken));
  // Velocities that were slopes of positions in a wrong unit are in a wrong unit, too.
  RobotRecord with_velocities = check.record;
  with_velocities.velocity = recorded.velocity;
  for (MistakenUnit& each : mistaken_velocities(study, sides, with_velocities))
    check.mistaken.push_back(std::move(each));
  return check;
}

std::vector<Diagnostic> unit_diagnostics(const RobotSpec& robot, const MotorSides& sides,
                                         const std::vector<MistakenUnit>& mistaken) {
  std::vector<Diagnostic> found;
  for (const Of of : {Of::position, Of::velocity, Of::torque}) {
    std::vector<MistakenUnit> own;
    for (const MistakenUnit& each : mistaken)
      if (each.of == of) own.push_back(each);
    const bool are_alike = std::all_of(own.begin(), own.end(), [&](const auto& each) { return each.is == own[0].is; });
    if (own.size() > 1 && are_alike && are_all(robot, own))
      found.push_back(of_all(robot, own));
    else
      for (const MistakenUnit& each : own) found.push_back(of_one(robot, sides, each));
  }
  return found;
}

}  // namespace tauhat
