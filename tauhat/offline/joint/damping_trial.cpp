#include "tauhat/offline/joint/damping_trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

namespace tauhat {
namespace {

constexpr double kPositionGain = 12.0, kVelocityBandwidth = 10.0;  // 1/s, Hz: a usual industrial axis
constexpr double kSettled = 0.5, kTrial = 2.0;                     // s, before the blow and after
constexpr double kBlow = 0.3;                                      // rad/s that it gives the link
constexpr int kBlowSamples = 2;

class StruckAxes {
 public:
  explicit StruckAxes(const ModelAxes& model) : model_(model), x_(Eigen::VectorXd::Zero(model.states())) {}

  double motor_position(std::size_t axis) const { return x_[model_.axes[axis].motor_position]; }
  double load_velocity(std::size_t axis) const { return x_[model_.axes[axis].load_velocity]; }
  double joint_torque(std::size_t axis) const { return model_.axes[axis].joint_torque.dot(x_); }

  // Of all motors, the link velocity of one of them being known or estimated.
  Eigen::VectorXd torques_for(const DampingTrial& trial, double link_velocity) const {
    Eigen::VectorXd torques(static_cast<Eigen::Index>(model_.count()));
    for (std::size_t i = 0; i < model_.count(); ++i) {
      const ModelAxes::Axis& axis = model_.axes[i];
      const double inertia = axis.motor_inertia + axis.load_inertia / (axis.ratio * axis.ratio),
                   velocity_gain = inertia * 2.0 * std::numbers::pi * kVelocityBandwidth,
                   motor = x_[axis.motor_velocity];
      double error = -kPositionGain * x_[axis.motor_position] - motor;
      if (i == trial.axis) error += trial.gain * (axis.ratio * link_velocity - motor);
      torques[static_cast<Eigen::Index>(i)] = velocity_gain * error;
    }
    return torques;
  }

  // `blow` acts against the link of one axis.
  void step(const Eigen::VectorXd& torques, std::size_t struck, double blow) {
    const auto motors = torques.size();
    Eigen::VectorXd u = Eigen::VectorXd::Zero(2 * motors);
    u.head(motors) = torques;
    if (model_.friction) u[0] -= friction_force();
    u[motors + static_cast<Eigen::Index>(struck)] = blow;
    const Eigen::VectorXd next = model_.step.transition * x_ + model_.step.by_input * u;
    x_ = next;
  }

 private:
  double friction_force() {
    const ModelAxes::Axis& axis = model_.axes[0];
    const auto bent =
        model_.friction->step(x_[axis.motor_velocity], bristle_, joint_torque(0) / axis.ratio, model_.period);
    bristle_ = bent.memory;
    return bent.force;
  }

  const ModelAxes& model_;
  Eigen::VectorXd x_;
  double bristle_ = 0.0;
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

// The link's velocity for the loop, by where the axes stand and by the torques that brought them there.
using LinkVelocity = std::function<double(const StruckAxes&, const Eigen::VectorXd& torques)>;

double damping_when(const ModelAxes& model, const DampingTrial& trial, const LinkVelocity& velocity) {
  const ModelAxes::Axis& axis = model.axes[trial.axis];
  const double blow = kBlow * axis.load_inertia / (kBlowSamples * model.period);
  const auto quiet = static_cast<std::size_t>(kSettled / model.period),
             all = quiet + static_cast<std::size_t>(kTrial / model.period);
  StruckAxes axes(model);
  Eigen::VectorXd torques;
  std::vector<double> joint_torque;
  for (std::size_t k = 0; k < all; ++k) {
    torques = axes.torques_for(trial, velocity(axes, torques));
    axes.step(torques, trial.axis, k >= quiet && k < quiet + kBlowSamples ? blow : 0.0);
    if (k > quiet) joint_torque.push_back(axes.joint_torque(trial.axis));
  }
  // A vibration that is as large at the end as at the start does not die out.
  const auto power = [&](std::size_t from, std::size_t to) {
    double sum = 0.0;
    for (std::size_t k = from; k < to; ++k) sum += joint_torque[k] * joint_torque[k];
    return sum;
  };
  const std::size_t tenth = joint_torque.size() / 10;
  const double begin = power(0, tenth), end = power(joint_torque.size() - tenth, joint_torque.size());
  if (!(end < 0.5 * begin)) return 0.0;
  // Of the link against its motor, which the loop holds.
  return damping_of(joint_torque, model.period, std::sqrt(axis.stiffness / axis.load_inertia));
}

}  // namespace

DampingTrial plan_damping_trial(const ModelAxes& model, std::size_t axis) {
  const auto damping_by = [&](double gain) {
    return damping_when(model, {.axis = axis, .gain = gain},
                        [&](const StruckAxes& axes, const Eigen::VectorXd&) { return axes.load_velocity(axis); });
  };
  DampingTrial trial{.axis = axis};
  trial.without = trial.with_truth = damping_by(0.0);
  // The best of a row of gains of either sign: which sign damps depends on the inertias.
  for (double size = 0.05; size < 6.0; size *= 1.25) {
    for (const double gain : {-size, size}) {
      const double damping = damping_by(gain);
      if (damping > trial.with_truth) trial.with_truth = damping, trial.gain = gain;
    }
  }
  return trial;
}

std::optional<Diagnostic> damps_less(const std::vector<TriedDamping>& tried, const DampingTrial& trial,
                                     const std::string& axis) {
  constexpr double kAsMuch = 0.95;  // of the damping without: less is no matter of the trial's own accuracy
  std::vector<std::string> less;
  bool does_one_help = false;
  for (const TriedDamping& each : tried) {
    if (each.damping < kAsMuch * trial.without)
      less.push_back(fmt::format("{:.3f} by {}", each.damping, each.observer));
    does_one_help = does_one_help || each.damping > trial.without;
  }
  if (less.empty()) return std::nullopt;
  return Diagnostic{
      "observer.damps_less", Severity::warning,
      fmt::format("{}In the loop that was tried the vibration dies out more slowly with the estimate than without any "
                  "feedback: {}, where it is {:.3f} without and {:.3f} with the true velocity. At the resonance the "
                  "estimate comes late, or misses the swing; see its lag. {}, or let the observer follow faster: more "
                  "noise in [[observer]], or faster poles.",
                  axis.empty() ? "" : axis + ": ", fmt::join(less, ", "), trial.without, trial.with_truth,
                  does_one_help ? "Take one that damps" : "Do not close the loop with it")};
}

double damping_with(const ModelAxes& model, const DampingTrial& trial, Estimator& estimator,
                    const LoopSignals& signals) {
  estimator.reset();
  return damping_when(model, trial, [&](const StruckAxes& axes, const Eigen::VectorXd& torques) {
    if (torques.size() > 0) estimator.predict({torques.data(), model.count()}, model.period);
    for (std::size_t i = 0; i < model.count(); ++i)
      estimator.correct({signals.motor_positions[i], axes.motor_position(i), signals.sensor_variances[i]});
    double velocity = 0.0, std = 0.0;
    estimator.estimate(signals.load_velocity, velocity, std);
    return std::isfinite(velocity) ? velocity : 0.0;  // not started yet
  });
}

}  // namespace tauhat
