// [drive] with model = "axis", its [[unknown]], and [identify]: one body and its friction.
#include <fmt/format.h>

#include <algorithm>

#include "tauhat/offline/study/sections.hpp"

namespace tauhat {
namespace {

// A parameter of a law by its name in the core, in the unit of this axis.
void read_parameter(Keys& keys, const Study& study, const ParameterInfo& info, double& value) {
  const std::string name = full_name(info);
  if (keys.has(name)) value = keys.number(name, unit_of(*study.axis, info.unit), info.range);
}

// The same of the axis itself, which is taken as given; it may be known only so well.
void read_known(Keys& keys, Study& study, const ParameterInfo& info, int index, double& value) {
  const std::string name = full_name(info), unit = unit_of(*study.axis, info.unit);
  if (!keys.has(name)) return;
  const UncertainValue given = keys.uncertain(name, unit, info.range);
  value = given.value;
  if (given.std > 0.0) study.axis->uncertain.push_back({index, given.std});
  const std::string spread = given.std > 0.0 ? fmt::format(" ± {:.3g}", given.std) : "";
  study.assumptions.push_back({name, fmt::format("{:.6g}{} {}", value, spread, unit)});
}

template <class Law>
Law read_law(Keys& keys, Study& study, Law law) {
  Law::visit_parameters(
      law, [&](const ParameterInfo& info, double& value) { read_parameter(keys, study, info, value); }, "friction");
  return law;
}

AxisFriction read_friction(Keys& keys, Study& study) {
  const std::string name = keys.choice("friction.law", all_friction_names());
  std::optional<AxisFriction> found;
  for_each_bristles([&](const auto& law) {
    if (law.kName == name) found = read_law(keys, study, law);
  });
  if (found) return *found;
  AnyFriction<double> law;
  law.kind = friction_kind(name);
  if (law.kind == FrictionKind::load_dependent)
    keys.fail("friction.law", fmt::format(" = \"{}\": one body passes no torque on; [drive] model = \"two-mass\" does, "
                                          "and [identify] torque_dependent = true finds this friction in an axis",
                                          name));
  return read_law(keys, study, law);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

// Zero counts: that there is no constant force is known, too.
bool is_given(const Study& study, const std::string& name) {
  return std::any_of(study.assumptions.begin(), study.assumptions.end(),
                     [&](const auto& each) { return each[0] == name; });
}

// A value that the regression would find itself, and so overlook.
void refuse_what_is_fitted(Keys& keys, const Study& study) {
  const RegressionOptions& regression = study.axis->regression;
  const auto refuse = [&](const std::string& name, const char* instead) {
    if (is_given(study, name))
      keys.fail("method", fmt::format(" = \"regression\" finds {} itself: take it out of [drive]{}", name, instead));
  };
  refuse("axis.mass", ", or use method = \"two-step\" with it");
  if (regression.friction == FrictionShape::symmetric) refuse("friction.offset", "");
  for (const char* name : {"gravity.sine", "gravity.cosine"}) {
    if (regression.gravity) refuse(name, ", or set gravity = false");
    if (regression.torque_dependent && is_given(study, name))
      keys.fail("torque_dependent",
                fmt::format(": the load that friction grows with has gravity in it, which must then "
                            "be found along. Set gravity = true, and take {} out of [drive]",
                            name));
  }
}

void read_constant_speed(Keys& keys, Study& study) {
  StudyAxis& axis = *study.axis;
  axis.method = StudyAxis::Method::constant_speed;
  ConstantSpeedOptions& options = axis.constant_speed;
  options.cut_off = axis.regression.cut_off, options.trimmed = axis.regression.trimmed;
  axis.regression.held_force = keys.flag("held_force", true);
  options.shortest_section = keys.number("shortest_section", "s", Range::positive(), options.shortest_section);
  const Axis<double>& known = axis.axis;
  const bool has_gravity = is_given(study, "gravity.sine") || is_given(study, "gravity.cosine");
  const bool has_offset = is_given(study, "friction.offset");
  options.turns = !axis.slides && !has_gravity;
  if (options.turns && has_offset) {
    options.offset = known.offset;
  } else if (!axis.offset_unknown && (has_gravity || has_offset)) {
    options.gravity = Gravity{known.gravity_sine, known.gravity_cosine, known.offset};
  }
  options.mass = is_given(study, "axis.mass") ? known.mass : 0.0;
}

}  // namespace

bool position_matters(const StudyAxis& axis) {
  const Axis<double>& known = axis.axis;
  const bool fits_gravity = axis.method == StudyAxis::Method::regression && axis.regression.gravity;
  return fits_gravity || known.stiffness != 0.0 || known.gravity_sine != 0.0 || known.gravity_cosine != 0.0;
}

std::string unit_of(const StudyAxis& axis, std::string_view rotary) {
  if (!axis.slides) return std::string(rotary);
  return replaced(replaced(replaced(std::string(rotary), "kg m^2", "kg"), "N m", "N"), "rad", "m");
}

void read_axis_section(Keys& keys, Study& study) {
  StudyAxis& axis = study.axis.emplace();
  axis.slides = keys.choice("motion", {"linear", "rotary"}) == "linear";
  int index = 0;
  Axis<double>::visit_parameters(axis.axis, [&](const ParameterInfo& info, double& value) {
    if (info.name == "offset" && keys.says("friction.offset", "fit")) {
      axis.offset_unknown = true;
    } else {
      read_known(keys, study, info, index, value);
    }
    ++index;
  });
  if (keys.has("friction.law")) axis.law = read_friction(keys, study);
}

void read_axis_unknown(Keys& keys, Study& study) {
  keys.choice("kind", {"random-walk"});
  keys.choice("signal", {"friction.force"});
  if (keys.has("intensity") && !keys.says("intensity", "auto"))
    study.axis->intensity = keys.number("intensity", fmt::format("{}/sqrt(s)", force_unit(study)), Range::positive());
}

void read_axis_start(Keys& keys, Study& study) {
  StudyAxis& axis = *study.axis;
  if (axis.method != StudyAxis::Method::two_step)
    keys.fail("axis.position", ": a start is for method = \"two-step\"; the others need the position of every sample");
  const UncertainValue start = keys.uncertain("axis.position", unit_of(axis, "rad"), Range::any());
  axis.start = StudyAxis::Start{start.value, start.std};
  study.assumptions.push_back(
      {"axis.position at the start", fmt::format("{:.6g} ± {:.3g} {}", start.value, start.std, unit_of(axis, "rad"))});
}

void read_identify_section(Keys& keys, Study& study) {
  if (study.robot) return read_robot_identify(keys, study);
  if (!study.axis) keys.fail("method", ": [identify] is for [drive] model = \"axis\" and for [robot]");
  StudyAxis& axis = *study.axis;
  const std::string method = keys.choice("method", {"two-step", "regression", "constant-speed"});
  if (method == "two-step") return;
  RegressionOptions& regression = axis.regression;
  regression.cut_off = keys.number("cut_off", "Hz", Range::not_negative(), regression.cut_off);
  regression.trimmed = keys.number("trimmed", "s", Range::not_negative(), regression.trimmed);
  if (method == "constant-speed") return read_constant_speed(keys, study);
  axis.method = StudyAxis::Method::regression;
  regression.decimation = static_cast<int>(keys.whole("decimation", Range{1, 10000, true}, regression.decimation));
  regression.standstill = keys.number("standstill", unit_of(axis, "rad/s"), Range::not_negative(), 0.0);
  regression.held_force = keys.flag("held_force", true);  // as rows of every log are read
  regression.gravity = keys.flag("gravity", regression.gravity);
  regression.torque_dependent = keys.flag("torque_dependent", regression.torque_dependent);
  regression.weighted = keys.flag("weighted", regression.weighted);
  if (keys.has("friction") && keys.choice("friction", {"symmetric", "asymmetric"}) == "asymmetric")
    regression.friction = FrictionShape::asymmetric;
  refuse_what_is_fitted(keys, study);
}

}  // namespace tauhat
