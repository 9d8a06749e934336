// A particle filter (Gordon, Salmond and Smith 1993): what the belief really is where a model jumps and no Gaussian
// describes it. Slow and plain; an oracle, not an estimator.
//   each particle moves by the model and its noise, is weighed by the likelihood of each measurement, and is drawn
//   anew, systematically, once the weights have become uneven.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "tauhat/offline/simulate/random.hpp"

namespace tauhat {

template <class State>
class Particles {
 public:
  Particles(std::size_t count, Random random)
      : state_(count), weight_(count, 1.0 / static_cast<double>(count)), random_(random) {}

  std::vector<State>& states() { return state_; }

  // `move(state, random)`
  template <class Move>
  void predict(const Move& move) {
    for (State& state : state_) move(state, random_);
  }

  // `log_likelihood(state)` of the measurement.
  template <class LogLikelihood>
  void correct(const LogLikelihood& log_likelihood) {
    std::vector<double> logarithm(state_.size());
    for (std::size_t i = 0; i < state_.size(); ++i) logarithm[i] = log_likelihood(state_[i]);
    const double largest = *std::max_element(logarithm.begin(), logarithm.end());
    double sum = 0.0, squares = 0.0;
    for (std::size_t i = 0; i < state_.size(); ++i) sum += weight_[i] *= std::exp(logarithm[i] - largest);
    for (double& weight : weight_) weight /= sum, squares += weight * weight;
    if (1.0 / squares < 0.5 * static_cast<double>(state_.size())) draw_anew();
  }

  // Weighted mean of a number of the state.
  template <class Quantity>
  double mean(const Quantity& quantity) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < state_.size(); ++i) sum += weight_[i] * quantity(state_[i]);
    return sum;
  }
  template <class Quantity>
  double std(const Quantity& quantity) const {
    const double middle = mean(quantity);
    return std::sqrt(mean([&](const State& state) { return (quantity(state) - middle) * (quantity(state) - middle); }));
  }

 private:
  void draw_anew() {
    const double each = 1.0 / static_cast<double>(state_.size());
    std::vector<State> drawn;
    drawn.reserve(state_.size());
    double mark = random_.uniform(0.0, each), passed = weight_.front();
    for (std::size_t i = 0; drawn.size() < state_.size(); mark += each) {
      while (mark > passed && i + 1 < state_.size()) passed += weight_[++i];
      drawn.push_back(state_[i]);
    }
    state_ = std::move(drawn);
    std::fill(weight_.begin(), weight_.end(), each);
  }

  std::vector<State> state_;
  std::vector<double> weight_;
  Random random_;
};

}  // namespace tauhat
