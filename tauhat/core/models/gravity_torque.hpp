// What gravity asks of a joint: tau(q) = sine sin q + cosine cos q, at the load side.
#pragma once

#include <cmath>

#include "tauhat/core/parameter.hpp"

namespace tauhat {

template <class T>
struct GravityTorque {
  using Scalar = T;
  T sine = T(0), cosine = T(0);

  T torque(const T& position) const {
    using std::cos;
    using std::sin;
    return sine * sin(position) + cosine * cos(position);
  }

  template <class Self, class Visitor>
  static void visit_parameters(Self& self, Visitor&& visit) {
    visit(ParameterInfo{"gravity", "sine", "N m", Range::any(), "share that goes with the sine of load.position"},
          self.sine);
    visit(ParameterInfo{"gravity", "cosine", "N m", Range::any(), "share that goes with its cosine"}, self.cosine);
  }
};

}  // namespace tauhat
