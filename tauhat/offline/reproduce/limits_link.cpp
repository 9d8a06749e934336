// The velocity of an elastic joint's link from its motor's encoder and torque, where drive, torque or encoder are not
// what the study says.
#include <cmath>

#include "tauhat/offline/identify/online.hpp"
#include "tauhat/offline/joint/link_check.hpp"
#include "tauhat/offline/reproduce/limits_joint.hpp"
#include "tauhat/offline/reproduce/limits_log.hpp"
#include "tauhat/offline/reproduce/limits_misfit.hpp"

namespace tauhat::limits {
namespace {

constexpr double kSettling = 0.5;  // s

ManyValues judged(const Track& track, const JointRecord& record) {
  double held = 0.0, count = 0.0, error = 0.0, square = 0.0;
  for (std::size_t k = 0; k < record.time.size(); ++k) {
    if (record.time[k] < kSettling) continue;
    const double off = track.value[k] - record.velocity[k];
    held += std::abs(off) <= k95 * track.std[k];
    error += off * off, square += record.velocity[k] * record.velocity[k], ++count;
  }
  return {held / count, std::sqrt(error / square)};
}

// As `estimate` answers.
Answer answer_to(const HostileJoint& joint, std::uint64_t seed) {
  const JointRecord record = joint_record(joint, seed);
  const Log log = log_in_memory({{"motor.torque", record.torque}, {"motor.position", record.position}}, record.time);
  Answer answer;
  if (log.channels[1].missing > 0) answer.diagnostics.push_back({"log.missing", Severity::warning, ""});
  const Timeline timeline = online_timeline(joint.study, log, answer.diagnostics);
  const auto estimator = make_online_estimator(joint.study, 1.0, first_row(timeline));
  const Replay replay = estimator->replay(timeline, {});
  for (const Diagnostic& each : diagnose_link(check_link(joint.study, timeline, replay)))
    answer.diagnostics.push_back(each);
  const auto link = static_cast<std::size_t>(estimator->find_output("load.velocity"));
  answer.many["load.velocity"] = judged(replay.filtered[link], record);
  return answer;
}

using Misfits = std::vector<Misfit<HostileJoint>>;
using J = HostileJoint;

Misfits misfits_of_the_drive() {
  return {
      {"torque gain", {{"+2 %", 1.02}, {"+10 %", 1.1}}, [](J& j, double gain) { j.torque_gain = gain; }},
      {"torque late",
       {{"1 ms, one sample", 1.0}, {"2 ms", 2.0}},
       [](J& j, double samples) { j.torque_late = static_cast<int>(samples); }},
      {"torque offset",
       {{"0.1 N m", 0.1}, {"0.5 N m", 0.5}},
       [](J& j, double offset) { j.at_motor = [offset](const LinkInstant&) { return offset; }; }},
      {"torque ripple",
       {{"0.02 N m", 0.02}, {"0.2 N m", 0.2}},
       [](J& j, double size) {
         j.at_motor = [size](const LinkInstant& at) { return size * std::sin(24.0 * at.motor_position); };
       }},
      {"saturated torque", {{"at 2 N m", 2.0}}, [](J& j, double limit) { j.torque_limit = limit; }},
      {"motor inertia", {{"+2 %", 1.02}, {"+20 %", 1.2}}, [](J& j, double gain) { j.truth.motor_inertia *= gain; }},
      {"load inertia", {{"+2 %", 1.02}, {"+20 %", 1.2}}, [](J& j, double gain) { j.truth.load_inertia *= gain; }},
      {"stiffness", {{"-2 %", 0.98}, {"-20 %", 0.8}}, [](J& j, double gain) { j.truth.stiffness *= gain; }},
      {"damping of the joint", {{"-20 %", 0.8}, {"-80 %", 0.2}}, [](J& j, double gain) { j.truth.damping *= gain; }},
      {"gear ratio", {{"+0.1 %", 1.001}, {"+1 %", 1.01}}, [](J& j, double gain) { j.truth.ratio *= gain; }}};
}

// Of Coulomb friction of 0.34 N m, with what goes with it.
double stribeck(double velocity) {
  return 0.34 * std::tanh(velocity / 0.2) * (1.0 + 0.3 * std::exp(-std::abs(velocity) / 3.0));
}

Misfits misfits_of_friction() {
  return {{"Coulomb and Stribeck friction",
           {{"0.03 N m", 0.1}, {"0.34 N m", 1.0}},
           [](J& j, double share) {
             j.at_motor = [share](const LinkInstant& at) { return share * stribeck(at.motor_velocity); };
           }},
          {"friction at the load",
           {{"4 N m", 4.0}, {"20 N m", 20.0}},
           [](J& j, double size) {
             j.at_load = [size](const LinkInstant& at) { return size * std::tanh(at.load_velocity / 0.01); };
           }},
          {"gravity",
           {{"10 N m", 10.0}, {"100 N m", 100.0}},
           [](J& j, double size) {
             j.at_load = [size](const LinkInstant& at) { return size * std::cos(at.load_position); };
           }},
          {"a push at the link", {{"50 N m", 50.0}}, [](J& j, double size) {
             j.at_load = [size](const LinkInstant& at) { return at.time > 3.0 && at.time < 4.0 ? size : 0.0; };
           }}};
}

Misfits misfits_of_the_rest() {
  return {
      {"a third mass",
       {{"couples by 0.3 kg m^2", 0.3}, {"couples by 3 kg m^2", 3.0}},
       [](J& j, double coupling) {
         j.truth.neighbour_inertia = 2.8, j.truth.neighbour_stiffness = 3e4, j.truth.neighbour_damping = 12.0;
         j.truth.coupling_inertia = coupling;
       }},
      {"a spring that hardens",
       {{"10 % at 1 mrad", 0.1}, {"100 % at 1 mrad", 1.0}},
       [](J& j, double share) { j.hardening = share; }},
      {"backlash", {{"0.1 mrad", 1e-4}, {"1 mrad", 1e-3}}, [](J& j, double gap) { j.gap = gap; }},
      {"quantisation", {{"16 bits", 1e-4}, {"12 bits", 1.5e-3}}, [](J& j, double step) { j.resolution = step; }},
      {"noise of the encoder",
       {{"a third", 1.0 / 3.0}, {"3 times", 3.0}},
       [](J& j, double times) { j.noise *= times; }},
      {"jitter", {{"10 % of a period", 0.1}, {"50 % of a period", 0.5}}, [](J& j, double share) { j.jitter = share; }},
      {"dropouts", {{"2 %", 0.02}}, [](J& j, double share) { j.dropout = share; }}};
}

}  // namespace

std::vector<Cell> link_cells() {
  Misfits misfits;
  for (const Misfits& group : {misfits_of_the_drive(), misfits_of_friction(), misfits_of_the_rest()})
    misfits.insert(misfits.end(), group.begin(), group.end());
  std::vector<Cell> cells;
  add_cells("link velocity", HostileJoint{}, {}, answer_to, misfits, cells);
  return cells;
}

}  // namespace tauhat::limits
