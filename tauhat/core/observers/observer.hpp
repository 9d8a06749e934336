// What an observer with a fixed gain offers: all innovations act at once. (Corrections one after the other would need
// other gains.)
#pragma once

#include <concepts>

#include "tauhat/core/math/matrix.hpp"

namespace tauhat {

template <class O>
concept Observer =
    requires(O observer, const typename O::State x, const typename O::Input u, const typename O::Measurements y) {
      { observer.start(x) };
      { observer.step(u, y) } -> std::convertible_to<typename O::State>;  // the estimate at the time of y
      { observer.state() } -> std::convertible_to<typename O::State>;     // the prediction for the next one
    };

}  // namespace tauhat
