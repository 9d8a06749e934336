#include "tauhat/offline/gearbox/branch_fit.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>

namespace tauhat {
namespace {

constexpr std::size_t kFewestSamples = 3;  // on either side of the point
constexpr std::size_t kFewestOnLine = 10;
constexpr double kNegligibleNoise = 1e-4;  // of the branch's range

// Polynomial of least squares about t0 and its covariance, from equally weighted samples.
template <int Terms>
struct Polynomial {
  Eigen::Matrix<double, Terms, 1> coefficient;
  Eigen::Matrix<double, Terms, Terms> covariance;

  Polynomial(const std::vector<double>& time, const std::vector<double>& value, std::size_t first, std::size_t last,
             double t0) {
    const auto count = static_cast<Eigen::Index>(last - first);
    Eigen::Matrix<double, Eigen::Dynamic, Terms> basis(count, Terms);
    Eigen::VectorXd y(count);
    const double scale = std::max(time[last - 1] - t0, t0 - time[first]);
    for (Eigen::Index i = 0; i < count; ++i) {
      const double t = (time[first + static_cast<std::size_t>(i)] - t0) / scale;
      for (int j = 0; j < Terms; ++j) basis(i, j) = j == 0 ? 1.0 : basis(i, j - 1) * t;
      y[i] = value[first + static_cast<std::size_t>(i)];
    }
    const Eigen::Matrix<double, Terms, Terms> inverse = (basis.transpose() * basis).inverse();
    coefficient = inverse * (basis.transpose() * y);
    const double freedom = std::max<double>(1.0, static_cast<double>(count - Terms));
    covariance = inverse * ((y - basis * coefficient).squaredNorm() / freedom);
    for (int j = 0; j < Terms; ++j) {
      coefficient[j] /= std::pow(scale, j);
      for (int k = 0; k < Terms; ++k) covariance(j, k) /= std::pow(scale, j + k);
    }
  }
};

// Where the smoothed torque of the branch passes the level; the nearest sample where it never does.
std::size_t crossing(const std::vector<double>& torque, double level, bool rising) {
  for (std::size_t k = 1; k < torque.size(); ++k) {
    const bool passed = rising ? torque[k] >= level : torque[k] <= level;
    if (passed) return std::abs(torque[k] - level) < std::abs(torque[k - 1] - level) ? k : k - 1;
  }
  return torque.size() - 1;
}

struct Window {
  std::size_t first, last;
};

PointEstimate estimate_in(const TorqueRamp& ramp, const Window& w, std::size_t at, double torque) {
  const double t0 = ramp.time[at];
  const Polynomial<2> line(ramp.time, ramp.torque, w.first, w.last, t0);
  const Polynomial<3> curve(ramp.time, ramp.displacement, w.first, w.last, t0);
  const double slope = line.coefficient[1];
  // A line that hardly rises meets the level anywhere: stay in the window.
  const double dt = slope == 0.0 ? 0.0
                                 : std::clamp((torque - line.coefficient[0]) / slope, ramp.time[w.first] - t0,
                                              ramp.time[w.last - 1] - t0);
  const Eigen::Vector3d basis(1.0, dt, dt * dt);
  const double rate = curve.coefficient[1] + 2.0 * curve.coefficient[2] * dt;
  const double torque_variance =
      line.covariance(0, 0) + 2.0 * dt * line.covariance(0, 1) + dt * dt * line.covariance(1, 1);
  const double time_variance = slope == 0.0 ? 0.0 : torque_variance / (slope * slope);
  return {basis.dot(curve.coefficient), basis.dot(curve.covariance * basis) + rate * rate * time_variance};
}

}  // namespace

PointEstimate displacement_at(const TorqueRamp& ramp, const Branch& branch, double torque, double reach) {
  const std::size_t count = branch.last - branch.first;
  const std::span<const double> recorded(ramp.torque.data() + branch.first, count);
  const double rise = recorded.back() - recorded.front();
  const double per_sample = std::abs(rise) / static_cast<double>(std::max<std::size_t>(count, 2) - 1);
  const auto widest = static_cast<std::size_t>(std::clamp(
      reach / std::max(per_sample, 1e-300), static_cast<double>(kFewestSamples), 0.25 * static_cast<double>(count)));
  const std::size_t at =
      branch.first + crossing(moving_average(recorded, std::min<std::size_t>(widest, count / 20)), torque, rise > 0.0);
  const auto [least, most] = std::minmax_element(ramp.displacement.begin() + static_cast<std::ptrdiff_t>(branch.first),
                                                 ramp.displacement.begin() + static_cast<std::ptrdiff_t>(branch.last));
  const double enough = std::pow(kNegligibleNoise * (*most - *least), 2);
  PointEstimate estimate;
  for (std::size_t half = kFewestSamples;; half *= 2) {
    half = std::min(half, std::max(widest, kFewestSamples));
    const Window w{at - std::min(half, at - branch.first), std::min(at + half + 1, branch.last)};
    estimate = estimate_in(ramp, w, at, torque);
    if (half >= widest || estimate.variance <= enough) return estimate;
  }
}

LoadingLine fit_loading_line(const TorqueRamp& ramp, const Branch& branch, double limit, int side) {
  // The samples from where the smoothed displacement has passed the limit for good: chosen one by one, noise would
  // choose.
  const std::size_t size = branch.last - branch.first;
  const std::vector<double> smooth =
      moving_average(std::span(ramp.displacement).subspan(branch.first, size), size / 100);
  std::size_t first = size;
  while (first > 0 && (side > 0 ? smooth[first - 1] > limit : smooth[first - 1] < limit)) --first;
  LoadingLine line;
  line.samples = size - first;
  if (line.samples < kFewestOnLine) return line;
  const auto count = static_cast<Eigen::Index>(line.samples);
  const auto part = [&](const std::vector<double>& values) {
    return Eigen::Map<const Eigen::ArrayXd>(values.data() + branch.first + first, count);
  };
  const auto time = part(ramp.time), torque = part(ramp.torque), twist = part(ramp.displacement);
  const auto n = static_cast<double>(count);
  const double mean_torque = torque.mean(), mean_twist = twist.mean();
  // c = sum z x / sum z tau,   z = t - mean(t)
  const Eigen::ArrayXd z = time - time.mean();
  const double z_torque = (z * torque).sum();
  line.compliance = (z * twist).sum() / z_torque;
  line.intercept = mean_twist - line.compliance * mean_torque;
  // Neighbouring residuals are alike: noise is filtered, flanks are a little curved. The variance is that of as many
  // samples as are independent, n (1 - r) / (1 + r) with the correlation r of neighbours.
  const Eigen::ArrayXd residual = twist - line.intercept - line.compliance * torque;
  const double square = residual.square().sum();
  const double product = (residual.head(count - 1) * residual.tail(count - 1)).sum();
  const double correlation = std::clamp(square > 0.0 ? product / square : 0.0, 0.0, 0.999);
  const double variance = square / (n - 2.0) * (1.0 + correlation) / (1.0 - correlation);
  line.compliance_variance = variance * z.square().sum() / (z_torque * z_torque);
  line.intercept_variance = variance / n + mean_torque * mean_torque * line.compliance_variance;
  return line;
}

}  // namespace tauhat
