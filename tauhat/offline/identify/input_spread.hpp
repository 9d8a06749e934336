// What a filter's estimates owe to parameters that the study knows only so well ({ value, std }): the filter takes
// their values for true, so its own standard deviation does not hold them.
//   std_k^2 = noise_k^2 + sum_i max (x_k(p_i +- std_i) - x_k(p))^2
#pragma once

#include <vector>

#include "tauhat/offline/replay/estimator.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat {

// Those of the study's drive, axis, powertrain, elastic joint or elastic axes; of other models the filters do not use
// them.
std::vector<UncertainParameter> uncertain_inputs(const Study& study);

// The study with this one off by its deviation, up and down: the larger shift of both counts, because a filter of what
// is not linear moves farther to one side. A side is left out where no drive has such a value.
std::vector<Study> with_input_off(const Study& study, const UncertainParameter& parameter);

// What all of them do to one number. Its sums are never inlined: a replay and a stream must round alike.
class InputVariance {
 public:
  // One parameter after the other: how far the number moves, to either side.
  void begin_parameter() noexcept { largest_ = 0.0; }
  void moved(double to, double said) noexcept;
  [[gnu::noinline]] void end_parameter() noexcept;

  struct Total {
    UncertaintyBudget budget;
    double std;
  };
  // With the noise; what is not finite says nothing.
  [[gnu::noinline]] Total with_noise(double std) const noexcept;

 private:
  double largest_ = 0.0, sum_ = 0.0;
};

// Adds their part to the standard deviations of the replay's tracks, at every instant, by the filter run again over the
// log. Returns where those of the last instant come from, one an output, smoothed where that was asked for; empty where
// there are no such values.
std::vector<UncertaintyBudget> widen_by_inputs(const Study& study, double intensity, std::size_t lag,
                                               const Timeline& timeline, Replay& replay);

}  // namespace tauhat
