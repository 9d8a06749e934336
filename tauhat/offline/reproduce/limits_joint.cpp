#include "tauhat/offline/reproduce/limits_joint.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include "tauhat/offline/simulate/random.hpp"

namespace tauhat::limits {
namespace {

using Joint = ElasticJoint<double>;
constexpr double kPeriod = 1e-3, kDuration = 8.0;                    // s
constexpr double kMotorNoise = 1e-3, kLoadNoise = 0.32;              // N m/sqrt(Hz), as the study's
constexpr double kWalk = 0.2, kLeak = 2.0 * std::numbers::pi * 0.2;  // N m/sqrt(s), 1/s

// Many sines, and a controller that keeps the axis where it is.
class Drive {
 public:
  explicit Drive(std::uint64_t seed) {
    Random random(seed, "phases");
    for (double& phase : phase_) phase = random.uniform(0.0, 2.0 * std::numbers::pi);
  }
  double torque(double time, double position, double velocity) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < phase_.size(); ++i) {
      constexpr double kLowest = 0.5, kApart = 0.75, kEach = 0.2;  // Hz, Hz, N m
      sum += kEach * std::sin(2.0 * std::numbers::pi * (kLowest + kApart * static_cast<double>(i)) * time + phase_[i]);
    }
    constexpr double kSwing = 60.0, kRate = 2.0, kStiff = 0.02, kDamp = 0.01;  // rad, rad/s
    return sum + kStiff * (kSwing * std::sin(kRate * time) - position) +
           kDamp * (kSwing * kRate * std::cos(kRate * time) - velocity);
  }

 private:
  std::array<double, 32> phase_{};
};

class Plant {
 public:
  Plant(const HostileJoint& joint, std::uint64_t seed) : joint_(joint), random_(seed, "torques") {}

  LinkInstant now(double time) const {
    return {time, x_[Joint::motor_position], x_[Joint::motor_velocity], x_[Joint::load_position],
            x_[Joint::load_velocity]};
  }
  // Noise is held over parts of a sample, so short that the filter takes it for white.
  void advance(double time, double torque) {
    constexpr int kParts = 8;
    const double h = kPeriod / kParts;
    for (int i = 0; i < kParts; ++i) {
      InputOf<Joint> u = InputOf<Joint>::Zero();
      u[Joint::motor_torque] = torque + kMotorNoise / std::sqrt(h) * random_.normal();
      u[Joint::external_torque] = kLoadNoise / std::sqrt(h) * random_.normal();
      walk_ = std::exp(-kLeak * h) * walk_ + kWalk * std::sqrt(h) * random_.normal();
      u[Joint::motor_disturbance] = walk_;
      const double t = time + i * h;
      const auto k1 = rate(t, x_, u), k2 = rate(t, x_ + h / 2 * k1, u), k3 = rate(t, x_ + h / 2 * k2, u),
                 k4 = rate(t, x_ + h * k3, u);
      x_ += h / 6 * (k1 + 2 * (k2 + k3) + k4);
    }
  }

 private:
  using State = StateOf<Joint>;

  State rate(double time, const State& x, InputOf<Joint> u) const {
    const Joint& truth = joint_.truth;
    const LinkInstant at{time, x[Joint::motor_position], x[Joint::motor_velocity], x[Joint::load_position],
                         x[Joint::load_velocity]};
    u[Joint::motor_disturbance] += joint_.at_motor(at);
    u[Joint::external_torque] += joint_.at_load(at);
    // What the spring gives otherwise, as torques at both ends.
    const double twist = at.motor_position / truth.ratio - at.load_position;
    const double inside = std::clamp(twist, -joint_.gap / 2, joint_.gap / 2);
    const double pressed = twist - inside;
    const double more = truth.stiffness * (pressed * (1.0 + joint_.hardening * pressed * pressed * 1e6) - twist);
    u[Joint::motor_disturbance] += more / truth.ratio;
    u[Joint::external_torque] -= more;
    return truth.derivative(x, u);
  }

  const HostileJoint& joint_;
  Random random_;
  State x_ = State::Zero();
  double walk_ = 0.0;
};

}  // namespace

JointRecord joint_record(const HostileJoint& joint, std::uint64_t seed) {
  const Drive drive(seed);
  Plant plant(joint, seed);
  Random noise(seed, "encoder"), shaken(seed, "jitter"), dropped(seed, "dropouts");
  JointRecord record;
  std::vector<double> acting;
  const auto samples = static_cast<std::size_t>(kDuration / kPeriod);
  for (std::size_t k = 0; k < samples; ++k) {
    const double time = static_cast<double>(k) * kPeriod;
    const LinkInstant at = plant.now(time);
    const double off = joint.jitter * kPeriod * shaken.uniform(-0.5, 0.5) * at.motor_velocity;
    double shown = at.motor_position + off + joint.noise * noise.normal();
    if (joint.resolution > 0.0) shown = joint.resolution * std::round(shown / joint.resolution);
    if (dropped.uniform() < joint.dropout) shown = std::nan("");
    const double torque = drive.torque(time, at.motor_position, at.motor_velocity);
    acting.push_back(torque);
    record.time.push_back(time);
    record.position.push_back(shown);
    record.velocity.push_back(at.load_velocity);
    const auto late = static_cast<std::size_t>(joint.torque_late);
    record.torque.push_back(joint.torque_gain * acting[k - std::min(k, late)]);
    const double limit = joint.torque_limit > 0.0 ? joint.torque_limit : 1e9;
    plant.advance(time, std::clamp(torque, -limit, limit));
  }
  return record;
}

}  // namespace tauhat::limits
