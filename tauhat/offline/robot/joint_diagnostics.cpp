#include "tauhat/offline/robot/joint_diagnostics.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "tauhat/offline/report/uncertainty.hpp"

namespace tauhat {
namespace {

// A joint with the names of its channels, and what was found of it.
struct NamedCheck {
  const JointCheck& check;
  std::string joint, torque, position;
  bool turns;

  Diagnostic say(const char* what, Severity severity, std::string sentence) const {
    return {fmt::format("{}.{}", joint, what), severity, std::move(sentence)};
  }
};

// What passes for a delay of nothing, where that is much.
std::optional<Diagnostic> open_clock_diagnostic(const NamedCheck& named) {
  constexpr double kMuch = 0.005;  // s: 5 deg of a torque of 3 Hz
  if (!(named.check.own.unseen_delay() > kMuch)) return std::nullopt;
  return named.say(
      "clock", Severity::info,
      fmt::format("{}: of its noise the torque may come up to {:.2g} ms late, and nothing here would say so. "
                  "Record a faster motion, or several periods of it.",
                  named.joint, 1e3 * named.check.own.unseen_delay()));
}

Diagnostic clock_diagnostic(const NamedCheck& named) {
  const auto& own = named.check.own;
  const std::string how_much =
      fmt::format("{} comes {:.2f} ± {:.2f} ms {} {}", named.torque, 1e3 * std::abs(own.delay),
                  1e3 * k95 * own.delay_std, own.delay > 0.0 ? "after" : "before", named.position);
  if (!own.is_delayed)
    return named.say("clock", Severity::warning,
                     fmt::format("{}, which is more than chance brings ({:.1f} standard deviations), and less than is "
                                 "certain: record a faster motion, or several periods of it.",
                                 how_much, std::abs(own.delay) / own.delay_std));
  if (own.is_clock())
    return named.say("clock", Severity::error,
                     fmt::format("{}: give it delay = \"{:.3g} ms\" in [log.channels].", how_much, 1e3 * own.delay));
  if (own.bends())
    return named.say(
        "clock", Severity::warning,
        fmt::format("{}; friction that bends over {:.2g} {} before it slides explains that as well, or better: let "
                    "tauhat identify find it with friction.law = \"dahl\" in [robot], or look at the clock.",
                    how_much, own.reach, named.turns ? "rad" : "m"));
  return named.say("clock", Severity::warning,
                   how_much +
                       ", which explains little of what the model leaves: its clock, or friction that follows "
                       "the motion late.");
}

Diagnostic sign_diagnostic(const NamedCheck& named, WrongSign sign) {
  const std::string wrong = sign == WrongSign::torque     ? named.torque
                            : sign == WrongSign::position ? named.position
                            : sign == WrongSign::either   ? fmt::format("{} or {}", named.torque, named.position)
                                                          : fmt::format("{} and {}", named.torque, named.position);
  return named.say("sign", Severity::error,
                   fmt::format("{}: {} the wrong sign{}. Give gain = -1 in [log.channels].", named.joint,
                               wrong + (sign == WrongSign::both ? " have" : " has"),
                               sign == WrongSign::both ? "" : ": its friction would give energy"));
}

std::string in_words(const JointCheck::Range& range) {
  return fmt::format("{:.3g} to {:.3g}", range.lower, range.upper);
}

Diagnostic ratio_diagnostic(const NamedCheck& named, double given) {
  const JointCheck& check = named.check;
  return named.say("ratio", Severity::error,
                   fmt::format("{}: the gear ratio {:.6g} does not fit {}; {} would.", named.joint, given,
                               check.ratio_by_inertia ? "the inertias of the study, unless those are wrong"
                                                      : "the torques of the motion",
                               check.ratio_range ? in_words(*check.ratio_range) : fmt::format("{:.4g}", *check.ratio)));
}

std::string to_measure(const NamedCheck& named) {
  return fmt::format("Turn the motor by a known angle, and measure how far the joint {}.",
                     named.turns ? "turns" : "goes");
}

Diagnostic range_diagnostic(const NamedCheck& named, double given) {
  return named.say("ratio_unknown", Severity::info,
                   fmt::format("{}: this log does not tell the gear ratio {:.6g}: with other inertias and friction {} "
                               "would do as well. {}",
                               named.joint, given, in_words(*named.check.ratio_range), to_measure(named)));
}

Diagnostic conversion_diagnostic(const NamedCheck& named) {
  return named.say("conversion_unknown", Severity::info,
                   fmt::format("{}: this log does not tell whether its drive has the right gear ratio: with other "
                               "inertias and friction one {} times as large would do as well. {}",
                               named.joint, in_words(*named.check.conversion_range), to_measure(named)));
}

Diagnostic open_signs_diagnostic(const NamedCheck& named) {
  const bool against = named.check.inertias_speak_for_turning;
  return named.say(
      "sign_unknown", against ? Severity::warning : Severity::info,
      fmt::format(
          "{}: this log does not tell {} and {} from both turned, {}. Drive the joint by hand towards where the "
          "study's axis points, and see whether its position grows.",
          named.joint, named.torque, named.position,
          against ? "and the inertias of the study speak for that: give both gain = -1 in [log.channels], or "
                    "correct the inertias"
                  : "since nothing but its own inertia and friction depends on them"));
}

Diagnostic factor_diagnostic(const NamedCheck& named, const std::string& channel, double factor) {
  return named.say("ratio", Severity::error,
                   fmt::format("{}: {} does not fit the torques of the motion; {:.3g} times as large it would. Correct "
                               "the gear ratio, the torque constant or the unit that it was recorded by, or its gain "
                               "in [log.channels].",
                               named.joint, channel, factor));
}

// Both, by one wrong gear.
bool are_one_conversion(const JointCheck& check) {
  constexpr double kAlike = 0.1;  // of the product
  return check.position_factor && check.torque_factor &&
         std::abs(std::log(*check.position_factor * *check.torque_factor)) < kAlike;
}

Diagnostic converted_diagnostic(const NamedCheck& named) {
  return named.say(
      "ratio", Severity::error,
      fmt::format("{}: {} and {} do not fit the torques of the motion; {:.3g} and {:.3g} times as large "
                  "they would, as if a wrong gear ratio had converted them. Correct what the log was "
                  "converted by, or their gains in [log.channels].",
                  named.joint, named.position, named.torque, *named.check.position_factor, *named.check.torque_factor));
}

}  // namespace

std::vector<Diagnostic> joint_diagnostics(const RobotSpec& robot, const MotorSides& sides,
                                          const std::vector<JointCheck>& checks) {
  std::vector<Diagnostic> found;
  for (std::size_t j = 0; j < checks.size(); ++j) {
    const JointCheck& check = checks[j];
    const std::string& name = robot.joints[j].name;
    const NamedCheck named{check, name, fmt::format("{}{}.torque", name, sides.torque[j] ? ".motor" : ""),
                           fmt::format("{}{}.position", name, sides.position[j] ? ".motor" : ""),
                           robot.robot.joint(static_cast<int>(j)).is_revolute()};
    if (check.own.is_delayed || check.own.may_be_delayed())
      found.push_back(clock_diagnostic(named));
    else if (const auto open = open_clock_diagnostic(named))
      found.push_back(*open);
    if (check.sign) found.push_back(sign_diagnostic(named, *check.sign));
    if (check.signs_are_open) found.push_back(open_signs_diagnostic(named));
    const double given = robot.robot.transmission().ratio()[static_cast<int>(j)];
    if (check.ratio)
      found.push_back(ratio_diagnostic(named, given));
    else if (check.ratio_range)
      found.push_back(range_diagnostic(named, given));
    else if (check.conversion_range && !check.position_factor && !check.torque_factor)
      found.push_back(conversion_diagnostic(named));
    if (are_one_conversion(check)) {
      found.push_back(converted_diagnostic(named));
      continue;
    }
    if (check.position_factor) found.push_back(factor_diagnostic(named, named.position, *check.position_factor));
    if (check.torque_factor) found.push_back(factor_diagnostic(named, named.torque, *check.torque_factor));
  }
  return found;
}

}  // namespace tauhat
