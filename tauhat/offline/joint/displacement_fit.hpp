// What motor and load encoders together tell of a joint without exciting it: how far it yields under its torque, and
// that their clocks differ.
//   q_m / N - q_l(t - skew) = tau_T / K + offset + loss sign(w) + noise
//   tau_T + T tau_T' = tau,   T = D / K
// A skew of a few milliseconds looks like the displacement of a soft joint at every speed: it is fitted along. So is T,
// where the record tells it: a damper holds up what is shaken fast.
//
// `tau` holds the friction of the teeth, too, a share of what they pass on: tau = tau_l + share |tau_l| sign(w) + loss.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "tauhat/offline/joint/displacement_record.hpp"

namespace tauhat {

struct FittedNumber {
  double value = 0.0, std = 0.0;
};

struct DisplacementFit {
  FittedNumber skew;             // s; positive: the load's channel comes late
  FittedNumber compliance;       // rad/(N m)
  FittedNumber offset;           // rad
  FittedNumber loss;             // rad: half of what the displacement falls back when the axis turns
  double lag = 0.0;              // s: T
  std::vector<double> fitted{};  // one a sample

  // Whether the clocks differ by more than chance and a tenth of a sample would have it.
  bool has_skew(double period) const noexcept { return std::abs(skew.value) > std::max(4.0 * skew.std, 0.1 * period); }
  // Stiffness, where the torque moved the joint at all.
  bool has_stiffness() const noexcept { return compliance.value > 4.0 * compliance.std; }
  FittedNumber stiffness() const noexcept {
    return {1.0 / compliance.value, compliance.std / (compliance.value * compliance.value)};
  }
};

// What is believed beforehand of the damper and of the teeth.
struct DisplacementPrior {
  double lag = 0.0;    // s: where the record does not tell it
  double share = 0.0;  // of the teeth
};

// Samples that are not finite are left out. Throws Error (unusable_data) where nothing moves.
DisplacementFit fit_displacement(const DisplacementRecord& record, const std::string& source,
                                 const DisplacementPrior& prior = {});

}  // namespace tauhat
