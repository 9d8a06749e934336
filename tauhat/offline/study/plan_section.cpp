// [plan]: the quantity that a record is to tell, and the limits of the drive.
#include <fmt/format.h>

#include <algorithm>

#include "tauhat/offline/study/sections.hpp"

namespace tauhat {
namespace {

std::string usual_quantity(Keys& keys, const Study& study) {
  if (study.joint) return "transmission.stiffness";
  if (!study.axis) return "backlash.gap";
  keys.fail("quantity", " is missing: which result is to be told, such as \"friction.coulomb\"");
}

// Of a sensor, at the output: `by_ratio` is from its side to there.
double noise_at_output(const Keys& keys, const Study& study, const char* at_output, const char* at_motor,
                       double by_ratio) {
  const StudyChannel* channel = study.find_channel(at_output);
  const double factor = channel ? 1.0 : by_ratio;
  if (!channel) channel = study.find_channel(at_motor);
  if (!channel || !channel->std)
    keys.fail("quantity", fmt::format(": the plan of a test needs the noise: give std to {} in [log.channels]",
                                      channel ? channel->spec.signal : at_output));
  return factor * *channel->std;
}

void read_bench_plan(Keys& keys, Study& study) {
  BenchPlanSpec spec;
  const HysteresisSpec& test = study.test->hysteresis.spec;
  const std::vector<std::string> names = hysteresis_quantities(test);
  spec.quantity = keys.has("quantity") ? keys.choice("quantity", names) : "backlash.lost_motion";
  spec.torque = keys.number("torque", "N m", Range::positive());
  if (!(spec.torque >= test.rated_torque))
    keys.fail("torque", fmt::format(" = {:.4g} N m: the ramps must reach the rated torque, {:.4g} N m", spec.torque,
                                    test.rated_torque));
  spec.fastest = keys.number("torque_rate", "N m/s", Range::positive());
  spec.duration = keys.number("duration", "s", Range::positive());
  spec.change = keys.number("change", "s", Range::not_negative(), 0.0);
  spec.period = 1.0 / keys.number("rate", "Hz", Range::positive());
  spec.gear.gap = keys.number("gap", "rad", Range::not_negative());
  spec.gear.stiffness = keys.number("stiffness", "N m/rad", Range::positive());
  spec.gear.friction = keys.number("friction", "N m", Range::not_negative());
  // Of gears that differ by more some would have no gap, or no stiffness.
  spec.spread = keys.number("spread", "1", {0.0, 0.3, true});
  const double ratio = study.test->ratio;
  spec.torque_noise = noise_at_output(keys, study, "transmission.torque", "motor.torque", ratio);
  spec.displacement_noise = noise_at_output(keys, study, "transmission.displacement", "motor.position", 1.0 / ratio);
  study.bench_plan = spec;
}

}  // namespace

void read_plan_section(Keys& keys, Study& study) {
  if (study.test) return read_bench_plan(keys, study);
  if (study.robot) keys.fail("quantity", ": [plan] is for drives; a robot's motion is planned by excite");
  if (study.elastic_axes)
    keys.fail("quantity", ": [plan] is for model = \"two-mass\", \"axis\", \"powertrain\" or \"elastic-joint\"");
  PlanSpec spec;
  spec.quantity = keys.has("quantity") ? keys.text("quantity") : usual_quantity(keys, study);
  // Where the study alone says what will be found, a misspelt name is refused before the work.
  const std::vector<OutputInfo> possible = possible_results(study);
  const auto is_it = [&](const OutputInfo& result) { return result.name == spec.quantity; };
  if (!possible.empty() && std::none_of(possible.begin(), possible.end(), is_it)) {
    std::vector<std::string> names;
    for (const OutputInfo& result : possible) names.push_back(result.name);
    keys.fail("quantity", fmt::format(" = \"{}\": is no result of this study; it may be {}", spec.quantity,
                                      fmt::join(names, ", ")));
  }
  const bool slides = study.axis && study.axis->slides;
  spec.force = keys.number(slides ? "force" : "torque", force_unit(study), Range::positive());
  spec.speed = keys.number("speed", unit_in(study, "rad/s"), Range::positive(), PlanSpec::kFree);
  spec.travel = keys.number("travel", unit_in(study, "rad"), Range::positive(), PlanSpec::kFree);
  study.plan = spec;
}

}  // namespace tauhat
