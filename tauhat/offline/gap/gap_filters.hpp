// The filters of a gap to an estimator: how each is made from a study, and what it expects of a sensor.
#pragma once

#include <algorithm>
#include <type_traits>

#include "tauhat/core/filters/gap_filter.hpp"
#include "tauhat/core/filters/gap_imm.hpp"
#include "tauhat/offline/gap/cascade_tuning.hpp"
#include "tauhat/offline/gap/gap_outputs.hpp"

namespace tauhat::gap {

inline double square(double x) { return x * x; }

// What is expected of a position or a velocity: by the belief, or by the stage that it goes to.
struct Expected {
  double value, variance;
};
template <class F>
Expected expected(const F&, const Belief& belief, int output) {
  return {belief.mean[output], belief.covariance()(output, output)};
}
inline Expected expected(const PulsePositions<double>& filter, const Belief&, int output) {
  const int state = output == P::motor_velocity || output == P::load_velocity ? 1 : 0;
  const auto& side = filter.side(output);
  return {side.mean[state], side.covariance()(state, state)};
}
template <class Second>
Expected expected(const GapCascade<double, PulsePositions<double>, Second>& filter, const Belief& b, int output) {
  return expected(filter.first(), b, output);
}

// Of a wheel by itself, where the filter of both is lost: what its last two teeth say. Which one comes next is not
// known any more where several should have come.
inline Expected expected_alone(const StaircasePositions<double>& stairs, int position) {
  constexpr double kChange = 0.1;  // of the speed, from tooth to tooth
  const double tooth = stairs.motion(position)[0];
  const double way = tooth - stairs.last_tooth(position);
  return {tooth, square(kChange * way) + square(stairs.overdue(position))};
}

// Short beside the fastest motion, and beside the change of a mode.
inline double longest_step_of(const P& drive) { return std::min(1e-3, 0.1 / drive.fastest_rate()); }

// What a filter that is in two stages takes from the study.
template <class F>
struct StagesOf;
template <>
struct StagesOf<PulsePositions<double>> {
  static Vector<double, 2> tuning(const GapSpec& spec) { return first_stage_jerk(spec); }
};
template <class First, class Second>
struct StagesOf<GapCascade<double, First, Second>> {
  static auto tuning(const GapSpec& spec) {
    typename GapCascade<double, First, Second>::Tuning tuning;
    if constexpr (std::is_same_v<First, StaircasePositions<double>>) {
      tuning.first = pitches_of(spec);
    } else {
      tuning.first = first_stage_jerk(spec);
    }
    if constexpr (std::is_same_v<Second, StationaryPositions<double>>) {
      tuning.second = staircase_tuning(spec);
    } else {
      tuning.second = observer_tuning(spec);
    }
    tuning.period = spec.period;
    return tuning;
  }
};

template <class F>
F make_filter(const P& drive, const Belief& start, const GapSpec& spec) {
  if constexpr (requires { StagesOf<F>::tuning(spec); }) {
    return {drive, start, StagesOf<F>::tuning(spec)};
  } else if constexpr (std::is_same_v<F, GapImm<double>>) {
    return {drive, start, longest_step_of(drive)};
  } else {
    return {drive, start};
  }
}

// Positions alone: the state beside them stays as it began.
template <class F>
inline constexpr bool kIsStaircase = false;
template <class First>
inline constexpr bool kIsStaircase<GapCascade<double, First, StationaryPositions<double>>> = true;

}  // namespace tauhat::gap
