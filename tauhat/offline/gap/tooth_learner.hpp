// The errors of a wheel's teeth, each learned by itself from the innovations of its pulses. A pulse of tooth n shows
// y = th - e[n]; the filter is given y + e[n]. Learning and trusting at once makes both worse: while it learns, the
// filter is told a larger std; once frozen, the table is used with a smaller one.
#pragma once

#include <cstddef>
#include <numeric>
#include <vector>

namespace tauhat {

class ToothLearner {
 public:
  // While learning, the filter takes the teeth for so many times worse than they are.
  static constexpr double kCaution = 1.5;
  // What the teeth have in common, a wheel that runs out of true, is taken for motion at first, and less so each time
  // that the record is gone through.
  static constexpr int kSweeps = 4;

  // The `missing` ones are the last of a turn.
  ToothLearner(std::size_t teeth, double std, std::size_t missing = 0)
      : error_(teeth, 0.0), variance_(teeth, std * std), std_(std), last_(teeth - missing - 1) {}

  double error(std::size_t tooth) const { return error_[tooth]; }
  const std::vector<double>& errors() const noexcept { return error_; }
  double variance(std::size_t tooth) const { return variance_[tooth]; }

  // The record is gone through again: what was learned is kept, but may change as before.
  void begin_sweep() { variance_.assign(error_.size(), std_ * std_); }

  // By the innovation and its variance at a pulse.
  void learn(std::size_t tooth, double innovation, double innovation_variance) {
    const double share = variance_[tooth] / (innovation_variance + variance_[tooth]);
    error_[tooth] -= share * innovation;
    variance_[tooth] *= 1.0 - share;
    if (tooth == last_) remove_mean();
  }

  // Their mean cannot be told from the counter's offset.
  void remove_mean() {
    const auto end = error_.begin() + static_cast<std::ptrdiff_t>(last_) + 1;
    const double mean = std::accumulate(error_.begin(), end, 0.0) / static_cast<double>(last_ + 1);
    for (auto e = error_.begin(); e != end; ++e) *e -= mean;
  }

 private:
  std::vector<double> error_, variance_;
  double std_;
  std::size_t last_;
};

}  // namespace tauhat
