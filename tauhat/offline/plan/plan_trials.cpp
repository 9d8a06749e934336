#include "tauhat/offline/plan/plan_trials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <variant>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/friction/friction_report.hpp"
#include "tauhat/offline/gap/gap_report.hpp"
#include "tauhat/offline/identify/backlash_report.hpp"
#include "tauhat/offline/joint/joint_report.hpp"
#include "tauhat/offline/plan/joint_travel.hpp"
#include "tauhat/offline/simulate/simulated_log.hpp"

namespace tauhat {
namespace {

Report identified(const Study& study, const Log& log) {
  if (study.axis) return answer_friction(study, log);
  if (study.joint) return answer_joint(study, log);
  if (study.powertrain) return answer_gap(study, log, {}, false).report;
  return answer_backlash(study, log).report;
}

std::size_t column_of(const std::vector<OutputInfo>& outputs, const std::string& name) {
  std::size_t i = 0;
  while (i < outputs.size() && outputs[i].name != name) ++i;
  return i;
}

// The command at which a powertrain keeps its speed: i T_m = T_l + (b_l + i^2 b_m) w_l. Without it a car rolls out, and
// wheels that do not know their direction must not come to rest.
double holding_command(const GapSpec& spec, const SimulationSpec& simulation) {
  const Powertrain<double>& drive = spec.drive;
  const double resistance = drive.load_damping + drive.ratio * drive.ratio * drive.motor_damping;
  return (simulation.load_torque + resistance * simulation.load_velocity) / (drive.ratio * spec.gain);
}

double steady_force(const StudyAxis& axis, double speed) {
  return std::visit(
      [&](const auto& law) {
        if constexpr (requires { law.steady_torque(speed); }) {
          return law.steady_torque(speed);
        } else {
          return law.torque(speed);
        }
      },
      *axis.law);
}

// Speeds from slow to fast, each both ways, as a method asks for that looks at them alone: the force of the believed
// friction, and what brings the axis from one to the next.
//   u = m w' + F(w) + d w + F_0
std::vector<double> staircase(const StudyAxis& axis, const PlanSpec& plan, const Rows& rows, std::size_t speeds) {
  const double section = rows.time(rows.count - 1) / (2.0 * static_cast<double>(speeds));
  const Axis<double>& body = axis.axis;
  const auto resistance = [&](double speed) { return steady_force(axis, speed) + body.damping * speed; };
  constexpr double kReach = 0.6;  // of the force that is left: the rest is to accelerate with
  constexpr double kFast = 1e6;   // rad/s or m/s, where the study limits neither speed nor travel
  const double left = plan.force - std::abs(body.offset);
  double fastest = std::min({0.95 * plan.speed, 0.9 * plan.travel / section, kFast});
  while (resistance(fastest) > kReach * left && fastest > 1e-9) fastest *= 0.7;
  const double most = left - resistance(fastest), acceleration = 0.9 * most / body.mass;
  if (!(most > 0.0))
    throw Error(ExitCode::wrong_use,
                fmt::format("plan.torque = {:.4g}: friction and offset of the axis ({:.4g}) take all of it", plan.force,
                            plan.force - most));
  std::vector<double> force;
  double velocity = 0.0;
  for (std::size_t k = 0; k < rows.count; ++k) {
    const auto which = std::min(static_cast<std::size_t>(rows.time(k) / section), 2 * speeds - 1);
    const std::size_t level = which / 2 + 1;  // each both ways
    const double speed = fastest * static_cast<double>(level) / static_cast<double>(speeds),
                 away = (which % 2 == 0 ? speed : -speed) - velocity,
                 change = std::clamp(away / rows.period, -acceleration, acceleration),
                 during = velocity + 0.5 * change * rows.period;
    force.push_back(body.mass * change + std::copysign(resistance(std::abs(during)), during) + body.offset);
    velocity += change * rows.period;
  }
  return force;
}

}  // namespace

PlanTrials trials_of(const Study& study) {
  PlanTrials trials;
  const SimulationSpec& simulation = *study.simulation;
  trials.rows = {static_cast<std::size_t>(std::lround(simulation.duration / simulation.period)) + 1, simulation.period};
  trials.given = simulation.excitation;
  trials.record = [&study](const std::vector<double>& input, std::uint64_t seed) {
    Study played = study;
    Excitation& excitation = played.simulation->excitation = {};
    excitation.kind = Excitation::Kind::samples;
    excitation.samples = input;
    return simulate_study(played, seed);
  };
  trials.identify = [&study](const SimulatedStudy& record) { return identified(study, simulated_log(study, record)); };
  if (study.powertrain) trials.hold.assign(trials.rows.count, holding_command(*study.powertrain, simulation));
  if (study.joint) {
    constexpr double kSpacing = 0.25;  // Hz: nearer than the lines of its response, which need something each
    trials.spacing = kSpacing;
    JointTravel travel = joint_travel(study, trials.rows, trials.record);
    trials.hold = std::move(travel.torque), trials.goes_on = std::move(travel.goes_on);
  }
  if (study.axis && study.axis->method == StudyAxis::Method::constant_speed && study.axis->law)
    for (const std::size_t speeds : {2UL, 3UL, 4UL, 6UL, 8UL})
      trials.own.push_back({speeds, staircase(*study.axis, *study.plan, trials.rows, speeds)});
  const std::string side = study.axis ? "axis" : "motor";
  const std::vector<OutputInfo> outputs = simulate_study(study, 1).outputs;
  trials.speed = column_of(outputs, side + ".velocity");
  trials.travel = column_of(outputs, side + ".position");
  return trials;
}

}  // namespace tauhat
