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

}  // namespace

void read_plan_section(Keys& keys, Study& study) {
  if (study.robot) keys.fail("quantity", ": [plan] is for drives; a robot's motion is planned by excite");
  if (study.test || study.powertrain || study.elastic_axes)
    keys.fail("quantity", ": [plan] is for model = \"two-mass\", \"axis\" or \"elastic-joint\"");
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
