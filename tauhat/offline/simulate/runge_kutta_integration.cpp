// Classical Runge-Kutta of fourth order. A step that would pass a corner of the law is shortened to end
// there, so the order is kept: the length of the step is the unknown of the search, and no step reaches
// across.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "tauhat/offline/simulate/integration.hpp"

namespace tauhat {
namespace {

using Values = std::vector<double>;

class RungeKuttaIntegration final : public Integration {
 public:
  RungeKuttaIntegration(const Truth& truth, Values start, double longest_step);
  void hold(double input, double) override { inputs_.front() = input; }
  void advance(double until) override;

 private:
  double pieces_under_load(double step) const;
  void advance_by(double step);
  void try_step(double step);
  bool passes_a_kink() const;
  double first_passage(double step);
  double passage(std::size_t kink, double step);

  double longest_step_;
  Values last_;   // the state when this advance began, for the message of a failure
  Values trial_;  // the state at the end of the step that is tried
  Values k1_, k2_, k3_, k4_, stage_;
  Values distance_, trial_distance_;  // to the kinks, at either end
};

RungeKuttaIntegration::RungeKuttaIntegration(const Truth& truth, Values start, double longest_step)
    : Integration(truth, std::move(start)), longest_step_(longest_step), trial_(state_) {
  for (Values* values : {&k1_, &k2_, &k3_, &k4_, &stage_}) values->resize(state_.size());
  for (Values* values : {&distance_, &trial_distance_}) values->resize(static_cast<std::size_t>(truth.kinks));
  if (truth_.kinks > 0) truth_.distance_to_kinks(state_.data(), distance_.data());
}

void RungeKuttaIntegration::advance(double until) {
  const double start = time_;
  const double length = until - start;
  if (length <= 0.0) return;
  begin_interval();
  last_ = state_;
  constexpr double kRounding = 1e-9;  // of a step: k * period is not exact
  const double steps = std::max(1.0, std::ceil(length / longest_step_ - kRounding));
  for (double i = 0.0; i < steps; ++i) {
    time_ = start + length * (i / steps);
    const double step = length / steps, pieces = pieces_under_load(step);
    for (double piece = 0.0; piece < pieces; ++piece) advance_by(step / pieces);
  }
  const bool finite = std::all_of(state_.begin(), state_.end(), [](double x) { return std::isfinite(x); });
  if (!finite) {
    state_ = last_;
    time_ = start;
    fail("the next state is not finite (cvode would shorten its steps here)");
  }
  time_ = until;
}

double RungeKuttaIntegration::pieces_under_load(double step) const {
  if (!truth_.fastest_rate_at) return 1.0;
  const double rate = truth_.fastest_rate_at(state_.data(), inputs_.data());
  const double pieces = std::ceil(rate * step / kRateTimesLongestStep);
  if (pieces > kMostStepsUnasked) fail("under this load friction is too steep for runge-kutta; cvode is faster for it");
  return std::max(1.0, pieces);
}

// One step, in pieces where it passes corners.
void RungeKuttaIntegration::advance_by(double step) {
  double remaining = step;
  while (remaining > 0.0) {
    double taken = remaining;
    truth_.derivative(state_.data(), inputs_.data(), k1_.data());
    try_step(taken);
    const bool passes = passes_a_kink();
    if (passes) {
      taken = first_passage(remaining);
      try_step(taken);
    }
    state_.swap(trial_);
    distance_.swap(trial_distance_);
    time_ += taken;
    remaining -= taken;
    if (passes) note_contact();
  }
}

// x + h (k1 + 2 k2 + 2 k3 + k4) / 6, where k1 is already known.
void RungeKuttaIntegration::try_step(double step) {
  const std::size_t states = state_.size();
  const auto slope_at = [&](const Values& slope, double share, Values& result) {
    for (std::size_t i = 0; i < states; ++i) stage_[i] = state_[i] + share * step * slope[i];
    truth_.derivative(stage_.data(), inputs_.data(), result.data());
  };
  slope_at(k1_, 0.5, k2_);
  slope_at(k2_, 0.5, k3_);
  slope_at(k3_, 1.0, k4_);
  for (std::size_t i = 0; i < states; ++i) {
    trial_[i] = state_[i] + step / 6.0 * (k1_[i] + 2.0 * (k2_[i] + k3_[i]) + k4_[i]);
  }
  if (truth_.kinks > 0) truth_.distance_to_kinks(trial_.data(), trial_distance_.data());
}

// Leaving a corner (distance zero at the start) is no passage.
bool changes_sign(double before, double after) {
  return (before < 0.0 && after >= 0.0) || (before > 0.0 && after <= 0.0);
}

bool RungeKuttaIntegration::passes_a_kink() const {
  for (std::size_t kink = 0; kink < distance_.size(); ++kink) {
    if (changes_sign(distance_[kink], trial_distance_[kink])) return true;
  }
  return false;
}

double RungeKuttaIntegration::first_passage(double step) {
  const Values at_end = trial_distance_;  // the search overwrites it
  double first = step;
  for (std::size_t kink = 0; kink < distance_.size(); ++kink) {
    if (!changes_sign(distance_[kink], at_end[kink])) continue;
    trial_distance_ = at_end;
    first = std::min(first, passage(kink, step));
  }
  return first;
}

// Regula falsi, Illinois variant (Dowell and Jarratt 1971): an end that stays twice loses half its weight.
// Answers the end of the bracket on or beyond the corner, so that the next step starts on its other side.
double RungeKuttaIntegration::passage(std::size_t kink, double step) {
  double before = 0.0, beyond = step;
  const double at_start = distance_[kink], at_end = trial_distance_[kink];
  double distance_before = at_start, distance_beyond = at_end;
  constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
  const double on_the_corner = 4 * kEpsilon * std::abs(at_end - at_start);
  constexpr int kMostIterations = 60;
  enum { neither, before_moved, beyond_moved } last = neither;
  for (int i = 0; i < kMostIterations; ++i) {
    if (std::abs(distance_beyond) <= on_the_corner || beyond - before <= 4 * kEpsilon * step) break;
    const double middle = before - distance_before * (beyond - before) / (distance_beyond - distance_before);
    try_step(middle);
    const double distance = trial_distance_[kink];
    if (changes_sign(at_start, distance)) {
      beyond = middle;
      distance_beyond = distance;
      if (last == beyond_moved) distance_before *= 0.5;
      last = beyond_moved;
    } else {
      before = middle;
      distance_before = distance;
      if (last == before_moved) distance_beyond *= 0.5;
      last = before_moved;
    }
  }
  return beyond;
}

}  // namespace

std::unique_ptr<Integration> integrate_by_runge_kutta(const Truth& truth, std::vector<double> start,
                                                      double longest_step) {
  return std::make_unique<RungeKuttaIntegration>(truth, std::move(start), longest_step);
}

}  // namespace tauhat
