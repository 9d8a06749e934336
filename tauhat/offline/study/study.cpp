#include "tauhat/offline/study/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/spelling.hpp"
#include "tauhat/offline/study/sections.hpp"
#include "tauhat/offline/units.hpp"
#include "tauhat/offline/unreadable.hpp"

namespace tauhat {
namespace {

toml::table parse(const std::string& text, const std::string& source) {
  try {
    return toml::parse(text, source);
  } catch (const toml::parse_error& problem) {
    throw Error(ExitCode::wrong_use,
                fmt::format("{}:{}: {}", source, problem.source().begin.line, std::string(problem.description())));
  }
}

struct OpenQuestion {
  toml::source_position place;
  std::string text;
};

void collect_open_questions(const toml::node& node, const std::string& path, std::vector<OpenQuestion>& found) {
  if (const auto* table = node.as_table()) {
    for (const auto& [key, value] : *table)
      collect_open_questions(value, path.empty() ? std::string(key.str()) : fmt::format("{}.{}", path, key.str()),
                             found);
  } else if (const auto* array = node.as_array()) {
    for (const auto& value : *array) collect_open_questions(value, path, found);
  } else if (const auto* text = node.as_string(); text && text->get().starts_with("TODO")) {
    const toml::source_position place = node.source().begin;
    found.push_back({place, fmt::format("  line {}: {} = \"{}\"", place.line, path, text->get())});
  }
}

// `init` leaves what it could not know as "TODO: question".
void refuse_open_questions(const toml::table& root, const std::string& source) {
  std::vector<OpenQuestion> found;
  collect_open_questions(root, "", found);
  if (found.empty()) return;
  // Tables are in the order of their keys; a reader goes from top to bottom.
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.place < b.place; });
  std::string list;
  for (const OpenQuestion& question : found) list += "\n" + question.text;
  throw Error(ExitCode::wrong_use, fmt::format("{}: {} {} still to be answered:{}", source, found.size(),
                                               found.size() == 1 ? "question is" : "questions are", list));
}

const toml::table* section(const toml::table& root, std::string_view name, const std::string& source) {
  const auto* node = root.get(name);
  if (!node) return nullptr;
  if (const auto* table = node->as_table()) return table;
  throw Error(ExitCode::wrong_use,
              fmt::format("{}:{}: {} must be a section, [{}]", source, node->source().begin.line, name, name));
}

void check_section_names(const toml::table& root, const std::string& source) {
  const std::vector<std::string> known{"drive",     "unknown", "noise",    "start",  "log",
                                       "estimator", "accept",  "simulate", "test",   "identify",
                                       "observer",  "robot",   "pose",     "excite", "plan"};
  for (const auto& [key, node] : root) {
    const std::string name(key.str());
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string nearest = nearest_name(name, known);
    throw Error(ExitCode::wrong_use,
                fmt::format("{}:{}: unknown section \"{}\"; {}", source, node.source().begin.line, name,
                            nearest.empty() ? fmt::format("a study has {}", fmt::join(known, ", "))
                                            : fmt::format("did you mean \"{}\"?", nearest)));
  }
}

// Each table of a list: [[unknown]], [[observer]].
template <class Read>
void read_list(const toml::table& root, std::string_view name, const std::string& source, Read read) {
  const auto* node = root.get(name);
  if (!node) return;
  const auto* list = node->as_array();
  if (!list)
    throw Error(ExitCode::wrong_use,
                fmt::format("{}:{}: {} must be a list, [[{}]]", source, node->source().begin.line, name, name));
  for (const auto& entry : *list) {
    const auto* table = entry.as_table();
    if (!table)
      throw Error(ExitCode::wrong_use,
                  fmt::format("{}:{}: [[{}]] must be a table", source, entry.source().begin.line, name));
    Keys keys(source, std::string(name), *table);
    read(keys);
    keys.finish();
  }
}

// [estimator] lag: a plain number counts samples, a text is a time.
void read_lag(Keys& keys, Study& study) {
  const toml::node* lag = keys.node("lag");
  if (!lag) return;
  if (const auto* text = lag->as_string()) {
    if (const auto quantity = parse_quantity(text->get()); quantity && !quantity->unit)
      keys.fail("lag",
                fmt::format(" = \"{0}\": has no unit; {0} without quotes is a number of samples, \"{0} ms\" a time",
                            text->get()));
    study.lag = keys.number("lag", "s", Range::positive());
    return;
  }
  study.lag = static_cast<std::size_t>(keys.whole("lag", Range{1.0, 100000.0, true}, "of samples"));
}

template <class Read>
void read_section(const toml::table& root, std::string_view name, const std::string& source, Study& study, Read read) {
  if (const auto* table = section(root, name, source)) {
    Keys keys(source, std::string(name), *table);
    read(keys, study);
    keys.finish();
  }
}

void check_channels(const Study& study) {
  if (study.robot) return check_robot_channels(study);
  if (study.test) return check_test_channels(study);
  if (study.elastic_axes) return check_axes_channels(study);
  bool has_sensor = false;
  for (const auto& channel : study.channels)
    has_sensor = has_sensor || channel.spec.signal.find("velocity") != std::string::npos ||
                 channel.spec.signal.find("position") != std::string::npos;
  if (!study.channels.empty() && !study.find_channel(input_signal(study))) {
    throw Error(ExitCode::wrong_use, fmt::format("{}: [log.channels] has no {}: the drive's input must be in the log",
                                                 study.source, input_signal(study)));
  }
  if (study.joint && !study.channels.empty() && !study.find_channel("motor.position"))
    throw Error(ExitCode::wrong_use, fmt::format("{}: [log.channels] has no motor.position: it is what observers of a "
                                                 "joint see",
                                                 study.source));
  if (study.joint && study.joint->pose && !study.channels.empty() && !study.find_channel("pose.position"))
    throw Error(ExitCode::wrong_use, fmt::format("{}: [log.channels] has no pose.position: [pose] needs to know where "
                                                 "the other axis stands",
                                                 study.source));
  if (!study.channels.empty() && !has_sensor) {
    throw Error(ExitCode::wrong_use, fmt::format("{}: [log.channels] has no position or velocity", study.source));
  }
}

// A log with the position says where it starts.
void check_start(const Study& study) {
  if (study.axis && study.axis->start && study.find_channel("axis.position"))
    throw Error(ExitCode::wrong_use,
                fmt::format("{}: [start] axis.position is for a log without it, and [log.channels] "
                            "has axis.position: leave out one of them",
                            study.source));
}

// What is known to act, and where the pose is, is no measurement: it has no noise.
void note_known_channels(Study& study) {
  for (StudyChannel& channel : study.channels) {
    const std::string& signal = channel.spec.signal;
    if (signal.ends_with("load.torque") || signal == "neighbour.torque" || signal.starts_with("pose."))
      channel.std = channel.std.value_or(0.0);
  }
}

void read_estimator_section(Keys& keys, Study& study) {
  study.hold_back = keys.number("hold_back", "s", Range::positive(), 0.0);
  if (study.joint || study.elastic_axes) return read_joint_estimator(keys, study);
  if (study.robot) return read_robot_estimator(keys, study);
  if (study.powertrain) {
    read_gap_filter(keys, *study.powertrain);
  } else {
    keys.choice("kind", {"ekf"});
  }
  study.gate = keys.number("gate", "1", Range::positive(), 0.0);
  if (study.powertrain && keys.has("lag")) keys.fail("lag", ": a filter that switches has no smoother");
  read_lag(keys, study);
}

void check_hold_back(const Study& study) {
  if (study.hold_back > 0.0 && !study.channels.empty() && study.time.column.empty())
    throw Error(ExitCode::wrong_use, fmt::format("{}: estimator.hold_back: rows without a time of their own have no "
                                                 "other order than that in which they come",
                                                 study.source));
}

// The filter of a powertrain has to know which of its sensors are wheels.
void note_sensors(Study& study) {
  using P = Powertrain<double>;
  bool motor = false, load = false;
  for (const StudyChannel& channel : study.channels) {
    motor = motor || (channel.spec.signal.starts_with("motor.") && channel.spec.signal != input_signal(study));
    load = load || channel.spec.signal.starts_with("load.");
    const auto output = static_cast<std::size_t>(index_of(P::kOutputs, channel.spec.signal));
    if (channel.jitter > 0.0) study.powertrain->jitter[output] = channel.jitter;
    if (!channel.spec.pulses) continue;
    study.powertrain->wheels[output] = {channel.spec.pulses->pitch(), channel.spec.pulses->has_count(),
                                        channel.spec.pulses->missing, channel.std.value_or(0.0)};
  }
  if (!study.channels.empty() && !(motor && load))
    throw Error(ExitCode::wrong_use, fmt::format("{}: [log.channels] must have a position or velocity of the motor and "
                                                 "of the load: the gap lies between them",
                                                 study.source));
  require_offset_of_wheels(study);
  if (study.powertrain->is_of_stages() && !study.channels.empty()) require_wheels(study);
}

// Sections that the model has no use for.
void refuse_sections(const toml::table& root, const Study& study) {
  const auto refuse = [&](const char* name, const char* why) {
    if (const auto* node = root.get(name))
      throw Error(ExitCode::wrong_use,
                  fmt::format("{}:{}: [{}] {}", study.source, node->source().begin.line, name, why));
  };
  if (study.robot)
    for (const char* name : {"drive", "test", "noise", "start", "unknown"}) refuse(name, "has no place beside [robot]");
  if (study.axis) refuse("noise", "is for other drives; an axis takes it from its log");
  if (!study.joint) refuse("pose", "is for model = \"elastic-joint\"");
  if (!study.joint && !study.elastic_axes) refuse("observer", "is for model = \"elastic-joint\" or \"elastic-axes\"");
  if (study.elastic_axes)
    for (const char* name : {"identify", "excite", "accept"}) refuse(name, "has no place beside elastic axes");
  if (study.joint || study.elastic_axes)
    for (const char* name : {"noise", "start", "unknown"})
      refuse(name, "is for other drives; an elastic joint says it in [[observer]]");
  if (study.powertrain) {
    refuse("start", "is for the two-mass drive; a powertrain starts from its first pulses");
    refuse("unknown", "is for other drives; what a powertrain learns is said by a std in [drive]");
    if (!root.contains("noise"))
      throw Error(ExitCode::wrong_use,
                  fmt::format("{}: [noise] is missing: it says how fast the load's torque wanders and how wrong the "
                              "motor's torque may be (load.torque, motor.torque)",
                              study.source));
  }
}

}  // namespace

LogSpec Study::log_spec() const {
  LogSpec spec;
  spec.time = time;
  for (const auto& channel : channels) spec.channels.push_back(channel.spec);
  return spec;
}

const StudyChannel* Study::find_channel(const std::string& signal) const {
  for (const auto& channel : channels) {
    if (channel.spec.signal == signal) return &channel;
  }
  return nullptr;
}

Study parse_study(const std::string& text, const std::string& source) {
  const toml::table root = parse(text, source);
  refuse_open_questions(root, source);
  check_section_names(root, source);
  Study study;
  study.source = source;
  read_section(root, "test", source, study, read_test_section);
  read_section(root, "robot", source, study, read_robot_section);
  if (!study.test && !study.robot && !root.contains("drive"))
    throw Error(ExitCode::wrong_use,
                fmt::format("{}: [drive] is missing: it names the model and its parameters (a bench "
                            "test has [test], an arm [robot])",
                            source));
  if (!study.robot) read_section(root, "drive", source, study, read_drive_section);
  refuse_sections(root, study);
  std::map<std::string, int> unknown_lines;
  read_list(root, "unknown", source, [&](Keys& keys) {
    study.axis ? read_axis_unknown(keys, study) : read_unknown(keys, study);
    keys.finish();
    refuse_second_unknown(keys, unknown_lines);
  });
  read_list(root, "observer", source,
            [&](Keys& keys) { study.elastic_axes ? read_axes_observer(keys, study) : read_observer(keys, study); });
  read_section(root, "pose", source, study, read_pose_section);
  read_section(root, "identify", source, study, read_identify_section);
  read_section(root, "excite", source, study, read_excite_section);
  read_section(root, "noise", source, study, read_noise_section);
  read_section(root, "start", source, study, read_start_section);
  read_section(root, "estimator", source, study, read_estimator_section);
  if (const auto* log = section(root, "log", source)) read_log_section(source, *log, study);
  check_channels(study);
  check_hold_back(study);
  check_start(study);
  if (study.powertrain) note_sensors(study);
  if (study.joint || study.elastic_axes) note_known_channels(study);
  if (const auto* accept = section(root, "accept", source)) read_accept_section(source, *accept, study);
  read_section(root, "plan", source, study, read_plan_section);
  if (const auto* simulate = section(root, "simulate", source))
    study.robot ? read_robot_simulate(source, *simulate, study) : read_simulate_section(source, *simulate, study);
  return study;
}

Study read_study(const std::string& path) {
  require_readable(path, ExitCode::wrong_use);
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return parse_study(text, path);
}

}  // namespace tauhat
