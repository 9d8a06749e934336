#include "tauhat/offline/joint/axes_response.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "tauhat/core/linear/solve.hpp"
#include "tauhat/offline/joint/error_response.hpp"

namespace tauhat {
namespace {

using Complex = std::complex<double>;

constexpr double kLowest = 2.0, kHighest = 100.0;  // Hz: joints of robots ring in between
constexpr std::size_t kFrequencies = 200;          // two per cent apart, a resonance is wider

// (z - A)^-1 b
Eigen::VectorXcd through(const Eigen::MatrixXd& a, const Eigen::VectorXcd& b, Complex z) {
  Eigen::MatrixXcd resolvent = -a.cast<Complex>();
  resolvent.diagonal().array() += z;
  return solve<Complex, Eigen::Dynamic, 1>(resolvent, b);
}

// The study's axes, without what an observer adds.
AxesObserver nobody(const AxesSpec& spec) {
  AxesObserver none;
  none.kind = AxesObserver::Kind::luenberger;
  none.leak.assign(spec.count(), 0.0);
  return none;
}

// `estimated` gives the velocity of an axis by the motors' positions, at z.
std::vector<AxisResponse> responses(
    const AxesSpec& truth, double period,
    const std::function<Complex(int axis, Complex z, const Eigen::VectorXcd& positions)>& estimated) {
  const AnyAxes axes = elastic_axes(truth, nobody(truth));
  const LinearAnyAxes linear = linear_axes<double, Eigen::Dynamic>(axes, truth.mass);
  const SampledAnyAxes sampled = sampled_axes(linear, period);
  std::vector<AxisResponse> found;
  for (int i = 0; i < axes.count(); ++i) {
    AxisResponse response;
    const int velocity = axes.begin(AnyAxes::load_velocity) + i;
    double most = 0.0;
    // Of a rigid axis the velocity falls with the frequency: what stands out of that is a swing.
    for (const double frequency : spread_frequencies(kLowest, std::min(kHighest, 0.25 / period), kFrequencies)) {
      const Complex z = std::polar(1.0, 2.0 * std::numbers::pi * frequency * period);
      const Eigen::VectorXcd x = through(sampled.transition, sampled.by_input.col(i).cast<Complex>(), z);
      if (!(frequency * std::abs(x[velocity]) > most)) continue;
      most = frequency * std::abs(x[velocity]);
      response.resonance = frequency;
      response.ratio = estimated(i, z, linear.measured.cast<Complex>() * x) / x[velocity];
    }
    found.push_back(response);
  }
  return found;
}

}  // namespace

std::vector<AxisResponse> axes_response(const AxesSpec& truth, const AxesSpec& believed, const AxesObserver& observer,
                                        double period, const std::vector<double>& sensor_variances) {
  const AxesGain gain = axes_gain(believed, observer, period, sensor_variances);
  const Eigen::MatrixXd left = gain.sampled.transition - gain.predictor * gain.linear.measured;
  const Eigen::MatrixXcd c = gain.linear.measured.cast<Complex>(), predictor = gain.predictor.cast<Complex>(),
                         filter = gain.filter.cast<Complex>();
  const int first = elastic_axes(believed, observer).begin(AnyAxes::load_velocity);
  return responses(truth, period, [&](int axis, Complex z, const Eigen::VectorXcd& y) {
    Eigen::VectorXcd x = through(left, predictor * y, z);
    if (!observer.predicts) x += filter * (y - c * x);
    return x[first + axis];
  });
}

std::vector<AxisResponse> naive_axes_response(const AxesSpec& truth, double period) {
  return responses(truth, period, [&](int axis, Complex z, const Eigen::VectorXcd& y) {
    return (z - 1.0 / z) / (2.0 * period) * y[axis] / truth.ratio[static_cast<std::size_t>(axis)];
  });
}

}  // namespace tauhat
