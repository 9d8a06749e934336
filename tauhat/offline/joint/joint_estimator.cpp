#include "tauhat/offline/joint/joint_estimator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tauhat/offline/joint/joint_core.hpp"
#include "tauhat/offline/joint/joint_start.hpp"
#include "tauhat/offline/joint/virtual_sensor.hpp"
#include "tauhat/offline/log/part.hpp"

namespace tauhat {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

// What is known beside the motor's torque, as the log says it; it holds until the log says more.
struct KnownInputs {
  double load_torque = 0.0, neighbour_torque = 0.0;
  PosePoint pose{kUnknown, 0.0, 0.0};

  void take(int channel, double value) noexcept {
    switch (channel) {
      case joint_load_torque:
        load_torque = value;
        break;
      case joint_neighbour_torque:
        neighbour_torque = value;
        break;
      case joint_pose_position:
        pose.position = value;
        break;
      case joint_pose_velocity:
        pose.velocity = value;
        break;
      case joint_pose_acceleration:
        pose.acceleration = value;
        break;
      default:
        break;
    }
  }
};

template <class Core>
class JointEstimatorOf final : public Estimator {
 public:
  JointEstimatorOf(const Core& core, const JointSpec& spec, const ObserverSpec& observer, double period,
                   double sensor_variance)
      : core_(core),
        given_(core),
        spec_(spec),
        study_(spec),
        observer_(observer),
        period_(period),
        start_variance_(sensor_variance) {
    for (const Signal& signal : kJointSignals) add_output(signal, index_of(kLinearJointSignals, signal.name));
    for (int i = 0; i < kLinearJointOutputs; ++i) {
      const Signal& signal = kLinearJointSignals[static_cast<std::size_t>(i)];
      if (index_of(kJointSignals, signal.name) < 0 && core_.has_output(i)) add_output(signal, i);
    }
    if (Core::kOutputs > kLinearJointOutputs) add_output({"motor.friction", "N m"}, kLinearJointOutputs);
  }

  const std::vector<OutputInfo>& outputs() const override { return outputs_; }
  std::unique_ptr<Estimator> clone() const override { return std::make_unique<JointEstimatorOf>(*this); }

  void reset() override {
    core_ = given_, spec_ = study_;
    start_ = {};
    started_ = is_anew_ = false;
    time_ = silence_ = known_from_ = 0.0, known_ = {};
    steps_ = outside_ = unsolved_ = 0;
  }

  Correction<double> correct(const Measurement<double>& z) noexcept override {
    if (!std::isfinite(z.value)) return {};
    known_.take(z.output, z.value);
    if (z.output != joint_motor_position) return {};
    sampled_ = true;
    if (!started_) {
      start_.add(time_, z.value);
      if (!start_.is_complete()) return {};
      core_.start(start_.state(spec_, start_variance_, known_torques(0.0)));
      started_ = true;
      if (is_anew_) known_from_ = time_ + settling_time(core_.radius(), period_);
    }
    return corrected(z.value, observer_.sensor_variance.value_or(z.variance));
  }

  StepStatus predict(std::span<const double> u, double dt) noexcept override {
    if (!(dt > 0.0)) return StepStatus::interval_not_positive;
    time_ += dt;
    if (std::isfinite(u[0])) torque_ = study_.torque_gain * u[0];
    if (started_ && !sampled_) core_.coast();
    silence_ = sampled_ ? dt : silence_ + dt;
    sampled_ = false;
    // Over more than some samples the error is no longer what the gain was made for: nothing is known until it has
    // begun anew, and settled.
    if (silence_ > kBridgedPeriods * period_) {
      is_anew_ = is_anew_ || started_;
      started_ = false, start_ = {};
    }
    const StepStatus status = started_ ? predicted(torque_, dt) : StepStatus::ok;
    follow_pose();  // between two steps: correct and predict belong to one model
    return status;
  }

  void estimate(int output, double& value, double& std) const noexcept override {
    value = std = kUnknown;
    if (!started_ || time_ < known_from_) return;
    if (output == joint_load_torque) {
      value = known_torques(core_.output(joint_load_velocity)).load +
              spec_.gravity.torque(core_.output(joint_load_position));
      return;
    }
    const int index = places_[static_cast<std::size_t>(output)];
    value = core_.output(index);
    std = std::sqrt(std::max(core_.variance(index), 0.0));
  }

  std::vector<Diagnostic> remarks() const override {
    std::vector<Diagnostic> remarks;
    if (outside_ > 0)
      remarks.push_back({"pose.outside_grid", Severity::warning,
                         fmt::format("pose.position leaves the grid of [pose], {:.4g} to {:.4g} rad, in {} of {} "
                                     "samples: the numbers of its end were used there. Extend the grid.",
                                     spec_.pose->lowest(), spec_.pose->highest(), outside_, steps_)});
    if (unsolved_ > 0)
      remarks.push_back({"pose.gain_not_solved", Severity::warning,
                         fmt::format("{} poses have no gain: that of the pose before was kept.", unsolved_)});
    return remarks;
  }

 private:
  void add_output(const Signal& signal, int place) {
    outputs_.push_back({std::string(signal.name), std::string(signal.unit)});
    places_.push_back(place);
  }

  // At the links, beside gravity.
  PoseTorques known_torques(double load_velocity) const noexcept {
    PoseTorques torques{known_.load_torque, known_.neighbour_torque};
    if (!spec_.pose || !std::isfinite(known_.pose.position)) return torques;
    const PoseTorques motion = torques_of(*spec_.pose, spec_.joint, known_.pose, load_velocity);
    return {torques.load + motion.load, torques.neighbour + motion.neighbour};
  }

  // The model of the pose, at the first sample and at every so many after it.
  void follow_pose() noexcept {
    if (!spec_.pose || !std::isfinite(known_.pose.position)) return;
    outside_ += !spec_.pose->contains(known_.pose.position);
    if (steps_++ % spec_.pose->every != 0) return;
    take_pose(*spec_.pose, known_.pose.position, spec_.joint, spec_.gravity);
    with_joint_model(spec_, observer_, [&](const auto& joint) {
      if constexpr (std::decay_t<decltype(joint)>::kStates == Core::kStates) set_joint(joint);
    });
  }
  template <class Joint>
  void set_joint(const Joint& joint) noexcept {
    if constexpr (requires { core_.set_joint(joint, spec_.gravity, observer_, start_variance_); }) {
      if (spec_.pose->solves_gain) try {
          return core_.set_joint(joint, spec_.gravity, observer_, start_variance_);
        } catch (const Error&) {
          ++unsolved_;
        }
    }
    core_.set_joint(joint, spec_.gravity);
  }

  // Never inlined: a replay and a stream must round alike.
  [[gnu::noinline]] Correction<double> corrected(double position, double variance) noexcept {
    return core_.correct(position, variance);
  }
  [[gnu::noinline]] StepStatus predicted(double torque, double dt) noexcept {
    const PoseTorques known = known_torques(core_.output(joint_load_velocity));
    return core_.predict({torque, known.load, known.neighbour}, dt);
  }

  Core core_, given_;
  JointSpec spec_, study_;  // at the pose, and as the study has it
  ObserverSpec observer_;
  double period_, start_variance_;
  std::vector<OutputInfo> outputs_;
  std::vector<int> places_;  // of an output among the model's
  JointStart start_;
  bool started_ = false, sampled_ = false, is_anew_ = false;  // after a silence, that is
  double time_ = 0.0, silence_ = 0.0, known_from_ = 0.0;      // s, s since the last sample, s
  double torque_ = 0.0;
  KnownInputs known_;
  std::size_t steps_ = 0, outside_ = 0, unsolved_ = 0;
};

template <class Core>
std::unique_ptr<Estimator> made(const Core& core, const JointSpec& spec, const ObserverSpec& observer, double period,
                                double sensor_variance) {
  return std::make_unique<JointEstimatorOf<Core>>(core, spec, observer, period, sensor_variance);
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
    // The others see to it by their gain.
    if (has_bristle || observer.kind == ObserverSpec::Kind::virtual_sensor) require_seen(joint, observer, period);
    if constexpr (kStates == 4 || kStates == 6)
      if (observer.kind == ObserverSpec::Kind::virtual_sensor)
        return made(VirtualSensorCore<kStates>(joint, spec, period), spec, observer, period, variance);
    if (has_bristle) return made(BristleCore<kStates>(joint, spec, observer, period), spec, observer, period, variance);
    return made(FixedGainCore<kStates>(joint, spec, observer, period, variance), spec, observer, period, variance);
  });
}

int states_of(const JointSpec& spec, const ObserverSpec& observer) {
  const int joint = with_joint_model(spec, observer, [](const auto& model) { return int(model.kStates); });
  if (observer.kind == ObserverSpec::Kind::virtual_sensor) return joint - 2;  // the motor's are given
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
