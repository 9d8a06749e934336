// Units at the edge: "8 kg cm^2", "10 N m/sqrt(s)", "3 arcmin" become SI numbers, checked by dimension.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace tauhat {

// Exponents of metre, kilogram, second, ampere, kelvin and radian. Angle counts as a dimension so that a
// stiffness given in "N m" instead of "N m/rad" is noticed. Halves occur ("rad/sqrt(s)"), hence double.
struct Dimension {
  std::array<double, 6> exponents{};
  friend bool operator==(const Dimension&, const Dimension&) = default;
};

struct Unit {
  double scale = 1.0;  // SI value = scale * number
  Dimension dimension;
};

// "N m/arcmin", "kg*cm^2", "rad/s^2", "1/sqrt(Hz)", "%", "" (dimensionless). Empty when not a unit.
std::optional<Unit> parse_unit(std::string_view text);

// "8 kg cm^2" -> number and unit; a plain number has no unit. Empty when neither.
struct Quantity {
  double number = 0.0;
  std::optional<Unit> unit;
};
std::optional<Quantity> parse_quantity(std::string_view text);

// Seconds in a unit of a clock, which may tick in multiples: "ms", "100 ns". Empty when it is not a unit of time.
std::optional<double> clock_tick(std::string_view text);

// The known unit symbols nearest to a misspelt one, for "did you mean".
std::string nearest_unit(std::string_view text);

}  // namespace tauhat
