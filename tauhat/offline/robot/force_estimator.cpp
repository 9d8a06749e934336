#include "tauhat/offline/robot/force_estimator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/replay/step_by_step.hpp"
#include "tauhat/offline/robot/force_core.hpp"
#include "tauhat/offline/robot/force_log.hpp"
#include "tauhat/offline/robot/joint_sensors.hpp"

namespace tauhat {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

using AnyCore = std::variant<FilterCore<3>, FilterCore<6>, MomentumObserverCore, DisturbanceFilterCore>;

ForceSetup setup_of(const Study& study, const JointSensors& sensors, double period) {
  const RobotSpec& robot = *study.robot;
  JointValues residual(robot.count());
  for (int i = 0; i < robot.count(); ++i) residual[i] = robot.joints[static_cast<std::size_t>(i)].residual;
  return {robot.robot, friction_of(robot),     robot.force, sensors.position_noise, sensors.torque_noise,
          residual,    sensors.velocity_noise, period};
}

void require_observable_velocity(const ForceSetup& setup, const std::string& source) {
  const double cut_off = setup.spec.velocity_cut_off.value_or(100.0);
  if (!(setup.period > 0.0) || cut_off * setup.period < 0.45) return;
  throw Error(ExitCode::wrong_use, fmt::format("{}: estimator.velocity_cut_off: must be below half the sampling rate, "
                                               "{:g} Hz; {:g} Hz is not",
                                               source, 0.5 / setup.period, cut_off));
}

AnyCore make_core(const ForceSetup& setup, const std::string& source) {
  using Kind = ForceSpec::Kind;
  if (setup.spec.kind != Kind::ekf) require_observable_velocity(setup, source);
  if (setup.spec.kind == Kind::momentum_observer) return MomentumObserverCore(setup);
  if (setup.spec.kind == Kind::disturbance_filter) return DisturbanceFilterCore(setup);
  if (setup.axes() == 0)
    throw Error(ExitCode::wrong_use, fmt::format("{}: robot.force.frame is missing: name the frame that the force acts "
                                                 "at, or estimate the joints' torques alone by [estimator] kind = "
                                                 "\"momentum-observer\"",
                                                 source));
  if (setup.axes() == 6) return FilterCore<6>(setup);
  return FilterCore<3>(setup);
}

// What a filter divides torques by must be a mass. Bodies that nobody described show at some pose, if not at all.
void require_mass(const RobotSpec& robot, const std::string& source) {
  if (robot.force.kind == ForceSpec::Kind::momentum_observer) return;
  for (const double angle : {0.0, 0.4, -1.1}) {
    const JointValues pose = JointValues::Constant(robot.count(), angle);
    if (MassFactor<double, Eigen::Dynamic>(mass_matrix(robot.robot, pose)).is_positive()) continue;
    std::vector<std::string> faults;
    for (const InertiaFault& fault : inertia_faults(robot)) faults.push_back(fault.link + " " + fault.what);
    throw Error(
        ExitCode::wrong_use,
        fmt::format("{}: the arm's mass matrix is not positive, and no force follows from its motion: {}. Give "
                    "the inertia in {}, identify it, or take [estimator] kind = \"momentum-observer\", which "
                    "needs no inverse of it",
                    source,
                    faults.empty() ? "its bodies cannot be together" : fmt::format("{}", fmt::join(faults, "; ")),
                    robot.urdf.empty() ? "[[robot.joint]]" : robot.urdf));
  }
}

double normal_probability(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

class ForceEstimator final : public RestingEstimator {
 public:
  ForceEstimator(const Study& study, const JointSensors& sensors, const ForceSetup& setup)
      : core_(make_core(setup, study.source)),
        sensors_(sensors),
        spec_(setup.spec),
        places_(force_outputs(*study.robot)),
        hidden_(JointValues::Zero(places_.joints)),
        expected_(sensors.velocities.size() > 0 ? 2 * places_.joints : places_.joints),
        readings_(JointValues::Constant(places_.joints, kUnknown)),
        speeds_(readings_),
        torque_(JointValues::Zero(places_.joints)) {
    const RobotSpec& robot = *study.robot;
    for (int i = 0; i < sensors.torque_gain_std.cols(); ++i)
      if (!sensors.torque_gain_std.col(i).isZero(0.0)) wrong_gains_.push_back({i, core_});
    for (int i = 0; i < robot.count(); ++i) hidden_[i] = setup.friction.breakaway(i);
    for (int i = 0; i < robot.count(); ++i)
      outputs_.push_back({fmt::format("{}.external_torque", robot.joints[static_cast<std::size_t>(i)].name),
                          joint_unit(robot, i, "N m")});
    for (int axis = 0; axis < places_.axes; ++axis) {
      const Signal& signal = kWrenchSignals[static_cast<std::size_t>(axis)];
      outputs_.push_back({std::string(signal.name), std::string(signal.unit)});
    }
    if (places_.axes > 0) outputs_.insert(outputs_.end(), {{"contact", "1"}, {"contact.probability", "1"}});
    outputs_.push_back({"force.observable", "1"});
  }

  const std::vector<OutputInfo>& outputs() const override { return outputs_; }
  std::unique_ptr<Estimator> clone() const override { return std::make_unique<ForceEstimator>(*this); }

  void set_intensity(double walk) override {
    for_all_cores([&](auto& core) { core.set_walk(walk); });
    spec_.walk = walk;
  }
  double intensity() const override { return spec_.walk; }
  void set_gate(double nis) override {
    for_all_cores([&](auto& core) { core.set_gate(nis); });
  }

  void reset() override {
    begins_ = started_ = is_read_ = is_measured_ = false;
    arrived_ = 0;
    time_ = silence_ = known_from_ = 0.0;
    rest_ = {};
    counts_ = {};
  }

  // All positions of an instant come one after the other, then all velocities, missing ones as NaN; the last one
  // completes it.
  Correction<double> correct(const Measurement<double>& z) noexcept override {
    (z.output < places_.joints ? readings_[z.output] : speeds_[z.output - places_.joints]) = z.value;
    if (++arrived_ == expected_) take_positions();
    return {};
  }

  StepStatus predict(std::span<const double> u, double dt) noexcept override {
    arrived_ = 0;
    if (!(dt > 0.0)) return StepStatus::interval_not_positive;
    time_ += dt;
    silence_ = is_measured_ ? dt : silence_ + dt;
    is_measured_ = false;
    // After a hole an observer begins anew, and nothing is known until it has.
    if (!std::visit([&](const auto& core) { return core.bridges(silence_); }, core_)) {
      begins_ = started_ = false;
    }
    for (int i = 0; i < places_.joints; ++i) torque_[i] = u[static_cast<std::size_t>(i)];
    is_read_ = false;
    return started_ ? predicted(dt) : StepStatus::ok;
  }

  void estimate(int output, double& value, double& std) const noexcept override {
    value = std = kUnknown;
    if (!started_ || time_ < known_from_) return;
    const ForceReading& now = reading();
    if (output < places_.joints) {
      value = now.external.torque[output], std = now.external.standard_deviation(output);
    } else if (output == places_.observable()) {
      value = now.resting.any() ? 0.0 : 1.0;
    } else if (output < places_.contact()) {
      const int axis = output - places_.joints;
      value = now.force.force[axis], std = now.force.standard_deviation(axis);
    } else if (spec_.contact.threshold && !stands_still(now)) {
      value = contact(now, output == places_.probability());
    }
  }

  Replay replay(const Timeline& timeline, const ReplayOptions& options) override {
    rested_.clear();
    rested_.reserve(timeline.size());
    remembers_ = true;
    Replay replay = replay_step_by_step(*this, timeline, options);
    remembers_ = false;
    replay.add(counts_);
    return replay;
  }

  bool rested(std::size_t instant, int joint) const override { return rested_[instant][joint]; }

  std::optional<UncertaintyBudget> budget(int output) const override {
    if (!started_ || time_ < known_from_ || output >= places_.joints + places_.axes) return {};
    const ForceReading& now = reading();
    ForceReading with_exact_gains = now;
    with_exact_gains.external.covariance -= by_gains_.torque, with_exact_gains.force.covariance -= by_gains_.force;
    const ReadingNoise noise = std::visit([&](const auto& core) { return core.noise(with_exact_gains); }, core_);
    const int axis = output - places_.joints;
    const auto of_output = [&](const auto& torque, const auto& force) {
      return axis < 0 ? torque(output, output) : force(axis, axis);
    };
    const double all = of_output(now.external.covariance, now.force.covariance),
                 by_gains = of_output(by_gains_.torque, by_gains_.force), beside_gains = std::max(all - by_gains, 0.0),
                 by_noise = std::clamp(axis < 0 ? noise.torque[output] : noise.force[axis], 0.0, beside_gains);
    UncertaintyBudget budget;
    budget.noise = std::sqrt(by_noise), budget.inputs = std::sqrt(by_gains);
    budget.model = std::sqrt(beside_gains - by_noise);
    return budget;
  }

  std::vector<Diagnostic> remarks() const override {
    if (rest_.instants == 0)
      return {{"force.not_started", Severity::error,
               "No two samples in succession have the positions of all joints: nothing can be estimated."}};
    if (rest_.still == 0) return {};
    const double share = static_cast<double>(rest_.still) / static_cast<double>(rest_.instants);
    constexpr double kAlways = 0.995;  // but for what a filter takes to start, or a spike
    return {{share > kAlways ? kUnobservable : kPartlyUnobservable, Severity::warning,
             fmt::format("Unobservable at rest: every joint rests in {:.3g} % of the instants, where friction hides up "
                         "to {:.3g} N m (N where it slides) at a joint. The standard deviations say so, and contact is "
                         "left open. Move the "
                         "arm.",
                         100.0 * share, hidden_.maxCoeff())}};
  }

 private:
  struct Rest {
    std::size_t instants = 0, still = 0;
  };
  // An estimator beside the first, to which the gain of one torque is too large by its standard deviation: what that
  // makes of the force comes as late as the force does.
  struct WrongGain {
    int sensor;
    AnyCore core;
  };

  // Never inlined: a replay and a stream must round alike.
  [[gnu::noinline]] void take_positions() noexcept {
    const JointValues position = mapped(sensors_.positions, readings_);
    // Without a measurement the velocity is a number that nobody reads.
    const JointValues velocity = has_velocities() ? mapped(sensors_.velocities, speeds_) : position;
    readings_.setConstant(kUnknown), speeds_.setConstant(kUnknown);
    is_read_ = false;
    is_measured_ = position.allFinite() && velocity.allFinite();
    if (started_) {
      counts_.add(std::visit([&](auto& core) { return core.correct(position, velocity); }, core_));
      for (WrongGain& each : wrong_gains_) std::visit([&](auto& core) { core.correct(position, velocity); }, each.core);
    } else {
      begin(position, velocity);
    }
    if (started_) {
      ++rest_.instants;
      rest_.still += stands_still(reading());
    }
    if (remembers_) rested_.push_back(started_ ? reading().resting : RestingJoints<double, Eigen::Dynamic>());
  }
  [[gnu::noinline]] StepStatus predicted(double dt) noexcept {
    const JointValues torque = mapped(sensors_.torques, torque_);
    for (WrongGain& each : wrong_gains_) {
      const JointValues wrong = torque + torque_[each.sensor] * sensors_.torque_gain_std.col(each.sensor);
      std::visit([&](auto& core) { core.predict(wrong, dt); }, each.core);
    }
    return std::visit([&](auto& core) { return core.predict(torque, dt); }, core_);
  }

  bool has_velocities() const noexcept { return sensors_.velocities.size() > 0; }

  void begin(const JointValues& position, const JointValues& measured) noexcept {
    const bool is_whole = position.allFinite() && measured.allFinite();
    if (is_whole && begins_ && time_ > first_time_) {
      const double interval = time_ - first_time_;
      const JointValues velocity = has_velocities() ? measured : JointValues((position - first_) / interval);
      std::visit([&](auto& core) { core.start(position, velocity, interval); }, core_);
      for (WrongGain& each : wrong_gains_) each.core = core_;
      started_ = true;
      known_from_ = time_ + std::visit([](const auto& core) { return core.settling(); }, core_);
    }
    begins_ = is_whole;
    first_ = position, first_time_ = time_;
  }

  const ForceReading& reading() const noexcept {
    if (is_read_) return read_;
    read_ = std::visit([](const auto& core) { return core.read(); }, core_), is_read_ = true;
    add_gains();
    return read_;
  }

  // Gains are wrong independently of each other, and each by the same all the time.
  void add_gains() const noexcept {
    by_gains_ = {JointMap::Zero(places_.joints, places_.joints)};
    for (const WrongGain& each : wrong_gains_) {
      const ForceReading wrong = std::visit([](const auto& core) { return core.read(); }, each.core);
      const JointValues torque = wrong.external.torque - read_.external.torque;
      const Vector<double, 6> force = wrong.force.force - read_.force.force;
      if (!torque.allFinite() || !force.allFinite()) continue;
      by_gains_.torque += torque * torque.transpose(), by_gains_.force += force * force.transpose();
    }
    read_.external.covariance += by_gains_.torque, read_.force.covariance += by_gains_.force;
  }

  template <class Each>
  void for_all_cores(const Each& each) {
    std::visit(each, core_);
    for (WrongGain& wrong : wrong_gains_) std::visit(each, wrong.core);
  }

  bool stands_still(const ForceReading& now) const noexcept {
    for (int i = 0; i < places_.joints; ++i)
      if (!now.resting[i]) return false;
    return true;
  }

  double contact(const ForceReading& now, bool probability) const noexcept {
    const Vector<double, 3> force = now.force.force.head<3>();
    const double size = force.norm(), above = size - *spec_.contact.threshold;
    if (!probability) return above > 0.0 ? 1.0 : 0.0;
    const Vector<double, 3> direction = size > 0.0 ? Vector<double, 3>(force / size) : Vector<double, 3>::UnitX();
    const double variance = direction.dot(now.force.covariance.topLeftCorner<3, 3>() * direction);
    return normal_probability(above / std::sqrt(variance));
  }

  AnyCore core_;
  JointSensors sensors_;
  std::vector<WrongGain> wrong_gains_;
  ForceSpec spec_;
  ForceOutputs places_;
  JointValues hidden_;  // torque that friction takes without motion
  std::vector<OutputInfo> outputs_;
  int expected_;  // readings of an instant
  JointValues readings_, speeds_, torque_, first_;
  double time_ = 0.0, first_time_ = 0.0;     // s
  double silence_ = 0.0, known_from_ = 0.0;  // s since the last positions; s, from where on a start is complete
  int arrived_ = 0;
  bool begins_ = false, started_ = false, is_measured_ = false;
  Rest rest_;
  std::vector<RestingJoints<double, Eigen::Dynamic>> rested_;  // at each instant of a replay
  bool remembers_ = false;
  InnovationCounts counts_;
  mutable bool is_read_ = false;
  mutable ForceReading read_;
  mutable ReadingCovariance by_gains_;  // part of it
};

}  // namespace

ForceOutputs force_outputs(const RobotSpec& robot) {
  return {robot.count(), robot.force.frame.empty() ? 0 : robot.force.with_moment ? 6 : 3};
}

std::unique_ptr<Estimator> make_force_estimator(const Study& study, double period) {
  return make_resting_estimator(study, period);
}

std::unique_ptr<RestingEstimator> make_resting_estimator(const Study& study, double period) {
  const JointSensors sensors = sensors_of(study);
  require_mass(*study.robot, study.source);
  return std::make_unique<ForceEstimator>(study, sensors, setup_of(study, sensors, force_period(study, period)));
}

}  // namespace tauhat
