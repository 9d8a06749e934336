// The hysteresis-curve test of a gearbox: output locked, torque ramped slowly up and down through zero. Widths and
// slopes of the loops as the makers define them (docs/derivations/hysteresis-curve.md), all at the output side.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "tauhat/offline/gearbox/loop.hpp"

namespace tauhat {

enum class HysteresisDefinition { nabtesco, harmonic_drive, spinea, tauhat };
// As studies and reports call them, in the order above.
inline constexpr std::array<const char*, 4> kDefinitionNames{"nabtesco", "harmonic-drive", "spinea", "tauhat"};

struct HysteresisSpec {
  HysteresisDefinition definition = HysteresisDefinition::tauhat;
  double rated_torque = 0.0;                 // N m
  std::array<double, 2> limit_torque{0, 0};  // N m, T1 and T2 of K1, K2, K3; harmonic-drive only

  // Lost motion is read at this share of the rated torque.
  double lost_motion_share() const noexcept { return definition == HysteresisDefinition::harmonic_drive ? 0.04 : 0.03; }
};

// One quantity of one loop.
struct LoopValue {
  double value = 0.0, variance = 0.0;  // of the noise
};

// What a loop gives. Small ramps ("play") need not reach the rated torque, and give no stiffness.
struct LoopResult {
  std::size_t ramp = 0;  // file
  Loop loop;
  std::array<double, 2> zero{};  // displacement at zero torque, after the positive and after the negative side
  std::optional<LoopValue> lost_motion, hysteresis_loss;
  std::optional<LoopValue> gap, compliance, rigidity;
  std::array<std::optional<LoopValue>, 3> k;  // K1, K2, K3
  std::array<double, 2> loading_intercept{}, loading_compliance{};
  double loading_rate = 0.0;  // N m/s
};

// Widths of a loop that reaches the lost-motion torque.
void measure_widths(const TorqueRamp& ramp, const HysteresisSpec& spec, LoopResult& result);

// Slopes of a loop that reaches the rated torque; the loading lines begin beyond `play`, the displacements at zero
// torque on either side.
void measure_slopes(const TorqueRamp& ramp, const HysteresisSpec& spec, const std::array<double, 2>& play,
                    LoopResult& result);

}  // namespace tauhat
