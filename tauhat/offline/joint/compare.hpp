// Every observer of a study on one log: what each gives, beside the naive velocity, and at which cost.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tauhat/offline/joint/damping_trial.hpp"
#include "tauhat/offline/joint/followed_swing.hpp"
#include "tauhat/offline/joint/joint_bode.hpp"
#include "tauhat/offline/joint/velocity_quality.hpp"
#include "tauhat/offline/log/log.hpp"
#include "tauhat/offline/replay/estimator.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat {

struct ObservedVelocity {
  std::string observer;    // "naive": the motor's velocity over the ratio
  std::string parameters;  // which study's
  int states = 0;
  std::vector<double> velocity;           // rad/s
  VelocityQuality quality;                // by the record
  std::optional<FollowedSwing> modelled;  // by the model alone
  std::optional<double> damping;          // of a loop that uses it
  std::optional<double> cost;             // s a step
  std::optional<double> mean_nis;
};

struct ObserverComparison {
  std::vector<double> time;
  std::optional<std::vector<double>> reference;  // rad/s
  std::string reference_signal;
  double period = 0.0, resonance = 0.0;  // s, Hz
  DampingTrial trial;
  std::vector<ObservedVelocity> rows;
  std::vector<BodeCurve> plant, virtual_sensor;  // as measured where the log shows it, and by each set of parameters
  double sensor_variance = 0.0;
  std::vector<Diagnostic> diagnostics;
};

// `others` are studies with further parameters for the same observers: the nominal ones.
ObserverComparison compare_observers(const Study& study, const std::vector<Study>& others, const Log& log,
                                     const std::function<void(const std::string&, double)>& progress);

// A whole replay, without keeping what it gives.
double seconds_per_step(Estimator& estimator, const Timeline& timeline);

Report comparison_report(const Study& study, const ObserverComparison& unsorted, const std::string& log);

}  // namespace tauhat
