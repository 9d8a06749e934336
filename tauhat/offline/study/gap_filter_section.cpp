// [estimator] of a powertrain: which of the gap's filters, and what those with gains of their own need.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/gap/swing.hpp"
#include "tauhat/offline/study/sections.hpp"

namespace tauhat {
namespace {

using Filter = GapSpec::Filter;

constexpr std::array<std::pair<const char*, Filter>, 7> kKinds{{{"ekf", Filter::suited},
                                                                {"direct", Filter::direct},
                                                                {"imm", Filter::imm},
                                                                {"cascade", Filter::cascade},
                                                                {"switching", Filter::switching},
                                                                {"events", Filter::events},
                                                                {"staircase", Filter::staircase}}};

const char* name_of(Filter filter) {
  return std::find_if(kKinds.begin(), kKinds.end(), [&](const auto& kind) { return kind.second == filter; })->first;
}

void read_accelerations(Keys& keys, GapSpec& spec) {
  for (const std::size_t side : {0U, 1U}) {
    const char* const name = side == 0 ? "motor.acceleration" : "load.acceleration";
    if (!keys.has(name)) continue;
    const double intensity = keys.number(name, "rad/s^2/sqrt(s)", Range::positive());
    spec.jerk[side] = intensity * intensity;
  }
}

// Filters with gains that are found beforehand, or of each wheel alone.
void read_stages(Keys& keys, GapSpec& spec) {
  if (!spec.tells_positions_only() && spec.is_learned())
    keys.fail("kind", fmt::format(" = \"{}\": learns nothing, so that gap and offset must be known: give backlash.gap "
                                  "without a std, and backlash.offset; or use \"imm\"",
                                  name_of(spec.filter)));
  read_accelerations(keys, spec);
  if (spec.filter == Filter::events) return;  // the filters of both wheels have no grid
  spec.period = keys.number("period", "s", Range::positive(), spec.period);
  const double swing = swing_period(spec.drive);
  if (spec.period > 0.5 * swing)
    keys.fail("period",
              fmt::format(" = {:.4g} s: is too long for a shaft that swings once in {:.3g} s; at most half of "
                          "that, better a millisecond",
                          spec.period, swing));
  spec.speed = keys.number("speed", "rad/s", Range::positive());
  if (spec.filter != Filter::staircase && keys.has("gain"))
    spec.gain_is_time_varying = keys.choice("gain", {"stationary", "time-varying"}) == "time-varying";
}

}  // namespace

void read_gap_filter(Keys& keys, GapSpec& spec) {
  std::vector<std::string> names;
  for (const auto& [name, filter] : kKinds) names.emplace_back(name);
  const std::string kind = keys.choice("kind", names);
  spec.filter =
      std::find_if(kKinds.begin(), kKinds.end(), [&](const auto& each) { return kind == each.first; })->second;
  if (spec.is_of_stages()) read_stages(keys, spec);
}

void require_offset_of_wheels(const Study& study) {
  if (!study.powertrain->offset_is_known) return;
  for (const StudyChannel& channel : study.channels) {
    if (!channel.spec.pulses || channel.spec.pulses->knows_teeth()) continue;
    throw Error(
        ExitCode::wrong_use,
        fmt::format("{}: backlash.offset is given, and nothing says which tooth {} begins with: it needs missing "
                    "teeth (missing), or a counter that is the same at the same tooth in every log (count); or "
                    "leave backlash.offset out, and it is learned",
                    study.source, channel.spec.signal));
  }
}

void require_wheels(const Study& study) {
  using P = Powertrain<double>;
  const GapSpec& spec = *study.powertrain;
  const auto refuse = [&](const std::string& why) {
    throw Error(ExitCode::wrong_use,
                fmt::format("{}: estimator.kind = \"{}\" {}", study.source, name_of(spec.filter), why));
  };
  for (const int output : {P::motor_position_output, P::load_position_output}) {
    const std::string name(P::kOutputs[static_cast<std::size_t>(output)].name);
    if (!(spec.wheels[static_cast<std::size_t>(output)].std > 0.0))
      refuse(fmt::format("is for pulses: {} must have stamps and teeth", name));
    if (spec.is_on_staircases() && study.find_channel(name)->spec.pulses->missing > 0)
      refuse(
          fmt::format("takes a counter as it stands, and that of {} stands still where teeth are missing; use "
                      "\"cascade\", or \"events\"",
                      name));
  }
}

}  // namespace tauhat
