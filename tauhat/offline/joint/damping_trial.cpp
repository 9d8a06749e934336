#include "tauhat/offline/joint/damping_trial.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>

#include "tauhat/core/linear/hold.hpp"
#include "tauhat/offline/joint/joint_estimator.hpp"
#include "tauhat/offline/joint/joint_model.hpp"

namespace tauhat {
namespace {

constexpr double kPositionGain = 12.0, kVelocityBandwidth = 10.0;  // 1/s, Hz: a usual industrial axis
constexpr double kSettled = 0.5, kTrial = 2.0;                     // s, before the blow and after
constexpr double kBlow = 0.3;                                      // rad/s that it gives the link
constexpr int kBlowSamples = 2;

// The motor's position and velocity, and the link's velocity, of the linear axis.
class StruckAxis {
  using Joint = ElasticJoint<double>;

 public:
  StruckAxis(const JointSpec& spec, double period)
      : joint_(axis_in_study(spec).joint), friction_(spec.friction), period_(period) {
    const auto at = linearise(joint_, StateOf<Joint>::Zero(), InputOf<Joint>::Zero());
    step_ = held<double, Joint::kStates, Joint::kInputs>(at.by_state, at.by_input, period);
    const double inertia = joint_.motor_inertia + joint_.load_inertia / (joint_.ratio * joint_.ratio);
    velocity_gain_ = inertia * 2.0 * std::numbers::pi * kVelocityBandwidth;
    blow_ = kBlow * joint_.load_inertia / (kBlowSamples * period);
  }

  double motor_position() const { return x_[Joint::motor_position]; }
  double load_velocity() const { return x_[Joint::load_velocity]; }
  double joint_torque() const { return joint_.joint_torque(x_); }

  double torque_for(double link_velocity, double gain) const {
    const double motor = x_[Joint::motor_velocity];
    return velocity_gain_ *
           (-kPositionGain * x_[Joint::motor_position] - motor + gain * (joint_.ratio * link_velocity - motor));
  }
  void step(double torque, bool struck) {
    InputOf<Joint> u = InputOf<Joint>::Zero();
    u[Joint::motor_torque] = torque;
    if (friction_) {
      const auto bent = friction_->step(x_[Joint::motor_velocity], bristle_, joint_torque() / joint_.ratio, period_);
      u[Joint::motor_torque] -= bent.force;
      bristle_ = bent.memory;
    }
    if (struck) u[Joint::external_torque] = blow_;
    const StateOf<Joint> next = step_.transition * x_ + step_.by_input * u;
    x_ = next;
  }

  // Of joint and both inertias, the motor held by its loop.
  double resonance() const { return std::sqrt(joint_.stiffness / joint_.load_inertia); }

 private:
  Joint joint_;
  Sampled<double, Joint::kStates, Joint::kInputs> step_;
  StateOf<Joint> x_ = StateOf<Joint>::Zero();
  std::optional<MeshLuGre<double>> friction_;
  double bristle_ = 0.0, period_, velocity_gain_ = 0.0, blow_ = 0.0;
};

// From the energy that is still to come, S(t) = integral_t^end tau^2, which falls as e^(-2 zeta w t): the time from
// 5 to 25 dB below the start. (Schroeder 1965: smooth, whatever the phases of the modes.)
double damping_of(const std::vector<double>& torque, double period, double resonance) {
  std::vector<double> remaining(torque.size() + 1, 0.0);
  for (std::size_t k = torque.size(); k-- > 0;) remaining[k] = remaining[k + 1] + torque[k] * torque[k];
  const double all = remaining.front();
  if (!std::isfinite(all) || !(all > 0.0)) return 0.0;
  const auto fallen_to = [&](double share) {
    const auto at = std::find_if(remaining.begin(), remaining.end(), [&](double left) { return left < share * all; });
    return static_cast<double>(at - remaining.begin()) * period;
  };
  const double high = std::pow(10.0, -0.5), low = std::pow(10.0, -2.5);
  const double time = fallen_to(low) - fallen_to(high);
  return std::log(high / low) / (2.0 * resonance * time);
}

double damping_when(StruckAxis axis, double period, double gain, const std::function<double(StruckAxis&)>& velocity) {
  std::vector<double> torque;
  const auto quiet = static_cast<std::size_t>(kSettled / period),
             all = quiet + static_cast<std::size_t>(kTrial / period);
  for (std::size_t k = 0; k < all; ++k) {
    const double input = axis.torque_for(velocity(axis), gain);
    axis.step(input, k >= quiet && k < quiet + kBlowSamples);
    if (k > quiet) torque.push_back(axis.joint_torque());
  }
  // A vibration that is as large at the end as at the start does not die out.
  const auto power = [&](std::size_t from, std::size_t to) {
    double sum = 0.0;
    for (std::size_t k = from; k < to; ++k) sum += torque[k] * torque[k];
    return sum;
  };
  const std::size_t tenth = torque.size() / 10;
  const double begin = power(0, tenth), end = power(torque.size() - tenth, torque.size());
  if (!(end < 0.5 * begin)) return 0.0;
  return damping_of(torque, period, axis.resonance());
}

}  // namespace

DampingTrial plan_damping_trial(const JointSpec& spec, double period) {
  const StruckAxis axis(spec, period);
  const auto truth = [](StruckAxis& a) { return a.load_velocity(); };
  DampingTrial trial;
  trial.without = trial.with_truth = damping_when(axis, period, 0.0, truth);
  // The best of a row of gains of either sign: which sign damps depends on the inertias.
  for (double size = 0.05; size < 6.0; size *= 1.25) {
    for (const double gain : {-size, size}) {
      const double damping = damping_when(axis, period, gain, truth);
      if (damping > trial.with_truth) trial.with_truth = damping, trial.gain = gain;
    }
  }
  return trial;
}

double damping_with(const JointSpec& spec, double period, const DampingTrial& trial, Estimator& estimator,
                    double sensor_variance) {
  estimator.reset();
  bool first = true;
  std::array<double, 1> input{0.0};
  return damping_when(StruckAxis(spec, period), period, trial.gain, [&](StruckAxis& axis) {
    if (!first) estimator.predict(input, period);
    first = false;
    estimator.correct({joint_motor_position, axis.motor_position(), sensor_variance});
    double velocity = 0.0, std = 0.0;
    estimator.estimate(joint_load_velocity, velocity, std);
    if (!std::isfinite(velocity)) velocity = 0.0;  // not started yet
    input[0] = axis.torque_for(velocity, trial.gain);
    return velocity;
  });
}

}  // namespace tauhat
