// The product's own step: two-mass drive whose transmission torque is a random walk, with the numbers of
// Hovland et al. 2002 (simulation 2), both velocities measured. Its mean by RK4, its transition and noise
// exact. And the worst of ten million steps beside the median: what a control loop has to leave room for.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "tauhat/core/filters/ekf.hpp"
#include "tauhat/core/models/two_mass_drive.hpp"
#include "tauhat/core/unknowns/random_walk.hpp"

namespace tauhat::bench {
namespace {

template <class T>
class ProductLoop {
 public:
  using Drive = TwoMassDrive<T>;
  using Unknown = Augmented<Drive, RandomWalk<Drive::transmission_torque>>;

  ProductLoop() : filter_(drive(), Gaussian<T, 5>::from_variances(Vector<T, 5>::Zero(), variances())) {}

  void step() {
    if (++steps_ % 10 == 0) torque_[0] = uniform() > T(0) ? T(2) : T(-2);
    const T velocity = uniform();
    filter_.predict(torque_, T(5e-4));
    filter_.correct({Drive::motor_velocity_output, velocity, T(0.09)});
    filter_.correct({Drive::load_velocity_output, -velocity, T(0.09)});
  }

 private:
  static Unknown drive() {
    Unknown drive;
    drive.model.motor_inertia = T(0.0008);
    drive.model.load_inertia = T(0.001765);
    drive.model.damping = T(0.01);
    drive.model.motor_friction = {T(0.27), T(0.01), T(0.01)};
    drive.model.noise[Drive::motor_velocity] = T(10);
    drive.intensity = T(31.6);
    return drive;
  }
  static Vector<T, 5> variances() {
    Vector<T, 5> variances;
    variances << T(1e-8), T(1e-8), T(1e-4), T(1e-4), T(1e-2);
    return variances;
  }
  T uniform() {
    random_ = random_ * 1664525u + 1013904223u;
    return static_cast<T>(static_cast<double>(random_) / 4294967296.0 - 0.5);
  }

  Ekf<Unknown> filter_;
  Vector<T, 1> torque_ = Vector<T, 1>::Zero();
  std::uint32_t random_ = 1;
  long steps_ = 0;
};

template <class T>
void BM_ProductStep(benchmark::State& state) {
  ProductLoop<T> loop;
  for (auto _ : state) loop.step();
}
BENCHMARK(BM_ProductStep<double>);
BENCHMARK(BM_ProductStep<float>);

// Each step is timed alone, the clock's own 20 to 30 ns included. What the machine does besides is in the
// worst, too.
template <class T>
void BM_WorstStep(benchmark::State& state) {
  constexpr std::size_t kSteps = 10'000'000;
  ProductLoop<T> loop;
  std::vector<float> elapsed(kSteps);
  for (auto _ : state) {
    for (float& nanoseconds : elapsed) {
      const auto start = std::chrono::steady_clock::now();
      loop.step();
      nanoseconds = std::chrono::duration<float, std::nano>(std::chrono::steady_clock::now() - start).count();
    }
  }
  const auto quantile = [&](double fraction) {
    const auto at = elapsed.begin() + static_cast<std::ptrdiff_t>(fraction * static_cast<double>(kSteps - 1));
    std::nth_element(elapsed.begin(), at, elapsed.end());
    return static_cast<double>(*at);
  };
  state.counters["median_ns"] = quantile(0.5);
  state.counters["p999_ns"] = quantile(0.999);
  state.counters["worst_ns"] = quantile(1.0);
}
BENCHMARK(BM_WorstStep<double>)->Iterations(1)->Unit(benchmark::kSecond);
BENCHMARK(BM_WorstStep<float>)->Iterations(1)->Unit(benchmark::kSecond);

}  // namespace
}  // namespace tauhat::bench
