// The outputs of a powertrain's filter as sums over its state, and how sure it is of its mode.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "tauhat/core/filters/gap_imm.hpp"

namespace tauhat::gap {

using P = Powertrain<double>;
using Belief = Gaussian<double, P::kStates>;
using Row = Vector<double, P::kStates>;

// Where a wheel's count was lost, the offset between both counters may be anything within a pitch.
inline Row offset_within(double pitch) {
  Row row = Row::Zero();
  row[P::gap_position] = row[P::upper_limit] = row[P::lower_limit] = pitch;
  return row;
}

// A prediction with a larger std than this, of a pitch, does not say which tooth came: the nearest one is wrong from
// half a pitch on, three of these standard deviations away.
inline constexpr double kSureOfATooth = 1.0 / 6.0;

// A sum of a few states.
struct Terms {
  struct Term {
    int state;
    double factor;
  };
  std::array<Term, 5> all{};
  int count = 0;

  Terms& add(int state, double factor) noexcept {
    all[static_cast<std::size_t>(count++)] = {state, factor};
    return *this;
  }
  const Term* begin() const noexcept { return all.data(); }
  const Term* end() const noexcept { return all.data() + count; }

  double of(const Row& state) const noexcept {
    double sum = 0.0;
    for (const Term& term : *this) sum += term.factor * state[term.state];
    return sum;
  }
  double variance(const Belief& belief) const noexcept {
    double sum = 0.0;
    for (const Term& a : *this)
      for (const Term& b : *this) sum += a.factor * b.factor * belief.padded_covariance(a.state, b.state);
    return std::max(sum, 0.0);
  }
};

// h = a x (core/models/powertrain.hpp), times a factor.
inline Terms guard_terms(const P& drive, double factor) noexcept {
  const double rate = factor * drive.stiffness / drive.damping;
  return Terms{}
      .add(P::motor_position, rate / drive.ratio)
      .add(P::motor_velocity, factor / drive.ratio)
      .add(P::load_position, -rate)
      .add(P::load_velocity, -factor)
      .add(P::gap_position, -rate);
}

// An output that is linear in the state, in this mode.
inline Terms terms_of(int output, const P& drive) noexcept {
  Terms terms;
  switch (output) {
    case P::gap_position_output:  // from the middle of the gap
      return terms.add(P::gap_position, 1.0).add(P::upper_limit, -0.5).add(P::lower_limit, -0.5);
    case P::displacement_output:
      return terms.add(P::motor_position, 1.0 / drive.ratio).add(P::load_position, -1.0);
    case P::twist_output:
      return terms.add(P::motor_position, 1.0 / drive.ratio).add(P::load_position, -1.0).add(P::gap_position, -1.0);
    case P::shaft_torque_output:
      return drive.in_contact() ? guard_terms(drive, drive.damping) : terms;
    case P::gap_output:
      return terms.add(P::upper_limit, 1.0).add(P::lower_limit, -1.0);
    case P::offset_output:
      return terms.add(P::upper_limit, -0.5).add(P::lower_limit, -0.5);
    case P::gain_output:  // less one
      return terms.add(P::gain_error, 1.0);
    default:
      return terms.add(output, 1.0);
  }
}

inline double normal_below(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

// That a sum of these terms is positive.
inline double positive_probability(const Terms& terms, double value, const Belief& belief) {
  const double std = std::sqrt(terms.variance(belief));
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
    probability =
        positive_probability(guard_terms(drive, 1.0), side_of<double>(drive.mode) * drive.guard_at(x), belief);
  } else {
    for (const int limit : {P::upper_limit, P::lower_limit}) {
      const Terms way = Terms{}.add(limit, 1.0).add(P::gap_position, -1.0);
      const double side = limit == P::upper_limit ? 1.0 : -1.0;
      probability -= 1.0 - positive_probability(way, side * (x[limit] - x[P::gap_position]), belief);
    }
  }
  return std::clamp(probability, 0.5, 1.0);
}

}  // namespace tauhat::gap
