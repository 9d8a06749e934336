// An observer tuned by what it says of the next sample of the motor: nothing but motor signals is needed.
//   minimise  sum (e^2 / S + ln S) / 2   over noise and friction, each by its logarithm
// The link's noise is left alone in a filter without a friction law: free, it takes the blame for friction, and the
// link's velocity gets worse while the likelihood gets better. The sensor's noise is tuned where the observer has one
// of its own, `sensor_std`; that of the channel is taken as known.
//
// A log may tell little: a flat likelihood would let numbers run away. Each is therefore known beforehand, as the study
// has it, to within a factor, and may leave that by three standard deviations at most. What the log does not tell to
// within a factor of two stays as it was, and is named.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tauhat/offline/joint/joint_spec.hpp"
#include "tauhat/offline/replay/timeline.hpp"
#include "tauhat/offline/report/diagnostic.hpp"

namespace tauhat {

struct TunedNumber {
  std::string table, key;  // where the study has it: "drive", "motor.friction.coulomb"
  std::string unit;
  double before = 0.0, after = 0.0;
  bool is_told = true;       // else it stayed as it was
  bool is_at_bound = false;  // the search would have gone further
};

struct Tuning {
  JointSpec spec;
  ObserverSpec observer;
  double before = 0.0, after = 0.0;  // minus the log-likelihood, per sample
  int evaluations = 0;
  std::vector<TunedNumber> numbers;

  // What its user has to know of the numbers.
  std::vector<Diagnostic> diagnostics() const;
};

struct TuneOptions {
  std::size_t settling = 500;  // samples that do not count
  int evaluations = 140;
  // Samples of a motor that rests say nothing of friction, and are so many at times that nothing else counts.
  bool in_motion_only = false;
  std::function<void(double)> progress = {};
};

// Samples of the record about which the motor moves: within 0.1 s by more than its sensor's noise and steps.
std::vector<bool> in_motion(const Timeline& record);

Tuning tune_observer(const JointSpec& spec, const ObserverSpec& observer, const std::vector<Timeline>& records,
                     double period, const TuneOptions& options = {});

}  // namespace tauhat
