// What a friction law costs in a filter's step: torque and derivative, beside the plain CoulombTanh in the same run.
#include <array>
#include <cmath>
#include <cstdint>
#include <string>

#include "bench/race.hpp"
#include "tauhat/core/friction/asymmetric.hpp"
#include "tauhat/core/friction/coulomb_atan.hpp"
#include "tauhat/core/friction/coulomb_tanh.hpp"
#include "tauhat/core/friction/dahl.hpp"
#include "tauhat/core/friction/exponential.hpp"
#include "tauhat/core/friction/hyperbolic.hpp"
#include "tauhat/core/friction/load_dependent.hpp"
#include "tauhat/core/friction/lugre.hpp"
#include "tauhat/core/friction/maxwell_slip.hpp"
#include "tauhat/core/friction/stribeck.hpp"
#include "tauhat/core/friction/viscous.hpp"

namespace tauhat::bench {
namespace {

// Velocities of both signs over four decades, in no order that a processor could learn.
std::array<double, 4096> velocities() {
  std::array<double, 4096> all{};
  std::uint32_t random = 1;
  for (double& v : all) {
    random = random * 1664525u + 1013904223u;
    const double share = static_cast<double>(random >> 8) / 16777216.0;
    v = std::pow(10.0, -3.0 + 4.0 * share) * ((random & 16u) != 0 ? 1.0 : -1.0);
  }
  return all;
}

// Numbers as of a servo drive; each parameter of a kind the same, so that the laws differ by their form alone.
template <class Law>
Law servo_law(double width = 0.01) {
  Law law;
  Law::visit_parameters(law, [&](const ParameterInfo& info, double& value) {
    if (info.name == "width") value = width;
    if (info.unit == "N m") value = 0.27;
    if (info.unit == "N m s/rad" || info.name == "load_coefficient") value = 0.01;
    if (info.name == "breakaway") value = 0.4;
    if (info.name == "breakaway_ratio") value = 1.5;
  });
  return law;
}

template <class Law>
double evaluated(const Law& law, double velocity) {
  if constexpr (DependsOnLoad<Law>) {
    const auto at = law.torque_and_slope(velocity, 2.0);
    return at.torque + at.slope;
  } else if constexpr (FrictionLaw<Law>) {
    const auto at = law.torque_and_slope(velocity);
    return at.torque + at.slope;
  } else {
    // Torque and rate with their derivatives by velocity and memory.
    using D = Dual<double, Law::kMemory + 1>;
    const auto dual = law.template cast<D>();
    Vector<D, Law::kMemory> z;
    for (int i = 0; i < Law::kMemory; ++i) z[i] = D(velocity > 0.0 ? 1e-3 : -1e-3, Law::kMemory + 1, i + 1);
    const D w(velocity, Law::kMemory + 1, 0), torque = dual.torque(w, z);
    const Vector<D, Law::kMemory> rate = dual.memory_rate(w, z);
    double sum = torque.value() + torque.derivatives().sum();
    for (int i = 0; i < Law::kMemory; ++i) sum += rate[i].value() + rate[i].derivatives().sum();
    return sum;
  }
}

template <class Law>
double run(const Law& law, const std::array<double, 4096>& at) {
  double sum = 0.0;
  for (const double v : at) sum += evaluated(law, v);
  return sum;
}

template <class Law>
void BM_Friction(benchmark::State& state, double width) {
  const auto at = velocities();
  auto law = servo_law<Law>(width);
  auto plain_law = servo_law<CoulombTanh<double>>();
  double best = std::numeric_limits<double>::infinity(), plain_best = best;
  for (auto _ : state) {
    benchmark::DoNotOptimize(&law);
    benchmark::DoNotOptimize(&plain_law);
    benchmark::ClobberMemory();
    const double elapsed = nanoseconds_of([&] { benchmark::DoNotOptimize(run(law, at)); });
    state.SetIterationTime(elapsed * 1e-9);
    best = std::min(best, elapsed);
    plain_best = std::min(plain_best, nanoseconds_of([&] { benchmark::DoNotOptimize(run(plain_law, at)); }));
  }
  state.counters["evaluation_ns"] = best / static_cast<double>(at.size());
  state.counters["times_coulomb_tanh"] = best / plain_best;
}

template <class Law>
void add_law(double width = 0.01) {
  const std::string name = "BM_Friction/" + std::string(Law::kName) + (width == 0.0 ? "-hard" : "");
  benchmark::RegisterBenchmark(name.c_str(), BM_Friction<Law>, width)->UseManualTime()->Unit(benchmark::kMicrosecond);
}

[[maybe_unused]] const bool kRegistered = [] {
  add_law<Viscous<double>>();
  add_law<CoulombTanh<double>>();
  add_law<CoulombAtan<double>>();
  add_law<Stribeck<double>>();
  add_law<Exponential<double>>();
  add_law<Hyperbolic<double>>();
  add_law<Exponential<double>>(0.0);
  add_law<Hyperbolic<double>>(0.0);
  add_law<AsymmetricCoulomb<double>>();
  add_law<AsymmetricExponential<double>>();
  add_law<LoadDependentCoulomb<double>>();
  add_law<Dahl<double>>();
  add_law<LuGre<double>>();
  add_law<MaxwellSlip<double>>();
  return true;
}();

}  // namespace
}  // namespace tauhat::bench
