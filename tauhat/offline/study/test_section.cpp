// [test]: which bench test, by whose definition, and what the ramps are.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/study/sections.hpp"

namespace tauhat {
namespace {

StudyTest::RampRange read_range(Keys& keys, const std::string& name) {
  if (!keys.has(name)) return {};
  const std::string text = keys.text(name);
  const std::size_t digits = text.find_first_of("0123456789.+-");
  std::string comparison = text.substr(0, digits);
  while (!comparison.empty() && comparison.back() == ' ') comparison.pop_back();
  StudyTest::RampRange range{comparison, 0.0};
  const bool known = comparison == "<" || comparison == "<=" || comparison == ">" || comparison == ">=";
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data() + std::min(digits, text.size()), end, range.bound);
  if (!known || parsed.ptr != end || parsed.ec != std::errc{})
    keys.fail(name, fmt::format(" = \"{}\": must compare the ramp's number, as in \"< 100\"", text));
  return range;
}

HysteresisDefinition read_definition(Keys& keys) {
  const std::string name = keys.choice("definition", {kDefinitionNames.begin(), kDefinitionNames.end()});
  const auto place = std::find(kDefinitionNames.begin(), kDefinitionNames.end(), name) - kDefinitionNames.begin();
  return static_cast<HysteresisDefinition>(place);
}

// Without them there are no K1, K2, K3.
void read_limit_torques(Keys& keys, HysteresisSpec& spec) {
  const bool has_first = keys.has("limit_torque_1"), has_second = keys.has("limit_torque_2");
  if (!has_first && !has_second) return;
  spec.limit_torque = {keys.number("limit_torque_1", "N m", Range::positive()),
                       keys.number("limit_torque_2", "N m", Range::positive())};
  const auto [t1, t2] = spec.limit_torque;
  const bool in_order = t1 < t2 && t2 < 0.95 * spec.rated_torque;
  if (!in_order)
    keys.fail("limit_torque_2",
              fmt::format(" = {:g} N m: must lie between limit_torque_1 ({:g} N m) and 95 % of the rated torque "
                          "({:g} N m)",
                          t2, t1, 0.95 * spec.rated_torque));
}

// "2026-11-16", or TOML's own date.
std::string read_date(Keys& keys) {
  const toml::node* node = keys.has("date") ? keys.node("date") : nullptr;
  if (!node || !node->is_date()) return keys.text("date", "");
  const toml::date date = node->as_date()->get();
  return fmt::format("{:04}-{:02}-{:02}", date.year, date.month, date.day);
}

}  // namespace

bool StudyTest::RampRange::contains(double number) const noexcept {
  if (comparison == "<") return number < bound;
  if (comparison == "<=") return number <= bound;
  if (comparison == ">") return number > bound;
  if (comparison == ">=") return number >= bound;
  return true;
}

void read_test_section(Keys& keys, Study& study) {
  StudyTest test;
  keys.choice("kind", {"hysteresis-curve"});
  HysteresisSpec& spec = test.hysteresis.spec;
  spec.definition = read_definition(keys);
  spec.rated_torque = keys.number("rated_torque", "N m", Range::positive());
  if (spec.definition == HysteresisDefinition::harmonic_drive) read_limit_torques(keys, spec);
  if (keys.has("ratio")) {
    const UncertainValue ratio = keys.uncertain("ratio", "1", Range::positive());
    test.ratio = ratio.value, test.ratio_std = ratio.std / ratio.value;
  }
  test.part = keys.text("part", "");
  test.date = read_date(keys);
  test.tested_by = keys.text("tested_by", "");
  if (keys.has("ramps.column")) {
    StudyChannel numbers;
    numbers.spec.signal = "test.ramp";
    numbers.spec.column = keys.text("ramps.column");
    numbers.unit = "1";
    study.channels.push_back(numbers);
    test.play = read_range(keys, "ramps.play");
    test.stiffness = read_range(keys, "ramps.stiffness");
  }
  study.test = test;
}

void check_test_channels(const Study& study) {
  const auto has = [&](const char* signal) { return study.find_channel(signal) != nullptr; };
  const auto refuse_both = [&](const char* motor, const char* output) {
    if (has(motor) && has(output))
      throw Error(
          ExitCode::wrong_use,
          fmt::format("{}: [log.channels] has {} and {}: a test takes one of them; keep the line of the side on "
                      "which it was measured",
                      study.source, motor, output));
  };
  refuse_both("motor.torque", "transmission.torque");
  refuse_both("motor.position", "transmission.displacement");
  if (!has("transmission.torque") && !has("motor.torque"))
    throw Error(
        ExitCode::wrong_use,
        fmt::format("{}: [log.channels] has no torque: name transmission.torque (at the output) or motor.torque",
                    study.source));
  if (!has("transmission.displacement") && !has("motor.position") && !has("load.position"))
    throw Error(ExitCode::wrong_use,
                fmt::format("{}: [log.channels] has no displacement: name transmission.displacement (at the output), "
                            "motor.position or load.position",
                            study.source));
}

}  // namespace tauhat
