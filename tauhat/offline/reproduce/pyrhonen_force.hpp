// The force at the tool of Pyrhonen's arm: the set-up's experiment, and what the filter and the observers make of it.
#pragma once

#include <cstdint>
#include <vector>

#include "tauhat/offline/reproduce/plan.hpp"
#include "tauhat/offline/reproduce/pyrhonen_plant.hpp"
#include "tauhat/offline/reproduce/pyrhonen_setup.hpp"

namespace tauhat::pyrhonen {

using ForceRecord = std::vector<PushedSample<kJoints>>;
using Wrenches = std::vector<Vector<double, 6>>;  // a sample each; a force alone has no moment

// N and N m at this time: steps, a ramp and a sine of force; and moments where asked for.
Vector<double, 6> pushing_wrench(double time, bool with_moment);
// The arm as the set-up moves and pushes it, at the flange.
PushedArm<kJoints> pushed_arm(const ArmModel& model, bool with_moment);

// What each makes of a record, x(k|k). `axes` is 3 or 6.
Wrenches filtered_wrench(const ArmModel& believed, const Frame<double>& frame, const ForceRecord& record, int axes);
Wrenches momentum_observer_force(const ArmModel& believed, const Frame<double>& frame, const ForceRecord& record);
Wrenches disturbance_filter_force(const ArmModel& believed, const Frame<double>& frame, const ForceRecord& record);

// From 0.3 s on: root of the mean square over the samples and three axes, and the largest error.
struct WrenchErrors {
  double force = 0.0, moment = 0.0, force_peak = 0.0;  // N, N m, N
};
template <int Joints>
WrenchErrors errors_of(const std::vector<PushedSample<Joints>>& record, const Wrenches& estimate) {
  constexpr std::size_t kFirst = 300;
  WrenchErrors errors;
  for (std::size_t k = kFirst; k < record.size(); ++k) {
    const Vector<double, 6> error = estimate[k] - record[k].wrench;
    errors.force += error.head<3>().squaredNorm();
    errors.moment += error.tail<3>().squaredNorm();
    errors.force_peak = std::max(errors.force_peak, error.head<3>().norm());
  }
  const double count = 3.0 * static_cast<double>(record.size() - kFirst);
  errors.force = std::sqrt(errors.force / count);
  errors.moment = std::sqrt(errors.moment / count);
  return errors;
}
// The shift of the estimate, up to 80 ms, that leaves the least squared error of the force.
double delay_of(const ForceRecord& record, const Wrenches& estimate);

// One seed of the experiment: force.* with the true, the identified and the nominal arm, beside both observers, and
// wrench.* with the true one.
RunFigures force_figures(std::uint64_t seed, const ArmModel& identified);
// Over all seeds, with the limits.
void add_force_results(const Plan& plan, std::vector<Result>& results);

}  // namespace tauhat::pyrhonen
