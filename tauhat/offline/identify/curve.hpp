// Torque over twist, as a cloud of estimates is fitted: the dead zone and its rivals. A rival that fits as well as the
// dead zone takes the word "backlash" away.
//   linear        k x
//   stiffening    k x + k3 x^3
//   dead zone     k (x - b) for x > b, k (x + b) for x < -b, 0 between                b = half the gap
//   asymmetric    the same with k+ and k-
#pragma once

#include <array>
#include <string_view>

namespace tauhat {

enum class Curve { linear, stiffening, dead_zone, asymmetric_dead_zone };

inline constexpr int kMaxCurveParameters = 3;
using CurveParameters = std::array<double, kMaxCurveParameters>;

constexpr int parameter_count(Curve curve) {
  switch (curve) {
    case Curve::linear:
      return 1;
    case Curve::stiffening:
    case Curve::dead_zone:
      return 2;
    case Curve::asymmetric_dead_zone:
      return 3;
  }
  return 0;
}

constexpr bool has_gap(Curve curve) { return curve == Curve::dead_zone || curve == Curve::asymmetric_dead_zone; }

// The half gap is the last parameter of the curves that have one.
constexpr int half_gap_index(Curve curve) { return parameter_count(curve) - 1; }

constexpr std::string_view name_of(Curve curve) {
  switch (curve) {
    case Curve::linear:
      return "linear spring";
    case Curve::stiffening:
      return "stiffening spring";
    case Curve::dead_zone:
      return "dead zone";
    case Curve::asymmetric_dead_zone:
      return "dead zone, two stiffnesses";
  }
  return "";
}

struct CurvePoint {
  double torque = 0.0, slope = 0.0;  // value and derivative by x
  CurveParameters gradient{};        // derivative by each parameter
};

constexpr CurvePoint evaluate(Curve curve, const CurveParameters& p, double x) {
  switch (curve) {
    case Curve::linear:
      return {p[0] * x, p[0], {x}};
    case Curve::stiffening:
      return {p[0] * x + p[1] * x * x * x, p[0] + 3.0 * p[1] * x * x, {x, x * x * x}};
    case Curve::dead_zone:
      if (x > p[1]) return {p[0] * (x - p[1]), p[0], {x - p[1], -p[0]}};
      if (x < -p[1]) return {p[0] * (x + p[1]), p[0], {x + p[1], p[0]}};
      return {};
    case Curve::asymmetric_dead_zone:
      if (x > p[2]) return {p[0] * (x - p[2]), p[0], {x - p[2], 0.0, -p[0]}};
      if (x < -p[2]) return {p[1] * (x + p[2]), p[1], {0.0, x + p[2], p[1]}};
      return {};
  }
  return {};
}

}  // namespace tauhat
