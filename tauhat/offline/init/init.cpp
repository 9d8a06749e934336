#include "tauhat/offline/init/init.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tauhat/offline/init/guess.hpp"

namespace tauhat {
namespace {

constexpr const char* kDrive = R"toml([drive]
model = "two-mass"
motor.inertia = "TODO: inertia of the rotor and what turns with it, such as \"8 kg cm^2\""
load.inertia = "TODO: inertia of all that the gear drives, at the output, such as \"0.02 kg m^2\""
transmission.ratio = "TODO: motor turns per output turn, such as 100 (1 without a gear)"
transmission.damping = 0.01                # N m s/rad, at the output: 1 or more of a stiff gear with a large ratio
# Known only so well? { value = "8 kg cm^2", std = "5 %" } widens the interval by it.
motor.friction = { law = "coulomb-atan", coulomb = "TODO: friction of the motor at low speed, such as \"0.05 N m\"", viscous = "TODO: how much of it is added with speed, such as \"0.001 N m s/rad\"; { value = 0.001, std = \"100 %\" } has it fitted", width = "0.05 rad/s" }

[[unknown]]
signal = "transmission.torque"             # what nobody measures
kind = "random-walk"
intensity = "auto"                         # chosen by innovation likelihood

[noise]
"motor.velocity" = "3 rad/s/sqrt(s)"       # ripple and friction that the model lacks

[estimator]
kind = "ekf"

)toml";

constexpr const char* kAxis = R"toml([drive]
model = "axis"
motion = "TODO: linear or rotary"
axis.mass = "TODO: all that moves, motor included, such as \"95 kg\", or \"0.02 kg m^2\" where it turns"
friction.offset = "fit"                    # a constant force is found along; a number where it is known

[[unknown]]
signal = "friction.force"                  # what nobody measures
kind = "random-walk"
intensity = "auto"                         # chosen by innovation likelihood

[identify]
method = "two-step"                        # which law; regression finds mass and friction, constant-speed the curve

)toml";

constexpr const char* kTest = R"toml([test]
kind = "hysteresis-curve"                  # output locked, torque ramped slowly up and down through zero
definition = "TODO: whose definition: nabtesco, harmonic-drive (K1 to K3 also need limit_torque_1 and 2, below), spinea or tauhat"
rated_torque = "TODO: rated torque of the gear at its output, such as \"40 N m\""
# limit_torque_1 = "14 N m"                # T1 and T2 of the catalogue, at the output: harmonic-drive only
# limit_torque_2 = "48 N m"
ratio = "TODO: motor turns per output turn, such as 100 (1 if everything was measured at the output)"
part = ""                                  # for the page to sign
date = ""

)toml";

constexpr const char* kAccept = R"toml(
# What is accepted, if there is a limit:
# [accept]
# "{}" = "<= {}"
)toml";

// A file's own text must not end a comment or a string.
std::string quoted(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '"' || c == '\\') safe += '\\';
    const auto byte = static_cast<unsigned char>(c);
    safe += byte < 0x20 || byte == 0x7F ? fmt::format("\\u{:04X}", byte) : std::string(1, c);
  }
  return safe;
}

std::string on_one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  return text;
}

std::string commented(const std::string& text) {
  std::string safe = on_one_line(text);
  if (safe.size() <= 110) return safe;
  std::size_t end = 110;
  while (end > 0 && (static_cast<unsigned char>(safe[end]) & 0xC0) == 0x80) --end;  // not inside a character
  return safe.substr(0, end);
}

std::string header_of(const Survey& survey) {
  std::string text =
      fmt::format("# Study for {}: written by tauhat init. Answer each TODO, then run\n#   tauhat identify THIS {}\n",
                  commented(survey.path), commented(survey.path));
  text += fmt::format("# Found: {}{}.\n", survey.format, survey.dialect.empty() ? "" : ", " + survey.dialect);
  for (std::size_t i = 0; i < std::min<std::size_t>(survey.preamble.size(), 6); ++i)
    text += fmt::format("#   | {}\n", commented(survey.preamble[i]));
  // Whole, since it says what to type. Columns of words are further below.
  if (survey.dialect.empty())
    for (const std::string& object : survey.skipped) text += fmt::format("# Skipped: {}.\n", on_one_line(object));
  return text + "\n";
}

std::string time_line(const GuessedTime& time) {
  if (time.file_has_clocks) return "# each column has its own clock in the file\n";
  if (time.column.empty())
    return "time = { rate = \"TODO: samples per second, such as \\\"1 kHz\\\"; no column looks like a clock\" }\n";
  return fmt::format("time = {{ column = \"{}\", unit = \"{}\" }}   # {}\n", quoted(time.column), time.unit, time.why);
}

std::string channel_line(const GuessedChannel& channel, const std::string& signal) {
  std::string line = fmt::format("\"{}\" = {{ column = \"{}\", unit = \"{}\"{}", signal, quoted(channel.column),
                                 channel.unit, channel.extra);
  if (!channel.time_column.empty()) line += fmt::format(", time_column = \"{}\"", quoted(channel.time_column));
  return fmt::format("{} }}   # {}\n", line, channel.why);
}

const GuessedChannel* find(const Guess& guess, const std::string& signal) {
  for (const GuessedChannel& channel : guess.channels) {
    if (channel.signal == signal) return &channel;
  }
  return nullptr;
}

std::string missing_line(const char* signal, const char* question, const char* unit) {
  return fmt::format("\"{}\" = {{ column = \"TODO: {}\", unit = \"{}\" }}\n", signal, question, unit);
}

std::string motion_channels(const Guess& guess) {
  std::string text;
  bool sensed = false;
  for (const GuessedChannel& channel : guess.channels) {
    if (channel.signal == "load.torque") continue;
    text += channel_line(channel, channel.signal);
    sensed = sensed || channel.signal != "motor.torque";
  }
  if (!find(guess, "motor.torque"))
    text += missing_line("motor.torque", "which column is the motor's torque or current? (see the list below)", "N m");
  if (!sensed) text += missing_line("motor.velocity", "which column is the motor's speed? (see the list below)", "rpm");
  if (const GuessedChannel* torque = find(guess, "load.torque"))
    text += fmt::format("# not used: \"{}\" looks like a torque at the load, for which the model has no channel\n",
                        commented(torque->column));
  return text;
}

// One force and one motion.
std::string axis_channels(const Guess& guess) {
  const GuessedChannel* force = find(guess, "motor.torque");
  if (!force) force = find(guess, "load.torque");
  std::string text = force ? channel_line(*force, "axis.force")
                           : missing_line("axis.force",
                                          "which column is the force, torque or current? (see the list "
                                          "below)",
                                          "N m");
  const auto add = [&](const char* signal, std::initializer_list<const char*> sources) {
    for (const char* source : sources) {
      if (const GuessedChannel* channel = find(guess, source)) {
        text += channel_line(*channel, signal);
        return true;
      }
    }
    return false;
  };
  const bool position = add("axis.position", {"motor.position", "load.position"});
  if (!position && !add("axis.velocity", {"motor.velocity", "load.velocity"}))
    text += missing_line("axis.position", "which column is the position of the axis? (see the list below)", "rad");
  return text;
}

// A line to be confirmed by the column's name, or deleted.
std::string question_line(const GuessedChannel& channel, const char* signal, const std::string& question) {
  GuessedChannel asked = channel;
  asked.column = fmt::format("TODO: {}", question);
  return channel_line(asked, signal);
}

// Its name does not tell where it was measured: one question a side.
std::string either_side(const GuessedChannel& channel, const char* at_motor, const char* at_output) {
  const auto question = [&](const char* here, const char* there) {
    return fmt::format("\"{}\" if it was measured at the {}; if at the {}, delete this line", channel.column, here,
                       there);
  };
  return question_line(channel, at_motor, question("motor", "output")) +
         question_line(channel, at_output, question("output", "motor"));
}

// The names say that torque and angle were measured on different sides: one question a side.
std::string both_sides(const GuessedChannel& torque, const GuessedChannel& angle, bool torque_at_output) {
  const char *output = "output", *motor = "motor";
  const auto question = [](const GuessedChannel& one, const char* here, const char* what, const char* there,
                           const char* instead) {
    return fmt::format(
        "\"{}\" if it was measured at the {}, though the {} seems to be at the {}; else call this line {}", one.column,
        here, what, there, instead);
  };
  if (torque_at_output)
    return question_line(torque, "transmission.torque", question(torque, output, "angle", motor, "motor.torque")) +
           question_line(angle, "motor.position",
                         question(angle, motor, "torque", output, "transmission.displacement"));
  return question_line(torque, "motor.torque", question(torque, motor, "angle", output, "transmission.torque")) +
         question_line(angle, "load.position", question(angle, output, "torque", motor, "motor.position"));
}

// On the bench one torque and one angle matter. The motor's are converted by the ratio, the output's are not: where
// each was measured must be told, or asked.
std::string bench_channels(const Guess& guess) {
  const GuessedChannel *motor = find(guess, "motor.position"), *load = find(guess, "load.position");
  const GuessedChannel *motor_torque = find(guess, "motor.torque"), *load_torque = find(guess, "load.torque");
  const GuessedChannel* angle = motor ? motor : load;
  // Of two torques the one on the angle's side.
  const bool prefers_motor = motor_torque && (!load_torque || (motor && motor->side_is_told));
  const GuessedChannel* torque = prefers_motor ? motor_torque : load_torque;
  const bool torque_told = torque && torque->side_is_told, angle_told = angle && angle->side_is_told;
  const bool one_angle = !motor || !load;
  if (torque_told && angle_told && one_angle && prefers_motor != (motor != nullptr))
    return both_sides(*torque, *angle, !prefers_motor);
  std::string text;
  if (!torque)
    text += missing_line("transmission.torque",
                         "which column is the torque at the output? (see the list below; at the motor it is "
                         "motor.torque)",
                         "N m");
  else if (!torque_told)
    text += either_side(*torque, "motor.torque", "transmission.torque");
  else
    text += channel_line(*torque, prefers_motor ? "motor.torque" : "transmission.torque");
  if (!angle)
    text += missing_line("motor.position",
                         "which column is the angle of the motor? (see the list below; at the output it is "
                         "transmission.displacement)",
                         "rad");
  else if (!angle_told)
    text += either_side(*angle, "motor.position", "transmission.displacement");
  else
    text += channel_line(*angle, motor ? "motor.position" : "load.position");
  if (motor && load) text += channel_line(*load, "load.position");
  return text;
}

}  // namespace

std::string study_for(const std::string& log, StudyKind kind) {
  const Survey survey = survey_log(log);
  const Guess guess = guess_channels(survey);
  struct Part {
    const char* head;
    std::string (*channels)(const Guess&);
    const char* limited;
  };
  const Part part = kind == StudyKind::axis               ? Part{kAxis, axis_channels, "friction.coulomb"}
                    : kind == StudyKind::hysteresis_curve ? Part{kTest, bench_channels, "backlash.lost_motion"}
                                                          : Part{kDrive, motion_channels, "backlash.gap"};
  std::string text =
      header_of(survey) + part.head + "[log]\n" + time_line(guess.time) + "[log.channels]\n" + part.channels(guess);
  std::vector<std::string> unused = guess.unused;
  if (!survey.dialect.empty()) unused.insert(unused.end(), survey.skipped.begin(), survey.skipped.end());
  if (!unused.empty()) text += "# not used:\n";
  for (const std::string& line : unused) text += fmt::format("#   {}\n", commented(line));
  return text + fmt::format(fmt::runtime(kAccept), part.limited, kind == StudyKind::axis ? "0.3 N m" : "3 arcmin");
}

}  // namespace tauhat
