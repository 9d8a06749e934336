// The gap of a powertrain from the pulses of its wheels, where drive, torque or teeth are not what the study says.
#include <cmath>

#include "tauhat/offline/gap/gap_report.hpp"
#include "tauhat/offline/reproduce/limits_log.hpp"
#include "tauhat/offline/reproduce/limits_misfit.hpp"
#include "tauhat/offline/simulate/powertrain_log.hpp"

namespace tauhat::limits {
namespace {

// As studies/powertrain, with the commands of Lagerberg and Egardt.
constexpr const char* kStudy = R"toml(
[drive]
model = "powertrain"
motor = { inertia = 0.3, lag = "0.1 s", delay = "30 ms" }
load = { inertia = 140, damping = 5.6 }
transmission = { ratio = 12, stiffness = 1e4, damping = 120 }
backlash.gap = { value = "60 mrad", std = "20 mrad" }
[noise]
load.torque = "15 N m/sqrt(s)"
motor.torque = "30 N m/sqrt(s)"
[log]
time = { column = "time", unit = "s" }
[log.channels]
"motor.command" = { column = "command", unit = "N m" }
"motor.position" = { stamps = "engine", teeth = 60, missing = 2, std = "1 mrad" }
"load.position" = { stamps = "wheel", teeth = 48, std = "2.6 mrad" }
[simulate]
duration = "16 s"
rate = "1 kHz"
load_torque = "100 N m"
torque_noise = "1 N m"
start.velocity = "10 rad/s"
sensors."motor.position".tooth_error = 0.01
sensors."load.position".tooth_error = 0.02
input = { kind = "steps", times = [0, 1, 2.5, 4, 5, 6.2, 7.5, 9, 10.5, 11.7, 13.2, 14.4], levels = [30, -25, 70, -25, 50, -25, 40, -20, 90, -30, 30, -25] }
)toml";

struct HostilePowertrain {
  Study study = parse_study(kStudy, "study");  // what is believed
  GapSpec truth = *study.powertrain;
  double command_gain = 1.0;          // of the log's, over what acts
  double stamp_jitter = 0.0;          // s
  double lost = 0.0, spurious = 0.0;  // shares of the wheel's pulses
};

// The stamps of a wheel as its channel.
Channel channel_of(const StudyChannel& described, const std::vector<Pulse>& pulses, const HostilePowertrain& p,
                   Random random) {
  Channel channel;
  channel.signal = described.spec.signal;
  std::vector<double> stamps, time;
  for (const Pulse& pulse : pulses) {
    if (random.uniform() < p.lost) continue;
    stamps.push_back(pulse.stamp + p.stamp_jitter * random.normal());
    if (random.uniform() < p.spurious) stamps.push_back(stamps.back() + 0.3e-3);
  }
  std::sort(stamps.begin(), stamps.end());
  PulseCounter counter(*described.spec.pulses);
  for (const double stamp : stamps) {
    const auto position = counter.position(stamp, 0.0);
    if (!position) continue;
    time.push_back(stamp);
    channel.value.push_back(*position);
    channel.tooth.push_back(counter.tooth());
  }
  channel.time = std::make_shared<const std::vector<double>>(std::move(time));
  return channel;
}

Answer answer_to(const HostilePowertrain& p, std::uint64_t seed) {
  std::vector<PulseSpec> wheels;
  for (const Sensor& sensor : p.study.simulation->sensors)
    wheels.push_back(*p.study.find_channel(sensor.output)->spec.pulses);
  SimulatedPowertrain data = simulate_powertrain(p.truth, *p.study.simulation, wheels, seed);
  for (double& command : data.rows.input) command *= p.command_gain;
  Log log = log_in_memory({{"motor.command", data.rows.input}}, data.rows.time);
  for (std::size_t i = 0; i < wheels.size(); ++i)
    log.channels.push_back(channel_of(*p.study.find_channel(p.study.simulation->sensors[i].output), data.pulses[i], p,
                                      Random(seed, "stamps", i)));
  const Report report = answer_gap(p.study, log, {}, false).report;
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
