// [excite]: what a motion that tells a robot's parameters apart may do, beside the joints' own limits.
#include "tauhat/offline/study/sections.hpp"

namespace tauhat {

void read_excite_section(Keys& keys, Study& study) {
  if (!study.robot) keys.fail("period", ": [excite] is for [robot]");
  ExciteSpec& spec = study.robot->excite;
  spec.margin = keys.number("margin", "1", Range{0.0, 0.9, true}, spec.margin);
  if (keys.has("height")) spec.height = keys.number("height", "m", Range::any());
  spec.period = keys.number("period", "s", Range::positive(), spec.period);
  spec.harmonics = static_cast<int>(keys.whole("harmonics", Range{1, 50, true}, spec.harmonics));
  spec.evaluations = static_cast<int>(keys.whole("evaluations", Range{1, 1e6, true}, spec.evaluations));
  spec.rate = keys.number("rate", "Hz", Range::positive(), spec.rate);
  spec.from_rest = keys.flag("from_rest", spec.from_rest);
}

}  // namespace tauhat
