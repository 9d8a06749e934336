#include "tauhat/offline/report/limit.hpp"

#include <algorithm>
#include <charconv>

#include "tauhat/offline/units.hpp"

namespace tauhat {
namespace {

// "<= 3 arcmin" -> "3 arcmin"
std::string_view bound_of(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of("<>=+ "), text.size()));
  return text;
}

}  // namespace

std::optional<LimitValue> parse_limit(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  if (text.empty() || (text.front() != '<' && text.front() != '>')) return std::nullopt;
  const bool at_most = text.front() == '<';
  const auto quantity = parse_quantity(bound_of(text));
  if (!quantity) return std::nullopt;
  return LimitValue{at_most, quantity->number * (quantity->unit ? quantity->unit->scale : 1.0)};
}

ShownUnit unit_of_limit(std::string_view text, const std::string& result_unit) {
  std::string_view bound = bound_of(text);
  const auto limit = parse_quantity(bound);
  const auto result = parse_unit(result_unit == "1" ? "" : result_unit);
  if (!limit || !limit->unit || !result || !(limit->unit->dimension == result->dimension)) return si_unit(result_unit);
  double number = 0.0;
  const char* const end = std::from_chars(bound.data(), bound.data() + bound.size(), number).ptr;
  bound.remove_prefix(static_cast<std::size_t>(end - bound.data()));
  bound.remove_prefix(std::min(bound.find_first_not_of(' '), bound.size()));
  return {1.0 / limit->unit->scale, std::string(bound)};
}

}  // namespace tauhat
