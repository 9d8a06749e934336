// [simulate]: the test signal, the duration and the sensors' faults of a simulated log.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/log/csv.hpp"
#include "tauhat/offline/simulate/excitation.hpp"
#include "tauhat/offline/study/sections.hpp"

namespace tauhat {
namespace {

void read_tones(Keys& keys, Excitation& input, const std::string& file, const std::string& unit) {
  const auto* tones = keys.array("input.tones");
  if (!tones) keys.fail("input.tones", " is missing: give [{ frequency = \"2 Hz\", amplitude = \"1 N m\" }, ...]");
  for (const auto& node : *tones) {
    const auto* table = node.as_table();
    if (!table) keys.fail("input.tones", ": each tone is a table with frequency and amplitude");
    Keys tone(file, "simulate.input.tones", *table);
    const double from_seed = std::numeric_limits<double>::quiet_NaN();
    input.tones.push_back({tone.number("frequency", "Hz", Range::positive()),
                           tone.number("amplitude", unit, Range::any()),
                           tone.number("phase", "rad", Range::any(), from_seed)});
    tone.finish();
  }
}

void read_steps(Keys& keys, Excitation& input) {
  const auto* times = keys.array("input.times");
  const auto* levels = keys.array("input.levels");
  if (!times || !levels || times->size() != levels->size())
    keys.fail("input.kind", " = \"steps\": needs input.times and input.levels of the same length, in s and N m");
  for (std::size_t i = 0; i < times->size(); ++i) {
    const auto time = times->get(i)->value<double>(), level = levels->get(i)->value<double>();
    if (!time || !level) keys.fail("input.times", ": times and levels are numbers in s and N m");
    input.times.push_back(*time);
    input.levels.push_back(*level);
  }
}

// One column of a file that lies beside the study, and is a part of it.
std::vector<double> read_samples(Keys& keys) {
  const std::string path = keys.path("input.file"), column = keys.text("input.column");
  try {
    return read_csv(path, {column}).columns.front().values;
  } catch (const Error& problem) {
    keys.fail("input.file", fmt::format(": {}", problem.what()));
  }
}

void read_input(Keys& keys, Excitation& input, const std::string& file, const std::string& unit) {
  using Kind = Excitation::Kind;
  const std::string kind =
      keys.choice("input.kind", {"constant", "steps", "sines", "multisine", "prbs", "chirp", "file"});
  input.ramp = keys.number("input.ramp", "s", Range::not_negative(), 0.0);
  input.offset = keys.number("input.offset", unit, Range::any(), 0.0);
  if (kind == "sines") {
    input.kind = Kind::sines;
    read_tones(keys, input, file, unit);
  } else if (kind == "steps") {
    input.kind = Kind::steps;
    read_steps(keys, input);
  } else if (kind == "file") {
    input.kind = Kind::samples;
    input.samples = read_samples(keys);
  } else {
    input.amplitude = keys.number("input.amplitude", unit, Range::any());
    if (kind == "prbs") {
      input.kind = Kind::prbs;
      input.hold = keys.number("input.hold", "s", Range::positive());
    } else if (kind != "constant") {
      input.kind = kind == "chirp" ? Kind::chirp : Kind::multisine;
      input.lowest = keys.number("input.lowest", "Hz", Range::positive());
      input.highest = keys.number("input.highest", "Hz", Range::positive());
      if (kind == "multisine") input.lines = static_cast<int>(keys.whole("input.lines", Range{1, 1000, true}));
    }
  }
}

// What `simulate` would refuse later, without knowing where it was written.
void check_input(Keys& keys, const SimulationSpec& spec) {
  const double intervals = std::round(spec.duration / spec.period);
  if (intervals < 1.0)
    keys.fail("duration", fmt::format(" = {:g} s: is shorter than one sample, {:g} s", spec.duration, spec.period));
  if (intervals > 1e8) keys.fail("duration", ": more than 100 million samples");
  const Rows rows{static_cast<std::size_t>(intervals) + 1, spec.period};
  check_excitation(spec.excitation, rows, [&](const std::string& key, const std::string& what) {
    keys.fail(key == "samples" ? "input.file" : "input." + key, what);
  });
}

// A cosine about the centre, inside the grid: beyond it nobody has said what the joint is.
void read_pose_motion(Keys& keys, JointSpec& joint, SimulationSpec& simulation) {
  const double centre = keys.number("pose.centre", "rad", Range::any());
  const double amplitude = keys.number("pose.amplitude", "rad", Range::any());
  const double lowest = centre - std::abs(amplitude), highest = centre + std::abs(amplitude);
  if (!joint.pose->contains(lowest) || !joint.pose->contains(highest))
    keys.fail(
        "pose.amplitude",
        fmt::format(": the pose travels from {:.4g} to {:.4g} rad, beyond what [pose] describes, {:.4g} to {:.4g} "
                    "rad; extend its grid, or let the pose travel less",
                    lowest, highest, joint.pose->lowest(), joint.pose->highest()));
  joint.pose_motion = {centre, amplitude, keys.number("pose.frequency", "Hz", Range::positive())};
  simulation.start.insert(simulation.start.end(), {centre + amplitude, 0.0});
}

}  // namespace

Sensor read_simulated_sensor(Keys& keys, const Study& study, const StudyChannel& channel) {
  const std::string prefix = fmt::format("sensors.{}.", channel.spec.signal);
  const std::string unit = unit_of_signal(keys, study, channel.spec.signal);
  Sensor sensor;
  sensor.output = channel.spec.signal;
  if (channel.spec.pulses) {
    sensor.tooth_error = keys.number(prefix + "tooth_error", "1", Range{0.0, 0.4, true}, 0.0);
    return sensor;
  }
  sensor.std = keys.number(prefix + "std", unit, Range::not_negative(), channel.std.value_or(0.0));
  sensor.resolution = keys.number(prefix + "resolution", unit, Range::not_negative(), 0.0);
  sensor.delay = keys.number(prefix + "delay", "s", Range::not_negative(), channel.spec.delay);
  sensor.dropout = keys.number(prefix + "dropout", "1", Range{0.0, 1.0, true}, 0.0);
  sensor.limit = keys.number(prefix + "limit", unit, Range::not_negative(), 0.0);
  if (study.powertrain) {
    sensor.period = keys.number(prefix + "period", "s", Range::not_negative(), 0.0);
    sensor.jitter = keys.number(prefix + "jitter", "s", Range::not_negative(), channel.jitter);
  }
  return sensor;
}

void read_simulate_section(const std::string& file, const toml::table& section, Study& study) {
  Keys keys(file, "simulate", section);
  SimulationSpec spec;
  spec.duration = keys.number("duration", "s", Range::positive());
  spec.period = keys.has("rate") ? 1.0 / keys.number("rate", "Hz", Range::positive())
                                 : keys.number("period", "s", Range::positive());
  spec.input_delay = keys.number("input_delay", "s", Range::not_negative(), 0.0);
  spec.integrator = keys.has("integrator") && keys.choice("integrator", {"cvode", "runge-kutta"}) == "runge-kutta"
                        ? Integrator::runge_kutta
                        : Integrator::cvode;
  spec.sample_at_start = keys.flag("sample_at_start", true);
  read_input(keys, spec.excitation, file, force_unit(study));
  check_input(keys, spec);
  if (study.axis) {
    spec.start = {keys.number("start.position", unit_of(*study.axis, "rad"), Range::any(), 0.0),
                  keys.number("start.velocity", unit_of(*study.axis, "rad/s"), Range::any(), 0.0)};
  }
  if (study.joint) {
    using Joint = ElasticJoint<double>;
    spec.start.assign(Joint::kStates + 1, 0.0);
    const double load = keys.number("start.position", "rad", Range::any(), 0.0);
    spec.start[Joint::load_position] = load, spec.start[Joint::motor_position] = load * study.joint->joint.ratio;
    if (study.joint->pose) read_pose_motion(keys, *study.joint, spec);
  }
  if (study.elastic_axes) read_axes_motion(keys, study);
  if (study.powertrain) {
    spec.load_torque = keys.number("load_torque", "N m", Range::any(), 0.0);
    spec.load_velocity = keys.number("start.velocity", "rad/s", Range::any());
    spec.torque_noise = keys.number("torque_noise", "N m", Range::not_negative(), 0.0);
  }
  for (const StudyChannel& channel : study.channels) {
    if (channel.spec.signal != input_signal(study)) spec.sensors.push_back(read_simulated_sensor(keys, study, channel));
  }
  keys.finish();
  study.simulation = std::move(spec);
}

}  // namespace tauhat
