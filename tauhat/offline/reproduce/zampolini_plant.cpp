#include "tauhat/offline/reproduce/zampolini_plant.hpp"

#include <Eigen/Dense>

namespace tauhat::zampolini {
namespace {

constexpr double kSlidingWidth = 0.01;  // rad/s, of the link's Coulomb friction
constexpr double kTeeth = 24.0;         // ripples a turn of the motor
constexpr double kRippleAtRest = 0.02, kRippleWithTorque = 0.3;

double square(double x) { return x * x; }

// exp(-x^2). Most of the time the motor is so fast that it underflows, which takes the library long.
double bell(double x) { return square(x) < 700.0 ? std::exp(-square(x)) : 0.0; }

}  // namespace

double MeshFriction::level(double velocity, double mesh_torque) const noexcept {
  return coulomb + mesh * std::abs(mesh_torque) + (breakaway - coulomb) * bell(velocity / stribeck_velocity);
}

double MeshFriction::torque(double velocity, double bristle, double mesh_torque) const noexcept {
  const double rate = velocity - bristle_stiffness * std::abs(velocity) * bristle / level(velocity, mesh_torque);
  return bristle_stiffness * bristle + bristle_damping * bell(velocity / damping_velocity) * rate + viscous * velocity;
}

//   z(t) = z e^(-r t) + w (1 - e^(-r t)) / r,   r = sigma0 |w| / g
double MeshFriction::bent(double bristle, double velocity, double mesh_torque, double time) const noexcept {
  const double rate = bristle_stiffness * std::abs(velocity) / level(velocity, mesh_torque);
  const double gone = -std::expm1(-rate * time);
  return bristle * (1.0 - gone) + (rate > 0.0 ? velocity / rate * gone : 0.0);
}

double Plant::saturated(double current) const noexcept {
  const double beyond = std::abs(current) - saturation_current;
  return beyond > 0.0 ? current * (1.0 - saturation * beyond) : current;
}

//   T = K_t I + 0.02 (0.02 + 0.3 |K_t I|) sin(24 q_m)
double Plant::motor_torque(double current, double motor_angle) const noexcept {
  const double torque = torque_constant * saturated(current);
  return torque + ripple * (kRippleAtRest + kRippleWithTorque * std::abs(torque)) * std::sin(kTeeth * motor_angle);
}

double Plant::joint_torque(const Mechanics& x) const noexcept {
  return stiffness * (x[motor_position] / ratio - x[load_position]) +
         damping * (x[motor_velocity] / ratio - x[load_velocity]);
}

// Gravity winds both springs up:  K_n (p - q_n) = G_n,   K (q_m / N - q_l) = G_l
Plant::Mechanics Plant::at_rest(double load, double neighbour_motor) const {
  Mechanics x = Mechanics::Zero();
  x[load_position] = load;
  x[neighbour_position] = neighbour_motor;
  // The spring is a thousand times stiffer than gravity: each pass gains three digits.
  for (int pass = 0; pass < 8; ++pass) {
    x[neighbour_position] =
        neighbour_motor - neighbour_gravity * std::cos(load + x[neighbour_position]) / neighbour_stiffness;
  }
  x[motor_position] = ratio * (load + gravity_torque(load, x[neighbour_position]) / stiffness);
  return x;
}

Plant::Mechanics Plant::derivative(const Mechanics& x, double bristle, const Influence& influence) const noexcept {
  const double w_l = x[load_velocity], w_n = x[neighbour_velocity];
  const double cosine = std::cos(x[neighbour_position]), h = -reach * std::sin(x[neighbour_position]);
  const double neighbour_weight = neighbour_gravity * std::cos(x[load_position] + x[neighbour_position]);
  const double load_weight = load_gravity * std::cos(x[load_position]) + neighbour_weight;
  const double tau = joint_torque(x);
  const MotionPoint& held = influence.neighbour_motor;

  Eigen::Matrix3d mass;
  mass << straight_inertia + 2.0 * reach * cosine, neighbour_inertia + reach * cosine, load_wrist_inertia,  //
      neighbour_inertia + reach * cosine, neighbour_inertia, neighbour_wrist_inertia,                       //
      load_wrist_inertia, neighbour_wrist_inertia, wrist_inertia;
  const double wrist_stiffness = wrist_inertia * square(2.0 * std::numbers::pi * wrist_frequency);
  const Eigen::Vector3d torque(tau - load_viscous * w_l - load_coulomb * std::tanh(w_l / kSlidingWidth) - load_weight -
                                   h * (2.0 * w_l * w_n + w_n * w_n) - influence.external_torque,
                               neighbour_stiffness * (held.position - x[neighbour_position]) +
                                   neighbour_damping * (held.velocity - w_n) - neighbour_viscous * w_n -
                                   neighbour_weight + h * w_l * w_l,
                               -wrist_stiffness * x[wrist_position] - wrist_damping * x[wrist_velocity]);

  Mechanics dx;
  dx.head<4>() = x.tail<4>();
  dx[motor_velocity] = (motor_torque(influence.current, x[motor_position]) -
                        friction.torque(x[motor_velocity], bristle, tau / ratio) - tau / ratio) /
                       motor_inertia;
  dx.tail<3>() = mass.inverse() * torque;
  return dx;
}

double AxisInMotion::friction_torque() const noexcept {
  return plant_.friction.torque(x_[Plant::motor_velocity], bristle_, mesh_torque(x_));
}

void AxisInMotion::step(double current, double external_torque, const MotionPoint& neighbour_motor,
                        double interval) noexcept {
  using Mechanics = Plant::Mechanics;
  // The bristle `time` after the step's start, at the mean of the velocities then and now.
  const auto bristle_at = [&](const Mechanics& x, double time) {
    if (time == 0.0) return bristle_;
    const double velocity = 0.5 * (x_[Plant::motor_velocity] + x[Plant::motor_velocity]);
    return plant_.friction.bent(bristle_, velocity, mesh_torque(x), time);
  };
  const auto rate = [&](const Mechanics& x, double time) {
    const MotionPoint& p = neighbour_motor;
    const MotionPoint moved{p.position + (p.velocity + 0.5 * p.acceleration * time) * time,
                            p.velocity + p.acceleration * time, p.acceleration};
    return plant_.derivative(x, bristle_at(x, time), {current, external_torque, moved});
  };
  const double half = 0.5 * interval;
  const Mechanics k1 = rate(x_, 0.0);
  const Mechanics k2 = rate(x_ + half * k1, half);
  const Mechanics k3 = rate(x_ + half * k2, half);
  const Mechanics k4 = rate(x_ + interval * k3, interval);
  const Mechanics next = x_ + interval / 6.0 * (k1 + 2.0 * (k2 + k3) + k4);
  bristle_ = bristle_at(next, interval);
  x_ = next;
}

}  // namespace tauhat::zampolini
