// What the constant-speed method is told, and what it has to find along with the friction.
#pragma once

#include <optional>

namespace tauhat {

struct Gravity {
  double sine = 0.0, cosine = 0.0, offset = 0.0;

  double force(double position) const;
};

struct ConstantSpeedOptions {
  double cut_off = 100.0;            // Hz, as in RegressionOptions
  double trimmed = 0.6;              // s dropped at each end
  double shortest_section = 0.2;     // s
  std::optional<Gravity> gravity{};  // empty: from sections that pass the same positions in both directions
  bool turns = false;                // without a given gravity: fit sine and cosine as well, not the offset alone
  std::optional<double> offset{};    // known beside a gravity that is fitted
  double mass = 0.0;                 // where it is known: what still accelerates it in a section is no friction
};

}  // namespace tauhat
