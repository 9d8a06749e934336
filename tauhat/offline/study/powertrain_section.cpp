// [drive] with model = "powertrain", and its [noise]: a drive with a gap whose inside is asked for.
#include <fmt/format.h>

#include <cmath>

#include "tauhat/offline/study/sections.hpp"

namespace tauhat {
namespace {

using P = Powertrain<double>;

void note(Study& study, const std::string& name, double value, double std, std::string_view unit) {
  study.assumptions.push_back({name, fmt::format("{:.6g}{} {}", value, std > 0.0 ? fmt::format(" ± {:.3g}", std) : "",
                                                 unit == "1" ? "" : unit)});
}

// A filter takes steps that are short beside the shaft's own motion: millions of them a second are of no use.
void refuse_too_stiff(Keys& keys, const P& drive) {
  constexpr double kFastest = 1e5;  // 1/s
  if (!(drive.fastest_rate() > kFastest)) return;
  const bool fills = drive.stiffness / drive.damping > kFastest;
  keys.fail(fills ? "transmission.stiffness" : "transmission.damping",
            fmt::format(": the shaft would {} within {:.2g} s, which no wheel shows: the fastest that is followed is "
                        "{:g} s; give a {}",
                        fills ? "wind up" : "come to rest", 1.0 / drive.fastest_rate(), 1.0 / kFastest,
                        fills ? "smaller stiffness, or more damping" : "smaller damping"));
}

}  // namespace

void read_powertrain_section(Keys& keys, Study& study) {
  GapSpec& spec = study.powertrain.emplace();
  std::vector<std::string> names;
  const auto add_name = [&](const ParameterInfo& info, double&) { names.push_back(full_name(info)); };
  P::visit_parameters(spec.drive, add_name);
  GapSpec::visit_parameters(spec, add_name);
  keys.refuse_all_but(names);
  int index = 0;
  P::visit_parameters(spec.drive, [&](const ParameterInfo& info, double& value) {
    const std::string name = full_name(info);
    // Resistance to ground may be left out; all else makes the motion.
    const bool may_be_left_out = info.range.contains(0.0) && !keys.has(name);
    const UncertainValue given = may_be_left_out ? UncertainValue{} : keys.uncertain(name, info.unit, info.range);
    value = given.value;
    if (given.std > 0.0) study.identification.uncertain.push_back({index, given.std});
    note(study, name, value, given.std, info.unit);
    ++index;
  });
  refuse_too_stiff(keys, spec.drive);
  constexpr const ParameterInfo &kDelay = GapSpec::kDelay, &kGain = GapSpec::kGain, &kGap = GapSpec::kGap,
                                &kOffset = GapSpec::kOffset;
  spec.delay = keys.number(full_name(kDelay), kDelay.unit, kDelay.range, 0.0);
  note(study, full_name(kDelay), spec.delay, 0.0, kDelay.unit);
  // What a motor makes of its command is seldom known to a few per cent.
  if (keys.has(full_name(kGain))) {
    const UncertainValue gain = keys.uncertain(full_name(kGain), kGain.unit, kGain.range);
    spec.gain = gain.value, spec.gain_std = gain.std;
    if (gain.std > 0.0) study.identification.uncertain.push_back({GapSpec::kGainIndex, gain.std});
  }
  note(study, full_name(kGain), spec.gain, spec.gain_std, kGain.unit);
  const UncertainValue gap = keys.uncertain(full_name(kGap), kGap.unit, kGap.range);
  spec.gap = gap.value, spec.gap_std = gap.std;
  note(study, full_name(kGap), gap.value, gap.std, kGap.unit);
  // Counters begin anywhere: unless somebody has found out, the middle of the gap is learned.
  spec.offset_is_known = keys.has(full_name(kOffset));
  if (spec.offset_is_known) {
    const UncertainValue offset = keys.uncertain(full_name(kOffset), kOffset.unit, kOffset.range);
    spec.offset = offset.value, spec.offset_std = offset.std;
    note(study, full_name(kOffset), offset.value, offset.std, kOffset.unit);
  }
}

void read_powertrain_noise(Keys& keys, Study& study) {
  auto& noise = study.powertrain->drive.noise;
  const auto read = [&](int state, std::optional<double> otherwise) {
    const Signal& signal = P::kOutputs[static_cast<std::size_t>(state)];
    const std::string name(signal.name), unit = fmt::format("{}/sqrt(s)", signal.unit);
    const double intensity = otherwise ? keys.number(name, unit, Range::not_negative(), *otherwise)
                                       : keys.number(name, unit, Range::positive());
    noise[state] = intensity * intensity;
    note(study, name + ", wandering", intensity, 0.0, unit);
  };
  keys.refuse_all_but({"motor.velocity", "load.velocity", "load.torque", "motor.torque"});
  read(P::load_torque, std::nullopt);
  read(P::motor_torque, std::nullopt);
  // Torques that come and go within a few teeth, beside those that wander: a hundredth of the motor's, a tenth of the
  // load's.
  read(P::motor_velocity, 0.01 * std::sqrt(noise[P::motor_torque]) / study.powertrain->drive.motor_inertia);
  read(P::load_velocity, 0.1 * std::sqrt(noise[P::load_torque]) / study.powertrain->drive.load_inertia);
}

}  // namespace tauhat
