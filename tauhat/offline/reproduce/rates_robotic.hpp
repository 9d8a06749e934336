// The robot whose records are provoked: the arm of the limits on the motion that excites it.
#pragma once

#include <functional>

#include "tauhat/offline/reproduce/limits_arm.hpp"
#include "tauhat/offline/reproduce/rates_table.hpp"

namespace tauhat::rates {

// An arm and its study, its motion, and what happens to the log.
struct Robotic {
  limits::HostileArm arm;
  Study study;
  limits::ArmMotion motion = limits::exciting_motion();
  std::function<void(Log&)> spoil = [](Log&) {};

  Robotic() {
    arm.truth = limits::limits_arm();
    arm.torque_noise = 0.1;
    study = limits::arm_study(arm.truth);
    study.robot->rows.decimation = 10;
  }
  Log log(std::uint64_t seed) const {
    Log recorded = limits::arm_log(arm, motion, seed);
    spoil(recorded);
    return recorded;
  }
};

}  // namespace tauhat::rates
