// [drive], [[unknown]], [noise] and [start]: the model and what is known of it.
#include <fmt/format.h>

#include <cmath>

#include "tauhat/offline/study/sections.hpp"

namespace tauhat {
namespace {

void note(Study& study, const std::string& name, const UncertainValue& value, std::string_view unit) {
  const std::string spread = value.std > 0.0 ? fmt::format(" ± {:.3g}", value.std) : "";
  study.assumptions.push_back({name, fmt::format("{:.6g}{} {}", value.value, spread, unit == "1" ? "" : unit)});
}

std::vector<std::string> parameter_names(const Drive& drive) {
  std::vector<std::string> names;
  Drive::visit_parameters(drive, [&](const ParameterInfo& info, const double&) { names.push_back(full_name(info)); });
  return names;
}

void read_parameters(Keys& keys, Study& study) {
  int index = 0;
  Drive::visit_parameters(study.drive, [&](const ParameterInfo& info, double& value) {
    const std::string name = full_name(info);
    const bool is_inertia = info.name == "inertia";
    if (keys.has(name) || is_inertia) {
      const UncertainValue given = keys.uncertain(name, info.unit, info.range);
      value = given.value;
      if (given.std > 0.0) study.identification.uncertain.push_back({index, given.std});
      note(study, name, given, info.unit);
    }
    ++index;
  });
}

template <class Law>
Law read_bristles(Keys& keys, Study& study, Law law) {
  Law::visit_parameters(
      law,
      [&](const ParameterInfo& info, double& value) {
        const std::string name = full_name(info);
        if (!keys.has(name)) return;
        value = keys.number(name, info.unit, info.range);
        if (info.name != "viscous") note(study, name, {value, 0.0}, info.unit);
      },
      "motor.friction");
  return law;
}

// A symmetric spring may be given as one stiffness.
template <class Law>
AnyTransmissionLaw read_law(Keys& keys) {
  Law law;
  const bool together = keys.has("transmission.stiffness");
  Law::visit_parameters(law, [&](const ParameterInfo& info, double& value) {
    const std::string name = full_name(info);
    if (together && info.group == "transmission.stiffness") {
      value = keys.number("transmission.stiffness", info.unit, info.range);
    } else {
      value = keys.number(name, info.unit, info.range, value);
    }
  });
  return law;
}

std::optional<AnyTransmissionLaw> read_transmission(Keys& keys) {
  if (!keys.has("transmission.law")) return std::nullopt;
  const std::string name = keys.choice("transmission.law", {"dead-zone", "soft-dead-zone", "linear-spring",
                                                            "stiffening-spring", "hysteretic-dead-zone"});
  if (name == SoftDeadZone<double>::kName) return read_law<SoftDeadZone<double>>(keys);
  if (name == LinearSpring<double>::kName) return read_law<LinearSpring<double>>(keys);
  if (name == StiffeningSpring<double>::kName) return read_law<StiffeningSpring<double>>(keys);
  if (name == HystereticDeadZone<double>::kName) return read_law<HystereticDeadZone<double>>(keys);
  return read_law<DeadZone<double>>(keys);
}

int state_index(Keys& keys, const std::string& name) {
  for (int i = 0; i < Drive::kStates; ++i) {
    if (Drive::kStateSignals[static_cast<std::size_t>(i)].name == name) return i;
  }
  if (name == "transmission.torque") return Drive::kStates;
  keys.fail(name,
            ": is not a state; the states are motor.position, load.position, motor.velocity, load.velocity, "
            "transmission.torque");
}

}  // namespace

void read_drive_section(Keys& keys, Study& study) {
  const std::string model = keys.choice("model", {"two-mass", "axis", "powertrain", "elastic-joint", "elastic-axes"});
  if (model == "axis") return read_axis_section(keys, study);
  if (model == "powertrain") return read_powertrain_section(keys, study);
  if (model == "elastic-joint") return read_joint_section(keys, study);
  if (model == "elastic-axes") return read_axes_section(keys, study);
  const std::string friction = keys.has("motor.friction.law") ? keys.choice("motor.friction.law", all_friction_names())
                                                              : std::string(CoulombAtan<double>::kName);
  for_each_bristles([&](auto law) {
    if (law.kName == friction) study.bristles = read_bristles(keys, study, law);
  });
  study.drive.motor_friction.kind = study.bristles ? FrictionKind::viscous : friction_kind(friction);
  study.law = read_transmission(keys);
  keys.refuse_all_but(parameter_names(study.drive));
  read_parameters(keys, study);
  // The bristles have all of the friction: "viscous" is a parameter of both laws.
  if (study.bristles) study.drive.motor_friction.viscous.viscous = 0.0;
}

void read_unknown(Keys& keys, Study& study) {
  const std::string kind = keys.choice("kind", {"random-walk", "constant"});
  if (kind == "random-walk") {
    const std::string signal = keys.choice("signal", {"transmission.torque"});
    if (keys.has("intensity") && !keys.says("intensity", "auto")) {
      study.identification.intensity = keys.number("intensity", "N m/sqrt(s)", Range::positive());
    }
    return;
  }
  const std::string name = keys.text("parameter");
  if (study.bristles)
    keys.fail("parameter",
              fmt::format(" = \"{}\": nothing can be estimated along where motor.friction.law has memory", name));
  const int index = find_parameter(study.drive, name);
  if (index < 0) keys.choice("parameter", parameter_names(study.drive));  // says which there are
  const double start = parameter_value(study.drive, index);
  if (start == 0.0)
    keys.fail("parameter", fmt::format(" = \"{}\": needs a start value other than zero in [drive]", name));
  constexpr std::size_t kMost = 4;  // that the filter has room for
  if (study.identification.estimated.size() == kMost)
    keys.fail("parameter", fmt::format(" = \"{}\": is one too many; at most {} can be estimated", name, kMost));
  const double otherwise = 0.3 * std::abs(start);
  study.identification.estimated.push_back(
      {index, keys.number("std", parameter_unit(study.drive, index), Range::positive(), otherwise)});
  std::erase_if(study.identification.uncertain, [&](const UncertainParameter& p) { return p.index == index; });
}

void refuse_second_unknown(Keys& keys, std::map<std::string, int>& lines) {
  const char* const key = keys.has("parameter") ? "parameter" : "signal";
  const std::string name = keys.text(key);
  const auto [first, is_new] = lines.emplace(name, keys.line(key));
  if (!is_new)
    keys.fail(key, fmt::format(" = \"{}\": is unknown already by line {}; keep one of them", name, first->second));
}

void read_noise_section(Keys& keys, Study& study) {
  if (study.powertrain) return read_powertrain_noise(keys, study);
  for (const std::string& name : keys.names()) {
    const int state = state_index(keys, name);
    if (state >= Drive::kStates) keys.fail(name, ": its random walk is set by the intensity of its [[unknown]]");
    const auto unit = fmt::format("{}/sqrt(s)", Drive::kStateSignals[static_cast<std::size_t>(state)].unit);
    const double intensity = keys.number(name, unit, Range::not_negative());
    study.drive.noise[state] = intensity * intensity;
  }
}

void read_start_section(Keys& keys, Study& study) {
  if (study.axis) return read_axis_start(keys, study);
  study.start_is_given = true;
  for (const std::string& name : keys.names()) {
    const int state = state_index(keys, name);
    const UncertainValue start = keys.uncertain(
        name,
        state < Drive::kStates ? Drive::kStateSignals[static_cast<std::size_t>(state)].unit : std::string_view("N m"),
        Range::any());
    study.identification.prior.mean[state] = start.value;
    if (start.std > 0.0) study.identification.prior.variances[state] = start.std * start.std;
  }
}

}  // namespace tauhat
