#include "tauhat/offline/plan/joint_travel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tauhat/offline/error.hpp"

namespace tauhat {
namespace {

constexpr double kShareOfSpeed = 0.5, kShareOfTravel = 0.9;  // of what is allowed; the rest is for the swing

struct Travel {
  int legs = 1;
  double leg = 0.0, speed = 0.0;  // s; rad/s of the motor

  double far() const { return leg * speed; }
  double direction(double time) const { return std::min(static_cast<int>(time / leg), legs - 1) == 0 ? 1.0 : -1.0; }
};

// As fast as the limits allow.
Travel travel_within(const PlanSpec& plan, double ratio, double duration) {
  constexpr double kLongEnough = 12.0;                     // s
  constexpr double kQuarterTurn = std::numbers::pi / 2.0;  // rad of the link
  Travel travel;
  travel.legs = duration > kLongEnough ? 2 : 1, travel.leg = duration / travel.legs;
  const double far = std::min(kShareOfTravel * plan.travel, kQuarterTurn * ratio);
  travel.speed = std::min(far / travel.leg, kShareOfSpeed * plan.speed);
  return travel;
}

// To set the axis going, against friction and, where it is, against gravity:
//   u = (J_m + M_l / N^2) w' + F(w) + (b_m + b_l / N^2) w + gravity(q) / N
std::vector<double> torque_of(const Travel& travel, const JointSpec& spec, double start, const Rows& rows) {
  constexpr double kSetOff = 0.3;  // s
  const ElasticJoint<double>& joint = spec.joint;
  const double square = joint.ratio * joint.ratio, inertia = joint.motor_inertia + joint.load_inertia / square;
  double friction = (joint.motor_viscous + joint.load_viscous / square) * travel.speed;
  if (spec.friction) friction += spec.friction->bristles.steady_torque(travel.speed);
  std::vector<double> torque;
  double position = start, velocity = 0.0;
  for (std::size_t k = 0; k < rows.count; ++k) {
    const double direction = travel.direction(rows.time(k));
    const bool first = direction > 0.0;
    const double change = first ? travel.speed : 2.0 * travel.speed, since = rows.time(k) - (first ? 0.0 : travel.leg);
    const double acceleration = since < kSetOff ? direction * change / kSetOff : 0.0;
    torque.push_back(inertia * acceleration + (velocity * direction < 0.0 ? -direction : direction) * friction +
                     spec.gravity.torque(position / joint.ratio) / joint.ratio);
    velocity = since < kSetOff ? velocity + acceleration * rows.period : direction * travel.speed;
    position += velocity * rows.period;
  }
  return torque;
}

// Faster than this share of the travel's speed all the time, but for a while after each turn.
bool goes_on(const Travel& travel, double share, const std::vector<double>& velocity, const Rows& rows) {
  constexpr double kSettled = 0.6;  // s
  for (std::size_t k = 0; k < rows.count; ++k) {
    const double since = std::fmod(rows.time(k), travel.leg);
    if (since > kSettled && velocity[k] * travel.direction(rows.time(k)) < share * travel.speed) return false;
  }
  return true;
}

}  // namespace

JointTravel joint_travel(
    const Study& study, const Rows& rows,
    const std::function<SimulatedStudy(const std::vector<double>& input, std::uint64_t seed)>& record) {
  constexpr double kFaster = 1.5;  // from one try to the next: what is allowed need not be told more closely
  constexpr double kAlone = 0.3;   // of the speed it is sent at: slower, friction holds it now and then
  constexpr int kTries = 16;       // up to 400 times as fast
  const JointSpec& spec = *study.joint;
  const PlanSpec& plan = *study.plan;
  const double start = study.simulation->start[ElasticJoint<double>::motor_position];
  const Travel slow = travel_within(plan, spec.joint.ratio, rows.time(rows.count - 1));
  Travel travel = slow;
  const bool has_friction = spec.friction || spec.coulomb > 0.0;
  const auto keeps_direction = [slow, rows, has_friction](const std::vector<double>& velocity) {
    return !has_friction || goes_on(slow, 0.0, velocity, rows);
  };
  bool is_enough = false;
  for (int i = 0; i < kTries && !is_enough; ++i) {
    if (i > 0) travel.speed *= kFaster;
    const std::vector<double> torque = torque_of(travel, spec, start, rows);
    const bool is_too_much =
        std::any_of(torque.begin(), torque.end(), [&](double u) { return std::abs(u) > plan.force; });
    if (i == 0 && (is_too_much || !has_friction)) return {torque, keeps_direction};  // too much: which is said of it
    if (is_too_much) break;
    const SimulatedStudy played = record(torque, 1);
    const auto output = std::find_if(played.outputs.begin(), played.outputs.end(),
                                     [](const OutputInfo& each) { return each.name == "motor.velocity"; });
    is_enough =
        goes_on(travel, kAlone, played.data.truth[static_cast<std::size_t>(output - played.outputs.begin())], rows);
    if (is_enough && i == 0) return {torque, keeps_direction};
  }
  const std::string remedy =
      is_enough ? fmt::format("allow plan.speed = {:.3g} rad/s and plan.travel = {:.3g} rad, or more",
                              travel.speed / kShareOfSpeed, travel.far() / kShareOfTravel)
                : fmt::format("plan.torque = {:.3g} N m is too little to go on faster: allow more of it", plan.force);
  throw Error(
      ExitCode::wrong_use,
      fmt::format(
          "plan.speed and plan.travel leave the motor {:.3g} rad/s to travel slowly in one direction, on which a "
          "joint is excited, and its friction does not let it go on so slowly; {}",
          slow.speed, remedy));
}

}  // namespace tauhat
