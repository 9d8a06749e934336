// Dynamics of a six-joint arm beside Orocos KDL's inverse dynamics, whose time is the unit: torques, accelerations with
// all of their derivatives, the regressor. (Times faster than KDL: at least 2.5, 1 / 1.3 and 1 / 0.7.) The force filter
// is in force_bench.cpp.
#include <random>
#include <vector>

#include "bench/beside_kdl.hpp"
#include "tauhat/core/robot/derivatives.hpp"
#include "tauhat/core/robot/momentum.hpp"
#include "tauhat/core/robot/regressor.hpp"

namespace tauhat::bench {
namespace {

std::vector<MotionSample> samples() {
  std::mt19937_64 engine(7);
  const auto draw = [&](double range) {
    std::uniform_real_distribution<double> between(-range, range);
    return Arm::Vector(Arm::Vector::NullaryExpr([&](Eigen::Index) { return between(engine); }));
  };
  std::vector<MotionSample> result(256);
  for (auto& sample : result) sample = {draw(2.0), draw(3.0), draw(20.0)};
  return result;
}

template <class Robot>
ExternalWrench<double> force_at_flange(const Robot& robot) {
  return {*robot.find_frame("flange"), {{10.0, -20.0, 5.0}, {0.5, -0.3, 0.2}}, WrenchAxes::world};
}

void BM_RobotInverseDynamics(benchmark::State& state) {
  beside_kdl(state, samples(), [](const Arm& arm, const MotionSample& at) {
    return inverse_dynamics(arm, at.position, at.velocity, at.acceleration);
  });
}
void BM_RobotForwardDynamics(benchmark::State& state) {
  beside_kdl(state, samples(), [](const Arm& arm, const MotionSample& at) {
    return forward_dynamics(arm, at.position, at.velocity, at.acceleration);
  });
}
void BM_RobotForwardDerivatives(benchmark::State& state) {
  const auto force = force_at_flange(pyrhonen::tx40());
  beside_kdl(state, samples(), [&](const Arm& arm, const MotionSample& at) {
    return forward_derivatives(arm, at.position, at.velocity, at.acceleration, force);
  });
}
void BM_RobotRegressor(benchmark::State& state) {
  beside_kdl(state, samples(), [](const Arm& arm, const MotionSample& at) {
    return torque_regressor(arm, at.position, at.velocity, at.acceleration);
  });
}
void BM_RobotMomentum(benchmark::State& state) {
  beside_kdl(state, samples(), [](const Arm& arm, const MotionSample& at) {
    return generalised_momentum(arm, at.position, at.velocity);
  });
}
BENCHMARK(BM_RobotInverseDynamics)->UseManualTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_RobotForwardDynamics)->UseManualTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_RobotForwardDerivatives)->UseManualTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_RobotRegressor)->UseManualTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_RobotMomentum)->UseManualTime()->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace tauhat::bench
