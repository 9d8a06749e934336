// Why a stationary filter could not be designed, in the words of who wrote its study.
#pragma once

#include <fmt/format.h>

#include <string>

#include "tauhat/core/linear/stationary_filter.hpp"

namespace tauhat {

// `unseen` names the mode that no sensor shows, for the case that there is one.
template <class T, int N, int Outputs>
std::string filter_fault(const StationaryFilter<T, N, Outputs>& filter, const std::string& unseen) {
  switch (filter.status) {
    case FilterStatus::process_noise_not_positive:
      return "its noise is not positive and finite";
    case FilterStatus::sensor_noise_not_positive:
      return "the std of motor.position must be positive";
    case FilterStatus::not_detectable:
      return unseen;
    case FilterStatus::not_stable:
      return fmt::format(
          "its error does not decay (spectral radius {:.9g}): a state without noise does not decay by itself; give it "
          "noise or a leak",
          filter.radius);
    default:
      return fmt::format("its Riccati equation could not be solved (residual {:.2g})", filter.residual);
  }
}

}  // namespace tauhat
