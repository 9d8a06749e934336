// One event of the filters of the position in the gap, prediction to its stamp and correction, beside one step of a
// textbook's filter of seven states with two sensors (ekf_bench.cpp); and a minute of pulses replayed.
//
//   over_textbook   at most 3: an event of the direct filter
//   over_direct     at most 4: an event of the IMM, its share of the mixing included
//   times_real      at least 100: 60 + 48 teeth at 3000 rpm and the rows of a millisecond, over the time that they take
#include <benchmark/benchmark.h>

#include <numbers>

#include "bench/race.hpp"
#include "bench/textbook_run.hpp"
#include "tauhat/core/filters/gap_filter.hpp"
#include "tauhat/core/filters/gap_imm.hpp"

namespace tauhat::bench {
namespace {

using P = Powertrain<double>;

P noisy_drive() {
  P drive;
  drive.mode = GapMode::upper;
  drive.noise[P::motor_velocity] = 1.1, drive.noise[P::load_velocity] = 1e-4, drive.noise[P::load_torque] = 225.0;
  drive.noise[P::motor_torque] = 3000.0;
  return drive;
}

Gaussian<double, P::kStates> rolling(double load_speed) {
  Vector<double, P::kStates> x = Vector<double, P::kStates>::Zero(), variances = x;
  x[P::load_velocity] = load_speed, x[P::motor_velocity] = load_speed * P{}.ratio;
  x[P::upper_limit] = x[P::gap_position] = 0.03, x[P::lower_limit] = -0.03;
  x[P::motor_position] = P{}.ratio * 0.04;
  variances.head<6>() << 1e-6, 1.0, 7e-6, 0.1, 1e4, 25.0;
  variances[P::runout_cosine] = variances[P::runout_sine] = P::runout_variance(2.6e-3, 48.0);
  return Gaussian<double, P::kStates>::from_variances(x, variances);
}

// Pulses of 60 teeth on the motor and 48 on the load at steady speed, and perhaps the rows of a millisecond.
struct Instant {
  double dt;
  int output;  // negative: a row
  double angle;
};

enum class Rows { none, every_millisecond };

std::vector<Instant> pulses(double load_speed, double duration, Rows rows) {
  const double step = rows == Rows::none ? std::numeric_limits<double>::infinity() : 1e-3;
  const double motor_pitch = 2.0 * std::numbers::pi / 60.0, load_pitch = 2.0 * std::numbers::pi / 48.0;
  const double motor_speed = load_speed * P{}.ratio;
  std::vector<Instant> all;
  double now = 0.0, row = step, motor = motor_pitch, load = load_pitch;
  while (now < duration) {
    const double at_motor = motor / motor_speed, at_load = load / load_speed, at = std::min({row, at_motor, at_load});
    if (at == row) {
      all.push_back({at - now, -1, 0.0}), row += step;
    } else if (at == at_motor) {
      all.push_back({at - now, P::motor_position_output, P{}.ratio * 0.04 + motor}), motor += motor_pitch;
    } else {
      all.push_back({at - now, P::load_position_output, load}), load += load_pitch;
    }
    now = at;
  }
  return all;
}

template <class F>
double replay(F filter, const std::vector<Instant>& instants) {
  const Vector<double, 1> command(20.0);
  double nis = 0.0;
  for (const Instant& instant : instants) {
    filter.predict(command, instant.dt);
    if (instant.output >= 0) nis += filter.correct({instant.output, instant.angle, 1e-6}).nis();
  }
  return nis;
}

constexpr double kSpeed = 3000.0 * std::numbers::pi / 30.0 / 12.0, kDuration = 1.0;

// One replay, timed beside others.
struct Timed {
  double best = std::numeric_limits<double>::infinity();  // ns

  template <class Work>
  double run(Work&& work) {
    const double elapsed = nanoseconds_of(work);
    best = std::min(best, elapsed);
    return elapsed;
  }
};

template <class F>
void BM_Gap(benchmark::State& state) {
  using Drive = FlexibleDrive<7>;
  const Drive drive;
  const auto samples = record(drive);
  TextbookEkf<Drive> textbook(drive, Drive::start(), Drive::start_variances(), kSensorVariance, kGate);
  const auto events = pulses(kSpeed, kDuration, Rows::none);
  const auto log = pulses(kSpeed, kDuration, Rows::every_millisecond);
  const F filter(noisy_drive(), rolling(kSpeed));
  const GapFilter<double> direct(noisy_drive(), rolling(kSpeed));
  Timed of_events, of_direct, of_log, of_textbook;
  for (auto _ : state) {
    state.SetIterationTime(1e-9 * of_events.run([&] { benchmark::DoNotOptimize(replay(filter, events)); }));
    of_direct.run([&] { benchmark::DoNotOptimize(replay(direct, events)); });
    of_log.run([&] { benchmark::DoNotOptimize(replay(filter, log)); });
    of_textbook.run([&] { benchmark::DoNotOptimize(run(textbook, samples)); });
  }
  const double event = of_events.best / static_cast<double>(events.size());
  const double step = of_textbook.best / static_cast<double>(samples.size());
  state.counters["event_ns"] = event;
  state.counters["textbook_step_ns"] = step;
  state.counters["over_textbook"] = event / step;
  state.counters["over_direct"] = of_events.best / of_direct.best;
  state.counters["times_real"] = kDuration * 1e9 / of_log.best;
}
BENCHMARK(BM_Gap<GapFilter<double>>)->Name("BM_GapFilter")->UseManualTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(BM_Gap<GapImm<double>>)->Name("BM_GapImm")->UseManualTime()->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace tauhat::bench
