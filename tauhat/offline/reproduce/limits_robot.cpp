// The base parameters of an arm from a record of its motion, where torques, friction or sensors are not what its study
// says.
#include <cmath>

#include "tauhat/offline/reproduce/limits_arm.hpp"
#include "tauhat/offline/reproduce/limits_arm_friction.hpp"
#include "tauhat/offline/reproduce/limits_misfit.hpp"
#include "tauhat/offline/robot/robot_identification.hpp"
#include "tauhat/offline/robot/robot_report.hpp"

namespace tauhat::limits {
namespace {

HostileArm friendly_arm() {
  HostileArm arm;
  arm.truth = limits_arm();
  return arm;
}

// What all records share.
struct Setup {
  Study study = arm_study(limits_arm());
  RobotIdentification identification{*study.robot};

  Setup() { study.robot->rows.decimation = 10; }
  static const Setup& get() {
    static const Setup setup;
    return setup;
  }
};

// Inertias of some grams and those of kilograms are of one kind: each counts once.
std::string kind_of(const std::string& name) {
  if (name.ends_with("friction.viscous")) return "viscous friction";
  if (name.ends_with("friction.coulomb")) return "Coulomb friction";
  return "inertias";
}

std::map<std::string, ManyValues> judged(const std::vector<Result>& results, const RobotSpec& truth) {
  const RobotIdentification& identification = Setup::get().identification;
  const Eigen::VectorXd base =
      identification.base().grouping * identification.columns().parameters(truth.robot, friction_of(truth));
  struct Sums {
    double count = 0.0, held = 0.0, error = 0.0, square = 0.0;
  };
  std::map<std::string, Sums> sums;
  for (int k = 0; k < identification.base().count(); ++k) {
    const std::string name = identification.result_name(k);
    Sums& sum = sums[kind_of(name)];
    ++sum.count;
    sum.square += base[k] * base[k];
    for (const Result& result : results) {
      if (result.name != name || !result.ci95) continue;
      sum.held += result.ci95->at(0) <= base[k] && base[k] <= result.ci95->at(1);
      sum.error += std::pow(result.value - base[k], 2);
    }
  }
  std::map<std::string, ManyValues> many;
  for (const auto& [kind, sum] : sums) many[kind] = {sum.held / sum.count, std::sqrt(sum.error / sum.square)};
  return many;
}

Answer answer_to(const HostileArm& arm, std::uint64_t seed) {
  const Setup& setup = Setup::get();
  RobotLogs logs;
  logs.motion.push_back(arm_log(arm, exciting_motion(), seed));
  const Report report = answer_robot(setup.study, std::move(logs)).report;
  return {report.results, report.diagnostics, {}, judged(report.results, arm.truth)};
}

using Misfits = std::vector<Misfit<HostileArm>>;

double coulomb_of(int joint) {
  return Setup::get().study.robot->joints[static_cast<std::size_t>(joint)].friction.coulomb;
}
double viscous_of(int joint) {
  return Setup::get().study.robot->joints[static_cast<std::size_t>(joint)].friction.viscous;
}

Misfits misfits_of_the_torques() {
  using A = HostileArm;
  return {
      {"torque gain, all joints", {{"+2 %", 1.02}, {"+10 %", 1.1}}, [](A& a, double gain) { a.torque_gain = gain; }},
      {"torque gain, one joint", {{"+2 %", 1.02}, {"+10 %", 1.1}}, [](A& a, double gain) { a.gain_of_third = gain; }},
      {"torque offset, one joint",
       {{"0.2 N m", 0.2}, {"1 N m", 1.0}},
       [](A& a, double offset) { a.offset_of_third = offset; }},
      {"torques late",
       {{"1 ms", 1e-3}, {"2 ms, one sample", 2e-3}, {"10 ms", 10e-3}},
       [](A& a, double delay) { a.torque_late = delay; }},
      {"torque ripple",
       {{"2 % of Coulomb", 0.02}, {"20 % of Coulomb", 0.2}},
       [](A& a, double share) {
         a.beside = [share](const JointInstant& at) {
           constexpr double kPerTurn = 24.0;
           return share * coulomb_of(at.joint) * std::sin(kPerTurn * at.position);
         };
       }},
      {"coloured noise", {{"20 ms", 20e-3}, {"200 ms", 0.2}}, [](A& a, double memory) { a.noise_memory = memory; }},
      {"more noise", {{"5 times", 5.0}}, [](A& a, double times) {
         a.torque_noise *= times, a.position_noise *= times;
       }}};
}

Misfits misfits_of_friction() {
  using A = HostileArm;
  return {{"Stribeck bump",
           {{"10 % of Coulomb", 0.1}, {"50 % of Coulomb", 0.5}},
           [](A& a, double share) {
             a.beside = [share](const JointInstant& at) {
               return share * coulomb_of(at.joint) * direction_of(at.velocity) * std::exp(-std::abs(at.velocity) / 0.2);
             };
           }},
          {"friction that bends",
           {{"10 % of viscous", 0.1}, {"30 % of viscous", 0.3}},
           [](A& a, double share) {
             a.beside = [share](const JointInstant& at) {
               return -share * viscous_of(at.joint) * at.velocity * std::abs(at.velocity) / 3.0;
             };
           }},
          friction_under_load(),
          {"friction that warms up",
           {{"-10 %", -0.1}, {"-30 %", -0.3}},
           [](A& a, double change) {
             a.beside = [change, duration = a.duration](const JointInstant& at) {
               return change * at.time / duration *
                      (viscous_of(at.joint) * at.velocity + coulomb_of(at.joint) * direction_of(at.velocity));
             };
           }},
          {"friction turns over within a way",
           {{"1 mrad", 1e-3}, {"10 mrad", 1e-2}},
           [](A& a, double way) { a.bristle = way; }},
          {"sharper change of sign", {{"10 mrad/s", 0.01}}, [](A& a, double width) { a.truth.terms.width = width; }}};
}

Misfits misfits_of_the_arm() {
  using A = HostileArm;
  return {{"elastic joints",
           {{"1e5 N m/rad", 1e-5}, {"1e4 N m/rad", 1e-4}},
           [](A& a, double compliance) { a.compliance = compliance; }},
          {"link length", {{"+1 %", 0.01}, {"+5 %", 0.05}}, [](A& a, double share) { lengthen(a.truth, share); }},
          {"mounted askew", {{"0.5 deg", 0.0087}, {"3 deg", 0.052}}, [](A& a, double angle) { tilt(a.truth, angle); }},
          {"quantisation", {{"0.1 mrad", 1e-4}, {"1 mrad", 1e-3}}, [](A& a, double step) { a.resolution = step; }},
          {"jitter", {{"50 % of a period", 0.5}}, [](A& a, double share) { a.jitter = share; }},
          {"dropouts", {{"2 %", 0.02}}, [](A& a, double share) { a.dropout = share; }},
          {"saturated torques", {{"10 %", 0.1}, {"30 %", 0.3}}, [](A& a, double share) { a.saturation = share; }}};
}

}  // namespace

std::vector<Cell> robot_cells() {
  Misfits misfits;
  for (const Misfits& group : {misfits_of_the_torques(), misfits_of_friction(), misfits_of_the_arm()})
    misfits.insert(misfits.end(), group.begin(), group.end());
  std::vector<Cell> cells;
  add_cells("robot", friendly_arm(), {}, answer_to, misfits, cells);
  return cells;
}

}  // namespace tauhat::limits
