// Refuses a value of a simulation with a sentence that names its key: "excitation.hold = -1 s: must be
// positive".
#pragma once

#include <fmt/format.h>

#include <string_view>

#include "tauhat/core/parameter.hpp"
#include "tauhat/offline/error.hpp"

namespace tauhat {

[[noreturn]] inline void refuse(std::string_view key, double value, std::string_view unit, std::string_view allowed) {
  throw Error(ExitCode::wrong_use,
              fmt::format("{} = {:.6g}{}{}: {}", key, value, unit.empty() ? "" : " ", unit, allowed));
}

inline void require_finite(std::string_view key, double value, std::string_view unit) {
  if (!Range::any().contains(value)) refuse(key, value, unit, "must be a finite number");
}

inline void require_positive(std::string_view key, double value, std::string_view unit) {
  if (!Range::positive().contains(value)) refuse(key, value, unit, "must be positive");
}

inline void require_not_negative(std::string_view key, double value, std::string_view unit) {
  if (!Range::not_negative().contains(value)) refuse(key, value, unit, "must not be negative");
}

}  // namespace tauhat
