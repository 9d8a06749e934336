#include "tauhat/offline/joint/displacement_fit.hpp"

#include <fmt/format.h>
#include <Eigen/Dense>

#include <algorithm>
#include <limits>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/friction/long_run_covariance.hpp"
#include "tauhat/offline/signal/differentiate.hpp"

namespace tauhat {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Samples = std::vector<double>;

enum Column { by_velocity, by_torque, constant_column, by_direction, by_lag, kColumns };

// The load as it was when its channel says so: values earlier by the skew, by the cubic through four samples.
Samples earlier(const Samples& values, double skew, double period) {
  const auto last = static_cast<double>(values.size() - 1);
  const auto at = [&](double place) { return values[static_cast<std::size_t>(std::clamp(place, 0.0, last))]; };
  Samples moved;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double place = static_cast<double>(k) + skew / period, before = std::floor(place), s = place - before;
    const double y0 = at(before - 1), y1 = at(before), y2 = at(before + 1), y3 = at(before + 2);
    moved.push_back(y1 + 0.5 * s * (y2 - y0 + s * (2 * y0 - 5 * y1 + 4 * y2 - y3 + s * (3 * (y1 - y2) + y3 - y0))));
  }
  return moved;
}

//   x + T x' = u
// with u by lines between its samples, from which is taken beforehand what these lose of its curvature, h^2 u'' / 12.
Samples lagged(const Samples& values, double lag, double period) {
  if (!(lag > 1e-3 * period)) return values;
  const double decay = std::exp(-period / lag), mean = lag / period * (1.0 - decay);
  const auto straight = [&](std::size_t k) {
    const bool is_end = k == 0 || k + 1 == values.size();
    return is_end ? values[k] : values[k] - (values[k - 1] - 2.0 * values[k] + values[k + 1]) / 12.0;
  };
  Samples after{values.front()};
  for (std::size_t k = 1; k < values.size(); ++k)
    after.push_back(decay * after.back() + (mean - decay) * straight(k - 1) + (1.0 - mean) * straight(k));
  return after;
}

// Of the motor's torque, what the teeth leave. The motor's own friction is known by what it takes from the
// displacement.
Samples through_teeth(const DisplacementRecord& record, double share, double friction) {
  if (share == 0.0) return record.torque;
  Samples torque;
  for (std::size_t k = 0; k < record.torque.size(); ++k) {
    const double passed_on = record.torque[k] - friction * record.direction[k];
    torque.push_back(friction * record.direction[k] +
                     passed_on / (1.0 + share * record.direction[k] * std::copysign(1.0, passed_on)));
  }
  return torque;
}

// What the columns are taken about.
struct Belief {
  double skew = 0.0, lag = 0.0;  // s
  double friction = 0.0;         // N m, at the load side
};

struct Regression {
  MatrixXd columns;
  VectorXd displacement;
};

// Those of skew and lag are what the displacement changes by.
Regression regression_about(const Belief& belief, const DisplacementRecord& record,
                            const std::vector<std::size_t>& used, double share) {
  const double h = record.period;
  const Samples load = earlier(bridged(record.load), belief.skew, h), rate = differentiate(load, h),
                torque = lagged(through_teeth(record, share, belief.friction), belief.lag, h),
                change = lagged(differentiate(torque, h), belief.lag, h);
  Regression regression{MatrixXd(static_cast<Index>(used.size()), static_cast<int>(kColumns)),
                        VectorXd(static_cast<Index>(used.size()))};
  for (std::size_t row = 0; row < used.size(); ++row) {
    const auto i = static_cast<Index>(row);
    const std::size_t k = used[row];
    regression.columns.row(i) << rate[k], torque[k], 1.0, record.direction[k], -change[k];
    regression.displacement[i] = record.motor[k] - load[k];
  }
  return regression;
}

struct Solution {
  VectorXd value, fitted;
  MatrixXd covariance;

  FittedNumber number(Column column) const {
    return {value[column], std::sqrt(std::max(covariance(column, column), 0.0))};
  }
  // T of tau / K - T tau' / K.
  FittedNumber lag() const {
    return {value[by_lag] / value[by_torque], std::sqrt(covariance(by_lag, by_lag)) / std::abs(value[by_torque])};
  }
};

// `columns`: so many of the first; the others' numbers are zero.
Solution solve(const Regression& regression, Index columns) {
  const auto x = regression.columns.leftCols(columns);
  const VectorXd scale = x.colwise().norm().cwiseMax(std::numeric_limits<double>::min()).transpose();
  const MatrixXd scaled = x * scale.cwiseInverse().asDiagonal();
  const MatrixXd inverse = (scaled.transpose() * scaled).completeOrthogonalDecomposition().pseudoInverse();
  const VectorXd solution = inverse * (scaled.transpose() * regression.displacement);
  Solution found{VectorXd::Zero(kColumns), scaled * solution, MatrixXd::Zero(kColumns, kColumns)};
  const VectorXd residual = regression.displacement - found.fitted;
  // Residuals of a mechanism follow each other: the scores' long-run covariance, between two inverses of X^T X.
  const MatrixXd scores = sums_in_blocks(residual.asDiagonal() * scaled);
  const auto blocks = static_cast<double>(scores.rows()), left = blocks - 2.0 * static_cast<double>(columns);
  const MatrixXd covariance = blocks / left * inverse * long_run_covariance(scores) * inverse;
  found.value.head(columns) = solution.cwiseQuotient(scale);
  found.covariance.topLeftCorner(columns, columns) =
      scale.cwiseInverse().asDiagonal() * covariance * scale.cwiseInverse().asDiagonal();
  return found;
}

// Samples at which everything was measured, and nothing is left of the ends, beyond which filters have to guess.
std::vector<std::size_t> used_of(const DisplacementRecord& record) {
  constexpr double kForgotten = 3.0;   // 1 / band
  constexpr std::size_t kAtMost = 10;  // of a short record the tenth part
  const std::size_t size = record.load.size();
  const double reach = record.band > 0.0 ? kForgotten / (record.band * record.period) : 1.0;
  const std::size_t left_out = std::min(static_cast<std::size_t>(reach) + 1, size / kAtMost + 1);
  std::vector<std::size_t> used;
  for (std::size_t k = left_out; k + left_out < size; ++k)
    if (std::isfinite(record.load[k])) used.push_back(k);
  return used;
}

}  // namespace

DisplacementFit fit_displacement(const DisplacementRecord& record, const std::string& source,
                                 const DisplacementPrior& prior) {
  constexpr int kSteps = 8;
  constexpr double kLagUnknown = 2e-3, kLongestLag = 0.05, kLongestSkew = 0.1;  // s
  const std::vector<std::size_t> used = used_of(record);
  Belief belief{.skew = 0.0, .lag = prior.lag, .friction = 0.0};
  Regression regression = regression_about(belief, record, used, prior.share);
  const auto moves = [&](Column column) { return regression.columns.col(column).squaredNorm() > 0.0; };
  if (used.size() < 10 * kColumns || !moves(by_velocity) || !moves(by_torque))
    throw Error(ExitCode::unusable_data,
                fmt::format("{}: motor and load do not move enough to compare their positions; record a motion with "
                            "torque in both directions",
                            source));
  Index columns = kColumns;
  Solution solution = solve(regression, columns);
  for (int step = 0; step < kSteps; ++step) {
    if (columns == kColumns && !(solution.lag().std < kLagUnknown)) columns = by_lag, belief.lag = prior.lag;
    if (columns == kColumns) belief.lag = std::clamp(belief.lag + solution.lag().value, 0.0, kLongestLag);
    belief.skew = std::clamp(belief.skew + solution.value[by_velocity], -kLongestSkew, kLongestSkew);
    belief.friction = solution.value[by_torque] > 0.0 ? -solution.value[by_direction] / solution.value[by_torque] : 0.0;
    regression = regression_about(belief, record, used, prior.share);
    solution = solve(regression, columns);
  }
  DisplacementFit fit;
  fit.skew = solution.number(by_velocity), fit.compliance = solution.number(by_torque);
  fit.skew.value += belief.skew;
  // What held torques, filters and curves between samples are trusted to.
  constexpr double kOfStiffness = 1e-4, kOfPeriod = 1e-3;
  fit.compliance.std = std::hypot(fit.compliance.std, kOfStiffness * fit.compliance.value);
  fit.skew.std = std::hypot(fit.skew.std, kOfPeriod * record.period);
  fit.offset = solution.number(constant_column), fit.loss = solution.number(by_direction);
  fit.lag = belief.lag;
  const VectorXd residual = regression.displacement - solution.fitted;
  fit.fitted.assign(record.load.size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t row = 0; row < used.size(); ++row) {
    const std::size_t k = used[row];
    fit.fitted[k] = record.motor[k] - record.load[k] - residual[static_cast<Index>(row)];
  }
  return fit;
}

}  // namespace tauhat
