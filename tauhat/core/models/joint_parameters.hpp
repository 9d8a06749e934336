// What an elastic joint and several elastic axes are both described by: of the one a number, of the others one an axis.
#pragma once

#include "tauhat/core/parameter.hpp"

namespace tauhat {

template <class Self, class Visitor>
void visit_motor_and_transmission(Self& self, Visitor&& visit) {
  visit(ParameterInfo{"motor", "inertia", "kg m^2", Range::positive(), "rotor, at the motor side"}, self.motor_inertia);
  visit(ParameterInfo{"motor", "viscous", "N m s/rad", Range::not_negative(), "friction at the motor side"},
        self.motor_viscous);
  visit(ParameterInfo{"transmission", "ratio", "1", Range::positive(), "motor turns per load turn"}, self.ratio);
  visit(ParameterInfo{"transmission", "stiffness", "N m/rad", Range::positive(), "of the joint, at the load side"},
        self.stiffness);
  visit(ParameterInfo{"transmission", "damping", "N m s/rad", Range::not_negative(), "at the load side"}, self.damping);
}

template <class Self, class Visitor>
void visit_friction_of_link(Self& self, Visitor&& visit) {
  visit(ParameterInfo{"load", "viscous", "N m s/rad", Range::not_negative(), "friction of the link"},
        self.load_viscous);
}

}  // namespace tauhat
