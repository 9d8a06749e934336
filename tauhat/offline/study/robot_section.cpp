// [robot]: a URDF, or a table of joints in the study; what a URDF does not say of the joints; the force that is asked
// for.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "tauhat/core/robot/parameters.hpp"
#include "tauhat/offline/error.hpp"
#include "tauhat/offline/robot/dh_table.hpp"
#include "tauhat/offline/robot/urdf.hpp"
#include "tauhat/offline/spelling.hpp"
#include "tauhat/offline/study/sections.hpp"

namespace tauhat {
namespace {

Vector<double, 3> read_vector(Keys& keys, const std::string& name, std::string_view unit) {
  return Vector<double, 3>(keys.numbers(name, unit, 3).data());
}

// The tables of [[robot.joint]] or [[robot.frame]].
std::vector<Keys> tables_of(Keys& keys, const std::string& name) {
  std::vector<Keys> tables;
  const toml::array* list = keys.array(name);
  if (!list) return tables;
  for (const auto& entry : *list) {
    const auto* table = entry.as_table();
    if (!table) keys.fail(name, fmt::format(": must be a list of tables, [[robot.{}]]", name));
    tables.emplace_back(keys.file(), "robot." + name, *table);
  }
  return tables;
}

// ---- what a table may say of a joint, whether a URDF describes it or not

constexpr std::string_view kInertiaPrefix = "inertia.";
constexpr double kMostFrictionOfLoad = 0.9;  // per torque passed on: at 1 a gear locks

std::vector<std::string> joint_keys(bool in_table) {
  std::vector<std::string> names{
      "name",        "ratio",       "actuator_inertia", "friction.viscous",   "friction.coulomb", "friction.offset",
      "limit.lower", "limit.upper", "limit.velocity",   "limit.acceleration", "limit.torque",     "residual"};
  for (const char* each :
       {"friction.asymmetry", "friction.excess", "friction.decay", "friction.reach", "friction.load"})
    names.emplace_back(each);
  for (int kind = 0; kind < kInertialParameters; ++kind)
    names.push_back(fmt::format("{}{}", kInertiaPrefix, kRobotParameterKinds[static_cast<std::size_t>(kind)].symbol));
  if (in_table) names.insert(names.end(), {"type", "parent", "alpha", "a", "d", "theta"});
  return names;
}

// What is not given stays.
LinkInertia<double> read_inertia(Keys& keys, const LinkInertia<double>& known) {
  Vector<double, kInertialParameters> p = known.parameters();
  for (int kind = 0; kind < kInertialParameters; ++kind) {
    const RobotParameterKind& each = kRobotParameterKinds[static_cast<std::size_t>(kind)];
    const bool is_mass = kind == LinkInertia<double>::mass_parameter;
    p[kind] = keys.number(fmt::format("{}{}", kInertiaPrefix, each.symbol), each.unit,
                          is_mass ? Range::not_negative() : Range::any(), p[kind]);
  }
  return LinkInertia<double>::from_parameters(p);
}

// Of the joint at `index`, whose type is known: lengths and forces where it slides.
void read_properties(Keys& keys, RobotSpec& spec, int index) {
  RobotJoint& joint = spec.joints[static_cast<std::size_t>(index)];
  const auto number = [&](const char* name, std::string_view rotary, const Range& range, double& value) {
    if (keys.has(name)) value = keys.number(name, joint_unit(spec, index, rotary), range);
  };
  number("friction.asymmetry", "N m s/rad", Range::any(), joint.friction.asymmetry);
  number("friction.excess", "N m", Range::not_negative(), joint.friction.excess);
  number("friction.decay", "s/rad", Range::positive(), joint.friction.decay);
  number("friction.reach", "rad", Range::not_negative(), joint.friction.reach);
  number("friction.load", "1", Range{0.0, kMostFrictionOfLoad, true}, joint.friction.load);
  number("friction.viscous", "N m s/rad", Range::not_negative(), joint.friction.viscous);
  number("friction.coulomb", "N m", Range::not_negative(), joint.friction.coulomb);
  number("friction.offset", "N m", Range::any(), joint.friction.offset);
  number("residual", "N m", Range::not_negative(), joint.residual);
  JointLimits& limits = joint.limits;
  number("limit.lower", "rad", Range::any(), limits.lower);
  number("limit.upper", "rad", Range::any(), limits.upper);
  if (!(limits.lower < limits.upper))
    keys.fail("limit.lower", fmt::format(" = {:g}: must be below limit.upper, {:g}", limits.lower, limits.upper));
  number("limit.velocity", "rad/s", Range::positive(), limits.velocity);
  number("limit.acceleration", "rad/s^2", Range::positive(), limits.acceleration);
  number("limit.torque", "N m", Range::positive(), limits.torque);
  // Base parameters that were identified need not be those of a body.
  number("actuator_inertia", "kg m^2", Range::any(), spec.robot.actuator_inertia()[index]);
  JointVector<double, Eigen::Dynamic> ratio = spec.robot.transmission().ratio();
  ratio[index] = keys.number("ratio", "1", Range::any(), ratio[index]);
  if (ratio[index] == 0.0) keys.fail("ratio", " = 0: the motor would not move the joint");
  spec.robot.transmission() = {ratio, spec.robot.transmission().coupling()};
  spec.robot.set_link(index, read_inertia(keys, spec.robot.link(index)));
}

// ---- a table of joints

DhRow read_row(Keys& keys, const std::vector<DhRow>& before) {
  DhRow row;
  row.joint.name = keys.text("name", fmt::format("joint{}", before.size() + 1));
  row.parent = static_cast<int>(before.size()) - 1;
  if (row.joint.name.find('.') != std::string::npos)
    keys.fail("name", fmt::format(" = \"{}\": a name has no dots", row.joint.name));
  std::vector<std::string> names{"base"};
  for (const DhRow& other : before) names.push_back(other.joint.name);
  if (std::find(names.begin(), names.end(), row.joint.name) != names.end())
    keys.fail("name", fmt::format(" = \"{}\": another joint has this name, or the base", row.joint.name));
  if (keys.has("parent")) {
    const std::string parent = keys.choice("parent", names);  // parents come before their children
    row.parent = static_cast<int>(std::find(names.begin(), names.end(), parent) - names.begin()) - 1;
  }
  if (keys.has("type") && keys.choice("type", {"revolute", "prismatic"}) == "prismatic")
    row.type = JointType::prismatic;
  row.placement = {keys.number("alpha", "rad", Range::any(), 0.0), keys.number("a", "m", Range::any(), 0.0),
                   keys.number("d", "m", Range::any(), 0.0), keys.number("theta", "rad", Range::any(), 0.0)};
  return row;
}

void read_table(Keys& keys, RobotSpec& spec) {
  std::vector<Keys> tables = tables_of(keys, "joint");
  if (tables.empty()) keys.fail("joint", " is missing: give urdf = \"arm.urdf\", or a [[robot.joint]] for each joint");
  if (tables.size() > static_cast<std::size_t>(kMaxJoints))
    keys.fail("joint", fmt::format(": has {} joints; {} are the most", tables.size(), kMaxJoints));
  std::vector<DhRow> rows;
  for (Keys& one : tables) {
    one.refuse_all_but(joint_keys(true));
    rows.push_back(read_row(one, rows));
  }
  static_cast<RobotDescription&>(spec) = robot_of_table(rows);
  for (int i = 0; i < spec.count(); ++i) read_properties(tables[static_cast<std::size_t>(i)], spec, i);
}

// ---- a URDF

void read_urdf(Keys& keys, RobotSpec& spec) {
  spec.urdf = keys.path("urdf");
  static_cast<RobotDescription&>(spec) = parse_urdf(read_urdf_text(spec.urdf), spec.urdf, keys.text("tip", ""));
  std::vector<std::string> names;
  for (const RobotJoint& joint : spec.joints) names.push_back(joint.name);
  std::set<std::string> described;
  for (Keys& one : tables_of(keys, "joint")) {
    one.refuse_all_but(joint_keys(false));
    const std::string name = one.choice("name", names);
    if (!described.insert(name).second)
      one.fail("name", fmt::format(" = \"{}\": another [[robot.joint]] has this name; one is for all that the URDF "
                                   "does not say of a joint",
                                   name));
    read_properties(one, spec, joint_index(spec, name));
  }
}

// ---- frames, coupling, force

void read_frame(Keys& keys, RobotSpec& spec) {
  NamedFrame frame;
  frame.name = keys.text("name");
  if (!FrameName::fits(frame.name) || spec.find_frame(frame.name))
    keys.fail("name",
              fmt::format(" = \"{}\": must be a new name of at most {} letters", frame.name, FrameName::kCapacity));
  const std::string on = keys.text("on");
  const NamedFrame* carrier = spec.find_frame(on);
  if (!carrier) keys.fail("on", fmt::format(" = \"{}\": is not a link of the robot; {}", on, frame_hint(spec, on)));
  const Vector<double, 3> none = Vector<double, 3>::Zero();
  const Vector<double, 3> xyz = keys.has("xyz") ? read_vector(keys, "xyz", "m") : none;
  const Vector<double, 3> rpy = keys.has("rpy") ? read_vector(keys, "rpy", "rad") : none;
  frame.link = carrier->link;
  frame.placement = carrier->placement * placement_of_origin(xyz, rpy);
  spec.frames.push_back(std::move(frame));
}

void read_coupling(Keys& keys, RobotSpec& spec) {
  if (!keys.has("coupling")) return;
  const auto rows = keys.matrix("coupling");
  const int n = spec.count();
  if (rows.size() != static_cast<std::size_t>(n))
    keys.fail("coupling", fmt::format(": has {} rows, and the robot {} joints", rows.size(), n));
  JointMatrix<double, Eigen::Dynamic> coupling(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) coupling(i, j) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  if ((coupling.diagonal().array() != 1.0).any())
    keys.fail("coupling", ": must have ones on its diagonal; the ratios are given with the joints");
  if (!(std::abs(coupling.determinant()) > 1e-9)) keys.fail("coupling", ": is singular; no motion of the joints fits");
  spec.robot.transmission() = {spec.robot.transmission().ratio(), coupling};
}

void read_force(Keys& keys, RobotSpec& spec) {
  spec.force.frame = keys.text("force.frame", "");
  if (keys.has("force.axes") && keys.choice("force.axes", {"world", "frame"}) == "frame")
    spec.force.axes = WrenchAxes::frame;
  spec.force.with_moment = keys.flag("force.moment", false);
  if (spec.force.frame.empty()) {
    if (keys.has("force.axes") || keys.has("force.moment")) keys.text("force.frame");  // says that it is missing
    return;
  }
  const NamedFrame* frame = require_moving_frame(keys, spec, "force.frame", spec.force.frame);
  if (!spec.robot.add_frame(frame->name, frame->link, frame->placement))
    keys.fail("force.frame",
              fmt::format(" = \"{}\": a name has at most {} letters", frame->name, FrameName::kCapacity));
}

// A law has what its joints say, and they begin with what the study says of them.
void check_friction(Keys& keys, RobotSpec& spec) {
  const auto laws_with = [](bool (*has)(SlidingLaw)) {
    std::vector<std::string_view> names;
    for (std::size_t k = 0; k < kSlidingLaws.size(); ++k)
      if (has(static_cast<SlidingLaw>(k))) names.push_back(kSlidingLaws[k]);
    return names;
  };
  const std::string_view own = kSlidingLaws[static_cast<std::size_t>(spec.terms.law)];
  for (const RobotJoint& joint : spec.joints) {
    const FrictionOfJoint& friction = joint.friction;
    if (!spec.terms.excess() && friction.excess > 0.0)
      keys.fail("friction.law", fmt::format(": {} has an excess, which {} friction has not; the laws with one are {}",
                                            joint.name, own, fmt::join(laws_with(has_excess), ", ")));
    if (!spec.terms.memory() && friction.reach > 0.0)
      keys.fail("friction.law", fmt::format(": {} has a reach, which {} friction has not; the laws with one are {}",
                                            joint.name, own, fmt::join(laws_with(has_memory), ", ")));
    spec.terms.decay.push_back(friction.decay);
    spec.terms.reach.push_back(friction.reach);
    spec.terms.ratio.push_back(friction.coulomb > 0.0 ? friction.excess / friction.coulomb : 0.0);
  }
}

constexpr std::array<std::array<std::string_view, 2>, 3> kMeasured{
    {{"position", "rad"}, {"velocity", "rad/s"}, {"torque", "N m"}}};

}  // namespace

const NamedFrame* require_moving_frame(Keys& keys, const RobotSpec& spec, const char* key, const std::string& name) {
  const NamedFrame* frame = spec.find_frame(name);
  if (!frame) keys.fail(key, fmt::format(" = \"{}\": is not a frame of the robot; {}", name, frame_hint(spec, name)));
  if (frame->link == kBase)
    keys.fail(key, fmt::format(" = \"{}\": does not move: a force there moves no joint", frame->name));
  return frame;
}

void read_robot_section(Keys& keys, Study& study) {
  RobotSpec& spec = study.robot.emplace();
  if (keys.has("urdf")) {
    read_urdf(keys, spec);
  } else {
    read_table(keys, spec);
  }
  if (keys.has("gravity")) spec.robot.gravity = read_vector(keys, "gravity", "m/s^2");
  double& width = spec.terms.width;
  width = keys.number("friction.width", "rad/s", Range::positive(), width);
  if (keys.has("friction.law")) {
    const std::string law = keys.choice("friction.law", {kSlidingLaws.begin(), kSlidingLaws.end()});
    spec.terms.law =
        static_cast<SlidingLaw>(std::find(kSlidingLaws.begin(), kSlidingLaws.end(), law) - kSlidingLaws.begin());
  }
  check_friction(keys, spec);
  read_coupling(keys, spec);
  for (const RobotJoint& joint : spec.joints)
    if (joint.friction.load > 0.0 && spec.robot.transmission().is_coupled())
      keys.fail("coupling", fmt::format(": {} has friction.load, which is not offered with a coupling", joint.name));
  spec.torque_sensors = keys.flag("torque_sensors", spec.torque_sensors);
  spec.terms.actuators = !spec.torque_sensors;
  spec.torques_sampled = spec.torque_sensors;
  if (keys.has("torques")) {
    spec.torques_sampled = keys.choice("torques", {"held", "sampled"}) == "sampled";
    if (spec.torque_sensors && !spec.torques_sampled)
      keys.fail("torques", " = \"held\": torque_sensors = true measures them at the row's instant");
  }
  if (spec.torque_sensors && !spec.robot.actuator_inertia().isZero(0.0))
    keys.fail("torque_sensors", " = true: sensors behind the gears see no rotor; leave actuator_inertia out");
  for (Keys& one : tables_of(keys, "frame")) {
    read_frame(one, spec);
    one.finish();
  }
  read_force(keys, spec);
  study.assumptions.push_back({"gravity", fmt::format("{:g}, {:g}, {:g} m/s^2", spec.robot.gravity[0],
                                                      spec.robot.gravity[1], spec.robot.gravity[2])});
  study.assumptions.push_back(
      {"torques", fmt::format("{}, {}", spec.torque_sensors ? "of sensors behind the gears" : "of the motors",
                              spec.torques_sampled ? "of the row's instant" : "held until the next row")});
  study.assumptions.push_back({"friction.width", fmt::format("{:g} rad/s", width)});
}

// [estimator]: who is to tell the force, and when it is contact.
void read_robot_estimator(Keys& keys, Study& study) {
  ForceSpec& force = study.robot->force;
  using Kind = ForceSpec::Kind;
  const std::string kind =
      keys.has("kind") ? keys.choice("kind", {"ekf", "momentum-observer", "disturbance-filter"}) : "ekf";
  force.kind = kind == "ekf"                 ? Kind::ekf
               : kind == "momentum-observer" ? Kind::momentum_observer
                                             : Kind::disturbance_filter;
  if (force.kind != Kind::momentum_observer) {
    force.walk_by_likelihood = keys.says("force_walk", "auto");
    if (force.walk_by_likelihood && force.kind != Kind::ekf)
      keys.fail("force_walk", " = \"auto\": only kind = \"ekf\" has a likelihood to choose it by");
    if (!force.walk_by_likelihood)
      force.walk = keys.number("force_walk", "N/sqrt(s)", Range::not_negative(), force.walk);
    force.moment_walk = keys.number("moment_walk", "N m/sqrt(s)", Range::not_negative(), force.moment_walk);
  } else {
    force.gain = keys.number("gain", "1/s", Range::positive(), force.gain);
  }
  force.start = keys.number("force_start", "N", Range::positive(), force.start);
  force.moment_start = keys.number("moment_start", "N m", Range::positive(), force.moment_start);
  if (force.kind != Kind::ekf) {
    if (keys.has("velocity_cut_off")) force.velocity_cut_off = keys.number("velocity_cut_off", "Hz", Range::positive());
    force.period = keys.number("period", "s", Range::positive(), 0.0);
    force.rate = keys.number("rate", "Hz", Range::positive(), 0.0);
  } else {
    for (const char* key : {"rate", "period"})
      if (keys.has(key))
        keys.fail(key,
                  ": is of the observers, whose steps are alike; kind = \"ekf\" takes steps as long as the stamps "
                  "say: leave it out");
    study.gate = keys.number("gate", "1", Range::positive(), 0.0);
  }
  if (keys.has("contact.threshold")) force.contact.threshold = keys.number("contact.threshold", "N", Range::positive());
  force.contact.false_alarm_rate =
      keys.number("contact.false_alarm_rate", "1", Range::not_zero_up_to(0.5), force.contact.false_alarm_rate);
}

// At the joint, or at its motor: "joint2.torque", "joint2.motor.torque". And what a force sensor says, to compare with.
std::vector<OutputInfo> robot_signals(const RobotSpec& robot) {
  std::vector<OutputInfo> signals;
  for (int i = 0; i < robot.count(); ++i) {
    const std::string& name = robot.joints[static_cast<std::size_t>(i)].name;
    for (const auto& [quantity, unit] : kMeasured)
      signals.push_back({fmt::format("{}.{}", name, quantity), joint_unit(robot, i, unit)});
    for (const auto& [quantity, unit] : kMeasured)
      signals.push_back({fmt::format("{}.motor.{}", name, quantity), std::string(unit)});
  }
  for (const Signal& each : kWrenchSignals) signals.push_back({std::string(each.name), std::string(each.unit)});
  return signals;
}

void add_joint_states(const std::string& prefix, Study& study) {
  std::string dotted = prefix.starts_with('/') ? prefix.substr(1) : prefix;
  std::replace(dotted.begin(), dotted.end(), '/', '.');
  for (const RobotJoint& joint : study.robot->joints) {
    const auto add = [&](const char* quantity, const char* column) {
      StudyChannel channel;
      channel.spec.signal = fmt::format("{}.{}", joint.name, quantity);
      channel.spec.column = fmt::format("{}.{}.{}", dotted, joint.name, column);
      study.channels.push_back(std::move(channel));
    };
    add("position", "position");
    add("torque", "effort");
  }
}

void check_robot_channels(const Study& study) {
  if (study.channels.empty()) return;
  for (const RobotJoint& joint : study.robot->joints) {
    for (const char* quantity : {"position", "torque"}) {
      const std::string at_joint = fmt::format("{}.{}", joint.name, quantity),
                        at_motor = fmt::format("{}.motor.{}", joint.name, quantity);
      const bool has_joint = study.find_channel(at_joint) != nullptr,
                 has_motor = study.find_channel(at_motor) != nullptr;
      if (has_motor && study.robot->torque_sensors && quantity == std::string_view("torque"))
        throw Error(ExitCode::wrong_use, fmt::format("{}: [log.channels] has {}, and robot.torque_sensors = true says "
                                                     "that sensors behind the gears measure the torques",
                                                     study.source, at_motor));
      if (has_joint != has_motor) continue;
      throw Error(ExitCode::wrong_use,
                  has_joint
                      ? fmt::format("{}: [log.channels] has {} and {}: keep the line of the side that is measured",
                                    study.source, at_joint, at_motor)
                      : fmt::format("{}: [log.channels] has neither {} nor {}: every joint's {} must be in the log",
                                    study.source, at_joint, at_motor, quantity));
    }
  }
}

}  // namespace tauhat
