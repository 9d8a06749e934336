#include "tauhat/offline/robot/robot_regression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauhat/offline/friction/long_run_covariance.hpp"
#include "tauhat/offline/parallel.hpp"
#include "tauhat/offline/robot/run_fits.hpp"

namespace tauhat {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// A direction of the parameters is lost where the regressor, its columns scaled to unit length, is shorter than this.
constexpr double kShortest = 1e-3;
constexpr double kLost = 0.01;      // of a parameter's square: more, and its value means nothing
constexpr double kRoundOff = 1e-7;  // of the torque: sums of squares tell no smaller residual

void scatter(const TorqueSums& from, const std::vector<int>& at, double weight, MatrixXd& gram, VectorXd& product) {
  gram(at, at) += weight * from.gram;
  product(at) += weight * from.product;
}

WeightedSums weighed(const RowSums& sums, const VectorXd& scale) {
  const Index n = sums.parameters;
  WeightedSums all{MatrixXd::Zero(n, n), VectorXd::Zero(n), 0.0, 0.0, {}, {}};
  for (const JointSums& batch : sums.batches) {
    MatrixXd gram = MatrixXd::Zero(n, n);
    VectorXd product = VectorXd::Zero(n);
    for (std::size_t j = 0; j < batch.size(); ++j) {
      const double weight = std::pow(scale[static_cast<Index>(j)], -2);
      scatter(batch[j], sums.of_joint[j], weight, gram, product);
      all.square += weight * batch[j].square;
      all.rows += batch[j].rows;
    }
    all.gram += gram;
    all.product += product;
    all.batch_gram.push_back(std::move(gram));
    all.batch_product.push_back(std::move(product));
  }
  return all;
}

// The columns scaled to unit length, and what they tell.
class Solver {
 public:
  Solver(const MatrixXd& gram, const VectorXd& product) : scale_(gram.diagonal()) {
    for (double& s : scale_) s = s > 0.0 ? 1.0 / std::sqrt(s) : 0.0;
    const Eigen::SelfAdjointEigenSolver<MatrixXd> spectrum(scale_.asDiagonal() * gram * scale_.asDiagonal());
    VectorXd inverse = spectrum.eigenvalues();
    lost_ = VectorXd::Zero(gram.rows());
    for (Index i = 0; i < inverse.size(); ++i) {
      const bool told = inverse[i] > kShortest * kShortest;
      if (!told) lost_ += spectrum.eigenvectors().col(i).cwiseAbs2();
      inverse[i] = told ? 1.0 / inverse[i] : 0.0;
    }
    const MatrixXd directions = scale_.asDiagonal() * spectrum.eigenvectors();
    inverse_ = directions * inverse.asDiagonal() * directions.transpose();
    values_ = inverse_ * product;
    values_ += inverse_ * (product - gram * values_);  // once more: takes the inverse's round-off out
  }

  const VectorXd& values() const noexcept { return values_; }
  const MatrixXd& inverse() const noexcept { return inverse_; }
  const VectorXd& lost() const noexcept { return lost_; }
  // The most that lost directions may take from or add to each parameter, if what moves them were as large as all that
  // the torques show.
  VectorXd hidden(const VectorXd& product) const {
    return std::sqrt(std::max(values_.dot(product), 0.0)) * scale_.cwiseProduct(lost_.cwiseSqrt());
  }

 private:
  VectorXd scale_, values_, lost_;
  MatrixXd inverse_;
};

// Of the sum of the scores, with these values of all parameters. In its band, as wide as Parzen's kernel is short, each
// joint's residual is some n / (3/4 bandwidth) independent numbers, and all together have lost one a parameter.
MatrixXd score_covariance(const WeightedSums& sums, const VectorXd& values, int joints) {
  constexpr double kParzenArea = 0.75;
  const auto batches = static_cast<Index>(sums.batch_gram.size());
  MatrixXd scores(batches, values.size());
  for (Index b = 0; b < batches; ++b) {
    const auto at = static_cast<std::size_t>(b);
    scores.row(b) = sums.batch_product[at] - sums.batch_gram[at] * values;
  }
  const LongRun sum = long_run(scores);
  const double seen = joints * static_cast<double>(batches) / (kParzenArea * sum.bandwidth);
  const auto fitted = static_cast<double>(values.size());
  return sum.covariance * (seen / std::max(seen - fitted, 0.1 * seen));
}

// With the parameters `used` alone; the noise is that of the scores.
LinearFit solve(const WeightedSums& sums, const MatrixXd& of_scores, const std::vector<int>& used) {
  const Solver solver(sums.gram(used, used), sums.product(used));
  const MatrixXd covariance = solver.inverse() * of_scores(used, used) * solver.inverse();
  const VectorXd hidden = solver.hidden(sums.product(used));
  const Index n = sums.gram.rows();
  LinearFit fit{VectorXd::Zero(n), MatrixXd::Zero(n, n), VectorXd::Zero(n)};
  for (std::size_t k = 0; k < used.size(); ++k) {
    const auto from = static_cast<Index>(k);
    // Its share in what is lost is small, and is seen all the same.
    const bool is_hidden = hidden[from] > std::sqrt(covariance(from, from));
    fit.lost[used[k]] = is_hidden ? 1.0 : solver.lost()[from];
    if (fit.lost[used[k]] <= kLost) fit.values[used[k]] = solver.values()[from];
  }
  for (std::size_t k = 0; k < used.size(); ++k)
    for (std::size_t l = 0; l < used.size(); ++l)
      if (std::max(fit.lost[used[k]], fit.lost[used[l]]) <= kLost)
        fit.covariance(used[k], used[l]) = covariance(static_cast<Index>(k), static_cast<Index>(l));
  return fit;
}

std::vector<int> all_of(int count) {
  std::vector<int> all(static_cast<std::size_t>(count));
  for (int k = 0; k < count; ++k) all[static_cast<std::size_t>(k)] = k;
  return all;
}

//   |tau - Y beta|^2 = tau^2 - 2 beta . Y^T tau + beta . Y^T Y beta
double mean_square(const TorqueSums& sums, const VectorXd& values) {
  const double square = sums.square - 2.0 * values.dot(sums.product) + values.dot(sums.gram * values);
  return std::max(square, kRoundOff * kRoundOff * sums.square) / sums.rows;
}

VectorXd residuals_of(const RowSums& sums, const JointSums& total, const VectorXd& values) {
  VectorXd rms(sums.joints());
  for (int j = 0; j < sums.joints(); ++j) {
    const auto at = static_cast<std::size_t>(j);
    const VectorXd own = values(sums.of_joint[at]);
    rms[j] = std::sqrt(mean_square(total[at], own));
  }
  return rms;
}

VectorXd torques_of(const JointSums& total) {
  VectorXd rms(static_cast<Index>(total.size()));
  for (std::size_t j = 0; j < total.size(); ++j)
    rms[static_cast<Index>(j)] = std::sqrt(total[j].square / total[j].rows);
  return rms;
}

double condition_of(const MatrixXd& gram) {
  const VectorXd squares = Eigen::SelfAdjointEigenSolver<MatrixXd>(gram, Eigen::EigenvaluesOnly).eigenvalues();
  const double largest = squares[squares.size() - 1];
  return std::sqrt(largest / std::max(squares[0], kRoundOff * kRoundOff * largest));
}

}  // namespace

double WeightedSums::residual(const VectorXd& values) const {
  const double left = square - 2.0 * values.dot(product) + values.dot(gram * values);
  return std::max(left, kRoundOff * kRoundOff * square);
}

bool RobotFit::is_determined(int parameter) const noexcept { return base.lost[parameter] <= kLost; }

std::vector<int> RobotFit::undetermined() const {
  std::vector<int> all;
  for (int k = 0; k < static_cast<int>(base.lost.size()); ++k)
    if (!is_determined(k)) all.push_back(k);
  return all;
}

double RobotFit::deviation(int parameter) const noexcept { return std::sqrt(base.covariance(parameter, parameter)); }

RobotFit fit_robot(const RowSums& sums, const RobotRegressionOptions& options) {
  const JointSums total = sums.total();
  VectorXd scale = VectorXd::Ones(sums.joints());
  RobotFit fit;
  fit.sums = weighed(sums, scale);
  fit.condition = condition_of(fit.sums.gram);
  const int passes = options.weights == JointWeights::by_residual ? options.reweightings : 0;
  for (int pass = 0; pass < passes; ++pass) {
    scale = residuals_of(sums, total, Solver(fit.sums.gram, fit.sums.product).values());
    fit.sums = weighed(sums, scale);
  }
  // What is not determined has no value, but a part in the torques all the same.
  fit.values = Solver(fit.sums.gram, fit.sums.product).values();
  fit.residual_rms = residuals_of(sums, total, fit.values);
  fit.score_covariance = score_covariance(fit.sums, fit.values, sums.joints());
  fit.base = solve(fit.sums, fit.score_covariance, all_of(sums.parameters));
  fit.torque_rms = torques_of(total);
  fit.rows = fit.sums.rows / sums.joints();
  return fit;
}

std::vector<LinearFit> fit_runs(const RobotFit& fit, const std::vector<Run>& runs) {
  const Index parameters = fit.values.size();
  std::vector<WeightedSums> sums;
  MatrixXd of_scores = MatrixXd::Zero(parameters, parameters);
  std::size_t batches = 0;
  for (const Run& run : runs) {
    WeightedSums own{MatrixXd::Zero(parameters, parameters), VectorXd::Zero(parameters), 0.0, 0.0, {}, {}};
    for (std::size_t b = run.first; b < run.first + run.count; ++b) {
      own.gram += fit.sums.batch_gram[b], own.product += fit.sums.batch_product[b];
      own.batch_gram.push_back(fit.sums.batch_gram[b]), own.batch_product.push_back(fit.sums.batch_product[b]);
    }
    const VectorXd values = Solver(own.gram, own.product).values();
    of_scores += score_covariance(own, values, static_cast<int>(fit.residual_rms.size()));
    batches += run.count;
    sums.push_back(std::move(own));
  }
  std::vector<LinearFit> fits;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const double share = static_cast<double>(runs[r].count) / static_cast<double>(batches);
    fits.push_back(solve(sums[r], share * of_scores, all_of(static_cast<int>(parameters))));
  }
  return fits;
}

RobotFit fit_robot_robustly(const std::vector<MotionRowSource>& sources, const RobotRegressionOptions& options,
                            const RobustOptions& robust) {
  const auto summed = [&](const std::optional<HuberWeights>& weights) {
    std::vector<RowSums> parts;
    for (const MotionRowSource& source : sources) parts.push_back(sum_rows(source, weights));
    return joined(std::move(parts));
  };
  const RowSums unweighted = summed({});
  RobotFit fit = fit_robot(unweighted, options);
  for (int pass = 0; pass < robust.passes; ++pass)
    fit = fit_robot(summed(HuberWeights{fit.values, robust.limit * fit.residual_rms}), options);
  // What is published is what the model leaves of the torques, the rows far off among them.
  const JointSums total = unweighted.total();
  fit.residual_rms = residuals_of(unweighted, total, fit.values);
  fit.torque_rms = torques_of(total);
  return fit;
}

EssentialFit essential_parameters(const RobotFit& fit, const EssentialOptions& options) {
  EssentialFit essential;
  for (int k = 0; k < static_cast<int>(fit.base.values.size()); ++k)
    if (fit.is_determined(k)) essential.parameters.push_back(k);
  if (essential.parameters.empty()) return essential;
  while (true) {
    essential.fit = solve(fit.sums, fit.score_covariance, essential.parameters);
    const auto relative = [&](int k) {
      return std::sqrt(essential.fit.covariance(k, k)) / std::abs(essential.fit.values[k]);
    };
    const auto by_deviation = [&](int a, int b) { return relative(a) < relative(b); };
    const auto [best, worst] =
        std::minmax_element(essential.parameters.begin(), essential.parameters.end(), by_deviation);
    const bool is_needed = relative(*worst) <= std::max(options.relative, options.ratio * relative(*best));
    if (is_needed || essential.parameters.size() == 1) return essential;
    essential.parameters.erase(worst);
  }
}

std::vector<std::string> undetermined_text(const TorqueColumns& columns, const BaseParameters& base,
                                           const RobotFit& fit, const std::vector<std::string>& joint_names) {
  std::vector<std::string> lines;
  for (const int k : fit.undetermined()) {
    const int column = base.columns[static_cast<std::size_t>(k)];
    const double torque = std::sqrt(fit.sums.gram(k, k) / fit.sums.rows);
    const int joint = columns.joint(column);
    lines.push_back(fmt::format(
        "{} ({}): {}", columns.name(column),
        joint_names.empty() ? fmt::format("joint {}", joint + 1) : joint_names[static_cast<std::size_t>(joint)],
        torque > kShortest ? "the motion does not tell it from others; record joints that move independently, faster"
                           : "the motion makes no torque of it; record this joint, and those before it, in motion"));
  }
  return lines;
}

TorquePrediction predict_torque(const MotionRowSource& source, const VectorXd& values) {
  constexpr std::size_t kStretch = 3000;  // rows at once
  const auto joints = static_cast<std::size_t>(source.joints());
  const std::vector<double> empty(source.size());
  TorquePrediction result{empty, {joints, empty}, {joints, empty}};
  for_each_in_parallel((source.size() - 1) / kStretch + 1, [&](std::size_t stretch) {
    const std::size_t first = stretch * kStretch, count = std::min(kStretch, source.size() - first);
    const PredictedRows rows = source.predicted(first, count, values);
    for (std::size_t k = 0; k < count; ++k) result.time[first + k] = source.time(first + k);
    for (std::size_t j = 0; j < joints; ++j) {
      const auto at = static_cast<Index>(j);
      const auto begin = static_cast<std::ptrdiff_t>(first);
      std::copy(rows.measured.col(at).begin(), rows.measured.col(at).end(), result.measured[j].begin() + begin);
      std::copy(rows.predicted.col(at).begin(), rows.predicted.col(at).end(), result.predicted[j].begin() + begin);
    }
  });
  return result;
}

VectorXd residual_rms(const TorquePrediction& prediction) {
  VectorXd rms(static_cast<Index>(prediction.measured.size()));
  for (std::size_t j = 0; j < prediction.measured.size(); ++j) {
    double square = 0.0;
    for (std::size_t k = 0; k < prediction.time.size(); ++k)
      square += std::pow(prediction.measured[j][k] - prediction.predicted[j][k], 2);
    rms[static_cast<Index>(j)] = std::sqrt(square / static_cast<double>(prediction.time.size()));
  }
  return rms;
}

}  // namespace tauhat
