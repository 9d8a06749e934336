#include "tauhat/offline/joint/error_response.hpp"

#include <Eigen/Dense>

#include <cmath>
#include <numbers>

#include "tauhat/offline/joint/observer_gain.hpp"

namespace tauhat {
namespace {

using Complex = std::complex<double>;
constexpr int kLoadVelocity = index_of(kLinearJointSignals, "load.velocity");

// One observer, without its number of states.
struct ErrorDynamics {
  Eigen::MatrixXd transition;           // A - L C
  Eigen::VectorXd motor, load, sensor;  // what enters e
  Eigen::RowVectorXd seen;              // of e in the error
  double direct = 0.0;                  // of the sensor's noise
};

template <int N>
ErrorDynamics dynamics_of(const LinearJoint<double, N>& joint, const ObserverGain<N>& gain, bool predicts) {
  const Matrix<double, 1, N> c = joint_detail::measured_row<N>(), wanted = joint.output(kLoadVelocity);
  ErrorDynamics error;
  error.transition = gain.sampled.transition - gain.predictor * c;
  // A disturbance takes away from the motor's torque; torques at the link are counted against it already.
  error.motor = -gain.sampled.by_input.col(motor_torque_input);
  error.load = gain.sampled.by_input.col(load_torque_input);
  error.sensor = -gain.predictor;
  error.seen = wanted;
  if (!predicts) {
    error.seen -= (wanted * gain.filter) * c;
    error.direct = -wanted.dot(gain.filter);
  }
  return error;
}

}  // namespace

ErrorResponse error_response(const JointSpec& spec, const ObserverSpec& observer, double period, double sensor_variance,
                             const std::vector<double>& frequency) {
  const ErrorDynamics error = with_joint_model(spec, observer, [&](const auto& joint) {
    return dynamics_of(joint, observer_gain(joint, observer, period, sensor_variance), observer.predicts);
  });
  ErrorResponse response;
  for (const double f : frequency) {
    Eigen::MatrixXcd resolvent = -error.transition.cast<Complex>();
    resolvent.diagonal().array() += std::polar(1.0, 2.0 * std::numbers::pi * f * period);
    // c (z - A + L C)^-1, once for all three.
    const Eigen::VectorXcd seen = resolvent.transpose().partialPivLu().solve(error.seen.transpose().cast<Complex>());
    const auto through = [&](const Eigen::VectorXd& input) { return (seen.transpose() * input.cast<Complex>())(0); };
    response.by_motor_torque.push_back(through(error.motor));
    response.by_load_torque.push_back(through(error.load));
    response.by_sensor.push_back(through(error.sensor) + error.direct);
  }
  return response;
}

std::vector<double> spread_frequencies(double lowest, double highest, std::size_t count) {
  std::vector<double> frequency;
  for (std::size_t i = 0; i < count; ++i)
    frequency.push_back(lowest * std::pow(highest / lowest, static_cast<double>(i) / static_cast<double>(count - 1)));
  return frequency;
}

}  // namespace tauhat
