// The outputs of a powertrain's filter as rows over its state, and how sure it is of its mode.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tauhat/core/filters/gap_imm.hpp"

namespace tauhat::gap {

using P = Powertrain<double>;
using Belief = Gaussian<double, P::kStates>;
using Row = Vector<double, P::kStates>;

// An output that is linear in the state, in this mode.
inline Row row_of(int output, const P& drive) {
  Row row = Row::Zero();
  switch (output) {
    case P::gap_position_output:  // from the middle of the gap
      row[P::gap_position] = 1.0;
      row[P::upper_limit] = row[P::lower_limit] = -0.5;
      break;
    case P::displacement_output:
    case P::twist_output:
      row[P::motor_position] = 1.0 / drive.ratio;
      row[P::load_position] = -1.0;
      if (output == P::twist_output) row[P::gap_position] = -1.0;
      break;
    case P::shaft_torque_output:
      if (drive.in_contact()) row = drive.damping * drive.guard();
      break;
    case P::gap_output:
      row[P::upper_limit] = 1.0, row[P::lower_limit] = -1.0;
      break;
    case P::offset_output:
      row[P::upper_limit] = row[P::lower_limit] = -0.5;
      break;
    case P::gain_output:  // less one
      row[P::gain_error] = 1.0;
      break;
    default:
      row[output] = 1.0;
  }
  return row;
}

inline double variance_of(const Row& row, const Belief& belief) {
  return std::max(row.dot(belief.covariance() * row), 0.0);
}

inline double normal_below(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

// That a number of this row is positive.
inline double positive_probability(const Row& row, double value, const Belief& belief) {
  const double std = std::sqrt(variance_of(row, belief));
  return std > 0.0 ? normal_below(value / std) : value > 0.0 ? 1.0 : 0.0;
}

inline double probability_of_mode(const GapImm<double>& filter, const Belief&) {
  return filter.probability(filter.mode());
}
// A filter that switches takes one mode for true. How near its own belief is to the others: in contact, that the shaft
// still presses; in the gap, that neither limit is reached. It holds its mode for at least as likely as not.
template <class F>
double probability_of_mode(const F& filter, const Belief& belief) {
  const P& drive = filter.model();
  const Vector<double, P::kStates>& x = belief.mean;
  double probability = 1.0;
  if (drive.in_contact()) {
    probability = positive_probability(drive.guard(), side_of<double>(drive.mode) * drive.guard_at(x), belief);
  } else {
    for (const int limit : {P::upper_limit, P::lower_limit}) {
      Row way = Row::Zero();
      way[limit] = 1.0, way[P::gap_position] = -1.0;
      const double side = limit == P::upper_limit ? 1.0 : -1.0;
      probability -= 1.0 - positive_probability(way, side * (x[limit] - x[P::gap_position]), belief);
    }
  }
  return std::clamp(probability, 0.5, 1.0);
}

}  // namespace tauhat::gap
