#include "tauhat/offline/friction/misfit.hpp"

#include <unsupported/Eigen/SpecialFunctions>

#include <algorithm>
#include <cmath>

#include "tauhat/offline/friction/long_run_covariance.hpp"

namespace tauhat {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Band = std::vector<Index>;

constexpr std::size_t kMostBands = 5;   // of one direction
constexpr double kFewestInBand = 10.0;  // samples that say as much as independent ones
// What the parameters leave of a direction of the bands, in variance: less is theirs.
constexpr double kShareLeft = 0.1;
constexpr double kFewestFreedom = 5.0;  // of the denominator

//   P(F > value),   F distributed as F(k, m)
double f_tail(double value, double k, double m) {
  return Eigen::numext::betainc(0.5 * m, 0.5 * k, m / (m + k * value));
}

MatrixXd in_time(const MatrixXd& samples, const FitRemains& remains) {
  MatrixXd all = MatrixXd::Zero(remains.all_rows, samples.cols());
  for (std::size_t i = 0; i < remains.rows.size(); ++i) all.row(remains.rows[i]) = samples.row(static_cast<Index>(i));
  return all;
}

VectorXd coordinate(const FitRemains& remains, BandsOf bands_of) {
  const VectorXd direction = remains.velocity.unaryExpr([](double v) { return v > 0.0 ? 1.0 : -1.0; });
  switch (bands_of) {
    case BandsOf::speed:
      return remains.velocity;
    case BandsOf::position:
      return remains.position;
    case BandsOf::acceleration:
      return remains.acceleration.cwiseProduct(direction);
  }
  return {};
}

// Bands of equally many of these samples.
void split(Band samples, const VectorXd& along, double effective_share, std::vector<Band>& bands) {
  if (samples.empty()) return;
  std::stable_sort(samples.begin(), samples.end(), [&](Index a, Index b) { return along[a] < along[b]; });
  const double most = effective_share * static_cast<double>(samples.size()) / kFewestInBand;
  const std::size_t count = std::clamp<std::size_t>(static_cast<std::size_t>(most), 1, kMostBands);
  for (std::size_t j = 0; j < count; ++j) {
    const auto edge = [&](std::size_t at) {
      return samples.begin() + static_cast<std::ptrdiff_t>(at * samples.size() / count);
    };
    bands.emplace_back(edge(j), edge(j + 1));
  }
}

std::vector<Band> bands_along(const VectorXd& along, const VectorXd& velocity, bool both_directions_alike,
                              double effective_share) {
  Band forwards, backwards;
  for (Index i = 0; i < along.size(); ++i) {
    (velocity[i] > 0.0 || both_directions_alike ? forwards : backwards).push_back(i);
  }
  std::vector<Band> bands;
  split(std::move(forwards), along, effective_share, bands);
  split(std::move(backwards), along, effective_share, bands);
  return bands;
}

// The bands as columns of unit length, what moves the parameters with them, and what the parameters leave of them.
struct Instruments {
  MatrixXd shift;  // of the parameters, for one unit of force in each band
  MatrixXd basis;  // Z
};

Instruments instruments_of(const std::vector<Band>& bands, const FitRemains& remains) {
  const auto count = static_cast<Index>(bands.size());
  MatrixXd columns = MatrixXd::Zero(remains.weights.size(), count);
  for (Index j = 0; j < count; ++j) {
    for (const Index i : bands[static_cast<std::size_t>(j)]) columns(i, j) = remains.weights[i];
  }
  Instruments found;
  found.shift = remains.inverse * (remains.regressor.transpose() * columns);
  const VectorXd scale = columns.colwise().norm().cwiseInverse();
  const MatrixXd left = (columns - remains.regressor * found.shift) * scale.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<MatrixXd> gram(left.transpose() * left);  // eigenvalues in rising order
  const Index kept = (gram.eigenvalues().array() > kShareLeft).count();
  found.basis = left * gram.eigenvectors().rightCols(kept) *
                gram.eigenvalues().tail(kept).cwiseSqrt().cwiseInverse().asDiagonal();
  return found;
}

// The share of samples that would say as much if they were independent, of what no band explains.
double effective_share_of(const std::vector<Band>& bands, const FitRemains& remains) {
  const MatrixXd basis = instruments_of(bands, remains).basis;
  const VectorXd errors = remains.weights.cwiseProduct(remains.residual);
  const VectorXd left = errors - basis * (basis.transpose() * errors);
  return std::min(1.0, left.squaredNorm() / long_run_covariance(in_time(left, remains))(0, 0));
}

void find_largest_mean(const std::vector<Band>& bands, const VectorXd& residual, const VectorXd& along,
                       ModelTest& test) {
  for (const Band& band : bands) {
    const double mean = residual(band).mean();
    if (std::abs(mean) <= std::abs(test.largest_band_mean)) continue;
    test.largest_band_mean = mean;
    test.at = along(band).mean();
  }
}

}  // namespace

ModelTest test_model(const FitRemains& remains, BandsOf bands_of) {
  const VectorXd along = coordinate(remains, bands_of);
  const bool alike = bands_of == BandsOf::position;
  const double share = effective_share_of(bands_along(along, remains.velocity, alike, 1.0), remains);
  const std::vector<Band> bands = bands_along(along, remains.velocity, alike, share);
  const Instruments instruments = instruments_of(bands, remains);
  const MatrixXd& basis = instruments.basis;

  ModelTest test{.bands_of = bands_of};
  find_largest_mean(bands, remains.residual, along, test);
  test.largest_shift = std::abs(test.largest_band_mean) * instruments.shift.cwiseAbs().rowwise().sum();
  const auto samples = static_cast<double>(along.size()), parameters = static_cast<double>(remains.regressor.cols());
  const auto k = static_cast<double>(basis.cols());
  if (k == 0.0) return test;

  const VectorXd errors = remains.weights.cwiseProduct(remains.residual);
  const VectorXd means = basis.transpose() * errors, left = errors - basis * means;
  const LongRun scatter = long_run(in_time(left.asDiagonal() * basis, remains));
  const MatrixXd variances = in_time(basis, remains).cwiseAbs2();
  for (const auto& column : variances.colwise()) test.freedom += long_run_freedom(column, scatter.bandwidth) / k;
  const double denominator = test.freedom - k + 1.0;
  if (denominator < kFewestFreedom) return test;
  test.degrees = k;
  test.statistic = means.dot(scatter.covariance.ldlt().solve(means)) * (samples - parameters - k) / samples;
  test.p_value = f_tail(test.statistic * denominator / (test.freedom * k), k, denominator);
  return test;
}

}  // namespace tauhat
