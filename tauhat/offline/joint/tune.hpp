// An observer tuned by what it says of the next sample of the motor: nothing but motor signals is needed.
//   minimise  sum (e^2 / S + ln S) / 2   over noise and friction, each by its logarithm
// The link's noise is left alone in a filter without a friction law: free, it takes the blame for friction, and the
// link's velocity gets worse while the likelihood gets better. The sensor's noise is tuned where the observer has one
// of its own, `sensor_std`; that of the channel is taken as known.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tauhat/offline/joint/joint_spec.hpp"
#include "tauhat/offline/replay/timeline.hpp"

namespace tauhat {

struct TunedNumber {
  std::string table, key;  // where the study has it: "drive", "motor.friction.coulomb"
  std::string unit;
  double before = 0.0, after = 0.0;
};

struct Tuning {
  JointSpec spec;
  ObserverSpec observer;
  double before = 0.0, after = 0.0;  // minus the log-likelihood, per sample
  int evaluations = 0;
  std::vector<TunedNumber> numbers;
};

struct TuneOptions {
  std::size_t settling = 500;  // samples that do not count
  int evaluations = 140;
  std::function<void(double)> progress = {};
};

Tuning tune_observer(const JointSpec& spec, const ObserverSpec& observer, const std::vector<Timeline>& records,
                     double period, const TuneOptions& options = {});

}  // namespace tauhat
