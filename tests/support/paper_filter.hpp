// The filters and fixed-lag smoothers of Shimizu et al. as printed, with their errors mended: Heun's step with its own
// Jacobian, a hard sign, and all columns P(j,0) = E[e(t-j) e(t)^T]. Slow and plain; what others are held against.
//   parametric:  z = (x, v, theta_1, theta_2, theta_3),   f = sgn(v) (theta_1 exp(-theta_2 |v|) + theta_3)
//   blind:       z = (x, v, f),                           f with its sign, against motion
#pragma once

#include <Eigen/Dense>

#include <cmath>
#include <vector>

#include "tauhat/core/models/axis.hpp"
#include "tauhat/offline/replay/timeline.hpp"

namespace tauhat {

struct ExponentialOfThePaper {
  using State = Eigen::Matrix<double, 5, 1>;
  static double sign(double v) { return v > 0.0 ? 1.0 : v < 0.0 ? -1.0 : 0.0; }
  static double friction(const State& z) { return sign(z[1]) * (z[2] * std::exp(-z[3] * std::abs(z[1])) + z[4]); }
  static State gradient(const State& z) {
    const double speed = std::abs(z[1]), fallen = std::exp(-z[3] * speed), s = sign(z[1]);
    return State(0.0, -z[2] * z[3] * fallen, s * fallen, -s * z[2] * speed * fallen, s);
  }
};

struct SignedFriction {
  using State = Eigen::Matrix<double, 3, 1>;
  static double friction(const State& z) { return z[2]; }
  static State gradient(const State&) { return State::Unit(2); }
};

template <class Friction>
struct ColumnFilter {
  using State = typename Friction::State;
  using Square = Eigen::Matrix<double, State::RowsAtCompileTime, State::RowsAtCompileTime>;

  Axis<double> axis;
  State start, variances;
  State q;  // enters as dt^2 Q a step

  struct Tracks {
    std::vector<double> filtered, lagged;  // friction; lagged near the end by all samples there are
  };

  static double friction(const State& z) { return Friction::friction(z); }

  State rate(const State& z, double force) const {
    State rate = State::Zero();
    rate[0] = z[1];
    rate[1] = (axis.net_force(z[0], force) - axis.damping * z[1] - friction(z)) / axis.mass;
    return rate;
  }

  Square rate_by_state(const State& z) const {
    Square by = Square::Zero();
    by(0, 1) = 1.0;
    by(1, 0) = -(axis.stiffness + axis.gravity_sine * std::cos(z[0]) - axis.gravity_cosine * std::sin(z[0]));
    by(1, 1) = -axis.damping;
    by.row(1) -= Friction::gradient(z).transpose();
    by.row(1) /= axis.mass;
    return by;
  }

  Tracks run(const Timeline& timeline, std::size_t lag) const {
    Tracks tracks;
    State z = start;
    Square p = variances.asDiagonal();
    std::vector<State> past;      // z(t-j), j = 0 first
    std::vector<Square> columns;  // P(j,0)
    const auto& sensor = timeline.sensors[0];
    for (std::size_t k = 0; k < timeline.size(); ++k) {
      past.insert(past.begin(), z);
      columns.insert(columns.begin(), p);
      if (past.size() > lag + 1) past.pop_back(), columns.pop_back();
      const double s = p(0, 0) + sensor.variance, innovation = sensor.value[k] - z[0];
      const State row = p.col(0);
      for (std::size_t j = 0; j < past.size(); ++j) {
        const State gain = columns[j].col(0) / s;
        past[j] += gain * innovation;
        columns[j] -= gain * row.transpose();
      }
      z = past[0], p = columns[0];
      tracks.filtered.push_back(friction(z));
      if (past.size() == lag + 1) tracks.lagged.push_back(friction(past.back()));
      if (k + 1 == timeline.size()) break;
      const double h = timeline.interval(k), force = timeline.inputs[0][k];
      const State first = rate(z, force), there = z + h * first;
      const Square a = rate_by_state(z), b = rate_by_state(there);
      const Square phi = Square::Identity() + 0.5 * h * (a + b * (Square::Identity() + h * a));
      z += 0.5 * h * (first + rate(there, force));
      for (Square& column : columns) column = (column * phi.transpose()).eval();
      p = phi * columns[0] + Square((h * h * q).asDiagonal());
      p = (0.5 * (p + p.transpose())).eval();
    }
    for (std::size_t j = past.size() - 1; j-- > 0 && lag > 0;) tracks.lagged.push_back(friction(past[j]));
    return tracks;
  }
};

using PaperFilter = ColumnFilter<ExponentialOfThePaper>;
using BlindPaperFilter = ColumnFilter<SignedFriction>;

}  // namespace tauhat
