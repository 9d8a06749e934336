// The axis that stands for the thesis's robot: more than any observer's model has.
//
//   J_m w_m' = T(I) - F - tau / N,   tau = K (q_m / N - q_l) + D (w_m / N - w_l)
//   M(q_n) [w_l', w_n', w_w']^T = [tau - b_l w_l - C_l tanh(w_l / 0.01) - G_l - h (2 w_l w_n + w_n^2) - tau_e,
//                                  K_n (p - q_n) + D_n (p' - w_n) - b_n w_n - G_n + h w_l^2,
//                                  -K_w q_w - D_w w_w]^T
//   M_ll = m_l + 2 a cos q_n,   M_ln = M_nn + a cos q_n,   h = -a sin q_n,   p where the neighbour's motor stands
//   G_n = 60 cos(q_l + q_n),    G_l = 120 cos q_l + G_n
// The load is axis 2, its neighbour axis 3; the wrist is the mode of axis 5, which no model knows. The thesis gives the
// inertias, Coulomb and viscous friction; the rest was chosen.
#pragma once

#include <cmath>
#include <numbers>

#include "tauhat/core/math/matrix.hpp"

namespace tauhat::zampolini {

// LuGre friction whose level grows with the torque of the mesh, and whose bristles lose their damping at speed:
//   F = sigma0 z + sigma1 exp(-(w / v_d)^2) z' + viscous w,   z' = w - sigma0 |w| z / g
//   g = coulomb + mesh |tau / N| + (breakaway - coulomb) exp(-(w / v_s)^2)
struct MeshFriction {
  double bristle_stiffness = 40.0, bristle_damping = 0.03, viscous = 0.008;
  double coulomb = 0.343, breakaway = 0.45, mesh = 0.04;
  double stribeck_velocity = 3.0, damping_velocity = 5.0;

  double level(double velocity, double mesh_torque) const noexcept;
  double torque(double velocity, double bristle, double mesh_torque) const noexcept;
  // The bristle after `time` at this velocity, exactly.
  double bent(double bristle, double velocity, double mesh_torque, double time) const noexcept;
};

// Where a position is asked to be.
struct MotionPoint {
  double position = 0.0, velocity = 0.0, acceleration = 0.0;
};

inline const double kNeighbourPosition = std::acos(0.6431 / 2.5);  // then M_ll = 14.3854, M_ln = 3.4358

struct Plant {
  enum State {
    motor_position,
    load_position,
    neighbour_position,
    wrist_position,
    motor_velocity,
    load_velocity,
    neighbour_velocity,
    wrist_velocity,
    kStates
  };
  using Mechanics = Vector<double, kStates>;

  double ratio = 120.0, motor_inertia = 7e-4;
  double torque_constant = 0.35, saturation_current = 15.0, saturation = 0.015;  // N m/A, A, 1/A
  double ripple = 0.02;
  MeshFriction friction{};
  double stiffness = 1.2e5, damping = 80.0, load_viscous = 2.0, load_coulomb = 4.0;
  double neighbour_stiffness = 3e4, neighbour_damping = 12.0, neighbour_viscous = 0.5;
  double straight_inertia = 13.0992, reach = 2.5;  // m_l and a: kg m^2
  double neighbour_inertia = 2.7927, load_wrist_inertia = 0.5350, neighbour_wrist_inertia = 0.0656,
         wrist_inertia = 0.2025;
  double wrist_frequency = 45.0;                                         // Hz; 22 in the variant of that name
  double wrist_damping = 0.06 * 0.2025 * 2.0 * std::numbers::pi * 45.0;  // N m s/rad, the same at any frequency
  double load_gravity = 120.0, neighbour_gravity = 60.0;                 // N m

  double load_inertia(double neighbour) const noexcept { return straight_inertia + 2.0 * reach * std::cos(neighbour); }
  double coupling_inertia(double neighbour) const noexcept { return neighbour_inertia + reach * std::cos(neighbour); }
  double gravity_torque(double load, double neighbour) const noexcept {
    return load_gravity * std::cos(load) + neighbour_gravity * std::cos(load + neighbour);
  }

  // The current that would give the same torque without saturation:
  //   I for |I| <= 15 A, I (1 - 0.015 (|I| - 15)) above
  double saturated(double current) const noexcept;
  double motor_torque(double current, double motor_angle) const noexcept;
  double joint_torque(const Mechanics& x) const noexcept;

  Mechanics at_rest(double load, double neighbour_motor) const;
  // What acts on the axis besides its own state; the neighbour's motor moves while the step goes on.
  struct Influence {
    double current, external_torque;
    MotionPoint neighbour_motor;
  };
  Mechanics derivative(const Mechanics& x, double bristle, const Influence& influence) const noexcept;
};

inline Plant with_wrist_at_22_hz() {
  Plant plant;
  plant.wrist_frequency = 22.0;
  return plant;
}

// The axis in motion: Runge and Kutta's fourth order; the bristles, whose rate reaches 5e4 1/s, by their exponential.
class AxisInMotion {
 public:
  AxisInMotion(const Plant& plant, double load_position, double neighbour_motor)
      : plant_(plant), x_(plant.at_rest(load_position, neighbour_motor)) {}

  const Plant::Mechanics& mechanics() const noexcept { return x_; }
  double friction_torque() const noexcept;
  // `neighbour_motor` moves with its velocity and acceleration.
  void step(double current, double external_torque, const MotionPoint& neighbour_motor, double interval) noexcept;

 private:
  double mesh_torque(const Plant::Mechanics& x) const noexcept { return plant_.joint_torque(x) / plant_.ratio; }

  Plant plant_;
  Plant::Mechanics x_;
  double bristle_ = 0.0;
};

}  // namespace tauhat::zampolini
