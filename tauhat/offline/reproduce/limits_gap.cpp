// The gap of a powertrain from the pulses of its wheels, where drive, torque or teeth are not what the study says.
#include "tauhat/offline/gap/gap_report.hpp"
#include "tauhat/offline/reproduce/limits_misfit.hpp"
#include "tauhat/offline/reproduce/limits_powertrain.hpp"

namespace tauhat::limits {
namespace {

Answer answer_to(const HostilePowertrain& p, std::uint64_t seed) {
  const Report report = answer_gap(p.study, powertrain_log(p, seed), {}, false).report;
  return {report.results, report.diagnostics, {}};
}

std::vector<Misfit<HostilePowertrain>> misfits() {
  using P = HostilePowertrain;
  return {{"torque gain", {{"+10 %", 1.1}, {"-30 %", 0.7}}, [](P& p, double gain) { p.command_gain = gain; }},
          {"slower motor",
           {{"1.5 times lag and delay", 1.5}, {"3 times lag and delay", 3.0}},
           [](P& p, double gain) { p.truth.drive.lag *= gain, p.truth.delay *= gain; }},
          {"stiffness",
           {{"-2 %", 0.98}, {"-5 %", 0.95}, {"-20 %", 0.8}, {"-50 %", 0.5}},
           [](P& p, double gain) { p.truth.drive.stiffness *= gain, p.truth.drive.damping *= gain; }},
          {"load inertia",
           {{"+2 %", 1.02}, {"+5 %", 1.05}, {"+20 %", 1.2}},
           [](P& p, double gain) { p.truth.drive.load_inertia *= gain; }},
          {"motor inertia",
           {{"+5 %", 1.05}, {"+20 %", 1.2}},
           [](P& p, double gain) { p.truth.drive.motor_inertia *= gain; }},
          {"gear ratio",
           {{"+0.01 %", 1.0001}, {"+0.1 %", 1.001}, {"+1 %", 1.01}},
           [](P& p, double gain) { p.truth.drive.ratio *= gain; }},
          {"torque ripple",
           {{"5 N m", 5.0}, {"20 N m", 20.0}},
           [](P& p, double noise) { p.study.simulation->torque_noise = noise; }},
          {"teeth worse than believed",
           {{"twice", 2.0}, {"five times", 5.0}},
           [](P& p, double gain) {
             for (Sensor& sensor : p.study.simulation->sensors) sensor.tooth_error *= gain;
           }},
          {"jitter of the stamps",
           {{"20 us", 20e-6}, {"200 us", 200e-6}},
           [](P& p, double jitter) { p.stamp_jitter = jitter; }},
          {"lost pulses", {{"0.1 %", 1e-3}, {"1 %", 1e-2}}, [](P& p, double share) { p.lost = share; }},
          {"spurious pulses", {{"0.1 %", 1e-3}}, [](P& p, double share) { p.spurious = share; }}};
}

}  // namespace

std::vector<Cell> gap_cells() {
  std::vector<Cell> cells;
  const HostilePowertrain friendly;
  add_cells("position in the gap", friendly, {{"backlash.gap", friendly.truth.gap}}, answer_to, misfits(), cells);
  return cells;
}

}  // namespace tauhat::limits
