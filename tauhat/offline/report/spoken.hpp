// The unit in which people say a value, and the factor that leads there from SI. An interval is said in the
// unit of its value, so the choice is separate from the text.
#pragma once

#include <numbers>
#include <optional>
#include <string>

namespace tauhat {

inline constexpr double kArcmin = std::numbers::pi / 180.0 / 60.0;  // rad

struct SpokenUnit {
  double factor = 1.0;  // spoken number = factor * SI value
  const char* name = "";
};

// Empty where SI is what people say.
std::optional<SpokenUnit> spoken_unit(double value, const std::string& unit);

// A unit as it stands behind a number.
struct ShownUnit {
  double factor = 1.0;  // shown number = factor * SI value
  std::string name{};   // empty: the number has no unit
};

ShownUnit si_unit(const std::string& unit);                        // "1" is not said
ShownUnit unit_people_say(double value, const std::string& unit);  // the spoken one, or SI

}  // namespace tauhat
