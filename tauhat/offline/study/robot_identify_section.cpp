// [identify] of a robot: how its logs become rows of a regression, which friction is fitted, and how.
#include <fmt/format.h>

#include "tauhat/offline/study/sections.hpp"

namespace tauhat {
namespace {

// friction = ["viscous", "coulomb"]: which terms of the friction each joint has.
void read_friction_choice(Keys& keys, TorqueTerms& columns) {
  const toml::array* list = keys.array("friction");
  if (!list) return;
  columns.viscous = columns.coulomb = false;
  for (const auto& entry : *list) {
    const auto* text = entry.as_string();
    const std::string term = text ? text->get() : "";
    if (term == "viscous") {
      columns.viscous = true;
    } else if (term == "coulomb") {
      columns.coulomb = true;
    } else if (term == "offset") {
      columns.offset = true;
    } else if (term == "asymmetric") {  // Coulomb and viscous friction of each direction by itself
      columns.offset = columns.asymmetry = true;
    } else if (term == "load") {
      columns.load = true;
    } else {
      keys.fail("friction",
                fmt::format(": must be a list of viscous, coulomb, offset, asymmetric and load; \"{}\" is none", term));
    }
  }
}

}  // namespace

void read_robot_identify(Keys& keys, Study& study) {
  RobotSpec& spec = *study.robot;
  spec.rate = keys.number("rate", "Hz", Range::positive(), spec.rate);
  spec.held_back = keys.number("held_back", "1", Range{0.0, 0.8, true}, spec.held_back);
  MotionRowOptions& rows = spec.rows;
  rows.cut_off = keys.number("cut_off", "Hz", Range::positive(), rows.cut_off);
  if (spec.rate > 0.0 && !(rows.cut_off < 0.5 * spec.rate))
    keys.fail("cut_off",
              fmt::format(" = {:g} Hz: must be below half of identify.rate = {:g} Hz", rows.cut_off, spec.rate));
  rows.decimation = static_cast<int>(keys.whole("decimation", Range{1, 10000, true}, rows.decimation));
  if (keys.has("trimmed")) rows.trimmed = keys.number("trimmed", "s", Range::not_negative());
  rows.filter_torque = keys.flag("filter_torque", rows.filter_torque);
  rows.anti_alias = !rows.filter_torque;
  read_friction_choice(keys, spec.terms);
  if (spec.terms.memory() && !spec.terms.coulomb)
    keys.fail("friction", fmt::format(": robot.friction.law = \"{}\" bends by its Coulomb friction; list \"coulomb\"",
                                      kSlidingLaws[static_cast<std::size_t>(spec.terms.law)]));
  if (spec.terms.load && spec.robot.transmission().is_coupled())
    keys.fail("friction", ": \"load\" is not offered with robot.coupling");
  if (keys.has("weights") && keys.choice("weights", {"equal", "residual"}) == "equal")
    spec.regression.weights = JointWeights::equal;
  spec.regression.reweightings =
      static_cast<int>(keys.whole("reweightings", Range{1, 100, true}, spec.regression.reweightings));
  spec.robust = keys.flag("robust", spec.robust);
  spec.penalty = keys.number("penalty", "1", Range::positive(), spec.penalty);
  spec.payload_frame = keys.text("payload", "");
  if (!spec.payload_frame.empty()) require_moving_frame(keys, spec, "payload", spec.payload_frame);
}

}  // namespace tauhat
