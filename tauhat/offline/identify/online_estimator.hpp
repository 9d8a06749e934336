// The study's filter step by step, as a stream runs it. Beside it run as many others as the study has values that are
// known only so well, times two: each is off by its deviation, up or down, and how far the estimates then lie apart is
// in every standard deviation, as `estimate` has it.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "tauhat/offline/identify/input_spread.hpp"
#include "tauhat/offline/identify/online.hpp"

namespace tauhat {

class OnlineEstimator {
 public:
  OnlineEstimator(const Study& study, double intensity, const FirstRow& first);

  // As of Estimator, by the study's values as it gives them; only the deviations are of all filters.
  const std::vector<OutputInfo>& outputs() const { return as_said_->outputs(); }
  std::vector<Diagnostic> remarks() const { return as_said_->remarks(); }
  std::size_t lag() const noexcept { return as_said_->lag(); }
  void set_lag(std::size_t samples);
  Correction<double> correct(const Measurement<double>& z) noexcept;
  StepStatus predict(std::span<const double> u, double dt) noexcept;
  bool settle();
  void estimate(int output, double& value, double& std) const noexcept;
  void lagged(int output, double& value, double& std) const noexcept;
  void finish(const std::function<void()>& each);

 private:
  // A filter with one of the study's values off.
  struct Moved {
    std::size_t parameter;  // which of them
    std::unique_ptr<Estimator> filter;
    std::vector<std::vector<double>> last;  // at the end, what its lag still held: of each instant and output

    double value(int output) const noexcept;
    double lagged_value(int output, std::size_t finished) const noexcept;
  };

  // The deviation by noise and values, `value_of(moved)` being what the others make of the number.
  template <class Value>
  double widened(double said, double noise, const Value& value_of) const noexcept;

  std::unique_ptr<Estimator> as_said_;
  std::vector<Moved> moved_;  // both sides of a value stand together
  std::size_t finished_ = 0;  // instants that finish() has given
};

}  // namespace tauhat
