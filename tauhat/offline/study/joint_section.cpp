// [drive] with model = "elastic-joint", and [[observer]]: an axis whose link velocity is asked for, and who is to
// reconstruct it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

#include "tauhat/offline/study/sections.hpp"

namespace tauhat {
namespace {

using Elastic = ElasticJoint<double>;

void note(Study& study, const std::string& name, double value, std::string_view unit, double std = 0.0) {
  const std::string spread = std > 0.0 ? fmt::format(" ± {:.3g}", std) : "";
  study.assumptions.push_back({name, fmt::format("{:.6g}{} {}", value, spread, unit == "1" ? "" : unit)});
}

bool is_of_neighbour(const ParameterInfo& info) { return info.group == "neighbour"; }

// What a joint cannot be without; friction and damping may be left out.
bool is_needed(const ParameterInfo& info) { return !info.range.contains(0.0); }

// What the teeth take of the torque that they pass on.
void read_load_share(Keys& keys, Study& study) {
  const char* name = "motor.friction.load_share";
  if (!keys.has(name)) return;
  const UncertainValue given = keys.uncertain(name, "1", Range{0.0, 0.9, true});
  study.joint->load_share = JointSpec::LoadShare{given.value, given.std};
  note(study, name, given.value, "1", given.std);
}

void read_joint_friction(Keys& keys, Study& study) {
  JointSpec& spec = *study.joint;
  read_load_share(keys, study);
  if (!keys.has("motor.friction.law")) {
    spec.is_frictionless = keys.has("motor.friction.coulomb");
    spec.coulomb = keys.number("motor.friction.coulomb", "N m", Range::not_negative(), 0.0);
    spec.is_frictionless &= spec.coulomb == 0.0;
    return;
  }
  keys.choice("motor.friction.law", {"lugre"});
  MeshLuGre<double> law;
  MeshLuGre<double>::visit_parameters(
      law,
      [&](const ParameterInfo& info, double& value) {
        const std::string name = full_name(info);
        const bool optional = info.name == "load_share" || info.name == "fading_velocity" || info.name == "viscous" ||
                              info.name == "bristle_damping";
        if (optional && !keys.has(name)) return;
        if (info.name == "load_share") {
          value = spec.load_share->value;
          return;
        }
        value = keys.number(name, info.unit, info.range);
        note(study, name, value, info.unit);
      },
      "motor.friction");
  spec.coulomb = law.bristles.coulomb;
  spec.friction = law;
}

std::vector<std::string> joint_names() {
  std::vector<std::string> names{"motor.friction.law", "motor.friction.coulomb"};
  const auto add = [&](const ParameterInfo& info, const double&) { names.push_back(full_name(info)); };
  const JointSpec spec;
  const MeshLuGre<double> friction;
  Elastic::visit_parameters(spec.joint, add);
  GravityTorque<double>::visit_parameters(spec.gravity, add);
  MeshLuGre<double>::visit_parameters(friction, add, "motor.friction");
  return names;
}

TorqueWalk read_walk(Keys& keys, const std::string& name) {
  const double leak = keys.number(name + ".leak", "Hz", Range::not_negative(), 0.0);
  return {keys.number(name + ".intensity", "N m/sqrt(s)", Range::positive()), 2.0 * std::numbers::pi * leak};
}

}  // namespace

std::vector<PoleSpec> read_poles(Keys& keys) {
  std::vector<PoleSpec> poles;
  const toml::array* list = keys.array("poles");
  if (!list) keys.fail("poles", ": is missing; a list of { frequency = \"40 Hz\", damping = 0.9 }");
  for (const auto& entry : *list) {
    const auto* table = entry.as_table();
    if (!table) keys.fail("poles", ": must be a list of { frequency = \"40 Hz\", damping = 0.9 }");
    Keys one(keys.file(), "observer.poles", *table);
    PoleSpec pole;
    pole.frequency = one.number("frequency", "Hz", Range::positive());
    pole.damping = one.number("damping", "1", Range{0.0, 1.0, false}, 1.0);
    pole.place = fmt::format("{}:{}", keys.file(), one.line("frequency"));
    one.finish();
    poles.push_back(pole);
  }
  return poles;
}

namespace {

void read_kalman(Keys& keys, ObserverSpec& observer) {
  if (keys.has("covariance_root")) {
    observer.covariance_root = keys.matrix("covariance_root");
  } else {
    const auto torque = [&](const char* name, bool needed) {
      const char* unit = "N m/sqrt(Hz)";
      return needed ? keys.number(name, unit, Range::positive()) : keys.number(name, unit, Range::not_negative(), 0.0);
    };
    observer.motor_noise = torque("noise.motor", true);
    observer.load_noise = torque("noise.load", true);
    observer.neighbour_noise = torque("noise.neighbour", false);
    if (observer.kind == ObserverSpec::Kind::bristle_kalman)
      observer.bristle_noise = keys.number("noise.bristle", "rad/sqrt(s)", Range::positive(), 1e-4);
  }
  if (keys.has("sensor_std"))
    observer.sensor_variance = std::pow(keys.number("sensor_std", "rad", Range::positive()), 2);
}

void read_compensation(Keys& keys, ObserverSpec& observer, Study& study) {
  if (keys.has("friction_compensation.slope") || keys.flag("friction_compensation", false)) {
    observer.friction_compensation = true;
    if (!(study.joint->coulomb > 0.0)) keys.fail("friction_compensation", ": needs motor.friction.coulomb in [drive]");
    observer.compensation_slope = keys.number("friction_compensation.slope", "s/rad", Range::positive(), 0.5);
  }
  if (keys.has("disturbance_observer.slowest") || keys.flag("disturbance_observer", false)) {
    ObserverSpec::DisturbanceObserver d;
    d.slowest = keys.number("disturbance_observer.slowest", "Hz", Range::positive(), d.slowest);
    d.fastest = keys.number("disturbance_observer.fastest", "Hz", Range::positive(), d.fastest);
    d.damping = keys.number("disturbance_observer.damping", "1", Range{0.0, 1.0, false}, d.damping);
    observer.disturbance_observer = d;
  }
}

// Kinds without unknown torques have no use for them.
void refuse_unknowns(Keys& keys, const char* kind) {
  for (const char* name : {"motor_disturbance.intensity", "external_torque.intensity", "external_torque.frequency",
                           "friction_compensation", "disturbance_observer"})
    if (keys.has(name)) keys.fail(name, fmt::format(": kind = \"{}\" takes the motor's motion as it is", kind));
}

// Mass matrices between the points are looked at, too.
void check_masses(Keys& keys, const JointSpec& spec) {
  constexpr int kParts = 20;  // of each interval
  const PoseSchedule& pose = *spec.pose;
  for (std::size_t i = 0; i + 1 < pose.position.size(); ++i) {
    for (int part = 0; part <= kParts; ++part) {
      const double at = pose.position[i] + (pose.position[i + 1] - pose.position[i]) * part / kParts;
      Elastic joint = spec.joint;
      GravityTorque<double> gravity;
      take_pose(pose, at, joint, gravity);
      const bool positive = joint.load_inertia > 0.0 && joint.neighbour_inertia > 0.0 &&
                            (!spec.has_neighbour || joint.load_inertia * joint.neighbour_inertia >
                                                        joint.coupling_inertia * joint.coupling_inertia);
      if (!positive)
        keys.fail("position", fmt::format(": the mass matrix must be positive, and is not at {:.4g} rad: the inertias "
                                          "there, or between the points beside, are wrong",
                                          at));
    }
  }
}

}  // namespace

void read_joint_section(Keys& keys, Study& study) {
  JointSpec& spec = study.joint.emplace();
  keys.refuse_all_but(joint_names());
  const auto names = keys.names();
  spec.has_neighbour =
      std::any_of(names.begin(), names.end(), [](const std::string& name) { return name.starts_with("neighbour."); });
  int index = -1;
  Elastic::visit_parameters(spec.joint, [&](const ParameterInfo& info, double& value) {
    ++index;
    if (is_of_neighbour(info) && !spec.has_neighbour) return;
    const std::string name = full_name(info);
    const bool needed = is_needed(info) || info.name == "coupling_inertia";
    value = 0.0;
    if (!needed && !keys.has(name)) return note(study, name, value, info.unit);
    const UncertainValue given = keys.uncertain(name, info.unit, info.range);
    value = given.value;
    if (given.std > 0.0) spec.uncertain.push_back({index, given.std});
    note(study, name, value, info.unit, given.std);
  });
  GravityTorque<double>::visit_parameters(spec.gravity, [&](const ParameterInfo& info, double& value) {
    value = keys.number(full_name(info), info.unit, info.range, 0.0);
    if (value != 0.0) note(study, full_name(info), value, info.unit);
  });
  const Elastic& j = spec.joint;
  if (spec.has_neighbour && !(j.load_inertia * j.neighbour_inertia > j.coupling_inertia * j.coupling_inertia))
    keys.fail("neighbour.coupling_inertia",
              fmt::format(" = {:g}: the mass matrix must be positive: less than {:.6g} kg m^2", j.coupling_inertia,
                          std::sqrt(j.load_inertia * j.neighbour_inertia)));
  read_joint_friction(keys, study);
}

void read_observer(Keys& keys, Study& study) {
  JointSpec& spec = *study.joint;
  ObserverSpec observer;
  using Kind = ObserverSpec::Kind;
  const std::string kind = keys.choice("kind", {"luenberger", "kalman", "lugre-kalman", "virtual-sensor"});
  observer.kind = kind == "luenberger"     ? Kind::luenberger
                  : kind == "kalman"       ? Kind::kalman
                  : kind == "lugre-kalman" ? Kind::bristle_kalman
                                           : Kind::virtual_sensor;
  observer.name = keys.text("name", fmt::format("observer {}", spec.observers.size() + 1));
  observer.place = fmt::format("{}:{}", keys.file(), keys.line("kind"));
  if (std::any_of(spec.observers.begin(), spec.observers.end(),
                  [&](const ObserverSpec& other) { return other.name == observer.name; }))
    keys.fail("name", fmt::format(" = \"{}\": another observer has this name", observer.name));
  observer.with_neighbour = keys.flag("neighbour", spec.has_neighbour);
  if (observer.with_neighbour && !spec.has_neighbour)
    keys.fail("neighbour", " = true: [drive] has no neighbour.inertia");
  if (observer.kind == Kind::virtual_sensor) {
    refuse_unknowns(keys, "virtual-sensor");
    spec.observers.push_back(std::move(observer));
    return;
  }
  if (keys.has("motor_disturbance.intensity")) observer.motor_disturbance = read_walk(keys, "motor_disturbance");
  if (keys.has("external_torque.frequency")) {
    observer.external_resonance =
        TorqueResonance{keys.number("external_torque.frequency", "Hz", Range::positive()),
                        keys.number("external_torque.damping", "1", Range::not_zero_up_to(1.0)),
                        keys.number("external_torque.intensity", "N m/sqrt(s)", Range::positive(), 1.0),
                        keys.number("external_torque.rate_intensity", "N m/s/sqrt(s)", Range::not_negative(), 0.0)};
  } else if (keys.has("external_torque.intensity")) {
    observer.external_torque = read_walk(keys, "external_torque");
  }
  if (observer.kind == ObserverSpec::Kind::luenberger) {
    observer.poles = read_poles(keys);
  } else {
    read_kalman(keys, observer);
  }
  if (observer.kind == ObserverSpec::Kind::bristle_kalman && !spec.friction)
    keys.fail("kind", " = \"lugre-kalman\": needs motor.friction = { law = \"lugre\", ... } in [drive]");
  observer.predicts = keys.has("form") && keys.choice("form", {"filter", "predictor"}) == "predictor";
  read_compensation(keys, observer, study);
  spec.observers.push_back(std::move(observer));
}

// [pose]: numbers of [drive] on a grid of another axis' position.
void read_pose_section(Keys& keys, Study& study) {
  JointSpec& spec = *study.joint;
  PoseSchedule& pose = spec.pose.emplace();
  const toml::array* points = keys.array("position");
  if (!points || points->size() < 2) keys.fail("position", ": must be a list of at least two positions, rising");
  pose.position = keys.numbers("position", "rad", points->size());
  for (std::size_t i = 1; i < pose.position.size(); ++i)
    if (!(pose.position[i] > pose.position[i - 1]))
      keys.fail("position", fmt::format(": must rise, and point {} does not", i + 1));
  bool follows = false;
  PoseSchedule::visit_columns(pose, [&](const char* name, const char* unit, std::vector<double>& column) {
    if (!keys.has(name)) return;
    if (!spec.has_neighbour && std::string_view(name).starts_with("neighbour."))
      keys.fail(name, ": [drive] has no neighbour.inertia");
    column = keys.numbers(name, unit, pose.position.size());
    follows = true;
  });
  if (!follows)
    keys.fail("position",
              ": nothing follows it; give load.inertia, neighbour.coupling_inertia, neighbour.inertia, "
              "gravity.sine or gravity.cosine, a number for each position");
  pose.every = static_cast<std::size_t>(keys.whole("every", Range{1.0, 1e6, true}, 25, "of samples"));
  pose.solves_gain = keys.has("gain") && keys.choice("gain", {"fixed", "solved"}) == "solved";
  const auto& observers = spec.observers;
  if (pose.solves_gain && std::any_of(observers.begin(), observers.end(),
                                      [](const ObserverSpec& o) { return o.disturbance_observer.has_value(); }))
    keys.fail("gain", " = \"solved\": a disturbance_observer is designed for one gain; leave out either");
  check_masses(keys, spec);
}

namespace {

// Which of the observers `estimate` and `stream` run; the first where it is not said.
template <class Spec>
void read_choice(Keys& keys, Spec& spec) {
  spec.period = keys.number("period", "s", Range::positive(), 0.0);
  if (!keys.has("observer")) return;
  std::vector<std::string> names;
  for (const auto& observer : spec.observers) names.push_back(observer.name);
  if (names.empty()) keys.fail("observer", ": the study has no [[observer]]");
  const std::string name = keys.choice("observer", names);
  spec.chosen = static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

}  // namespace

void read_joint_estimator(Keys& keys, Study& study) {
  study.joint ? read_choice(keys, *study.joint) : read_choice(keys, *study.elastic_axes);
}

}  // namespace tauhat
