// A verdict's limit as a number, so that the report can draw the interval beside it and speak in its unit.
#pragma once

#include <optional>
#include <string_view>

#include "tauhat/offline/report/spoken.hpp"

namespace tauhat {

struct LimitValue {
  bool at_most = true;
  double value = 0.0;  // SI
};

// "<= 3 arcmin". Empty for what is no single bound; then the report shows its text alone.
std::optional<LimitValue> parse_limit(std::string_view text);

// The unit that the limit is given in: "arcmin". Where it has none, that of its result, in SI.
ShownUnit unit_of_limit(std::string_view text, const std::string& result_unit);

}  // namespace tauhat
