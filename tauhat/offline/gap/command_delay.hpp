// A command that acts later: what was commanded at t is in force from t + delay on.
#pragma once

#include <deque>
#include <limits>

namespace tauhat {

class CommandDelay {
 public:
  explicit CommandDelay(double delay) : delay_(delay) {}

  // From `now` on the command is this.
  void command(double now, double value) {
    if (changes_.empty()) acting_ = value;  // before the first one: the same
    if (changes_.empty() || changes_.back().value != value) changes_.push_back({now + delay_, value});
  }

  // What acts at `now`, and until when (infinity where nothing is to change).
  struct Acting {
    double value, until;
  };
  Acting at(double now) {
    while (changes_.size() > 1 && changes_[1].from <= now) changes_.pop_front();
    if (!changes_.empty() && changes_.front().from <= now) acting_ = changes_.front().value;
    for (const Change& change : changes_)
      if (change.from > now) return {acting_, change.from};
    return {acting_, std::numeric_limits<double>::infinity()};
  }

 private:
  struct Change {
    double from, value;
  };
  double delay_, acting_ = 0.0;
  std::deque<Change> changes_;
};

}  // namespace tauhat
