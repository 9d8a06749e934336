#include "tauhat/offline/other_units.hpp"

#include "tauhat/offline/units.hpp"

namespace tauhat {

std::vector<OtherUnit> other_units(const std::string& unit) {
  const auto said = parse_unit(unit);
  std::vector<OtherUnit> others;
  if (!said) return others;
  for (const char* usual : {"rad",  "deg", "rev",  "rad/s", "deg/s", "rpm", "rev/s", "m", "mm", "um", "m/s",
                            "mm/s", "N m", "mN m", "N",     "kN",    "A",   "mA",    "s", "ms", "us"}) {
    const Unit other = *parse_unit(usual);
    if (other.dimension == said->dimension && other.scale != said->scale)
      others.push_back({usual, said->scale / other.scale});
  }
  return others;
}

}  // namespace tauhat
