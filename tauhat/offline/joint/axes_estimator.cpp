#include "tauhat/offline/joint/axes_estimator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tauhat/offline/joint/any_fixed_gain.hpp"
#include "tauhat/offline/joint/joint_start.hpp"
#include "tauhat/offline/log/part.hpp"

namespace tauhat {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// The row that turns the states into an axis' output.
Eigen::RowVectorXd output_row(const AnyAxes& axes, std::size_t axis, AxisSignal signal) {
  using Model = AnyAxes;
  Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(axes.states());
  const auto i = static_cast<int>(axis);
  const auto at = [&](Model::Group group) -> double& { return row[axes.begin(group) + i]; };
  switch (signal) {
    case axis_motor_position:
      at(Model::motor_position) = 1.0;
      break;
    case axis_load_position:
      at(Model::load_position) = 1.0;
      break;
    case axis_motor_velocity:
      at(Model::motor_velocity) = 1.0;
      break;
    case axis_load_velocity:
      at(Model::load_velocity) = 1.0;
      break;
    case axis_motor_disturbance:
      at(Model::motor_disturbance) = 1.0;
      break;
    default:  // K (q_m / N - q) + D (w_m / N - w)
      at(Model::motor_position) = axes.stiffness[i] / axes.ratio[i];
      at(Model::load_position) = -axes.stiffness[i];
      at(Model::motor_velocity) = axes.damping[i] / axes.ratio[i];
      at(Model::load_velocity) = -axes.damping[i];
  }
  return row;
}

class AxesEstimator final : public Estimator {
 public:
  AxesEstimator(const AxesSpec& spec, const AxesObserver& observer, double period,
                const std::vector<double>& sensor_variances)
      : AxesEstimator(spec, observer, period, sensor_variances, axes_gain(spec, observer, period, sensor_variances)) {}

  const std::vector<OutputInfo>& outputs() const override { return outputs_; }
  std::unique_ptr<Estimator> clone() const override { return std::make_unique<AxesEstimator>(*this); }

  void reset() override {
    core_ = given_, linear_ = given_linear_;
    starts_.assign(spec_.count(), {});
    started_ = is_anew_ = false;
    time_ = known_from_ = 0.0, silence_.setZero(), known_.setZero(), torque_.setZero();
    measured_.setConstant(kUnknown);
    steps_ = not_positive_ = 0;
  }

  Correction<double> correct(const Measurement<double>& z) noexcept override {
    if (!std::isfinite(z.value)) return {};
    const int axis = z.output / kAxisSignals;
    const AxisSignal signal = kind_of_axes_signal(z.output);
    if (signal == axis_load_torque) known_[axis] = z.value;
    if (signal != axis_motor_position) return {};
    measured_[axis] = z.value;
    starts_[static_cast<std::size_t>(axis)].add(time_, z.value);
    if (!started_ && !try_start()) return {};
    // Of the same instant, with one more sample: what came before is repeated.
    core_.correct(measured_);
    return {.status = StepStatus::ok, .innovation = core_.innovation()[axis], .variance = innovation_variance_[axis]};
  }

  StepStatus predict(std::span<const double> u, double dt) noexcept override {
    if (!(dt > 0.0)) return StepStatus::interval_not_positive;
    time_ += dt;
    for (int i = 0; i < model_.count(); ++i)
      if (const auto axis = static_cast<std::size_t>(i); std::isfinite(u[axis]))
        torque_[i] = spec_.torque_gain.empty() ? u[axis] : spec_.torque_gain[axis] * u[axis];
    const auto sampled = (measured_.array() == measured_.array()).eval();
    if (started_ && !sampled.any()) core_.correct(measured_);  // the estimate is what was predicted
    silence_ = sampled.select(dt, silence_.array() + dt);
    measured_.setConstant(kUnknown);
    for (int i = 0; i < model_.count(); ++i) {
      if (silence_[i] <= kBridgedPeriods * period_) continue;
      is_anew_ = true;
      started_ = false, starts_[static_cast<std::size_t>(i)] = {};
    }
    return started_ ? predicted(dt) : StepStatus::ok;
  }

  void estimate(int output, double& value, double& std) const noexcept override {
    value = std = kUnknown;
    if (!started_ || time_ < known_from_) return;
    const auto index = static_cast<std::size_t>(output);
    value = rows_[index].dot(core_.estimate());
    std = stds_[index];
  }

  std::vector<Diagnostic> remarks() const override {
    if (not_positive_ == 0) return {};
    return {{"pose.mass_not_positive", Severity::warning,
             fmt::format("The URDF's mass matrix is not positive at {} poses: that of the pose before was kept. Give "
                         "every link its inertia.",
                         not_positive_)}};
  }

 private:
  AxesEstimator(const AxesSpec& spec, const AxesObserver& observer, double period,
                const std::vector<double>& sensor_variances, const AxesGain& gain)
      : spec_(spec),
        observer_(observer),
        model_(elastic_axes(spec, observer)),
        period_(period),
        variances_(sensor_variances),
        core_(gain.sampled, gain.linear.measured, observer.predicts ? ObserverForm::predictor : ObserverForm::filter,
              observer.predicts ? gain.predictor : gain.filter),
        given_(core_),
        linear_(gain.linear),
        given_linear_(gain.linear),
        innovation_variance_(Eigen::VectorXd::Constant(model_.count(), kUnknown)),
        starts_(spec.count()),
        radius_(gain.radius),
        known_(Eigen::VectorXd::Zero(model_.count())),
        torque_(known_),
        measured_(innovation_variance_),
        silence_(known_) {
    const Eigen::MatrixXd& covariance = observer.predicts ? gain.predicted : gain.corrected;
    for (std::size_t axis = 0; axis < spec.count(); ++axis) {
      const auto i = static_cast<int>(axis);
      if (covariance.size() > 0) innovation_variance_[i] = gain.predicted(i, i) + sensor_variances[axis];
      for (int k = 0; k < kAxisOutputs; ++k) {
        const auto signal = static_cast<AxisSignal>(k);
        outputs_.push_back({spec.signal(axis, signal), std::string(kSignalsOfAxis[signal].unit)});
        const auto& row = rows_.emplace_back(output_row(model_, axis, signal));
        stds_.push_back(covariance.size() > 0 ? std::sqrt(std::max((row * covariance).dot(row), 0.0)) : kUnknown);
      }
    }
  }

  Eigen::VectorXd part(AnyAxes::Group group) const noexcept {
    return core_.estimate().segment(model_.begin(group), model_.count());
  }

  // At the first samples' positions and velocities, the joints wound up by what is known to act: where those of all
  // axes have come, each where it is now.
  bool try_start() noexcept {
    if (!std::all_of(starts_.begin(), starts_.end(), [](const JointStart& start) { return start.is_complete(); }))
      return false;
    const int axes = model_.count();
    Eigen::VectorXd motor_position(axes), motor_velocity(axes);
    for (int i = 0; i < axes; ++i) {
      const auto axis = static_cast<std::size_t>(i);
      const JointStart::Line motor = starts_[axis].line(variances_[axis]);
      motor_position[i] = motor.position + motor.velocity * (time_ - starts_[axis].last_time());
      motor_velocity[i] = motor.velocity;
    }
    const Eigen::VectorXd position = motor_position.cwiseQuotient(model_.ratio),
                          velocity = motor_velocity.cwiseQuotient(model_.ratio);
    Eigen::VectorXd x = Eigen::VectorXd::Zero(model_.states());
    const auto group = [&](AnyAxes::Group which) { return x.segment(model_.begin(which), axes); };
    group(AnyAxes::motor_position) = motor_position, group(AnyAxes::motor_velocity) = motor_velocity;
    group(AnyAxes::load_velocity) = velocity;
    group(AnyAxes::load_position) =
        position - (known_ + bias_at(spec_, position, velocity)).cwiseQuotient(model_.stiffness);
    core_.start(x);
    started_ = true;
    if (is_anew_) known_from_ = time_ + settling_time(radius_, period_);
    return true;
  }

  // Never inlined: a replay and a stream must round alike.
  [[gnu::noinline]] StepStatus predicted(double dt) noexcept {
    Eigen::VectorXd u(model_.inputs());
    u << torque_, known_;
    if (spec_.robot)
      u.tail(model_.count()) += bias_at(spec_, part(AnyAxes::load_position), part(AnyAxes::load_velocity));
    const bool usual = std::abs(dt - period_) < 1e-3 * period_;
    if (!usual) core_.reschedule(sampled_axes(linear_, dt));
    core_.predict(u);
    if (!usual) core_.reschedule(sampled_axes(linear_, period_));
    follow_pose();  // between two steps: correct and predict belong to one model
    return core_.state().allFinite() ? StepStatus::ok : StepStatus::diverged;
  }

  // The model of where the links stand, at the first sample and at every so many after it. The gain stays.
  void follow_pose() noexcept {
    if (!spec_.robot || steps_++ % spec_.every != 0) return;
    const LinearAnyAxes moved =
        linear_axes<double, Eigen::Dynamic>(model_, mass_for(observer_, mass_at(spec_, part(AnyAxes::load_position))));
    if (!moved.mass_is_positive) {
      ++not_positive_;
      return;
    }
    linear_ = moved;
    core_.reschedule(sampled_axes(linear_, period_));
  }

  AxesSpec spec_;
  AxesObserver observer_;
  AnyAxes model_;
  double period_;
  std::vector<double> variances_;
  AnyFixedGain core_, given_;
  LinearAnyAxes linear_, given_linear_;  // at the pose, and where gains were designed
  std::vector<OutputInfo> outputs_;
  std::vector<Eigen::RowVectorXd> rows_;  // of the outputs
  std::vector<double> stds_;
  Eigen::VectorXd innovation_variance_;
  std::vector<JointStart> starts_;
  bool started_ = false;
  double time_ = 0.0, known_from_ = 0.0;       // s
  double radius_;                              // of the error, per sample
  bool is_anew_ = false;                       // after a silence, in the middle of a motion
  Eigen::VectorXd known_, torque_, measured_;  // torques at links and motors; NaN: no sample
  Eigen::VectorXd silence_;                    // s, since the last position of each axis
  std::size_t steps_ = 0, not_positive_ = 0;
};

}  // namespace

std::unique_ptr<Estimator> make_axes_estimator(const AxesSpec& spec, const AxesObserver& observer, double period,
                                               const std::vector<double>& sensor_variances) {
  return std::make_unique<AxesEstimator>(spec, observer, period, sensor_variances);
}

}  // namespace tauhat
