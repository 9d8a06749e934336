// What axes_estimator.hpp declares, for a number of axes that is known to the compiler: included by the files that
// compile it, for a few numbers each.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "tauhat/core/linear/hold.hpp"
#include "tauhat/core/models/elastic_axes.hpp"
#include "tauhat/core/observers/fixed_gain.hpp"
#include "tauhat/offline/error.hpp"
#include "tauhat/offline/joint/axes_estimator.hpp"
#include "tauhat/offline/joint/filter_fault.hpp"
#include "tauhat/offline/joint/joint_start.hpp"
#include "tauhat/offline/log/part.hpp"
#include "tauhat/offline/replay/step_by_step.hpp"

namespace tauhat::axes_detail {

template <int Axes>
using PerAxis = Vector<double, Axes>;

template <int Axes>
ElasticAxes<double, Axes> elastic_axes(const AxesSpec& spec, const AxesObserver& observer) {
  const auto list = [](const std::vector<double>& values) { return PerAxis<Axes>(values.data()); };
  ElasticAxes<double, Axes> axes;
  axes.ratio = list(spec.ratio), axes.motor_inertia = list(spec.motor_inertia);
  axes.motor_viscous = list(spec.motor_viscous), axes.stiffness = list(spec.stiffness);
  axes.damping = list(spec.damping), axes.load_viscous = list(spec.load_viscous);
  axes.leak = list(observer.leak);
  axes.motor_noise = list(observer.motor_noise).cwiseAbs2(), axes.load_noise = list(observer.load_noise).cwiseAbs2();
  axes.disturbance_noise = list(observer.disturbance).cwiseAbs2();
  return axes;
}

// Each axis alone has its own inertia and does not feel the others.
template <int Axes>
Matrix<double, Axes> mass_for(const AxesObserver& observer, const Eigen::MatrixXd& mass) {
  const Matrix<double, Axes> all = mass;
  return observer.coupled ? all : Matrix<double, Axes>(all.diagonal().asDiagonal());
}

template <int Axes>
struct DesignedAxes {
  using Model = ElasticAxes<double, Axes>;
  LinearAxes<double, Axes> linear;
  Sampled<double, Model::kStates, Model::kInputs> sampled;
  StationaryFilter<double, Model::kStates, Axes> filter;
};

inline std::vector<std::string> state_names(const AxesSpec& spec) {
  std::vector<std::string> names;
  for (const AxisSignal signal :
       {axis_motor_position, axis_load_position, axis_motor_velocity, axis_load_velocity, axis_motor_disturbance})
    for (std::size_t axis = 0; axis < spec.count(); ++axis) names.push_back(spec.signal(axis, signal));
  return names;
}

template <int Axes>
DesignedAxes<Axes> designed(const AxesSpec& spec, const AxesObserver& observer, double period,
                            const std::vector<double>& sensor_variances) {
  using Model = ElasticAxes<double, Axes>;
  constexpr int kStates = Model::kStates;
  DesignedAxes<Axes> design;
  design.linear = linear_axes<double, Axes>(elastic_axes<Axes>(spec, observer), mass_for<Axes>(observer, spec.mass));
  design.sampled = held<double, kStates, Model::kInputs>(design.linear.dynamics, design.linear.by_torque, period);
  const DensityNoise<double, kStates, Axes> density{design.linear.noise, PerAxis<Axes>(sensor_variances.data())};
  design.filter = stationary_filter<double, kStates, Axes>(design.sampled.transition, design.linear.measured,
                                                           step_noise(design.linear.dynamics, density, period), period);
  if (design.filter.designed()) return design;
  const ModeTest<double, kStates>& unseen = design.filter.detectability;
  throw Error(
      ExitCode::wrong_use,
      fmt::format("observer \"{}\": {}", observer.name,
                  filter_fault(design.filter,
                               fmt::format("the motors' positions do not show {}, at {:.3g} Hz",
                                           state_names(spec)[static_cast<std::size_t>(std::max(unseen.state, 0))],
                                           unseen.mode.frequency))));
}

// Rows that turn the states into an axis' outputs.
template <int Axes>
Matrix<double, 1, ElasticAxes<double, Axes>::kStates> output_row(const AxesSpec& spec, std::size_t axis,
                                                                 AxisSignal signal) {
  using Model = ElasticAxes<double, Axes>;
  Matrix<double, 1, Model::kStates> row = Matrix<double, 1, Model::kStates>::Zero();
  const int i = static_cast<int>(axis);
  switch (signal) {
    case axis_motor_position:
      row[Model::motor_position + i] = 1.0;
      break;
    case axis_load_position:
      row[Model::load_position + i] = 1.0;
      break;
    case axis_motor_velocity:
      row[Model::motor_velocity + i] = 1.0;
      break;
    case axis_load_velocity:
      row[Model::load_velocity + i] = 1.0;
      break;
    case axis_motor_disturbance:
      row[Model::motor_disturbance + i] = 1.0;
      break;
    default:  // K (q_m / N - q) + D (w_m / N - w)
      row[Model::motor_position + i] = spec.stiffness[axis] / spec.ratio[axis];
      row[Model::load_position + i] = -spec.stiffness[axis];
      row[Model::motor_velocity + i] = spec.damping[axis] / spec.ratio[axis];
      row[Model::load_velocity + i] = -spec.damping[axis];
  }
  return row;
}

template <int Axes>
class AxesEstimatorOf final : public Estimator {
  using Model = ElasticAxes<double, Axes>;
  static constexpr int kStates = Model::kStates;
  using Core = FixedGainObserver<double, kStates, Model::kInputs, Axes>;
  static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

 public:
  AxesEstimatorOf(const AxesSpec& spec, const AxesObserver& observer, double period,
                  const std::vector<double>& sensor_variances)
      : AxesEstimatorOf(spec, observer, period, sensor_variances,
                        designed<Axes>(spec, observer, period, sensor_variances)) {}

  const std::vector<OutputInfo>& outputs() const override { return outputs_; }
  std::unique_ptr<Estimator> clone() const override { return std::make_unique<AxesEstimatorOf>(*this); }

  void set_intensity(double) override {}
  double intensity() const override { return 0.0; }
  void set_lag(std::size_t) override {}  // a study with a lag is refused
  std::size_t lag() const noexcept override { return 0; }
  void set_gate(double) override {}

  void reset() override {
    core_ = given_, linear_ = given_linear_;
    starts_ = {};
    started_ = is_anew_ = false;
    time_ = silence_ = known_from_ = 0.0, known_.setZero(), torque_.setZero();
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
    for (int i = 0; i < Axes; ++i)
      if (std::isfinite(u[static_cast<std::size_t>(i)])) torque_[i] = u[static_cast<std::size_t>(i)];
    const bool sampled = (measured_.array() == measured_.array()).any();
    if (started_ && !sampled) core_.correct(measured_);  // the estimate is what was predicted
    measured_.setConstant(kUnknown);
    silence_ = sampled ? dt : silence_ + dt;
    if (silence_ > kBridgedPeriods * period_) {
      is_anew_ = is_anew_ || started_;
      started_ = false, starts_ = {};
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

  bool settle() override { return false; }
  void lagged(int, double&, double&) const noexcept override {}
  void finish(const std::function<void()>&) override {}
  Replay replay(const Timeline& timeline, const ReplayOptions& options) override {
    return replay_step_by_step(*this, timeline, options);
  }

  std::vector<Diagnostic> remarks() const override {
    if (not_positive_ == 0) return {};
    return {{"pose.mass_not_positive", Severity::warning,
             fmt::format("The URDF's mass matrix is not positive at {} poses: that of the pose before was kept. Give "
                         "every link its inertia.",
                         not_positive_)}};
  }

 private:
  AxesEstimatorOf(const AxesSpec& spec, const AxesObserver& observer, double period,
                  const std::vector<double>& sensor_variances, const DesignedAxes<Axes>& design)
      : spec_(spec),
        observer_(observer),
        model_(elastic_axes<Axes>(spec, observer)),
        period_(period),
        variances_(sensor_variances),
        core_(design.sampled.transition, design.sampled.by_input, design.linear.measured,
              observer.predicts ? ObserverForm::predictor : ObserverForm::filter,
              observer.predicts ? design.filter.predictor_gain : design.filter.gain),
        given_(core_),
        linear_(design.linear),
        given_linear_(design.linear),
        radius_(design.filter.radius) {
    const auto& covariance = observer.predicts ? design.filter.predicted : design.filter.corrected;
    for (std::size_t axis = 0; axis < spec.count(); ++axis) {
      const auto i = static_cast<int>(axis);
      innovation_variance_[i] = design.filter.predicted(i, i) + sensor_variances[axis];
      for (int k = 0; k < kAxisOutputs; ++k) {
        const auto signal = static_cast<AxisSignal>(k);
        outputs_.push_back({spec.signal(axis, signal), std::string(kSignalsOfAxis[signal].unit)});
        rows_.push_back(output_row<Axes>(spec, axis, signal));
        stds_.push_back(std::sqrt(std::max(rows_.back().dot(covariance * rows_.back().transpose()), 0.0)));
      }
    }
  }

  PerAxis<Axes> part(typename Model::Group group) const noexcept {
    return core_.estimate().template segment<Axes>(group);
  }

  // At the first samples' positions and velocities, the joints wound up by what is known to act.
  bool try_start() noexcept {
    if (!std::all_of(starts_.begin(), starts_.end(), [](const JointStart& start) { return start.is_complete(); }))
      return false;
    Vector<double, kStates> x = Vector<double, kStates>::Zero();
    auto position = x.template segment<Axes>(Model::load_position),
         velocity = x.template segment<Axes>(Model::load_velocity);
    for (int i = 0; i < Axes; ++i) {
      const auto axis = static_cast<std::size_t>(i);
      const JointStart::Line motor = starts_[axis].line(variances_[axis]);
      x[Model::motor_position + i] = motor.position, x[Model::motor_velocity + i] = motor.velocity;
      position[i] = motor.position / model_.ratio[i], velocity[i] = motor.velocity / model_.ratio[i];
    }
    position -= (known_ + PerAxis<Axes>(bias_at(spec_, position, velocity))).cwiseQuotient(model_.stiffness);
    core_.start(x);
    started_ = true;
    if (is_anew_) known_from_ = time_ + settling_time(radius_, period_);
    return true;
  }

  // Never inlined: a replay and a stream must round alike.
  [[gnu::noinline]] StepStatus predicted(double dt) noexcept {
    Vector<double, Model::kInputs> u;
    u.template head<Axes>() = torque_;
    u.template tail<Axes>() = known_;
    if (spec_.robot)
      u.template tail<Axes>() += PerAxis<Axes>(bias_at(spec_, part(Model::load_position), part(Model::load_velocity)));
    const bool usual = std::abs(dt - period_) < 1e-3 * period_;
    if (!usual) reschedule(dt);
    core_.predict(u);
    if (!usual) reschedule(period_);
    follow_pose();  // between two steps: correct and predict belong to one model
    return core_.state().allFinite() ? StepStatus::ok : StepStatus::diverged;
  }

  // The model of where the links stand, at the first sample and at every so many after it. The gain stays.
  void follow_pose() noexcept {
    if (!spec_.robot || steps_++ % spec_.every != 0) return;
    const auto moved =
        linear_axes<double, Axes>(model_, mass_for<Axes>(observer_, mass_at(spec_, part(Model::load_position))));
    if (!moved.mass_is_positive) {
      ++not_positive_;
      return;
    }
    linear_ = moved;
    reschedule(period_);
  }

  void reschedule(double dt) noexcept {
    const auto step = held<double, kStates, Model::kInputs>(linear_.dynamics, linear_.by_torque, dt);
    core_.reschedule(step.transition, step.by_input);
  }

  AxesSpec spec_;
  AxesObserver observer_;
  Model model_;
  double period_;
  std::vector<double> variances_;
  Core core_, given_;
  LinearAxes<double, Axes> linear_, given_linear_;  // at the pose, and where gains were designed
  std::vector<OutputInfo> outputs_;
  std::vector<Matrix<double, 1, kStates>> rows_;  // of the outputs
  std::vector<double> stds_;
  PerAxis<Axes> innovation_variance_ = PerAxis<Axes>::Zero();
  std::array<JointStart, Axes> starts_;
  bool started_ = false;
  double time_ = 0.0, silence_ = 0.0, known_from_ = 0.0;  // s; since the last position; s
  double radius_;                                         // of the error, per sample
  bool is_anew_ = false;                                  // after a silence
  PerAxis<Axes> known_ = PerAxis<Axes>::Zero(), torque_ = PerAxis<Axes>::Zero(),
                measured_ = PerAxis<Axes>::Constant(kUnknown);
  std::size_t steps_ = 0, not_positive_ = 0;
};

template <int Axes>
std::unique_ptr<Estimator> estimator_of(const AxesSpec& spec, const AxesObserver& observer, double period,
                                        const std::vector<double>& sensor_variances) {
  return std::make_unique<AxesEstimatorOf<Axes>>(spec, observer, period, sensor_variances);
}

template <int Axes>
AxesDesign design_of_axes(const AxesSpec& spec, const AxesObserver& observer, double period,
                          const std::vector<double>& sensor_variances) {
  constexpr int kStates = ElasticAxes<double, Axes>::kStates;
  const DesignedAxes<Axes> found = designed<Axes>(spec, observer, period, sensor_variances);
  AxesDesign design;
  design.states = state_names(spec);
  design.gain = found.filter.predictor_gain;
  design.radius = found.filter.radius, design.residual = found.filter.residual;
  for (const auto& z :
       sampled_poles<double, kStates>(found.sampled.transition - found.filter.predictor_gain * found.linear.measured)) {
    const auto mode = mode_of<double>(z, period);
    design.poles.push_back({mode.frequency, mode.damping});
  }
  return design;
}

}  // namespace tauhat::axes_detail

// Compiles it for this number of axes.
#define TAUHAT_COMPILE_AXES(N)                                                                   \
  template std::unique_ptr<tauhat::Estimator> tauhat::axes_detail::estimator_of<N>(              \
      const tauhat::AxesSpec&, const tauhat::AxesObserver&, double, const std::vector<double>&); \
  template tauhat::AxesDesign tauhat::axes_detail::design_of_axes<N>(                            \
      const tauhat::AxesSpec&, const tauhat::AxesObserver&, double, const std::vector<double>&)
