// A drive on its way through time. The input is constant between two calls of `hold`; the law's corners are
// located, and the integration starts afresh at each, because no formula of higher order may reach across
// one.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "tauhat/offline/simulate/simulate.hpp"

namespace tauhat {

class Integration {
 public:
  Integration(const Truth& truth, std::vector<double> start);
  virtual ~Integration() = default;
  Integration(const Integration&) = delete;
  Integration& operator=(const Integration&) = delete;

  // From now on the input is this; it will not change before `until`, and `advance` is not asked to pass it.
  virtual void hold(double input, double until) = 0;

  // Moves to that time; does nothing when it is already there.
  virtual void advance(double until) = 0;

  double time() const noexcept { return time_; }
  double output(int index) const { return truth_.output(index, state_.data(), inputs_.data()); }
  const std::vector<double>& state() const noexcept { return state_; }
  const std::vector<double>& contacts() const noexcept { return contacts_; }  // when each corner was passed

 protected:
  // Notes that the state stands on a corner. Refuses more of them than any drive passes between two samples.
  void note_contact();
  void begin_interval() noexcept { contacts_before_ = contacts_.size(); }
  [[noreturn]] void fail(std::string_view reason) const;

  const Truth& truth_;
  std::vector<double> state_, inputs_;
  double time_ = 0.0;

 private:
  std::vector<double> contacts_;
  std::size_t contacts_before_ = 0;
};

// Runge-Kutta is stable up to rate * step = 2.78 and follows the motion well below that.
inline constexpr double kRateTimesLongestStep = 1.5;
inline constexpr double kMostStepsUnasked = 1000;  // that the fastest motion may cost: a sample, or a step under load

// SUNDIALS CVODE with root finding. Steps follow from the tolerance.
std::unique_ptr<Integration> integrate_by_cvode(const Truth& truth, std::vector<double> start, double tolerance);

// Classical Runge-Kutta of fourth order, steps of at most `longest_step`, and shorter where the load makes the
// motion faster.
std::unique_ptr<Integration> integrate_by_runge_kutta(const Truth& truth, std::vector<double> start,
                                                      double longest_step);

}  // namespace tauhat
