// [log]: which columns mean what.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <span>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/log/tooth_table.hpp"
#include "tauhat/offline/spelling.hpp"
#include "tauhat/offline/study/sections.hpp"
#include "tauhat/offline/units.hpp"

namespace tauhat {
namespace {

Unit unit_or_fail(Keys& keys, const std::string& name, const std::string& text) {
  if (const auto unit = parse_unit(text)) return *unit;
  const std::string nearest = nearest_unit(text);
  keys.fail(name, fmt::format(" = \"{}\": is not a unit{}", text,
                              nearest.empty() ? "" : fmt::format("; did you mean \"{}\"?", nearest)));
}

void read_time(Keys& keys, Study& study) {
  if (keys.has("time.rate")) {
    study.time.rate = keys.number("time.rate", "Hz", Range::positive());
    return;
  }
  study.time.column = keys.text("time.column");
  study.time_unit = keys.text("time.unit", "s");
  const auto seconds = clock_tick(study.time_unit);
  if (!seconds) {
    unit_or_fail(keys, "time.unit", study.time_unit);  // a word that is no unit
    keys.fail("time.unit", fmt::format(" = \"{}\": is not a unit of time", study.time_unit));
  }
  study.time.scale = *seconds;
}

// A column's unit in SI, and how well that is known.
struct Scale {
  double value = 1.0;
  double std = 0.0;      // relative
  std::string key = {};  // that the std was given with
};

Scale scale_by(Keys& keys, const std::string& name, std::string_view unit, const Range& range) {
  const UncertainValue given = keys.uncertain(name, unit, range);
  if (given.value == 0.0) keys.fail(name, " = 0: nothing would be left of the column");
  return {given.value, given.std / std::abs(given.value), name};
}

// Column units become SI. A current takes a torque constant, an increment the counts of one turn, a drive's per mille
// (CiA 402) the torque they are of.
Scale channel_scale(Keys& keys, const std::string& unit_text, const std::string& si_unit) {
  const auto times = [](double factor, Scale scale) {
    scale.value *= factor;
    return scale;
  };
  if (unit_text == "count" || unit_text == "count/s") {
    if (si_unit != (unit_text == "count" ? "rad" : "rad/s"))
      keys.fail("unit", fmt::format(" = \"{}\": increments count an angle; this column must be in {} or a unit of the "
                                    "same kind",
                                    unit_text, si_unit));
    Scale scale = scale_by(keys, "counts_per_rev", "1", Range::positive());
    scale.value = 2.0 * std::numbers::pi / scale.value;
    return scale;
  }
  if (unit_text == "permille" && si_unit == "N m")
    return times(1e-3, scale_by(keys, "rated_torque", "N m", Range::positive()));
  const Unit unit = unit_or_fail(keys, "unit", unit_text);
  const Unit wanted = *parse_unit(si_unit);
  if (unit.dimension == wanted.dimension) return {unit.scale};
  if (si_unit == "N m" && unit.dimension == parse_unit("A")->dimension)
    return times(unit.scale, scale_by(keys, "torque_constant", "N m/A", Range::positive()));
  // The force of a linear motor by its current, or of an amplifier by its voltage command.
  if (keys.has("force_constant"))
    return times(unit.scale, scale_by(keys, "force_constant", fmt::format("{}/{}", si_unit, unit_text), Range::any()));
  keys.fail("unit", fmt::format(" = \"{}\": the column must be in {} or a unit of the same kind", unit_text, si_unit));
}

// A motor's torque constant falls above some current, which is given in the column's unit.
void read_saturation(Keys& keys, double scale, StudyChannel& channel) {
  if (!keys.has("saturation.from") && !keys.has("saturation.slope")) return;
  channel.spec.saturates_from = scale * keys.number("saturation.from", channel.unit, Range::not_negative());
  channel.spec.saturation =
      keys.number("saturation.slope", fmt::format("1/{}", channel.unit), Range::positive()) / scale;
}

// A nuisance: a number, { value, std }, or "fit".
struct Nuisance {
  double value = 0.0, std = 0.0;
  bool is_free = false;
};
Nuisance read_nuisance(Keys& keys, const std::string& name, std::string_view unit, double otherwise) {
  if (!keys.has(name)) return {otherwise, 0.0, false};
  if (keys.says(name, "fit")) return {otherwise, 0.0, true};
  const UncertainValue given = keys.uncertain(name, unit, Range::any());
  return {given.value, given.std, false};
}

// Whatever the unit; one that this unit does not take is refused at the end.
const std::vector<std::string>& channel_keys() {
  static const std::vector<std::string> all{"column",
                                            "unit",
                                            "time_column",
                                            "gain",
                                            "delay",
                                            "offset",
                                            "std",
                                            "torque_constant",
                                            "force_constant",
                                            "counts_per_rev",
                                            "rated_torque",
                                            "saturation.from",
                                            "saturation.slope",
                                            "jitter"};
  return all;
}

// A wheel's pulses: { stamps = "t_wheel", teeth = 48 }, with what the file says beside each stamp.
void read_pulses(const std::string& signal, Keys& keys, Study& study) {
  if (!signal.ends_with(".position")) keys.fail("stamps", ": only a position is seen by pulses");
  keys.refuse_all_but({"stamps", "unit", "teeth", "missing", "phase", "table", "sensor.column", "sensor.number",
                       "count.column", "count.wraps_at", "std", "delay", "offset"});
  StudyChannel channel;
  channel.spec.signal = signal;
  channel.spec.column = keys.text("stamps");
  channel.unit = keys.text("unit", study.time_unit);
  const auto seconds = clock_tick(channel.unit);
  if (!seconds) keys.fail("unit", fmt::format(" = \"{}\": stamps are in a unit of time", channel.unit));
  channel.spec.scale = *seconds;
  // Only the powertrain's filter watches for a wheel that may turn back.
  if (!study.powertrain && !keys.has("count.column"))
    keys.fail("stamps",
              ": pulses say where the drive is only if they tell its direction: give count = { column = \"n\" "
              "}, a counter that goes up and down");
  PulseSpec& wheel = channel.spec.pulses.emplace();
  wheel.teeth = static_cast<int>(keys.whole("teeth", Range{2, 100000, true}));
  wheel.missing = static_cast<int>(keys.whole("missing", Range{0, wheel.teeth / 2.0, true}, 0L));
  wheel.phase = keys.number("phase", "rad", Range::any(), 0.0);
  if (keys.has("sensor.column")) {
    wheel.sensor_column = keys.text("sensor.column");
    wheel.sensor = keys.number("sensor.number", "1", Range::any());
  }
  if (keys.has("count.column")) {
    wheel.count_column = keys.text("count.column");
    wheel.wraps_at = static_cast<double>(keys.whole("count.wraps_at", Range{2, 1e18, true}, 0L));
  }
  if (keys.has("table")) {
    if (!wheel.knows_teeth()) keys.fail("table", fmt::format(": {}", why_teeth_are_unknown(wheel)));
    wheel.table = read_tooth_table(keys.path("table"), signal, wheel.teeth);
  }
  channel.spec.delay = keys.number("delay", "s", Range::any(), 0.0);
  channel.spec.offset = keys.number("offset", "rad", Range::any(), 0.0);
  // Teeth are cut to a few per cent of their pitch, unless somebody knows better.
  constexpr double kUsualToothError = 0.02;
  channel.std = keys.number("std", "rad", Range::positive(), kUsualToothError * wheel.pitch());
  keys.finish();
  study.channels.push_back(std::move(channel));
}

// What the methods make of a channel's gain or delay that is to be fitted, or known only so well.
struct NuisanceUse {
  bool are_fitted = false;     // gain and delay, with or without a std
  bool takes_gain_std = true;  // what the gain is known to widens the intervals
  const char* why_not = "";
};

NuisanceUse nuisances_of(const std::string& signal, const Study& study) {
  if (study.test) return {true};
  // The fits of a robot and, but for the two-step method, of an axis are linear in torques and forces.
  if (study.robot && signal.ends_with(".torque"))
    return {false, true, ": a robot's fit takes it as it is; only its gain can carry a std"};
  if (study.axis && signal == "axis.force") {
    if (study.axis->method != StudyAxis::Method::two_step)
      return {false, true, ": an axis' fit takes it as it is; only its gain can carry a std"};
    return {false, false,
            ": the two-step method takes the force as it is; method = \"regression\" or \"constant-speed\" in "
            "[identify] takes a std of its gain"};
  }
  // Of an elastic joint the gain is one of the parameters that its filters and its fit know only so well.
  if (study.joint && signal == "motor.torque")
    return {false, true, ": identify finds it itself (motor.torque.delay), and observers take it as it is"};
  if (study.elastic_axes && signal.ends_with(".motor.torque"))
    return {false, true, ": observers take it as it is; only its gain can carry a std"};
  if (study.joint || study.elastic_axes)
    return {false, false, ": is taken as it is; only the gain of a motor.torque can carry a std"};
  if (signal == "motor.torque") return {true};
  return {false, false, ": only that of motor.torque can be fitted or carry a std"};
}

// Which of a channel's gain and delay may be fitted or known only so well.
void read_nuisances(const std::string& signal, const Scale& scale, Keys& keys, StudyChannel& channel, Study& study) {
  const Nuisance gain = read_nuisance(keys, "gain", "1", 1.0), delay = read_nuisance(keys, "delay", "s", 0.0);
  if (gain.value == 0.0) keys.fail("gain", " = 0: nothing would be left of the column");
  channel.spec.scale = scale.value * gain.value;
  channel.spec.delay = delay.value;
  channel.gain_std = std::hypot(gain.std / gain.value, scale.std);
  if (study.test && (gain.is_free || delay.is_free))
    keys.fail(gain.is_free ? "gain" : "delay", ": a bench test cannot fit it");
  const NuisanceUse use = nuisances_of(signal, study);
  const bool is_uncertain = channel.gain_std > 0.0 && !use.takes_gain_std;
  if (!use.are_fitted && (gain.is_free || is_uncertain || delay.is_free || delay.std > 0.0)) {
    const bool is_of_gain = gain.is_free || (is_uncertain && gain.std > 0.0);
    keys.fail(is_uncertain && scale.std > 0.0 ? scale.key : is_of_gain ? "gain" : "delay", use.why_not);
  }
  if (study.elastic_axes && channel.gain_std > 0.0) {
    AxesSpec& spec = *study.elastic_axes;
    const int axis = axes_signal(spec, signal) / kAxisSignals;
    spec.uncertain.push_back({place_of_torque_gain(spec, static_cast<std::size_t>(axis)), channel.gain_std});
  }
  if (signal != "motor.torque" || study.elastic_axes) return;
  if (study.joint) {
    if (channel.gain_std > 0.0) study.joint->uncertain.push_back({kTorqueGainIndex, channel.gain_std});
    return;
  }
  auto& options = study.identification;
  options.torque_gain_free = gain.is_free, options.torque_gain_std = channel.gain_std;
  options.torque_delay_free = delay.is_free, options.torque_delay_std = delay.std;
}

void read_channel(const std::string& signal, Keys& keys, Study& study) {
  const std::string si_unit = unit_of_signal(keys, study, signal);
  if (keys.has("stamps")) return read_pulses(signal, keys, study);
  keys.refuse_all_but(channel_keys());
  StudyChannel channel;
  channel.spec.signal = signal;
  channel.spec.column = keys.text("column");
  channel.unit = keys.text("unit", si_unit);
  const Scale scale = channel_scale(keys, channel.unit, si_unit);
  channel.spec.time_column = keys.text("time_column", "");
  read_saturation(keys, scale.value, channel);
  read_nuisances(signal, scale, keys, channel, study);
  channel.spec.offset = keys.number("offset", si_unit, Range::any(), 0.0);
  if (keys.says("std", "auto")) {
    channel.std = std::nullopt;
  } else if (keys.has("std")) {
    channel.std = keys.number("std", si_unit, Range::positive());
  }
  if (keys.has("jitter")) {
    if (!study.powertrain) keys.fail("jitter", ": only a powertrain's filter makes allowance for it");
    if (signal == input_signal(study)) keys.fail("jitter", ": is a sensor's; the command acts as it is stamped");
    channel.jitter = keys.number("jitter", "s", Range::not_negative());
  }
  keys.finish();
  study.channels.push_back(std::move(channel));
}

}  // namespace

std::string input_signal(const Study& study) {
  if (study.powertrain) return "motor.command";
  if (study.robot || study.elastic_axes) return "";  // each joint has its own
  return study.axis ? "axis.force" : "motor.torque";
}

std::string unit_in(const Study& study, std::string_view rotary) {
  return study.axis ? unit_of(*study.axis, rotary) : std::string(rotary);
}

std::string force_unit(const Study& study) { return unit_in(study, "N m"); }

namespace {

// What a log of the study's model may hold, with units.
std::vector<OutputInfo> known_signals(const Study& study) {
  std::vector<OutputInfo> known;
  const std::string input = input_signal(study);
  if (!input.empty()) known.push_back({input, force_unit(study)});
  const auto add = [&](const auto& signals) {
    for (const Signal& each : signals) known.push_back({std::string(each.name), unit_in(study, each.unit)});
  };
  if (study.robot) {
    for (const OutputInfo& output : robot_signals(*study.robot)) known.push_back(output);
  } else if (study.elastic_axes) {
    for (const std::string& axis : study.elastic_axes->names)
      for (const Signal& each : kSignalsOfAxis)
        known.push_back({fmt::format("{}.{}", axis, each.name), std::string(each.unit)});
  } else if (study.axis) {
    add(Axis<double>::kStateSignals);
  } else if (study.powertrain) {
    add(std::span(Powertrain<double>::kOutputs).first<4>());
  } else if (study.joint) {
    add(ElasticJoint<double>::kOutputs);
    add(std::span(ElasticJoint<double>::kInputSignals).first<3>());
    if (study.joint->pose) add(kPoseSignals);
  } else {
    add(Drive::kOutputs);
  }
  return known;
}

}  // namespace

std::string unit_of_signal(Keys& keys, const Study& study, const std::string& signal) {
  std::vector<std::string> known;
  for (const OutputInfo& each : known_signals(study)) {
    if (each.name == signal) return each.unit;
    known.push_back(each.name);
  }
  const std::string nearest = nearest_name(signal, known);
  const std::vector<std::string> given = keys.names();
  const std::string place = given.empty() ? keys.file() : fmt::format("{}:{}", keys.file(), keys.line(given.front()));
  throw Error(ExitCode::wrong_use, fmt::format("{}: unknown signal \"{}\" in [log.channels]; {}", place, signal,
                                               nearest.empty() ? fmt::format("the model has {}", fmt::join(known, ", "))
                                                               : fmt::format("did you mean \"{}\"?", nearest)));
}

namespace {

// motor.velocity = { column = ... } is to TOML a table "motor" with a table "velocity".
bool is_part_of_name(const std::string& name, const toml::table& table, const Study& study) {
  const std::vector<OutputInfo> known = known_signals(study);
  const bool is_signal = std::any_of(known.begin(), known.end(), [&](const OutputInfo& o) { return o.name == name; });
  return !is_signal && !table.empty() &&
         std::all_of(table.begin(), table.end(), [](const auto& entry) { return entry.second.is_table(); });
}

// By their names, whichever way they are written.
void collect_channels(const std::string& file, const toml::table& channels, const std::string& prefix,
                      const Study& study, std::map<std::string, const toml::node*>& found) {
  for (const auto& [key, node] : channels) {
    const std::string signal = prefix + std::string(key.str());
    const auto* table = node.as_table();
    if (table && is_part_of_name(signal, *table, study)) {
      collect_channels(file, *table, signal + ".", study, found);
    } else if (const auto [other, is_new] = found.emplace(signal, &node); !is_new) {
      throw Error(ExitCode::wrong_use,
                  fmt::format("{}:{}: log.channels.\"{}\" is given twice, here and in line {}: keep one of them", file,
                              node.source().begin.line, signal, other->second->source().begin.line));
    }
  }
}

}  // namespace

void read_log_section(const std::string& file, const toml::table& log, Study& study) {
  Keys keys(file, "log", log, "channels");
  const bool has_states = study.robot && keys.has("joint_states");
  if (has_states) add_joint_states(keys.text("joint_states"), study);
  if (keys.names().size() > (has_states ? 1 : 0)) read_time(keys, study);  // else the file's own clocks
  keys.finish();
  const auto* channels = log["channels"].as_table();
  if (!channels && has_states) return;
  if (!channels || channels->empty()) {
    throw Error(ExitCode::wrong_use,
                fmt::format("{}:{}: [log.channels] is missing: name at least {}", file, log.source().begin.line,
                            study.robot ? "the position and the torque of each joint" : "motor.torque and one sensor"));
  }
  std::map<std::string, const toml::node*> all;
  collect_channels(file, *channels, "", study, all);
  for (const auto& [signal, node] : all) {
    const std::string path = fmt::format("log.channels.\"{}\"", signal);
    const auto* table = node->as_table();
    if (!table) {
      throw Error(ExitCode::wrong_use,
                  fmt::format("{}:{}: {}: must be a table such as {{ column = \"w_m\", unit = \"rpm\" }}", file,
                              node->source().begin.line, path));
    }
    Keys channel(file, path, *table);
    read_channel(signal, channel, study);
  }
}

}  // namespace tauhat
