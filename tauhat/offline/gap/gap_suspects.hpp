// What else could explain the pulses of a powertrain? A suspect is one value of the study that may be wrong: a
// stiffness, an inertia, the ratio, the command's lag, the gap and its offset where they are not learned. All are tried
// in one more pass of a filter whose modes are those that were found, by a score test: how the innovations e would
// change with the suspect a is carried along,
//   g = de/da,  I = sum g^2 / S,  s = -sum g e / S,  a = s / I,  z = a sqrt(I)
// with the filter's own gains, so that whatever it learns (gap, offset, the torque's gain, the load) has taken its
// share of the blame already, and what it has learned shows how far the answer would move. (Friedland 1969: that is the
// filter with the suspect among its states.) A tooth that stands wrong returns with each turn, and is no noise: the
// mean innovation of each tooth is taken out of e and g.
#pragma once

#include <string>
#include <vector>

#include "tauhat/offline/gap/gap_estimator.hpp"
#include "tauhat/offline/replay/timeline.hpp"

namespace tauhat {

// A value of the drive that is fitted with the gap.
struct UncertainGapValue {
  int index = 0;            // in the order of Powertrain::visit_parameters
  double value = 0.0;       // what the study says
  double std = 0.0;         // how well, before the record
  bool is_assumed = false;  // the study gives the value alone
};

struct GapSuspect {
  int index = 0;              // those of the drive as above
  std::string name, unit;     // "transmission.stiffness", "N m/rad"
  double value = 0.0;         // what was taken for it
  double change = 0.0;        // by how much another value would explain the log better
  double z = 0.0;             // that, in standard deviations of noise
  bool is_fitted = false;     // with the gap; else the shifts are beside the fitted ones
  double gap_shift = 0.0;     // rad, were it so
  double offset_shift = 0.0;  // rad
};

struct GapScores {
  // Of what the filter gives, were the fitted values what the record says of them.
  struct Shift {
    double by = 0.0, std = 0.0;  // rad; the std is that of the fitted values' share
  };
  Shift gap{}, offset{};
  std::size_t pulses = 0;      // that say so; of few, the std is that of the values before the record
  bool is_followed = true;     // false: how the answer depends on the values is not finite, and the shifts are zero
  std::vector<double> step{};  // of each fitted value
  std::vector<GapSuspect> suspects{};  // most suspicious first; empty: nothing could be tried
};

// `replay` is of this timeline, by an estimator of `spec`.
GapScores score_gap(const GapSpec& spec, const Timeline& timeline, const Replay& replay,
                    const std::vector<UncertainGapValue>& fitted);

}  // namespace tauhat
