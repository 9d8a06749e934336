// unit     := [factor {[separator] factor | "/" factor}]      separator: space, "*" or "·"
// factor   := base ["^" number | "²" | "³"]
// base     := symbol | "1" | "(" unit ")" | "sqrt(" unit ")"
// Each "/" applies to the next factor only: "N m/rad s" is (N m/rad) s; write "N m/(rad s)" for the other.
#include "tauhat/offline/units.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

#include "tauhat/offline/spelling.hpp"
#include "tauhat/offline/unit_symbols.hpp"

namespace tauhat {
namespace {

using unit_symbols::kPrefixes;
using unit_symbols::kSymbols;
using unit_symbols::Prefix;
using unit_symbols::Symbol;

constexpr int kDeepestNesting = 16;
constexpr double kLargestExponent = 32.0;  // far above any physical unit, and exact in binary

std::optional<Unit> find_symbol(std::string_view text) {
  for (const Symbol& symbol : kSymbols)
    if (symbol.text == text) return Unit{symbol.scale, symbol.dimension};
  for (const Symbol& symbol : kSymbols)
    for (const Prefix& prefix : kPrefixes)
      if (symbol.takes_prefix && text.size() == prefix.text.size() + symbol.text.size() &&
          text.starts_with(prefix.text) && text.ends_with(symbol.text))
        return Unit{prefix.scale * symbol.scale, symbol.dimension};
  return std::nullopt;
}

bool is_half_integer(double exponent) {
  return std::abs(exponent) <= kLargestExponent && std::round(2.0 * exponent) == 2.0 * exponent;
}

// Halves are exact in binary, so dimensions stay comparable with ==; finer fractions are refused.
std::optional<Unit> power(const Unit& unit, double exponent) {
  Unit result{std::pow(unit.scale, exponent), unit.dimension};
  for (double& of_base : result.dimension.exponents) {
    of_base *= exponent;
    if (!is_half_integer(of_base)) return std::nullopt;
  }
  if (!is_half_integer(exponent) || !std::isnormal(result.scale)) return std::nullopt;
  return result;
}

std::optional<Unit> product(const Unit& left, const Unit& right) {
  Unit result{left.scale * right.scale, left.dimension};
  for (std::size_t i = 0; i < result.dimension.exponents.size(); ++i)
    result.dimension.exponents[i] += right.dimension.exponents[i];
  if (!std::isnormal(result.scale)) return std::nullopt;
  return result;
}

constexpr std::string_view kDelimiters[] = {" ", "\t", "*", "·", "⋅", "/", "^", "(", ")", "²", "³"};

// Length of the symbol at the front: up to the next delimiter.
std::size_t symbol_length(std::string_view text) {
  std::size_t length = text.size();
  for (const std::string_view delimiter : kDelimiters) length = std::min(length, text.find(delimiter));
  return length;
}

// Length of the delimiters at the front.
std::size_t delimiter_length(std::string_view text) {
  std::size_t length = 0;
  while (length < text.size() && symbol_length(text.substr(length)) == 0)
    for (const std::string_view delimiter : kDelimiters)
      if (text.substr(length).starts_with(delimiter)) length += delimiter.size();
  return length;
}

class UnitParser {
 public:
  explicit UnitParser(std::string_view text) : rest_(text) {}

  std::optional<Unit> whole() {
    skip_spaces();
    if (rest_.empty()) return Unit{};
    const std::optional<Unit> unit = factors();
    return rest_.empty() ? unit : std::nullopt;
  }

 private:
  std::optional<Unit> factors() {
    std::optional<Unit> unit = factor();
    for (skip_spaces(); unit && !rest_.empty() && rest_.front() != ')'; skip_spaces()) {
      const bool divides = accept("/");
      if (!divides) accept("*") || accept("·") || accept("⋅");
      std::optional<Unit> next = factor();
      if (next && divides) next = power(*next, -1.0);
      if (!next) return std::nullopt;
      unit = product(*unit, *next);
    }
    return unit;
  }

  std::optional<Unit> factor() {
    const std::optional<Unit> unit = base();
    if (!unit) return std::nullopt;
    if (accept("²")) return power(*unit, 2.0);
    if (accept("³")) return power(*unit, 3.0);
    if (!accept("^")) return unit;
    double exponent = 0.0;
    const auto [end, error] =
        std::from_chars(rest_.data(), rest_.data() + rest_.size(), exponent, std::chars_format::fixed);
    if (error != std::errc{}) return std::nullopt;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return power(*unit, exponent);
  }

  std::optional<Unit> base() {
    skip_spaces();
    if (accept("sqrt(")) {
      const std::optional<Unit> inside = closed_by_parenthesis();
      return inside ? power(*inside, 0.5) : std::nullopt;
    }
    if (accept("(")) return closed_by_parenthesis();
    const std::size_t length = symbol_length(rest_);
    const std::optional<Unit> unit = find_symbol(rest_.substr(0, length));
    rest_.remove_prefix(length);
    return unit;
  }

  std::optional<Unit> closed_by_parenthesis() {
    if (++depth_ > kDeepestNesting) return std::nullopt;
    const std::optional<Unit> unit = factors();
    --depth_;
    return accept(")") ? unit : std::nullopt;
  }

  bool accept(std::string_view token) {
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }

  void skip_spaces() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t"), rest_.size())); }

  std::string_view rest_;
  int depth_ = 0;
};

std::vector<std::string> all_symbols() {
  std::vector<std::string> symbols;
  for (const Symbol& symbol : kSymbols) symbols.emplace_back(symbol.text);
  for (const std::string_view prefix : {"m", "k", "u", "c"})
    for (const Symbol& symbol : kSymbols)
      if (symbol.takes_prefix) symbols.push_back(std::string(prefix) + std::string(symbol.text));
  return symbols;
}

}  // namespace

std::optional<Unit> parse_unit(std::string_view text) { return UnitParser(text).whole(); }

std::optional<Quantity> parse_quantity(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  Quantity quantity;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), quantity.number);
  if (error != std::errc{} || !std::isfinite(quantity.number)) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (text.find_first_not_of(" \t") == std::string_view::npos) return quantity;
  quantity.unit = parse_unit(text);
  if (!quantity.unit) return std::nullopt;
  return quantity;
}

std::optional<double> clock_tick(std::string_view text) {
  Quantity tick{1.0, parse_unit(text)};
  if (!tick.unit) tick = parse_quantity(text).value_or(tick);
  if (!tick.unit || !(tick.unit->dimension == parse_unit("s")->dimension)) return std::nullopt;
  return tick.number * tick.unit->scale;
}

// The whole text with each unknown symbol replaced: "N m/arcmn" gives "N m/arcmin".
std::string nearest_unit(std::string_view text) {
  const std::vector<std::string> symbols = all_symbols();
  std::string corrected;
  while (!text.empty()) {
    const std::size_t delimiters = delimiter_length(text);
    corrected += text.substr(0, delimiters);
    text.remove_prefix(delimiters);
    const std::string_view symbol = text.substr(0, symbol_length(text));
    text.remove_prefix(symbol.size());
    const bool is_exponent = symbol.find_first_of("-.0123456789") == 0;
    const bool stays = symbol.empty() || symbol == "sqrt" || is_exponent || find_symbol(symbol);
    const std::string meant = stays ? std::string(symbol) : nearest_name(symbol, symbols);
    if (meant.empty() && !symbol.empty()) return "";
    corrected += meant;
  }
  return parse_unit(corrected) ? corrected : "";
}

}  // namespace tauhat
