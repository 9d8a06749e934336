// Truth of an axis with solid friction, whose sign is a jump: it slides one way or the other, or sticks. Turning points
// and breakaways are located, so that no step straddles one.
#pragma once

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "tauhat/core/models/axis.hpp"

namespace tauhat {

struct AxisTruth {
  std::vector<double> time, position, velocity, friction;  // friction against motion, as it acts at each instant
  std::vector<char> sticks;
};

// The law is used with its hard sign: its torque for the smallest speed is what it takes to break away.
template <class Law>
class StickSlip {
 public:
  StickSlip(const Axis<double>& axis, const Law& law, std::function<double(double)> applied)
      : axis_(axis), law_(law), applied_(std::move(applied)) {}

  AxisTruth run(double position, double velocity, double period, std::size_t samples, int substeps) {
    x_ = {position, velocity};
    side_ = velocity > 0.0 ? 1 : velocity < 0.0 ? -1 : side_at_rest(0.0);
    AxisTruth motion;
    for (std::size_t k = 0; k < samples; ++k) {
      const double t = static_cast<double>(k) * period;
      motion.time.push_back(t);
      motion.position.push_back(x_[0]), motion.velocity.push_back(x_[1]);
      motion.friction.push_back(side_ == 0 ? axis_.net_force(x_[0], applied_(t)) : friction(x_[1], side_));
      motion.sticks.push_back(side_ == 0);
      const double h = period / substeps;
      for (int i = 0; i < substeps; ++i) advance(t + i * h, h);
    }
    return motion;
  }

 private:
  using State = Vector<double, 2>;
  static constexpr double kStandstill = 1e-300;

  double friction(double velocity, int side) const {
    const double speed = std::max(side * velocity, kStandstill);
    return law_.torque(side * speed);
  }

  // Which way it breaks away, or 0: it sticks.
  int side_at_rest(double t) const {
    const double net = axis_.net_force(x_[0], applied_(t));
    if (net > friction(0.0, 1)) return 1;
    return net < friction(0.0, -1) ? -1 : 0;
  }

  State slid(const State& from, double t, double h) const {
    const auto rate = [&](const State& x, double at) {
      return axis_.derivative(x, {applied_(at), friction(x[1], side_)});
    };
    const State k1 = rate(from, t), k2 = rate(from + h / 2 * k1, t + h / 2), k3 = rate(from + h / 2 * k2, t + h / 2),
                k4 = rate(from + h * k3, t + h);
    return from + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }

  // The largest share of an interval for which `holds`; it does at zero and does not at one.
  template <class Holds>
  static double last_share(Holds holds) {
    double low = 0.0, high = 1.0;
    for (int i = 0; i < 60; ++i) {
      const double middle = 0.5 * (low + high);
      (holds(middle) ? low : high) = middle;
    }
    return high;
  }

  void advance(double t, double h) {
    constexpr int kMostEvents = 20;  // in one sub-step: a guard, not a limit that physics reaches
    for (int event = 0; event < kMostEvents && h > 0.0; ++event) {
      double share = 1.0;
      if (side_ == 0) {
        if (side_at_rest(t + h) == 0) return;
        share = last_share([&](double s) { return side_at_rest(t + s * h) == 0; });
        side_ = side_at_rest(t + share * h);
      } else {
        const State end = slid(x_, t, h);
        if (side_ * end[1] >= 0.0) {
          x_ = end;
          return;
        }
        share = last_share([&](double s) { return side_ * slid(x_, t, s * h)[1] >= 0.0; });
        x_ = slid(x_, t, share * h);
        x_[1] = 0.0;
        side_ = side_at_rest(t + share * h);
      }
      t += share * h;
      h *= 1.0 - share;
    }
  }

  Axis<double> axis_;
  Law law_;
  std::function<double(double)> applied_;
  State x_;
  int side_ = 0;
};

}  // namespace tauhat
