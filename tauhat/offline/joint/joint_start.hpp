// Where an observer of a joint begins, so that no transient has to be cut: at the first samples' position and velocity,
// with the joint wound up by gravity and what else is known to act. From zero, the first second would show speeds of
// 1e2 rad/s and more.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "tauhat/offline/joint/joint_spec.hpp"

namespace tauhat {

class JointStart {
 public:
  static constexpr std::size_t kSamples = 8;

  // The last samples count.
  void add(double time, double motor_position) noexcept {
    if (!std::isfinite(motor_position)) return;
    if (count_ == kSamples) {
      std::copy(time_.begin() + 1, time_.end(), time_.begin());
      std::copy(position_.begin() + 1, position_.end(), position_.begin());
      --count_;
    }
    time_[count_] = time, position_[count_++] = motor_position;
  }
  bool is_complete() const noexcept { return count_ == kSamples; }
  double last_time() const noexcept { return time_.back(); }  // of a complete one

  // Position and velocity of the motor at the last of the samples: a line through them. A slope that their noise could
  // have made is none.
  struct Line {
    double position = 0.0, velocity = 0.0;
  };
  Line line(double sensor_variance) const noexcept {
    double time = 0.0, position = 0.0, spread = 0.0, slope = 0.0;
    for (std::size_t k = 0; k < kSamples; ++k) time += time_[k] / kSamples, position += position_[k] / kSamples;
    for (std::size_t k = 0; k < kSamples; ++k) {
      spread += (time_[k] - time) * (time_[k] - time);
      slope += (time_[k] - time) * (position_[k] - position);
    }
    slope /= spread;
    constexpr double kSignificant = 4.0;  // standard deviations
    if (std::abs(slope) < kSignificant * std::sqrt(sensor_variance / spread)) return {position, 0.0};
    return {position_.back(), slope};
  }

  // The state there. `torques` act at link and neighbour beside gravity.
  StateOf<ElasticJoint<double>> state(const JointSpec& spec, double sensor_variance,
                                      const PoseTorques& torques) const noexcept {
    const Line motor = line(sensor_variance);
    using Joint = ElasticJoint<double>;
    const Joint& joint = spec.joint;
    StateOf<Joint> x = StateOf<Joint>::Zero();
    x[Joint::motor_position] = motor.position;
    x[Joint::motor_velocity] = motor.velocity;
    x[Joint::load_velocity] = motor.velocity / joint.ratio;
    x[Joint::load_position] = x[Joint::motor_position] / joint.ratio;
    x[Joint::load_position] -= (spec.gravity.torque(x[Joint::load_position]) + torques.load) / joint.stiffness;
    if (spec.has_neighbour) x[Joint::neighbour_position] = -torques.neighbour / joint.neighbour_stiffness;
    return x;
  }

 private:
  std::array<double, kSamples> time_{}, position_{};
  std::size_t count_ = 0;
};

// s in which a fixed gain forgets all but a hundredth of what a start in the middle of a motion did not know, by the
// spectral radius of its error per sample. Its standard deviations do not know of that.
inline double settling_time(double radius, double period) noexcept {
  constexpr double kLeft = 0.01;
  return radius > 0.0 ? period * std::log(kLeft) / std::log(radius) : 0.0;
}

}  // namespace tauhat
