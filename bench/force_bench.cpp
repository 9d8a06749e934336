// A step of the force filter beside Orocos KDL's inverse dynamics, whose time is the unit: six corrections and one
// prediction of a six-joint arm, joints turning back now and then. (Times faster than KDL: at least 1 / 4 for a force,
// 1 / 4.5 for a force and a moment.) And of the momentum observer and the disturbance filter, without a limit.
#include "bench/beside_kdl.hpp"
#include "tauhat/core/robot/disturbance_filter.hpp"
#include "tauhat/core/robot/force_filter.hpp"
#include "tauhat/core/robot/momentum_observer.hpp"

namespace tauhat::bench {
namespace {

constexpr double kPeriod = 1e-3;

// Every joint turns back once.
std::vector<MotionSample> motion() {
  const Arm::Vector rate = (Arm::Vector() << 12.0, 15.0, 17.0, 14.0, 19.0, 16.0).finished();  // rad/s
  constexpr double kAmplitude = 0.06;                                                         // rad
  std::vector<MotionSample> samples;
  for (int k = 0; k < 100; ++k) {
    const Eigen::Array<double, 6, 1> angle = (rate * (k * kPeriod)).array() + 1.0;
    samples.push_back({kAmplitude * angle.sin() + 0.5, kAmplitude * rate.array() * angle.cos(),
                       -kAmplitude * rate.array().square() * angle.sin()});
  }
  return samples;
}

JointFriction<double, 6> friction() {
  JointFriction<double, 6> result;
  for (int i = 0; i < 6; ++i) {
    result.viscous[i] = pyrhonen::kTable[static_cast<std::size_t>(i)].viscous;
    result.coulomb[i] = pyrhonen::kTable[static_cast<std::size_t>(i)].coulomb;
  }
  return result;
}

// The torque of each sample, beforehand: it is the motor's business.
std::vector<Arm::Vector> torques(const Arm& arm, const std::vector<MotionSample>& samples) {
  std::vector<Arm::Vector> result;
  for (const auto& at : samples) {
    result.emplace_back(inverse_dynamics(arm, at.position, at.velocity, at.acceleration) +
                        friction().torque(at.velocity));
  }
  return result;
}

template <class Estimator, class Predict>
void follow_beside_kdl(benchmark::State& state, Estimator& estimator, const Predict& predict) {
  const auto samples = motion();
  const auto torque = torques(pyrhonen::tx40(), samples);
  estimator.start(samples.front().position, samples.front().velocity);
  std::size_t k = 0;
  beside_kdl(state, samples, [&](const Arm&, const MotionSample& at) {
    if (k == samples.size()) {
      k = 0;
      estimator.start(at.position, at.velocity);
    }
    auto done = estimator.correct(at.position);
    benchmark::DoNotOptimize(done);
    return predict(torque[k++]);
  });
}

template <int Axes>
void force_filter_beside_kdl(benchmark::State& state) {
  const Arm arm = pyrhonen::tx40();
  ForceNoise<double, 6> noise(6);
  noise.position.setConstant(1.745e-5);
  noise.torque.setConstant(0.05);
  ForceFilter<double, 6, Axes> filter(arm, friction(), *arm.find_frame("flange"), noise);
  follow_beside_kdl(state, filter, [&](const Arm::Vector& torque) { return filter.predict(torque, kPeriod); });
}

void BM_ForceFilter(benchmark::State& state) { force_filter_beside_kdl<3>(state); }
void BM_WrenchFilter(benchmark::State& state) { force_filter_beside_kdl<6>(state); }

void BM_MomentumObserver(benchmark::State& state) {
  MomentumObserver<double, 6> observer(pyrhonen::tx40(), friction(), MomentumObserverSettings<double, 6>(6));
  follow_beside_kdl(state, observer, [&](const Arm::Vector& torque) { return observer.predict(torque); });
}

void BM_DisturbanceFilter(benchmark::State& state) {
  DisturbanceNoise<double, 6> noise(6);
  noise.position.setConstant(1.745e-5);
  noise.torque.setConstant(0.05);
  noise.walk.setConstant(10.0);
  DisturbanceFilter<double, 6> filter(pyrhonen::tx40(), friction(), noise);
  follow_beside_kdl(state, filter, [&](const Arm::Vector& torque) { return filter.predict(torque); });
}

BENCHMARK(BM_ForceFilter)->UseManualTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_WrenchFilter)->UseManualTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_MomentumObserver)->UseManualTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_DisturbanceFilter)->UseManualTime()->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace tauhat::bench
