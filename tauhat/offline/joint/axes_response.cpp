#include "tauhat/offline/joint/axes_response.hpp"

#include "tauhat/core/linear/solve.hpp"

namespace tauhat {

std::vector<FollowedSwing> axes_response(const ModelAxes& truth, const AxesSpec& believed, const AxesObserver& observer,
                                         const std::vector<double>& sensor_variances) {
  using Complex = std::complex<double>;
  const AxesGain gain = axes_gain(believed, observer, truth.period, sensor_variances);
  const Eigen::MatrixXcd left = (gain.sampled.transition - gain.predictor * gain.linear.measured).cast<Complex>(),
                         c = gain.linear.measured.cast<Complex>(), predictor = gain.predictor.cast<Complex>(),
                         filter = gain.filter.cast<Complex>();
  const int first = elastic_axes(believed, observer).begin(AnyAxes::load_velocity);
  std::vector<FollowedSwing> found;
  for (std::size_t axis = 0; axis < truth.count(); ++axis) {
    const auto estimate = [&](Complex z, const Eigen::VectorXcd& y) {
      Eigen::MatrixXcd resolvent = -left;
      resolvent.diagonal().array() += z;
      Eigen::VectorXcd x = solve<Complex, Eigen::Dynamic, 1>(resolvent, predictor * y);
      if (!observer.predicts) x += filter * (y - c * x);
      return x[first + static_cast<int>(axis)];
    };
    found.push_back(followed_swing(truth, axis, most_swung(truth, axis), estimate));
  }
  return found;
}

std::vector<FollowedSwing> naive_axes_response(const ModelAxes& truth) {
  std::vector<FollowedSwing> found;
  for (std::size_t axis = 0; axis < truth.count(); ++axis)
    found.push_back(followed_swing(truth, axis, most_swung(truth, axis), naive_estimate(truth, axis)));
  return found;
}

}  // namespace tauhat
