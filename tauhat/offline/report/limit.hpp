// A verdict's limit as a number, so that the report can draw the interval beside it.
#pragma once

#include <optional>
#include <string_view>

namespace tauhat {

struct LimitValue {
  bool at_most = true;
  double value = 0.0;  // SI
};

// "<= 3 arcmin". Empty for what is no single bound; then the report shows its text alone.
std::optional<LimitValue> parse_limit(std::string_view text);

}  // namespace tauhat
