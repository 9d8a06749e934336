// A transmission law: the torque that a twist of the gear passes on to the load, as a value inside a model.
//   torque = law.torque(d, d', z),   z' = law.internal_derivative(d, d', z)
// d is the displacement at the load side, motor over ratio minus load, gap included; z are internal states of laws
// with memory. `kinks` lists the displacements where the law has a corner; integration locates them.
#pragma once

#include <concepts>

#include "tauhat/core/math/matrix.hpp"

namespace tauhat {

template <class L>
concept TransmissionLaw =
    requires(const L law, const typename L::Scalar d, const Vector<typename L::Scalar, L::kInternal> z) {
      { law.torque(d, d, z) } -> std::convertible_to<typename L::Scalar>;
      { law.internal_derivative(d, d, z) } -> std::convertible_to<Vector<typename L::Scalar, L::kInternal>>;
      { law.steepest_stiffness() } -> std::convertible_to<typename L::Scalar>;
      { law.kinks().size() };
      { L::kName };
    };

}  // namespace tauhat
