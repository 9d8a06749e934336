// A dead zone whose contact comes gradually: the corner is a parabola of half-width w (asperities, crowned teeth).
//   s(x) = 0 (x < -w),  (x + w)^2 / (4 w) (|x| <= w),  x (x > w)
//   tau(d) = k s(d - c - g/2) - k s(-(d - c) - g/2)
#pragma once

#include <array>
#include <string_view>

#include "tauhat/core/math/autodiff.hpp"
#include "tauhat/core/math/matrix.hpp"
#include "tauhat/core/parameter.hpp"
#include "tauhat/core/transmission/transmission_law.hpp"

namespace tauhat {

template <class T>
struct SoftDeadZone {
  using Scalar = T;
  static constexpr std::string_view kName = "soft-dead-zone";
  static constexpr int kInternal = 0;
  T stiffness = T(100), gap = T(0), offset = T(0), corner = constant<T>(1e-3);

  T compressed(const T& depth) const {
    if (depth < -corner) return T(0);
    if (depth > corner) return depth;
    return (depth + corner) * (depth + corner) / (T(4) * corner);
  }

  template <class Z>
  T torque(const T& displacement, const T&, const Z&) const {
    const T centred = displacement - offset;
    return stiffness * (compressed(centred - gap * T(0.5)) - compressed(-centred - gap * T(0.5)));
  }

  template <class Z>
  Vector<T, 0> internal_derivative(const T&, const T&, const Z&) const {
    return {};
  }

  T steepest_stiffness() const { return stiffness; }
  std::array<T, 4> kinks() const {
    const T half = gap * T(0.5);
    return {offset - half - corner, offset - half + corner, offset + half - corner, offset + half + corner};
  }

  template <class Self, class Visitor>
  static void visit_parameters(Self& self, Visitor&& visit) {
    visit(ParameterInfo{"transmission", "stiffness", "N m/rad", Range::positive(), "beyond the corner"},
          self.stiffness);
    visit(ParameterInfo{"backlash", "gap", "rad", Range::not_negative(), "total, at the load side"}, self.gap);
    visit(ParameterInfo{"backlash", "offset", "rad", Range::any(), "middle of the gap"}, self.offset);
    visit(ParameterInfo{"backlash", "corner", "rad", Range::positive(), "half-width of the rounded corner"},
          self.corner);
  }
};

}  // namespace tauhat
