#include "tauhat/offline/reproduce/pyrhonen_dynamics.hpp"

#include <algorithm>

#include "tauhat/core/robot/derivatives.hpp"
#include "tauhat/core/robot/regressor.hpp"
#include "tauhat/offline/reproduce/mujoco_peer.hpp"
#include "tauhat/offline/reproduce/tx40.hpp"
#include "tauhat/offline/simulate/random.hpp"

namespace tauhat::pyrhonen {
namespace {

constexpr int kStates = 300;

using Values = JointVector<double, kJoints>;

struct State {
  Values position, velocity, acceleration;
  Vector<double, 3> force;  // N, at the flange
};

State random_state(Random& random) {
  const auto drawn = [&](double range) {
    return Values(Values::NullaryExpr([&] { return random.uniform(-range, range); }));
  };
  State state{drawn(2.0), drawn(3.0), drawn(20.0), {}};
  for (double& f : state.force) f = random.uniform(-20.0, 20.0);
  return state;
}

// Directions: positions, velocities, and the three numbers of the force.
constexpr int kVelocity = kJoints, kForce = 2 * kJoints, kDirections = kForce + 3;
using Directional = Dual<double, kDirections>;
using DirectionalValues = JointVector<Directional, kJoints>;

DirectionalValues along(const Values& x, int first) {
  DirectionalValues result;
  for (int i = 0; i < kJoints; ++i) result[i] = Directional(x[i], Directional::DerType::Unit(first + i));
  return result;
}

// The largest difference of d acceleration / d (position, velocity, force), relative to 1 + |value|.
double jacobian_error(const Arm& arm, const Robot<Directional, kJoints>& directional, const State& s) {
  const Values torque = inverse_dynamics(arm, s.position, s.velocity, s.acceleration);
  const ExternalWrench<double> external{*arm.find_frame("flange"), {s.force, Vector<double, 3>::Zero()}};
  ExternalWrench<Directional> moved{*directional.find_frame("flange"), Wrench<Directional>::zero()};
  for (int k = 0; k < 3; ++k) moved.wrench.force[k] = Directional(s.force[k], Directional::DerType::Unit(kForce + k));

  const auto given = forward_derivatives(arm, s.position, s.velocity, torque, external);
  const DirectionalValues automatic = forward_dynamics(directional, along(s.position, 0), along(s.velocity, kVelocity),
                                                       DirectionalValues(torque.cast<Directional>()), moved)
                                          .acceleration;
  double largest = 0.0;
  for (int i = 0; i < kJoints; ++i) {
    Eigen::Matrix<double, 1, kDirections> row;
    row << given.by_position.row(i), given.by_velocity.row(i), given.by_wrench.row(i).head<3>();
    const auto expected = automatic[i].derivatives().transpose().array();
    largest = std::max(largest, ((row.array() - expected).abs() / (1.0 + expected.abs())).maxCoeff());
  }
  return largest;
}

}  // namespace

RunFigures dynamics_figures(std::uint64_t seed) {
  const Arm arm = tx40();
  const auto directional = arm.cast<Directional>();
  const auto parameters = arm.parameters();
  std::unique_ptr<MujocoPeer> peer;
  if (MujocoPeer::is_available()) peer = std::make_unique<MujocoPeer>(arm.cast<double, Eigen::Dynamic>());
  Random random(seed, "states of the dynamics");
  double regressor = 0.0, mujoco = 0.0, jacobian = 0.0;
  for (int k = 0; k < kStates; ++k) {
    const State s = random_state(random);
    const Values torque = inverse_dynamics(arm, s.position, s.velocity, s.acceleration);
    const Values linear = torque_regressor(arm, s.position, s.velocity, s.acceleration) * parameters;
    regressor = std::max(regressor, (torque - linear).cwiseAbs().maxCoeff());
    if (peer) {
      const Values theirs = peer->inverse_dynamics(s.position, s.velocity, s.acceleration);
      mujoco = std::max(mujoco, (torque - theirs).cwiseAbs().maxCoeff());
    }
    jacobian = std::max(jacobian, jacobian_error(arm, directional, s));
  }
  RunFigures figures{{"dynamics.difference.regressor", regressor}, {"dynamics.jacobian_error", jacobian}};
  if (peer) figures["dynamics.difference.mujoco"] = mujoco;
  return figures;
}

}  // namespace tauhat::pyrhonen
