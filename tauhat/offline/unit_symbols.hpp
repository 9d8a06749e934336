// The unit symbols that people write, and the SI prefixes that go before them.
#pragma once

#include <numbers>
#include <string_view>

#include "tauhat/offline/units.hpp"

namespace tauhat::unit_symbols {

inline constexpr double kPi = std::numbers::pi;
inline constexpr double kDegree = kPi / 180.0;
inline constexpr double kRevolution = 2.0 * kPi;

inline constexpr Dimension kNumber{};
inline constexpr Dimension kLength{{1, 0, 0, 0, 0, 0}};
inline constexpr Dimension kMass{{0, 1, 0, 0, 0, 0}};
inline constexpr Dimension kTime{{0, 0, 1, 0, 0, 0}};
inline constexpr Dimension kCurrent{{0, 0, 0, 1, 0, 0}};
inline constexpr Dimension kTemperature{{0, 0, 0, 0, 1, 0}};
inline constexpr Dimension kAngle{{0, 0, 0, 0, 0, 1}};
inline constexpr Dimension kFrequency{{0, 0, -1, 0, 0, 0}};
inline constexpr Dimension kAngularVelocity{{0, 0, -1, 0, 0, 1}};
inline constexpr Dimension kForce{{1, 1, -2, 0, 0, 0}};
inline constexpr Dimension kEnergy{{2, 1, -2, 0, 0, 0}};  // and torque
inline constexpr Dimension kPower{{2, 1, -3, 0, 0, 0}};
inline constexpr Dimension kPressure{{-1, 1, -2, 0, 0, 0}};
inline constexpr Dimension kVoltage{{2, 1, -3, -1, 0, 0}};
inline constexpr Dimension kResistance{{2, 1, -3, -2, 0, 0}};
inline constexpr Dimension kInductance{{2, 1, -2, -2, 0, 0}};

struct Symbol {
  std::string_view text;
  double scale;
  Dimension dimension;
  bool takes_prefix = false;
};

// A whole symbol goes before a prefixed one, so "min" is a minute and "m" a metre.
inline constexpr Symbol kSymbols[] = {
    {"rad", 1.0, kAngle, true},
    {"deg", kDegree, kAngle, true},
    {"°", kDegree, kAngle},
    {"arcmin", kDegree / 60.0, kAngle},
    {"'", kDegree / 60.0, kAngle},
    {"′", kDegree / 60.0, kAngle},
    {"arcsec", kDegree / 3600.0, kAngle},
    {"''", kDegree / 3600.0, kAngle},
    {"\"", kDegree / 3600.0, kAngle},
    {"″", kDegree / 3600.0, kAngle},
    {"rev", kRevolution, kAngle},
    {"rot", kRevolution, kAngle},
    {"turn", kRevolution, kAngle},
    {"rpm", kRevolution / 60.0, kAngularVelocity, true},
    {"Hz", 1.0, kFrequency, true},
    {"s", 1.0, kTime, true},
    {"min", 60.0, kTime},
    {"h", 3600.0, kTime},
    {"m", 1.0, kLength, true},
    {"kg", 1.0, kMass},
    {"g", 1e-3, kMass, true},
    {"t", 1e3, kMass},
    {"N", 1.0, kForce, true},
    {"Nm", 1.0, kEnergy, true},
    {"Ncm", 1e-2, kEnergy},
    {"Nmm", 1e-3, kEnergy},
    {"J", 1.0, kEnergy, true},
    {"W", 1.0, kPower, true},
    {"Pa", 1.0, kPressure, true},
    {"bar", 1e5, kPressure, true},
    {"A", 1.0, kCurrent, true},
    {"V", 1.0, kVoltage, true},
    {"ohm", 1.0, kResistance, true},
    {"Ω", 1.0, kResistance, true},
    {"H", 1.0, kInductance, true},
    {"K", 1.0, kTemperature, true},
    {"%", 1e-2, kNumber},
    {"‰", 1e-3, kNumber},
    {"ppm", 1e-6, kNumber},
    {"1", 1.0, kNumber},
};

struct Prefix {
  std::string_view text;
  double scale;
};

// The micro sign and the Greek letter look the same and are both on keyboards.
inline constexpr Prefix kPrefixes[] = {{"p", 1e-12}, {"n", 1e-9}, {"u", 1e-6}, {"µ", 1e-6}, {"μ", 1e-6}, {"m", 1e-3},
                                       {"c", 1e-2},  {"d", 1e-1}, {"k", 1e3},  {"M", 1e6},  {"G", 1e9}};

}  // namespace tauhat::unit_symbols
