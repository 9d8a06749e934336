// [accept]: limits of results, checked against the results that the study can have.
#include <fmt/format.h>

#include <algorithm>

#include "tauhat/offline/spelling.hpp"
#include "tauhat/offline/study/sections.hpp"
#include "tauhat/offline/units.hpp"

namespace tauhat {
namespace {

// "<= 6 kg" is no limit of an angle. A plain number is in the result's own unit.
void require_unit(const Keys& keys, const Limit& limit, const Quantity& quantity, const std::string& unit_text) {
  const auto unit = parse_unit(unit_text == "1" ? "" : unit_text);
  if (!quantity.unit || !unit || quantity.unit->dimension == unit->dimension) return;
  keys.fail(limit.name, fmt::format(" = \"{}\": must be in {} or a unit of the same kind", limit.text, unit_text));
}

void require_result(const Keys& keys, const Study& study, const Limit& limit, const Quantity& quantity) {
  const std::vector<OutputInfo> possible = possible_results(study);
  if (possible.empty()) return;  // they depend on what is found
  const auto found =
      std::find_if(possible.begin(), possible.end(), [&](const OutputInfo& r) { return r.name == limit.name; });
  if (found != possible.end()) return require_unit(keys, limit, quantity, found->unit);
  std::vector<std::string> names;
  for (const OutputInfo& result : possible) names.push_back(result.name);
  const std::string nearest = nearest_name(limit.name, names);
  keys.fail(limit.name, fmt::format(": is not a result of this study; {}",
                                    nearest.empty() ? fmt::format("there are {}", fmt::join(names, ", "))
                                                    : fmt::format("did you mean \"{}\"?", nearest)));
}

}  // namespace

std::string result_name(const std::string& parameter) {
  const std::string prefix = "motor.friction.";
  return parameter.starts_with(prefix) ? "friction." + parameter.substr(prefix.size()) : parameter;
}

std::vector<OutputInfo> possible_results(const Study& study) {
  if (study.axis) return axis_results(*study.axis);
  if (study.test || study.joint || study.elastic_axes || study.robot) return {};
  if (study.powertrain) return {{"backlash.gap", "rad"}, {"backlash.offset", "rad"}};
  std::vector<OutputInfo> results{{"backlash.gap", "rad"},
                                  {"backlash.offset", "rad"},
                                  {"transmission.stiffness", "N m/rad"},
                                  {"transmission.stiffness.positive", "N m/rad"},
                                  {"transmission.stiffness.negative", "N m/rad"}};
  const BacklashOptions& options = study.identification;
  for (const auto* parameters : {&options.estimated, &options.uncertain})
    for (const UncertainParameter& p : *parameters)
      results.push_back({result_name(parameter_name(study.drive, p.index)), parameter_unit(study.drive, p.index)});
  if (options.torque_gain_free || options.torque_gain_std > 0.0) results.push_back({"motor.torque.gain", "1"});
  if (options.torque_delay_free || options.torque_delay_std > 0.0) results.push_back({"motor.torque.delay", "s"});
  return results;
}

void read_accept_section(const std::string& file, const toml::table& accept, Study& study) {
  Keys keys(file, "accept", accept);
  for (const std::string& name : keys.names()) {
    if (keys.node(name)->is_number())
      keys.fail(name, ": a number does not say which side of it is accepted; give a text such as \"<= 3 arcmin\"");
    const std::string text = keys.text(name);
    const bool at_most = text.starts_with("<="), at_least = text.starts_with(">=");
    if (!at_most && !at_least)
      keys.fail(name, fmt::format(" = \"{}\": must begin with <= or >=, as in \"<= 3 arcmin\"", text));
    const std::string value = text.substr(2 + (text.size() > 2 && text[2] == ' ' ? 1 : 0));
    const auto quantity = parse_quantity(value);
    if (!quantity) keys.fail(name, fmt::format(" = \"{}\": \"{}\" is not a number with a unit", text, value));
    const Limit limit{name, text, at_most, quantity->number * (quantity->unit ? quantity->unit->scale : 1.0)};
    require_result(keys, study, limit, *quantity);
    study.limits.push_back(limit);
  }
}

}  // namespace tauhat
