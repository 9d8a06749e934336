#include "tauhat/offline/joint/joint_estimator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tauhat/offline/joint/joint_core.hpp"
#include "tauhat/offline/joint/joint_start.hpp"
#include "tauhat/offline/replay/step_by_step.hpp"

namespace tauhat {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

template <class Core>
class JointEstimatorOf final : public Estimator {
 public:
  JointEstimatorOf(const Core& core, const JointSpec& spec, const ObserverSpec& observer, double sensor_variance)
      : core_(core), spec_(spec), given_variance_(observer.sensor_variance), start_variance_(sensor_variance) {
    for (const Signal& signal : kJointSignals) add_output(signal, index_of(kLinearJointSignals, signal.name));
    for (int i = 0; i < kLinearJointOutputs; ++i) {
      const Signal& signal = kLinearJointSignals[static_cast<std::size_t>(i)];
      if (index_of(kJointSignals, signal.name) < 0 && core_.has_output(i)) add_output(signal, i);
    }
    if (Core::kOutputs > kLinearJointOutputs) add_output({"motor.friction", "N m"}, kLinearJointOutputs);
  }

  const std::vector<OutputInfo>& outputs() const override { return outputs_; }
  std::unique_ptr<Estimator> clone() const override { return std::make_unique<JointEstimatorOf>(*this); }

  void set_intensity(double) override {}  // `tune` makes another one
  double intensity() const override { return 0.0; }
  void set_lag(std::size_t) override {}  // a study with a lag is refused
  std::size_t lag() const noexcept override { return 0; }
  void set_gate(double) override {}

  void reset() override {
    start_ = {};
    started_ = false;
    time_ = load_torque_ = 0.0;
  }

  Correction<double> correct(const Measurement<double>& z) noexcept override {
    if (!std::isfinite(z.value)) return {};
    if (z.output == joint_load_torque) load_torque_ = z.value;
    if (z.output != joint_motor_position) return {};
    if (!started_) {
      start_.add(time_, z.value);
      if (!start_.is_complete()) return {};
      core_.start(start_.state(spec_, start_variance_));
      started_ = true;
    }
    sampled_ = true;
    return corrected(z.value, given_variance_.value_or(z.variance));
  }

  StepStatus predict(std::span<const double> u, double dt) noexcept override {
    if (!(dt > 0.0)) return StepStatus::interval_not_positive;
    time_ += dt;
    if (std::isfinite(u[0])) torque_ = u[0];
    if (!started_) return StepStatus::ok;
    if (!sampled_) core_.coast();
    sampled_ = false;
    return predicted(torque_, dt);
  }

  void estimate(int output, double& value, double& std) const noexcept override {
    value = std = kUnknown;
    if (!started_) return;
    if (output == joint_load_torque) {
      value = load_torque_ + spec_.gravity.torque(core_.output(joint_load_position));
      return;
    }
    const int index = places_[static_cast<std::size_t>(output)];
    value = core_.output(index);
    std = std::sqrt(std::max(core_.variance(index), 0.0));
  }

  bool settle() override { return false; }
  void lagged(int, double&, double&) const noexcept override {}
  void finish(const std::function<void()>&) override {}
  Replay replay(const Timeline& timeline, const ReplayOptions& options) override {
    return replay_step_by_step(*this, timeline, options);
  }
  std::vector<Diagnostic> remarks() const override { return {}; }

 private:
  void add_output(const Signal& signal, int place) {
    outputs_.push_back({std::string(signal.name), std::string(signal.unit)});
    places_.push_back(place);
  }
  // Never inlined: a replay and a stream must round alike.
  [[gnu::noinline]] Correction<double> corrected(double position, double variance) noexcept {
    return core_.correct(position, variance);
  }
  [[gnu::noinline]] StepStatus predicted(double torque, double dt) noexcept {
    return core_.predict({torque, load_torque_, 0.0}, dt);
  }

  Core core_;
  JointSpec spec_;
  std::optional<double> given_variance_;
  double start_variance_;
  std::vector<OutputInfo> outputs_;
  std::vector<int> places_;  // of an output among the model's
  JointStart start_;
  bool started_ = false, sampled_ = false;
  double time_ = 0.0, torque_ = 0.0, load_torque_ = 0.0;
};

template <class Core>
std::unique_ptr<Estimator> made(const Core& core, const JointSpec& spec, const ObserverSpec& observer,
                                double sensor_variance) {
  return std::make_unique<JointEstimatorOf<Core>>(core, spec, observer, sensor_variance);
}

}  // namespace

std::unique_ptr<Estimator> make_joint_estimator(const JointSpec& spec, const ObserverSpec& observer, double period,
                                                double sensor_variance) {
  const double variance = observer.sensor_variance.value_or(sensor_variance);
  const bool has_bristle = observer.kind == ObserverSpec::Kind::bristle_kalman;
  if (has_bristle && !observer.motor_disturbance)
    joint_detail::refuse(observer, "needs motor_disturbance: what LuGre's law leaves of the friction");
  return with_joint_model(spec, observer, [&](const auto& joint) -> std::unique_ptr<Estimator> {
    constexpr int kStates = std::decay_t<decltype(joint)>::kStates;
    if (has_bristle) return made(BristleCore<kStates>(joint, spec, observer, period), spec, observer, variance);
    return made(FixedGainCore<kStates>(joint, spec, observer, period, variance), spec, observer, variance);
  });
}

int states_of(const JointSpec& spec, const ObserverSpec& observer) {
  const int joint = with_joint_model(spec, observer, [](const auto& model) { return int(model.kStates); });
  return joint + (observer.kind == ObserverSpec::Kind::bristle_kalman ? 1 : 0);
}

ObserverDesign design_of(const JointSpec& spec, const ObserverSpec& observer, double period, double sensor_variance) {
  return with_joint_model(spec, observer, [&](const auto& joint) {
    constexpr int kStates = std::decay_t<decltype(joint)>::kStates;
    const ObserverGain<kStates> gain = observer_gain(joint, observer, period, sensor_variance);
    ObserverDesign design;
    design.states = joint_detail::state_names(joint);
    design.gain.assign(gain.predictor.data(), gain.predictor.data() + kStates);
    design.radius = gain.radius, design.residual = gain.residual;
    for (const auto& z : observer_poles(gain)) {
      const auto mode = mode_of<double>(z, period);
      design.poles.push_back({mode.frequency, mode.damping});
    }
    return design;
  });
}

}  // namespace tauhat
