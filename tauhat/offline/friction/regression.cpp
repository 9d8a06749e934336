#include "tauhat/offline/friction/regression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/quantile.hpp"
#include "tauhat/offline/signal/decimate.hpp"
#include "tauhat/offline/signal/differentiate.hpp"
#include "tauhat/offline/signal/zero_phase.hpp"

namespace tauhat {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Series = std::vector<double>;

constexpr int kFilterOrder = 4;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kNormal95 = 1.959964;

// --- the motion ---------------------------------------------------------------------------------------------------

double sum_of_squares(const Series& values) {
  double sum = 0.0;
  for (const double value : values) sum += value * value;
  return sum;
}

void check(const AxisRecord& record, double cut_off, double trimmed) {
  const auto refuse = [&](const std::string& what) {
    throw Error(ExitCode::unusable_data, record.source + ": " + what);
  };
  const std::size_t size = record.force.size();
  if (!(record.period > 0.0)) refuse(fmt::format("a sampling period of {:g} s: must be positive", record.period));
  if (record.position.size() != size || (!record.velocity.empty() && record.velocity.size() != size)) {
    refuse(fmt::format("position, velocity and force have {}, {} and {} samples: must be equally many",
                       record.position.size(), record.velocity.size(), size));
  }
  for (const Series* values : {&record.position, &record.velocity, &record.force}) {
    const auto hole = std::find_if(values->begin(), values->end(), [](double x) { return !std::isfinite(x); });
    if (hole != values->end()) {
      refuse(fmt::format("sample {} is missing: the regression needs a record without holes", hole - values->begin()));
    }
  }
  if (cut_off >= 0.5 / record.period) {
    refuse(fmt::format("a filter at {:g} Hz, but the record has only {:g} samples a second: choose less than half",
                       cut_off, 1.0 / record.period));
  }
  const double length = static_cast<double>(size) * record.period;
  if (!(length > 2.0 * trimmed + 2.0 * record.period)) {
    refuse(fmt::format("{:.3g} s are too short: {:g} s are dropped at each end; record longer, or drop less", length,
                       trimmed));
  }
}

Series smooth(const Series& values, double cut_off, double period) {
  if (cut_off <= 0.0) return values;
  return filter_zero_phase(butterworth_low_pass(kFilterOrder, 2.0 * cut_off * period), values);
}

// The sensor that the motion is derived from, and how often it is differentiated to become a velocity.
struct MotionSensor {
  const Series& values;
  bool is_velocity;
};

MotionSensor sensor_of(const AxisRecord& record) {
  if (record.velocity.empty()) return {record.position, false};
  return {record.velocity, true};
}

struct MotionNoise {
  double velocity = 0.0, acceleration = 0.0;  // deviations
};

// Variance of the sensor's white noise, seen in what the filter takes away; round-off at least. With h the filter's
// response to an impulse:
//   Var(x - h * x) = sigma^2 (1 - 2 h_0 + sum h^2)
double sensor_variance(const AxisRecord& record, double cut_off, const Series& response) {
  const Series& values = sensor_of(record).values;
  double largest = 0.0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  const double round_off = 16.0 * std::numeric_limits<double>::epsilon() * largest;
  if (cut_off <= 0.0) return round_off * round_off;  // nothing is taken away: the caller says that there is no noise
  Series removed = smooth(values, cut_off, record.period);
  for (std::size_t k = 0; k < values.size(); ++k) removed[k] -= values[k];
  const double variance = sum_of_squares(removed) / static_cast<double>(removed.size());
  return std::max(variance / (1.0 - 2.0 * response[response.size() / 2] + sum_of_squares(response)),
                  round_off * round_off);
}

// What filter, differences and decimation, together the response g to an impulse, leave of the sensor's noise:
//   Var(g * x) = sigma^2 sum g^2
MotionNoise noise_of_motion(const AxisRecord& record, double cut_off, int decimation) {
  const double filter_reach = cut_off > 0.0 ? 20.0 / (cut_off * record.period) : 4.0;
  const auto reach = static_cast<std::size_t>(filter_reach) + static_cast<std::size_t>(decimation) * 40;
  Series impulse(2 * reach + 1, 0.0);
  impulse[reach] = 1.0;
  const Series response = smooth(impulse, cut_off, record.period);
  const double variance = sensor_variance(record, cut_off, response);
  const Series velocity = sensor_of(record).is_velocity ? response : differentiate(response, record.period);
  const Series acceleration = differentiate(velocity, record.period);
  return {std::sqrt(variance * sum_of_squares(anti_alias(velocity, decimation))),
          std::sqrt(variance * sum_of_squares(anti_alias(acceleration, decimation)))};
}

void trim(Series& values, std::size_t by) {
  values.erase(values.end() - static_cast<std::ptrdiff_t>(by), values.end());
  values.erase(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(by));
}

// --- the columns --------------------------------------------------------------------------------------------------

struct Column {
  std::string name;
  Series values;         // at the record's rate
  bool is_load = false;  // the mesh carries it: mass and gravity
};

template <class Value>
Series column_of(const AxisMotion& motion, const Value& value) {
  Series values(motion.size());
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = value(k);
  return values;
}

double sign(double value) { return value > 0.0 ? 1.0 : value < 0.0 ? -1.0 : 0.0; }

std::vector<Column> friction_columns(const AxisMotion& motion, FrictionShape shape) {
  const Series& v = motion.velocity;
  const auto column = [&](const char* name, const auto& value) { return Column{name, column_of(motion, value)}; };
  if (shape == FrictionShape::symmetric) {
    return {column("friction.viscous", [&](std::size_t k) { return v[k]; }),
            column("friction.coulomb", [&](std::size_t k) { return sign(v[k]); }),
            column("friction.offset", [](std::size_t) { return 1.0; })};
  }
  return {column("friction.viscous.positive", [&](std::size_t k) { return std::max(v[k], 0.0); }),
          column("friction.viscous.negative", [&](std::size_t k) { return std::min(v[k], 0.0); }),
          column("friction.coulomb.positive", [&](std::size_t k) { return v[k] > 0.0 ? 1.0 : 0.0; }),
          column("friction.coulomb.negative", [&](std::size_t k) { return v[k] < 0.0 ? -1.0 : 0.0; })};
}

std::vector<Column> columns_of(const AxisMotion& motion, const RegressionOptions& options) {
  std::vector<Column> columns{{"axis.mass", motion.acceleration, true}};
  if (options.gravity) {
    const Series& q = motion.position;
    columns.push_back({"gravity.sine", column_of(motion, [&](std::size_t k) { return std::sin(q[k]); }), true});
    columns.push_back({"gravity.cosine", column_of(motion, [&](std::size_t k) { return std::cos(q[k]); }), true});
  }
  for (Column& column : friction_columns(motion, options.friction)) columns.push_back(std::move(column));
  return columns;
}

// What the force depends on, linear about the current parameters:  force ~ regressor * parameters + rest.
struct Linearised {
  MatrixXd regressor;
  VectorXd rest;
};

VectorXd decimated(const Series& values, int factor) {
  const Series kept = decimate(values, factor);
  return Eigen::Map<const VectorXd>(kept.data(), static_cast<Index>(kept.size()));
}

Linearised linear(const std::vector<Column>& columns, int decimation) {
  Linearised model;
  for (const Column& column : columns) {
    const VectorXd values = decimated(column.values, decimation);
    if (model.regressor.size() == 0) model.regressor.resize(values.size(), static_cast<Index>(columns.size()));
    model.regressor.col(&column - columns.data()) = values;
  }
  model.rest = VectorXd::Zero(model.regressor.rows());
  return model;
}

// The last two parameters are friction that grows with the load. With L the load, and m = load(+-) sign(v):
//   f = L + m |L| + ...,   df/dL = 1 + m sign(L),   df/dload(+-) = |L| sign(v) in that direction
//   f - (derivatives times parameters) = -m |L|
Linearised with_load_friction(const std::vector<Column>& columns, const AxisMotion& motion, const VectorXd& parameters,
                              int decimation) {
  const Series load = column_of(motion, [&](std::size_t k) {
    double sum = 0.0;
    for (const Column& column : columns) {
      if (column.is_load) sum += parameters[&column - columns.data()] * column.values[k];
    }
    return sum;
  });
  const double positive = parameters[parameters.size() - 2], negative = parameters[parameters.size() - 1];
  const auto grown = [&](std::size_t k) {  // m
    return motion.velocity[k] > 0.0 ? positive : motion.velocity[k] < 0.0 ? -negative : 0.0;
  };
  std::vector<Column> tangent = columns;
  for (Column& column : tangent) {
    if (!column.is_load) continue;
    for (std::size_t k = 0; k < load.size(); ++k) column.values[k] *= 1.0 + grown(k) * sign(load[k]);
  }
  const Series& v = motion.velocity;
  const auto in_direction = [&](std::size_t k, double direction) {
    return sign(v[k]) == direction ? direction * std::abs(load[k]) : 0.0;
  };
  tangent.push_back({"friction.load.positive", column_of(motion, [&](std::size_t k) { return in_direction(k, 1.0); })});
  tangent.push_back(
      {"friction.load.negative", column_of(motion, [&](std::size_t k) { return in_direction(k, -1.0); })});
  Linearised model = linear(tangent, decimation);
  model.rest = -model.regressor.rightCols(2) * parameters.tail(2);
  return model;
}

// --- which samples ------------------------------------------------------------------------------------------------

// One where the axis moves, zero where it rests. The equation holds for each sample, so it holds as well multiplied by
// this window, and then after the decimation filter: what happens at rest does not leak into its neighbours. Within
// `reach` of a rest the filter on the position has mixed the two; a standstill that is shorter is a reversal, and
// stays.
Series moving_window(const AxisMotion& motion, double threshold, double cut_off) {
  const std::size_t reach = cut_off > 0.0 ? static_cast<std::size_t>(1.0 / (cut_off * motion.period)) : 0;
  Series window(motion.size(), 1.0);
  std::size_t rests = 0;  // samples at standstill up to here
  for (std::size_t k = 0; k <= motion.size(); ++k) {
    if (k < motion.size() && std::abs(motion.velocity[k]) < threshold) {
      ++rests;
      continue;
    }
    if (rests > reach) {
      const std::size_t first = k - rests - std::min(k - rests, reach), last = std::min(k + reach, motion.size());
      std::fill(window.begin() + static_cast<std::ptrdiff_t>(first), window.begin() + static_cast<std::ptrdiff_t>(last),
                0.0);
    }
    rests = 0;
  }
  return window;
}

void cut_out(Series& values, const Series& window) {
  for (std::size_t k = 0; k < values.size(); ++k) values[k] *= window[k];
}

template <class Matrix>
Matrix rows_of(const Matrix& all, const std::vector<Index>& rows) {
  Matrix some(static_cast<Index>(rows.size()), all.cols());
  for (std::size_t i = 0; i < rows.size(); ++i) some.row(static_cast<Index>(i)) = all.row(rows[i]);
  return some;
}

// Decimated samples that are fast enough, and mostly inside the window.
std::vector<Index> moving_samples(const VectorXd& velocity, const VectorXd& window, double threshold) {
  std::vector<Index> moving;
  for (Index i = 0; i < velocity.size(); ++i) {
    if (window[i] > 0.5 && std::abs(velocity[i]) >= threshold) moving.push_back(i);
  }
  return moving;
}

// A force that is held from t_k to t_{k+1} acts half a period after t_k; the mean with its predecessor acts at t_k.
Series centred(const Series& held) {
  Series force = held;
  for (std::size_t k = 1; k < held.size(); ++k) force[k] = 0.5 * (held[k - 1] + held[k]);
  return force;
}

double standstill_threshold(const AxisMotion& motion, const RegressionOptions& options) {
  if (options.standstill > 0.0) return options.standstill;
  double highest = 0.0;
  for (const double v : motion.velocity) highest = std::max(highest, std::abs(v));
  return std::max(0.01 * highest, 5.0 * motion.velocity_noise);
}

// --- least squares ------------------------------------------------------------------------------------------------

// A direction of the parameters is lost where the regressor, its columns scaled to unit length, is shorter than this:
// a model error of one percent of the force would then move the parameters by as much as they are.
constexpr double kShortest = 0.01;
// Or where it is not clearly longer than the noise of the columns, which would flatten it (errors in variables).
constexpr double kAboveNoise = 10.0;  // in variance
// What a lost direction may contribute to a parameter that is still given.
constexpr double kNegligibleShare = 0.02;

struct Solution {
  VectorXd parameters;  // the shortest (in scaled columns) of all that fit equally well
  MatrixXd inverse;     // of regressor^T regressor, without the lost directions
  MatrixXd lost;        // projector on the lost directions, in scaled columns
  double condition = 0.0;
};

Solution solve(const MatrixXd& regressor, const VectorXd& force, const VectorXd& column_noise) {
  const VectorXd length = regressor.colwise().norm();
  const auto rows = static_cast<double>(regressor.rows());
  // A column that is noise by itself is left out first: its chance likeness to others would mix them into its loss.
  VectorXd scale = VectorXd::Zero(length.size());
  for (Index j = 0; j < length.size(); ++j) {
    const double noise = kAboveNoise * rows * column_noise[j] * column_noise[j];
    if (length[j] * length[j] > noise) scale[j] = 1.0 / length[j];
  }
  // The eigenvectors of the Gram matrix are the singular vectors. That its condition is the square of the regressor's
  // does not matter where directions below one percent are given up.
  const Eigen::SelfAdjointEigenSolver<MatrixXd> gram(scale.asDiagonal() * (regressor.transpose() * regressor) *
                                                     scale.asDiagonal());
  const VectorXd& squares = gram.eigenvalues();  // of the singular values, in rising order
  VectorXd inverse = VectorXd::Zero(squares.size());
  Solution solution;
  solution.lost = MatrixXd::Zero(length.size(), length.size());
  for (Index i = 0; i < squares.size(); ++i) {
    const VectorXd direction = gram.eigenvectors().col(i);
    const double noise = rows * direction.cwiseProduct(scale).cwiseProduct(column_noise).squaredNorm();
    if (squares[i] > std::max(kShortest * kShortest, kAboveNoise * noise)) {
      inverse[i] = 1.0 / squares[i];
    } else {
      solution.lost += direction * direction.transpose();
    }
  }
  const MatrixXd directions = scale.asDiagonal() * gram.eigenvectors();
  solution.inverse = directions * inverse.asDiagonal() * directions.transpose();
  solution.parameters = solution.inverse * (regressor.transpose() * force);
  const double smallest = std::max(squares[0], std::numeric_limits<double>::epsilon());
  solution.condition = std::sqrt(squares[squares.size() - 1] / smallest);
  return solution;
}

VectorXd column_noise(const std::vector<std::string>& names, const MotionNoise& noise) {
  VectorXd deviation = VectorXd::Zero(static_cast<Index>(names.size()));
  for (std::size_t j = 0; j < names.size(); ++j) {
    if (names[j] == "axis.mass") deviation[static_cast<Index>(j)] = noise.acceleration;
    if (names[j].starts_with("friction.viscous")) deviation[static_cast<Index>(j)] = noise.velocity;
  }
  return deviation;
}

// One over the deviation of the residual, in three bands of speed for each direction.
constexpr int kBands = 3;
constexpr double kRoundOff = 1e-9;  // of the force: an exact record has no deviation to weigh by

VectorXd weights_of(const VectorXd& velocity, const VectorXd& residual, double force_level) {
  Series speeds;
  for (const double v : velocity) speeds.push_back(std::abs(v));
  const double low = quantile(speeds, 1.0 / kBands), high = quantile(speeds, 2.0 / kBands);
  const auto band_of = [&](Index i) {
    const double speed = std::abs(velocity[i]);
    return (speed <= low ? 0 : speed <= high ? 1 : 2) + (velocity[i] > 0.0 ? kBands : 0);
  };
  std::array<double, 2 * kBands> squares{}, count{};
  for (Index i = 0; i < residual.size(); ++i) {
    squares[static_cast<std::size_t>(band_of(i))] += residual[i] * residual[i];
    count[static_cast<std::size_t>(band_of(i))] += 1.0;
  }
  return VectorXd::NullaryExpr(residual.size(), [&](Index i) {
    const auto band = static_cast<std::size_t>(band_of(i));
    return 1.0 / (std::sqrt(squares[band] / count[band]) + kRoundOff * force_level);
  });
}

//   Cov = (A^T W A)^-1  S  (A^T W A)^-1,   S the covariance of sum_t w_t^2 a_t e_t
// with zeros where a sample was left out, so that the others keep their distance in time.
MatrixXd sandwich(const MatrixXd& inverse, const MatrixXd& weighted_regressor, const VectorXd& weighted_residual,
                  const std::vector<Index>& rows, Index all_rows) {
  MatrixXd scores = MatrixXd::Zero(all_rows, weighted_regressor.cols());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto at = static_cast<Index>(i);
    scores.row(rows[i]) = weighted_residual[at] * weighted_regressor.row(at);
  }
  const auto n = static_cast<double>(rows.size()), fitted = static_cast<double>(inverse.cols());
  return n / (n - fitted) * (inverse * long_run_covariance(scores) * inverse);
}

// --- what could not be separated ----------------------------------------------------------------------------------

struct RecordFacts {
  bool positive = false, negative = false;  // directions of motion
  bool one_speed = false;
};

constexpr double kOneSpeed = 0.05;  // relative spread of the speed

RecordFacts facts_of(const VectorXd& velocity) {
  const VectorXd speed = velocity.cwiseAbs();
  const double mean = speed.mean();
  const double spread = std::sqrt((speed.array() - mean).square().mean());
  return {(velocity.array() > 0.0).any(), (velocity.array() < 0.0).any(), spread < kOneSpeed * mean};
}

bool has(const std::vector<std::string>& group, std::string_view part) {
  return std::any_of(group.begin(), group.end(), [&](const std::string& name) { return name.starts_with(part); });
}

std::string listed(const std::vector<std::string>& group) {
  std::string text;
  for (std::size_t i = 0; i < group.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == group.size() ? " and " : ", ") + group[i];
  }
  return text;
}

// Why these parameters, which trade against each other, have no value each.
std::string explain(const std::vector<std::string>& group, const RecordFacts& facts) {
  if (group.size() == 1) {
    if (group[0] == "axis.mass") return "no acceleration above the noise: record faster changes of speed";
    for (const std::string direction : {"positive", "negative"}) {
      const bool moved = direction == "positive" ? facts.positive : facts.negative;
      if (group[0].ends_with(direction) && !moved) {
        return "no motion in the " + direction + " direction: record both directions";
      }
    }
    return group[0] + " has no effect on the force of this record that is told from the others";
  }
  std::string reasons;
  const bool coulomb = has(group, "friction.coulomb"), viscous = has(group, "friction.viscous");
  if (coulomb && viscous && facts.one_speed) {
    reasons += "only one speed: viscous and coulomb friction cannot be told apart; record several speeds. ";
  }
  if (has(group, "friction.offset") && (coulomb || viscous) && !(facts.positive && facts.negative)) {
    reasons += "motion in one direction only: friction and offset cannot be told apart; record both directions. ";
  }
  if (has(group, "gravity") && group.size() > 1) {
    reasons += "the stroke is too short: gravity hardly changes along it; record a longer stroke. ";
  }
  if (has(group, "axis.mass") && has(group, "friction.load")) {
    reasons += "the load never changes sign within a direction: record braking as hard as accelerating. ";
  }
  return reasons + listed(group) + " act alike in this record";
}

// The parameters that trade against this one along the lost directions, itself included; none where it is kept.
std::vector<std::string> group_of(Index j, const MatrixXd& lost, const std::vector<std::string>& names) {
  std::vector<std::string> group;
  for (Index k = 0; k < lost.cols(); ++k) {
    if (std::abs(lost(j, k)) > kNegligibleShare) group.push_back(names[static_cast<std::size_t>(k)]);
  }
  return group;
}

std::vector<RegressionParameter> named(const std::vector<std::string>& names, const Solution& solution,
                                       MatrixXd& covariance, const RecordFacts& facts) {
  std::vector<RegressionParameter> parameters;
  for (Index j = 0; j < solution.parameters.size(); ++j) {
    RegressionParameter& parameter = parameters.emplace_back();
    parameter.name = names[static_cast<std::size_t>(j)];
    const std::vector<std::string> group = group_of(j, solution.lost, names);
    parameter.separable = group.empty();
    if (!parameter.separable) {
      parameter.why = explain(group, facts);
      covariance.row(j).setConstant(kNaN);
      covariance.col(j).setConstant(kNaN);
      continue;
    }
    parameter.value = solution.parameters[j];
    parameter.std = std::sqrt(covariance(j, j));
    if (std::abs(parameter.value) < kNormal95 * parameter.std) {
      parameter.why = "within the noise: not told from zero; record longer, or with less noise";
    }
  }
  return parameters;
}

void require_an_answer(const std::vector<RegressionParameter>& parameters, const std::string& source) {
  std::string reasons;
  for (const RegressionParameter& parameter : parameters) {
    if (parameter.separable) return;
    if (reasons.find(parameter.why) == std::string::npos) reasons += "; " + parameter.why;
  }
  throw Error(ExitCode::unusable_data, source + ": no parameter of the axis can be told" + reasons);
}

// --- together -----------------------------------------------------------------------------------------------------

std::vector<double> series_of(const VectorXd& values) { return {values.data(), values.data() + values.size()}; }

constexpr std::size_t kFewestSamples = 5;  // for each parameter
constexpr int kMostPasses = 30;
constexpr double kConverged = 1e-12;

// The regression on the moving samples, and all that its repetitions share.
class Regression {
 public:
  Regression(const AxisRecord& record, const RegressionOptions& options)
      : source_(record.source),
        options_(options),
        motion_(differentiate_axis(record, options.cut_off, options.trimmed)),
        standstill_(standstill_threshold(motion_, options)),
        window_(moving_window(motion_, standstill_, options.cut_off)),
        columns_(columns_of(motion_, options)),
        velocity_(decimated(motion_.velocity, options.decimation)),
        moving_(moving_samples(velocity_, decimated(window_, options.decimation), standstill_)),
        weights_(VectorXd::Ones(static_cast<Index>(moving_.size()))) {
    for (Column& column : columns_) {
      names_.push_back(column.name);
      cut_out(column.values, window_);
    }
    if (options.held_force) motion_.force = centred(motion_.force);
    cut_out(motion_.force, window_);
    force_ = decimated(motion_.force, options.decimation);
    if (options.torque_dependent) names_.insert(names_.end(), {"friction.load.positive", "friction.load.negative"});
    noise_ = column_noise(names_, noise_of_motion(record, options.cut_off, options.decimation));
    require_motion();
  }

  RegressionFit fit() {
    run();
    if (options_.weighted) {
      weights_ =
          weights_of(rows_of(velocity_, moving_), residual(), rows_of(force_, moving_).norm() / std::sqrt(count()));
      run();
    }
    return result();
  }

 private:
  double count() const { return static_cast<double>(moving_.size()); }
  VectorXd residual() const {
    return rows_of(force_, moving_) - rows_of(model_.regressor, moving_) * solution_.parameters -
           rows_of(model_.rest, moving_);
  }

  void require_motion() const {
    if (moving_.size() >= kFewestSamples * names_.size()) return;
    throw Error(
        ExitCode::unusable_data,
        fmt::format("{}: the axis hardly moves: {} of {} samples are faster than {:.3g}, and {} parameters need "
                    "{}. Record motion in both directions at several speeds",
                    source_, moving_.size(), velocity_.size(), standstill_, names_.size(),
                    kFewestSamples * names_.size()));
  }

  // Once where the model is linear; else Gauss and Newton, from the fit without load friction as the thesis has it.
  void run() {
    if (solution_.parameters.size() == 0) model_ = linear(columns_, options_.decimation);
    if (!options_.torque_dependent || solution_.parameters.size() == 0) {
      solve_about(noise_.head(static_cast<Index>(columns_.size())));
    }
    if (!options_.torque_dependent) return;
    VectorXd parameters = VectorXd::Zero(static_cast<Index>(names_.size()));
    parameters.head(solution_.parameters.size()) = solution_.parameters;
    for (int pass = 0; pass < kMostPasses; ++pass) {
      model_ = with_load_friction(columns_, motion_, parameters, options_.decimation);
      solve_about(noise_);
      const double change = (solution_.parameters - parameters).norm() / solution_.parameters.norm();
      parameters = solution_.parameters;
      if (change < kConverged) break;
    }
  }

  void solve_about(const VectorXd& noise) {
    const MatrixXd regressor = weights_.asDiagonal() * rows_of(model_.regressor, moving_);
    const VectorXd force = weights_.cwiseProduct(rows_of(force_, moving_) - rows_of(model_.rest, moving_));
    solution_ = solve(regressor, force, noise * (weights_.norm() / std::sqrt(count())));
  }

  RegressionFit result() const {
    const VectorXd errors = residual();
    const VectorXd velocity = rows_of(velocity_, moving_), force = rows_of(force_, moving_);
    const MatrixXd regressor = weights_.asDiagonal() * rows_of(model_.regressor, moving_);
    RegressionFit fit;
    fit.covariance = sandwich(solution_.inverse, regressor, weights_.cwiseProduct(errors), moving_, velocity_.size());
    fit.parameters = named(names_, solution_, fit.covariance, facts_of(velocity));
    require_an_answer(fit.parameters, source_);
    fit.relative_error = errors.norm() / force.norm();
    fit.condition = solution_.condition;
    fit.effective_samples = count() * errors.squaredNorm() / long_run_covariance(errors)(0, 0);
    fit.standstill = standstill_;
    fit.samples = moving_.size();
    fit.standstill_samples = static_cast<std::size_t>(velocity_.size()) - moving_.size();
    const std::size_t first = first_decimated(motion_.size(), options_.decimation);
    for (const Index i : moving_) {
      const std::size_t at = first + static_cast<std::size_t>(i * options_.decimation);
      fit.time.push_back(motion_.start + static_cast<double>(at) * motion_.period);
    }
    fit.position = series_of(rows_of(decimated(motion_.position, options_.decimation), moving_));
    fit.acceleration = series_of(rows_of(decimated(motion_.acceleration, options_.decimation), moving_));
    fit.velocity = series_of(velocity);
    fit.force = series_of(force);
    fit.model_force = series_of(force - errors);
    fit.residual = series_of(errors);
    return fit;
  }

  std::string source_;
  RegressionOptions options_;
  AxisMotion motion_;
  double standstill_;
  Series window_;                // one where the axis moves
  std::vector<Column> columns_;  // of the linear model, at the record's rate, cut out by the window
  VectorXd force_, velocity_;    // decimated
  std::vector<Index> moving_;
  VectorXd weights_;
  std::vector<std::string> names_;
  VectorXd noise_;
  Linearised model_;
  Solution solution_;
};

// --- correlated sums ----------------------------------------------------------------------------------------------

// Parzen's kernel: positive, and zero from x = 1 on.
double parzen(double x) {
  return x <= 0.5 ? 1.0 - 6.0 * x * x * (1.0 - x) : x < 1.0 ? 2.0 * std::pow(1.0 - x, 3) : 0.0;
}

// A column's correlation with its predecessor.
double first_correlation(const Eigen::Ref<const VectorXd>& values) {
  const double square = values.squaredNorm();
  const Index pairs = values.size() - 1;
  return square > 0.0 ? values.tail(pairs).dot(values.head(pairs)) / square : 0.0;
}

// Andrews (1991), eq. 6.2 and 6.4, with each column's weight the inverse of its variance squared:
//   b = 2.6614 (alpha n)^(1/5),   alpha = sum 4 rho^2 s / (1 - rho)^8  /  sum s / (1 - rho)^4,   s = (1 - rho^2)^2
// Directions of motion change the sign of a score, which no autoregression sees: never less than a few neighbours.
constexpr double kShortestReach = 1.5;

double parzen_bandwidth(const MatrixXd& rows) {
  double numerator = 0.0, denominator = 0.0;
  for (Index j = 0; j < rows.cols(); ++j) {
    const double rho = std::clamp(first_correlation(rows.col(j)), -0.97, 0.97);
    const double innovation = std::pow(1.0 - rho * rho, 2);  // its variance, squared
    numerator += innovation * 4.0 * rho * rho / std::pow(1.0 - rho, 8);
    denominator += innovation / std::pow(1.0 - rho, 4);
  }
  const auto n = static_cast<double>(rows.rows());
  return std::max(kShortestReach * std::cbrt(n), 2.6614 * std::pow(numerator / denominator * n, 0.2));
}

MatrixXd parzen_covariance(const MatrixXd& rows) {
  MatrixXd sum = rows.transpose() * rows;
  const double bandwidth = parzen_bandwidth(rows);
  const auto last = std::min<Index>(rows.rows() - 1, static_cast<Index>(bandwidth));
  for (Index lag = 1; lag <= last; ++lag) {
    const Index overlap = rows.rows() - lag;
    const MatrixXd product = rows.bottomRows(overlap).transpose() * rows.topRows(overlap);
    sum += parzen(static_cast<double>(lag) / bandwidth) * (product + product.transpose());
  }
  return sum;
}

}  // namespace

const RegressionParameter* RegressionFit::find(std::string_view name) const noexcept {
  const auto found = std::find_if(parameters.begin(), parameters.end(), [&](const auto& p) { return p.name == name; });
  return found == parameters.end() ? nullptr : &*found;
}

AxisMotion differentiate_axis(const AxisRecord& record, double cut_off, double trimmed) {
  check(record, cut_off, trimmed);
  const bool measured = !record.velocity.empty();
  AxisMotion motion;
  motion.period = record.period;
  motion.position = smooth(record.position, cut_off, record.period);
  motion.velocity =
      measured ? smooth(record.velocity, cut_off, record.period) : differentiate(motion.position, record.period);
  motion.acceleration = differentiate(motion.velocity, record.period);
  motion.force = record.force;
  motion.velocity_noise = noise_of_motion(record, cut_off, 1).velocity;
  const auto dropped = static_cast<std::size_t>(std::lround(trimmed / record.period));
  motion.start = static_cast<double>(dropped) * record.period;
  for (Series* values : {&motion.position, &motion.velocity, &motion.acceleration, &motion.force}) {
    trim(*values, dropped);
  }
  return motion;
}

MatrixXd long_run_covariance(const MatrixXd& rows) {
  constexpr double kMostCorrelated = 0.97;  // of the prewhitening: beyond it the sum would be all extrapolation
  MatrixXd white = rows;
  VectorXd colour(rows.cols());
  for (Index j = 0; j < rows.cols(); ++j) {
    const double rho = std::clamp(first_correlation(rows.col(j)), 0.0, kMostCorrelated);
    white.col(j).tail(rows.rows() - 1) -= rho * rows.col(j).head(rows.rows() - 1);
    white(0, j) *= std::sqrt(1.0 - rho * rho);
    colour[j] = 1.0 / (1.0 - rho);
  }
  return colour.asDiagonal() * parzen_covariance(white) * colour.asDiagonal();
}

RegressionFit fit_axis(const AxisRecord& record, const RegressionOptions& options) {
  return Regression(record, options).fit();
}

}  // namespace tauhat
