// [drive] with model = "elastic-axes", and its [[observer]]: several axes whose links shake each other.
#include <fmt/format.h>

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tauhat/core/models/elastic_axes.hpp"
#include "tauhat/offline/error.hpp"
#include "tauhat/offline/robot/urdf.hpp"
#include "tauhat/offline/study/sections.hpp"

namespace tauhat {
namespace {

// Of each axis its number, or one for all.
std::vector<double> per_axis(Keys& keys, const std::string& name, std::string_view unit, const Range& range,
                             std::size_t axes) {
  std::vector<double> values;
  if (keys.has(name) && !keys.node(name)->is_array()) {
    values.assign(axes, keys.number(name, unit, range));
    return values;
  }
  values = keys.numbers(name, unit, axes);
  for (const double value : values)
    if (!range.contains(value)) keys.fail(name, fmt::format(": {:g}: {}", value, allowed_text(range, unit)));
  return values;
}

std::vector<double> per_axis(Keys& keys, const std::string& name, std::string_view unit, const Range& range,
                             std::size_t axes, double otherwise) {
  return keys.has(name) ? per_axis(keys, name, unit, range, axes) : std::vector<double>(axes, otherwise);
}

// The same where each may be { value = ..., std = ... }.
std::vector<UncertainValue> uncertain_per_axis(Keys& keys, const ParameterInfo& info, std::size_t axes) {
  const std::string name = full_name(info);
  const bool may_be_left_out = info.range.contains(0.0);
  std::vector<UncertainValue> alike(axes);
  if (may_be_left_out && !keys.has(name)) return alike;
  if (keys.has(name) && !keys.node(name)->is_array()) {
    std::fill(alike.begin(), alike.end(), keys.uncertain(name, info.unit, info.range));
    return alike;
  }
  return keys.uncertain_numbers(name, info.unit, info.range, axes);
}

void check_count(Keys& keys, const char* name, std::size_t count) {
  if (count < AxesSpec::kFewest || count > AxesSpec::kMost)
    keys.fail(name, fmt::format(": has {} axes; {} to {} can be observed together", count, AxesSpec::kFewest,
                                AxesSpec::kMost));
}

// M(q) of an arm. What its rotors add is the motors', here.
void read_arm(Keys& keys, AxesSpec& spec) {
  for (const char* name : {"axes", "load.inertia"})
    if (keys.has(name)) keys.fail(name, ": the urdf says it");
  const std::string path = keys.path("urdf");
  const RobotDescription arm = parse_urdf(read_urdf_text(path), path, keys.text("tip", ""));
  for (int i = 0; i < arm.robot.joints(); ++i) {
    const std::string& name = arm.joints[static_cast<std::size_t>(i)].name;
    if (!arm.robot.joint(i).is_revolute())
      keys.fail("urdf", fmt::format(": joint \"{}\" slides, and elastic axes turn", name));
    spec.names.push_back(name);
  }
  check_count(keys, "urdf", spec.count());
  spec.robot = arm.robot;
  spec.robot->actuator_inertia().setZero();
  spec.pose = per_axis(keys, "pose", "rad", Range::any(), spec.count(), 0.0);
  spec.every = static_cast<std::size_t>(keys.whole("every", Range{1.0, 1e6, true}, 25, "of samples"));
  spec.mass = mass_at(spec, Eigen::Map<const Eigen::VectorXd>(spec.pose.data(), arm.robot.joints()));
}

void read_names(Keys& keys, AxesSpec& spec) {
  const toml::array* list = keys.array("axes");
  if (!list) keys.fail("axes", " is missing: give the axes' names, [\"axis1\", \"axis2\"], or urdf = \"arm.urdf\"");
  for (const auto& entry : *list) {
    const auto* name = entry.as_string();
    if (!name || name->get().empty() || name->get().find('.') != std::string::npos)
      keys.fail("axes", ": must be a list of names, which have no dots");
    if (std::find(spec.names.begin(), spec.names.end(), name->get()) != spec.names.end())
      keys.fail("axes", fmt::format(": has \"{}\" twice", name->get()));
    spec.names.push_back(name->get());
  }
  check_count(keys, "axes", spec.count());
  spec.pose.assign(spec.count(), 0.0);
}

void read_mass(Keys& keys, AxesSpec& spec) {
  const auto rows = keys.matrix("load.inertia");
  const auto n = static_cast<Eigen::Index>(spec.count());
  if (rows.size() != spec.count())
    keys.fail("load.inertia", fmt::format(": has {} rows, and there are {} axes", rows.size(), spec.count()));
  spec.mass.resize(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j)
      spec.mass(i, j) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < i; ++j)
      if (std::abs(spec.mass(i, j) - spec.mass(j, i)) > 1e-9 * std::abs(spec.mass(i, j)))
        keys.fail("load.inertia",
                  fmt::format(": must be symmetric; row {} has {:g} for axis {}, and row {} has {:g} for axis {}",
                              i + 1, spec.mass(i, j), j + 1, j + 1, spec.mass(j, i), i + 1));
}

// The first axis up to which M is no mass matrix.
void check_mass(Keys& keys, const AxesSpec& spec) {
  for (Eigen::Index k = 1; k <= spec.mass.rows(); ++k)
    if (Eigen::LLT<Eigen::MatrixXd>(spec.mass.topLeftCorner(k, k)).info() != Eigen::Success)
      keys.fail(spec.robot ? "urdf" : "load.inertia",
                fmt::format(": the mass matrix must be positive, and is not with {}: its own inertia is too small, or "
                            "what couples it to the axes before is too large",
                            spec.names[static_cast<std::size_t>(k - 1)]));
}

std::vector<std::string> axes_keys() {
  std::vector<std::string> names{"axes", "load.inertia", "urdf", "tip", "pose", "every"};
  const AxesSpec none;
  ElasticAxes<double, 1>::visit_parameters(
      none, [&](const ParameterInfo& info, const auto&) { names.push_back(full_name(info)); });
  return names;
}

}  // namespace

void read_axes_section(Keys& keys, Study& study) {
  AxesSpec& spec = study.elastic_axes.emplace();
  keys.refuse_all_but(axes_keys());
  if (keys.has("urdf")) {
    read_arm(keys, spec);
  } else {
    for (const char* name : {"tip", "pose", "every"})
      if (keys.has(name)) keys.fail(name, ": is for an arm that a urdf describes");
    read_names(keys, spec);
    read_mass(keys, spec);
  }
  check_mass(keys, spec);
  int place = 0;
  ElasticAxes<double, 1>::visit_parameters(spec, [&](const ParameterInfo& info, std::vector<double>& values) {
    std::vector<std::string> said;
    for (const UncertainValue& given : uncertain_per_axis(keys, info, spec.count())) {
      values.push_back(given.value);
      if (given.std > 0.0) spec.uncertain.push_back({place, given.std});
      said.push_back(given.std > 0.0 ? fmt::format("{:.6g} ± {:.3g}", given.value, given.std)
                                     : fmt::format("{:.6g}", given.value));
      ++place;
    }
    study.assumptions.push_back(
        {full_name(info), fmt::format("{} {}", fmt::join(said, ", "), info.unit == "1" ? "" : info.unit)});
  });
  spec.torque_gain.assign(spec.count(), 1.0);
}

void read_axes_observer(Keys& keys, Study& study) {
  AxesSpec& spec = *study.elastic_axes;
  AxesObserver observer;
  using Kind = AxesObserver::Kind;
  observer.kind = keys.choice("kind", {"kalman", "luenberger"}) == "kalman" ? Kind::kalman : Kind::luenberger;
  observer.place = fmt::format("{}:{}", keys.file(), keys.line("kind"));
  observer.name = keys.text("name", fmt::format("observer {}", spec.observers.size() + 1));
  if (std::any_of(spec.observers.begin(), spec.observers.end(),
                  [&](const AxesObserver& other) { return other.name == observer.name; }))
    keys.fail("name", fmt::format(" = \"{}\": another observer has this name", observer.name));
  observer.coupled = keys.flag("coupled", true);
  const auto list = [&](const char* name, std::string_view unit, const Range& range) {
    return per_axis(keys, name, unit, range, spec.count());
  };
  if (observer.kind == Kind::luenberger) {
    for (const char* name : {"noise.motor", "noise.load", "motor_disturbance.intensity"})
      if (keys.has(name)) keys.fail(name, ": kind = \"luenberger\" has its gain by poles, not by noise");
    observer.poles = read_poles(keys);
  } else {
    observer.motor_noise = list("noise.motor", "N m/sqrt(Hz)", Range::positive());
    observer.load_noise = list("noise.load", "N m/sqrt(Hz)", Range::positive());
    observer.disturbance = list("motor_disturbance.intensity", "N m/sqrt(s)", Range::positive());
  }
  observer.leak = per_axis(keys, "motor_disturbance.leak", "Hz", Range::not_negative(), spec.count(), 0.0);
  for (double& leak : observer.leak) leak *= 2.0 * std::numbers::pi;
  observer.predicts = keys.has("form") && keys.choice("form", {"filter", "predictor"}) == "predictor";
  spec.observers.push_back(std::move(observer));
}

// [simulate]: how each axis travels, and which share of the excitation its motor gets.
void read_axes_motion(Keys& keys, Study& study) {
  AxesSpec& spec = *study.elastic_axes;
  spec.motion.torque_share = per_axis(keys, "input.share", "1", Range::any(), spec.count(), 1.0);
  spec.motion.amplitude = per_axis(keys, "motion.amplitude", "rad", Range::any(), spec.count(), 0.0);
  spec.motion.frequency = keys.number("motion.frequency", "Hz", Range::positive(), 0.2);
}

void check_axes_channels(const Study& study) {
  if (study.channels.empty()) return;
  const AxesSpec& spec = *study.elastic_axes;
  for (std::size_t axis = 0; axis < spec.count(); ++axis)
    for (const AxisSignal signal : {axis_motor_torque, axis_motor_position})
      if (!study.find_channel(spec.signal(axis, signal)))
        throw Error(ExitCode::wrong_use,
                    fmt::format("{}: [log.channels] has no {}: observers see every motor's torque and position",
                                study.source, spec.signal(axis, signal)));
}

}  // namespace tauhat
