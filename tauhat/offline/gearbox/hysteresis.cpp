#include "tauhat/offline/gearbox/hysteresis.hpp"

#include <algorithm>
#include <cmath>

#include "tauhat/offline/gearbox/branch_fit.hpp"

namespace tauhat {
namespace {

// Reads points of one loop, on either side of zero.
class LoopReader {
 public:
  LoopReader(const TorqueRamp& ramp, const Loop& loop, const HysteresisSpec& spec)
      : ramp_(ramp), loop_(loop), reach_(kWindowReach * spec.rated_torque) {}

  PointEstimate loading(double torque) const {
    return displacement_at(ramp_, torque > 0.0 ? loop_.loading_positive : loop_.loading_negative, torque, reach_);
  }
  PointEstimate unloading(double torque) const {
    return displacement_at(ramp_, torque > 0.0 ? loop_.unloading_positive : loop_.unloading_negative, torque, reach_);
  }
  // Where the torque has come back to zero from one side.
  PointEstimate zero(int side) const {
    return displacement_at(ramp_, side > 0 ? loop_.unloading_positive : loop_.unloading_negative, 0.0, reach_);
  }
  // The loop's centre line: half way between loading and unloading.
  PointEstimate centre(double torque) const {
    if (torque == 0.0) return half_sum(zero(1), zero(-1));
    return half_sum(loading(torque), unloading(torque));
  }

 private:
  static PointEstimate half_sum(const PointEstimate& a, const PointEstimate& b) {
    return {0.5 * (a.value + b.value), 0.25 * (a.variance + b.variance)};
  }
  const TorqueRamp& ramp_;
  const Loop& loop_;
  double reach_;
};

LoopValue difference(const PointEstimate& a, const PointEstimate& b) {
  return {a.value - b.value, a.variance + b.variance};
}

LoopValue mean(const LoopValue& a, const LoopValue& b) {
  return {0.5 * (a.value + b.value), 0.25 * (a.variance + b.variance)};
}

// A number that is none says nothing.
void keep_finite(std::optional<LoopValue>& value) {
  if (value && !(std::isfinite(value->value) && std::isfinite(value->variance))) value.reset();
}

// 1/x and its variance to first order.
LoopValue inverse(const LoopValue& x) { return {1.0 / x.value, x.variance / std::pow(x.value, 4)}; }

// Twist of the centre line per torque between two torques, mean of both sides.
LoopValue secant_compliance(const LoopReader& at, double from, double to) {
  const auto side = [&](double sign) {
    LoopValue twist = difference(at.centre(sign * to), at.centre(sign * from));
    const double torque = sign * (to - from);
    return LoopValue{twist.value / torque, twist.variance / (torque * torque)};
  };
  return mean(side(1.0), side(-1.0));
}

// Ramps end at the rated torque: their last hundredth is the turn, not the flank.
constexpr double kBeforeTheTurn = 0.98;

void fit_lines(const TorqueRamp& ramp, const std::array<double, 2>& play, LoopResult& result) {
  const LoadingLine up = fit_loading_line(ramp, result.loop.loading_positive, play[0], 1);
  const LoadingLine down = fit_loading_line(ramp, result.loop.loading_negative, play[1], -1);
  if (up.samples < 10 || down.samples < 10) return;
  result.gap = LoopValue{up.intercept - down.intercept, up.intercept_variance + down.intercept_variance};
  result.compliance = mean({up.compliance, up.compliance_variance}, {down.compliance, down.compliance_variance});
  result.loading_intercept = {up.intercept, down.intercept};
  result.loading_compliance = {up.compliance, down.compliance};
}

}  // namespace

void measure_widths(const TorqueRamp& ramp, const HysteresisSpec& spec, LoopResult& result) {
  const LoopReader at(ramp, result.loop, spec);
  const PointEstimate upper = at.zero(1), lower = at.zero(-1);
  result.zero = {upper.value, lower.value};
  result.hysteresis_loss = difference(upper, lower);
  const double torque = spec.lost_motion_share() * spec.rated_torque;
  result.lost_motion = difference(at.centre(torque), at.centre(-torque));
  keep_finite(result.hysteresis_loss);
  keep_finite(result.lost_motion);
}

void measure_slopes(const TorqueRamp& ramp, const HysteresisSpec& spec, const std::array<double, 2>& play,
                    LoopResult& result) {
  const LoopReader at(ramp, result.loop, spec);
  fit_lines(ramp, play, result);
  const double rated = kBeforeTheTurn * spec.rated_torque;
  switch (spec.definition) {
    case HysteresisDefinition::tauhat:
      if (result.compliance) result.rigidity = inverse(*result.compliance);
      break;
    case HysteresisDefinition::harmonic_drive: {
      const auto [t1, t2] = spec.limit_torque;
      if (!(t2 > 0.0)) {
        result.rigidity = inverse(secant_compliance(at, 0.5 * spec.rated_torque, rated));
        break;
      }
      result.k = {inverse(secant_compliance(at, 0.0, t1)), inverse(secant_compliance(at, t1, t2)),
                  inverse(secant_compliance(at, t2, rated))};
      result.rigidity = result.k[2];
      break;
    }
    case HysteresisDefinition::nabtesco:
    case HysteresisDefinition::spinea:
      result.rigidity = inverse(secant_compliance(at, 0.5 * spec.rated_torque, rated));
      break;
  }
  for (auto* value : {&result.gap, &result.compliance, &result.rigidity}) keep_finite(*value);
  for (auto& section : result.k) keep_finite(section);
}

}  // namespace tauhat
