#include "tauhat/offline/report/limit.hpp"

#include <algorithm>

#include "tauhat/offline/units.hpp"

namespace tauhat {

std::optional<LimitValue> parse_limit(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  if (text.empty() || (text.front() != '<' && text.front() != '>')) return std::nullopt;
  const bool at_most = text.front() == '<';
  text.remove_prefix(std::min(text.find_first_not_of("<>= "), text.size()));
  const auto quantity = parse_quantity(text);
  if (!quantity) return std::nullopt;
  return LimitValue{at_most, quantity->number * (quantity->unit ? quantity->unit->scale : 1.0)};
}

}  // namespace tauhat
