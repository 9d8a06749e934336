// A gear on the bench, output locked, as a hysteresis-curve test sees it: a dead zone and a spring behind Coulomb
// friction, which holds the spring until the torque has changed by twice its level.
//   twist = gap / 2 sign(s) + s / stiffness        s: the spring's torque, within `friction` of the applied one
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace tauhat {

struct Gear {
  double gap = 0.0, stiffness = 0.0, friction = 0.0;  // rad, N m/rad, N m, at the output
};

class GearOnBench {
 public:
  explicit GearOnBench(const Gear& gear) noexcept : gear_(gear) {}

  // After the torque has been moved here from where it was; it begins without any.
  double twist(double torque) noexcept {
    spring_ = std::clamp(spring_, torque - gear_.friction, torque + gear_.friction);
    const double side = spring_ > 0.0 ? 1.0 : spring_ < 0.0 ? -1.0 : 0.0;
    return 0.5 * gear_.gap * side + spring_ / gear_.stiffness;
  }

 private:
  Gear gear_;
  double spring_ = 0.0;
};

// Torque up, back through zero, down, and back, so many times.
struct TorqueLoops {
  int loops = 0;
  double largest = 0.0;  // N m, where the ramps turn
  double rate = 0.0;     // N m/s
  double period = 0.0;   // s, of the log

  double loop_duration() const noexcept { return 4.0 * largest / rate; }
  double duration() const noexcept { return loops * loop_duration(); }
  // Both ends included.
  std::size_t samples() const noexcept { return static_cast<std::size_t>(duration() / period) + 1; }
  double torque(double time) const noexcept {
    const double quarter = std::fmod(4.0 * time / loop_duration(), 4.0);
    return largest * (quarter < 1.0 ? quarter : quarter < 3.0 ? 2.0 - quarter : quarter - 4.0);
  }
};

}  // namespace tauhat
