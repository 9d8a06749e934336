#include "tauhat/offline/plan/plan_trials.hpp"

#include <cmath>

#include "tauhat/offline/friction/friction_report.hpp"
#include "tauhat/offline/gap/gap_report.hpp"
#include "tauhat/offline/identify/backlash_report.hpp"
#include "tauhat/offline/joint/joint_report.hpp"
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
  if (study.powertrain) trials.hold = holding_command(*study.powertrain, simulation);
  const std::string side = study.axis ? "axis" : "motor";
  const std::vector<OutputInfo> outputs = simulate_study(study, 1).outputs;
  trials.speed = column_of(outputs, side + ".velocity");
  trials.travel = column_of(outputs, side + ".position");
  return trials;
}

}  // namespace tauhat
