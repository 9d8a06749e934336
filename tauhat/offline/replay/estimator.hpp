// The run-time face of any filter: what commands, fits and reports work with. EstimatorOf is the only adapter from the
// static core to it.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tauhat/core/filters/correction.hpp"
#include "tauhat/offline/replay/timeline.hpp"

namespace tauhat {

struct OutputInfo {
  std::string name, unit;
};

// One output over time: value and standard deviation at each instant.
struct Track {
  std::vector<double> value, std;
};

// Innovations of one sensor; NaN where there was no correction.
struct Innovations {
  std::vector<double> innovation, std;
};

struct ReplayOptions {
  bool smooth = false;
  bool tracks = true;                         // false: only likelihood and innovation statistics
  std::size_t settling = 0;                   // instants at the start that those statistics leave out
  std::function<void(double)> progress = {};  // share done
};

// What the corrections of a pass say together. What a gate refuses counts as well, so that it cannot hide a filter that
// is lost; a correction without a variance, as of an observer that knows none, does not.
struct InnovationCounts {
  double log_likelihood = 0.0;
  double nis_sum = 0.0;
  std::size_t corrections = 0, gated = 0, failed = 0;

  void count(const Correction<double>& correction);
  void add(const InnovationCounts& others);
  double mean_nis() const { return corrections ? nis_sum / static_cast<double>(corrections) : 0.0; }
};

struct Replay : InnovationCounts {
  std::vector<Track> filtered, smoothed;  // one per output: x(k|k), and x(k|all) where asked for
  std::vector<Track> lagged;              // x(k|k+lag) where a lag is set
  std::vector<Innovations> innovations;   // one per sensor
};

// Steps that the filter could not take: it stays where it was, so that too many of them make its answer worthless.
std::vector<Diagnostic> diagnose_steps(std::size_t failed, std::size_t steps);

class Estimator {
 public:
  virtual ~Estimator() = default;
  virtual const std::vector<OutputInfo>& outputs() const = 0;
  virtual std::unique_ptr<Estimator> clone() const = 0;

  // Intensity of the random walk, in its unit per square root of a second; 0 where there is none to set.
  virtual void set_intensity(double) {}
  virtual double intensity() const { return 0.0; }

  // Fixed lag in samples; 0: none. Begins anew, as reset() does. Of estimators that have none a study with a lag is
  // refused.
  virtual void set_lag(std::size_t) {}
  virtual std::size_t lag() const noexcept { return 0; }
  // Corrections with a normalised innovation squared above this are refused, where there is a variance to judge by.
  virtual void set_gate(double) {}

  // Step by step: correct with what was measured now, then predict once, with the input held over dt. The numbers are
  // those of replay(), to the last bit.
  virtual void reset() = 0;
  virtual Correction<double> correct(const Measurement<double>& z) noexcept = 0;
  virtual StepStatus predict(std::span<const double> u, double dt) noexcept = 0;
  virtual void estimate(int output, double& value, double& std) const noexcept = 0;

  // The fixed lag, step by step: after the last correction of an instant, whether x(k-lag|k) is there for lagged() to
  // read. At the end, finish() calls `each` for the instants younger than the lag, oldest first.
  virtual bool settle() { return false; }
  virtual void lagged(int, double&, double&) const noexcept {}
  virtual void finish(const std::function<void()>&) {}

  // The whole log at once, from the prior: by its own steps, where it has nothing faster and no smoother.
  virtual Replay replay(const Timeline& timeline, const ReplayOptions& options);

  // What was noticed on the way, beside the numbers.
  virtual std::vector<Diagnostic> remarks() const { return {}; }

  int find_output(const std::string& name) const;  // -1 where there is none
};

}  // namespace tauhat
