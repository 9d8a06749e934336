// The belief that a filter of the gap starts with: positions and speeds from the first samples of both sides, in
// contact on the side that the command presses to.
#pragma once

#include <array>
#include <optional>

#include "tauhat/core/gaussian.hpp"
#include "tauhat/offline/gap/gap_estimator.hpp"

namespace tauhat {

// Of the runout's cosine and sine alike: a wheel may run out of true by as much as its teeth would, each by itself.
double runout_variance(const GapSpec& spec) noexcept;

// Collects samples until both sides' motion is known.
class GapStart {
 public:
  explicit GapStart(const GapSpec& spec) : spec_(spec) {}

  void add(double now, const Measurement<double>& z) noexcept;
  bool is_complete() const noexcept;

  struct Belief {
    Gaussian<double, Powertrain<double>::kStates> state;
    GapMode mode;
  };
  Belief belief(double now, double command) const;

 private:
  struct Side {
    int samples = 0;  // of the position
    double time = 0.0, position = 0.0, variance = 0.0, before = 0.0, interval = 0.0;
    std::optional<double> velocity{};
    double velocity_variance = 0.0;
    bool is_known() const noexcept { return samples >= 2 || velocity.has_value(); }
    double speed() const noexcept { return velocity ? *velocity : (position - before) / interval; }
    double speed_variance() const noexcept;
  };
  GapSpec spec_;
  std::array<Side, 2> sides_{};  // motor, load
};

}  // namespace tauhat
