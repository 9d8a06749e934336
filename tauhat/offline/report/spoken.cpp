#include "tauhat/offline/report/spoken.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include "tauhat/offline/report/digits.hpp"
#include "tauhat/offline/report/report.hpp"

namespace tauhat {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0;
constexpr double kArcsec = kArcmin / 60.0;
constexpr double kRpm = 2.0 * std::numbers::pi / 60.0;
constexpr double kAlways = std::numeric_limits<double>::infinity();

// The first row whose SI unit fits and whose bound is above the value is how people say it.
struct Habit {
  const char* si;
  double below;
  SpokenUnit said;
};

constexpr Habit kHabits[] = {
    {"rad", 0.1 * kArcmin, {1.0 / kArcsec, "arcsec"}},
    {"rad", kDegree, {1.0 / kArcmin, "arcmin"}},
    {"rad", kAlways, {1.0 / kDegree, "deg"}},
    {"rad/s", kAlways, {1.0 / kRpm, "rpm"}},
    {"N m/rad", kAlways, {kArcmin, "N m/arcmin"}},
    {"rad/(N m)", kAlways, {1.0 / kArcmin, "arcmin/(N m)"}},
    {"kg m^2", 0.1, {1e4, "kg cm^2"}},
    {"s", 1e-3, {1e6, "µs"}},
    {"s", 1.0, {1e3, "ms"}},
    {"m", 1e-3, {1e6, "µm"}},
    {"m", 1.0, {1e3, "mm"}},
};

}  // namespace

std::optional<SpokenUnit> spoken_unit(double value, const std::string& unit) {
  if (!std::isfinite(value)) return std::nullopt;
  // Nobody says "0 arcsec": zero takes the unit of values that are small but usual.
  const double size = value == 0.0 && unit == "rad" ? kArcmin : std::abs(value);
  for (const Habit& habit : kHabits)
    if (unit == habit.si && size < habit.below) return habit.said;
  return std::nullopt;
}

ShownUnit si_unit(const std::string& unit) { return {1.0, unit == "1" ? std::string() : unit}; }

ShownUnit unit_people_say(double value, const std::string& unit) {
  const auto said = spoken_unit(value, unit);
  return said ? ShownUnit{said->factor, said->name} : si_unit(unit);
}

std::string spoken(double value, const std::string& unit) {
  const auto said = spoken_unit(value, unit);
  return said ? significant(said->factor * value, 3) + ' ' + said->name : std::string();
}

}  // namespace tauhat
