// [simulate] of a robot: its motion, what pushes it, its controller and its sensors' faults.
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "tauhat/offline/study/sections.hpp"

namespace tauhat {
namespace {

JointValues values(Keys& keys, const std::string& name, std::string_view unit, int joints) {
  const std::vector<double> given = keys.numbers(name, unit, static_cast<std::size_t>(joints));
  return Eigen::Map<const Eigen::VectorXd>(given.data(), joints);
}

// Two sines for each joint; what is not given is chosen within the limits.
JointSines<Eigen::Dynamic> read_motion(Keys& keys, const RobotSpec& robot) {
  JointSines<Eigen::Dynamic> motion = motion_within_limits(robot);
  const int n = robot.count();
  if (keys.has("motion.middle")) motion.middle = values(keys, "motion.middle", "rad", n);
  if (keys.has("motion.amplitude")) motion.amplitude = values(keys, "motion.amplitude", "rad", n);
  if (keys.has("motion.frequency")) motion.rate = 2.0 * std::numbers::pi * values(keys, "motion.frequency", "Hz", n);
  if (keys.has("motion.phase")) motion.phase = values(keys, "motion.phase", "rad", n);
  for (int i = 0; i < n; ++i) {
    const JointLimits& limits = robot.joints[static_cast<std::size_t>(i)].limits;
    const double reach = std::abs(motion.amplitude[i]) * JointSines<Eigen::Dynamic>::bound(0);
    if (motion.middle[i] - reach >= limits.lower && motion.middle[i] + reach <= limits.upper) continue;
    keys.fail("motion.amplitude", fmt::format(": {} would leave its limits, {:g} to {:g}, by up to {:g} about {:g}",
                                              robot.joints[static_cast<std::size_t>(i)].name, limits.lower,
                                              limits.upper, reach, motion.middle[i]));
  }
  return motion;
}

// One [[simulate.force]].
ForceEvent read_force_event(Keys& keys) {
  using Kind = ForceEvent::Kind;
  ForceEvent event;
  const std::string kind = keys.choice("kind", {"step", "ramp", "sine"});
  event.kind = kind == "step" ? Kind::step : kind == "ramp" ? Kind::ramp : Kind::sine;
  std::vector<std::string> axes;
  for (const Signal& signal : kWrenchSignals) axes.emplace_back(signal.name);
  event.axis = index_of(kWrenchSignals, keys.choice("axis", axes));
  event.from = keys.number("from", "s", Range::not_negative(), 0.0);
  event.to = keys.number("to", "s", Range::positive(), std::numeric_limits<double>::infinity());
  if (!(event.to > event.from)) keys.fail("to", fmt::format(" = {:g} s: must be after {:g} s", event.to, event.from));
  event.level = keys.number("level", kWrenchSignals[static_cast<std::size_t>(event.axis)].unit, Range::any());
  if (event.kind == Kind::ramp) event.rise = keys.number("rise", "s", Range::positive());
  if (event.kind == Kind::sine) event.frequency = keys.number("frequency", "Hz", Range::positive());
  keys.finish();
  return event;
}

void read_forces(Keys& keys, const RobotSpec& robot, RobotSimulation& spec) {
  spec.frame = keys.text("frame", robot.force.frame);
  if (!spec.frame.empty() && !robot.find_frame(spec.frame))
    keys.fail("frame",
              fmt::format(" = \"{}\": is not a frame of the robot; {}", spec.frame, frame_hint(robot, spec.frame)));
  const toml::array* list = keys.array("force");
  if (!list) return;
  if (spec.frame.empty()) keys.fail("force", ": needs a frame: name it in robot.force.frame or simulate.frame");
  for (const auto& entry : *list) {
    const auto* table = entry.as_table();
    if (!table) keys.fail("force", ": must be a list of tables, [[simulate.force]]");
    Keys one(keys.file(), "simulate.force", *table);
    spec.forces.push_back(read_force_event(one));
  }
}

}  // namespace

void read_robot_simulate(const std::string& file, const toml::table& section, Study& study) {
  const RobotSpec& robot = *study.robot;
  Keys keys(file, "simulate", section);
  RobotSimulation spec;
  spec.period = keys.has("rate") ? 1.0 / keys.number("rate", "Hz", Range::positive())
                                 : keys.number("period", "s", Range::positive());
  if (keys.has("trajectory")) {
    spec.trajectory = keys.path("trajectory");
    spec.duration = keys.number("duration", "s", Range::positive(), 0.0);
  } else {
    spec.duration = keys.number("duration", "s", Range::positive());
    spec.motion = read_motion(keys, robot);
  }
  if (spec.duration / spec.period > 2e7) keys.fail("duration", ": more than 20 million samples");
  const auto gains = [&](const char* name, std::string_view unit) {
    return keys.has(name) ? values(keys, name, unit, robot.count()) : JointValues();
  };
  spec.position_gain = gains("position_gain", "N m/rad");
  spec.velocity_gain = gains("velocity_gain", "N m s/rad");
  read_forces(keys, robot, spec);
  for (const StudyChannel& channel : study.channels)
    spec.sensors.push_back(read_simulated_sensor(keys, study, channel));
  keys.finish();
  study.robot_simulation = std::move(spec);
}

}  // namespace tauhat
