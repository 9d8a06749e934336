// The TX40 in Orocos KDL, whose inverse dynamics is the unit of time for what we do with an arm.
#pragma once

#include <algorithm>
#include <vector>

#include "bench/kdl_arm.hpp"
#include "bench/race.hpp"
#include "tauhat/core/robot/inverse_dynamics.hpp"
#include "tauhat/offline/reproduce/tx40.hpp"

namespace tauhat::bench {

using pyrhonen::Arm;

struct MotionSample {
  Arm::Vector position, velocity, acceleration;
};

inline KdlArm in_kdl(const Arm& arm) {
  std::vector<KdlLink> links;
  for (int i = 0; i < arm.joints(); ++i) {
    const Matrix<double, 3, 3> e = arm.joint(i).placement().rotation;
    const Vector<double, 3> p = arm.joint(i).placement().translation;
    const auto& link = arm.link(i);
    const Vector<double, 3> c = link.first_moment / link.mass, back = -c;
    const Matrix<double, 3> j = shifted_moment(link.moment, link.first_moment, link.mass, back);
    links.push_back({{e(0, 0), e(0, 1), e(0, 2), e(1, 0), e(1, 1), e(1, 2), e(2, 0), e(2, 1), e(2, 2)},
                     {p[0], p[1], p[2]},
                     link.mass,
                     {c[0], c[1], c[2]},
                     {j(0, 0), j(0, 1), j(0, 2), j(1, 1), j(1, 2), j(2, 2)}});
  }
  return {links, {arm.gravity[0], arm.gravity[1], arm.gravity[2]}};
}

// One of our algorithms, algorithm(arm, sample) of each, against KDL's inverse dynamics of the same motion.
template <class Algorithm>
void beside_kdl(benchmark::State& state, const std::vector<MotionSample>& motion, const Algorithm& algorithm) {
  const Arm arm = pyrhonen::tx40();
  KdlArm peer = in_kdl(arm);
  double largest = 0.0;
  Arm::Vector torque;
  for (const auto& at : motion) {
    peer.inverse_dynamics(at.position.data(), at.velocity.data(), at.acceleration.data(), torque.data());
    torque += actuator_torque(arm, at.acceleration);
    largest = std::max(
        largest, (torque - inverse_dynamics(arm, at.position, at.velocity, at.acceleration)).cwiseAbs().maxCoeff());
  }
  if (largest > 1e-10) return state.SkipWithError("KDL's torques are others");
  race(
      state, static_cast<double>(motion.size()),
      [&] {
        for (const auto& at : motion) {
          auto result = algorithm(arm, at);
          benchmark::DoNotOptimize(result);
        }
      },
      [&] {
        for (const auto& at : motion) {
          peer.inverse_dynamics(at.position.data(), at.velocity.data(), at.acceleration.data(), torque.data());
          benchmark::DoNotOptimize(torque);
        }
      },
      "kdl");
}

}  // namespace tauhat::bench
