// One step of an observer with a fixed gain, beside one step of a textbook's extended Kalman filter of four states
// (ekf_bench.cpp); the design of a gain, beside SLICOT's where it is installed; what a schedule of poses rebuilds, and
// one step of the extended filter with LuGre's bristle.
//
//   over_textbook              at most 0.25 for seven states, 1.5 for thirty with six sensors
//   times_faster_than_slicot   at least 4 (Riccati), 1.5 (poles)
#include <benchmark/benchmark.h>

#include "bench/race.hpp"
#include "bench/textbook_run.hpp"
#include "tauhat/core/filters/ekf.hpp"
#include "tauhat/core/linear/hold.hpp"
#include "tauhat/core/linear/pole_placement.hpp"
#include "tauhat/core/linear/stationary_filter.hpp"
#include "tauhat/core/models/joint_with_bristles.hpp"
#include "tauhat/core/observers/fixed_gain.hpp"
#include "tauhat/core/unknowns/random_walk.hpp"

#if defined(TAUHAT_BENCH_SLICOT)
#include "bench/slicot.hpp"
#endif

namespace tauhat::bench {
namespace {

template <int N, int Inputs, int Outputs>
FixedGainObserver<double, N, Inputs, Outputs> some_observer(ObserverForm form) {
  std::mt19937 seed(7);
  std::normal_distribution<double> draw;
  const auto drawn = [&](auto matrix) { return decltype(matrix)::NullaryExpr([&](auto, auto) { return draw(seed); }); };
  // Of norm below one, with the gain's part: it stays where it is.
  const Matrix<double, N> a = drawn(Matrix<double, N>()) * (0.3 / std::sqrt(N));
  return {a, drawn(Matrix<double, N, Inputs>()), drawn(Matrix<double, Outputs, N>()) * 0.1, form,
          drawn(Matrix<double, N, Outputs>()) * 0.1};
}

template <int N, int Inputs, int Outputs, ObserverForm Form>
void BM_FixedGain(benchmark::State& state) {
  using Drive = FlexibleDrive<4>;
  const Drive drive;
  const auto samples = record(drive);
  TextbookEkf<Drive> textbook(drive, Drive::start(), Drive::start_variances(), kSensorVariance, kGate);
  auto observer = some_observer<N, Inputs, Outputs>(Form);
  using Observer = decltype(observer);
  double ours = std::numeric_limits<double>::infinity(), theirs = ours;
  for (auto _ : state) {
    const double elapsed = nanoseconds_of([&] {
      double sum = 0.0;
      for (const auto& sample : samples) {
        sum += observer.step(Observer::Input::Constant(sample.input[0]),
                             Observer::Measurements::Constant(sample.sensors[0]))[0];
      }
      benchmark::DoNotOptimize(sum);
    });
    state.SetIterationTime(elapsed * 1e-9);
    ours = std::min(ours, elapsed);
    theirs = std::min(theirs, nanoseconds_of([&] { benchmark::DoNotOptimize(run(textbook, samples)); }));
  }
  state.counters["step_ns"] = ours / static_cast<double>(samples.size());
  state.counters["textbook_step_ns"] = theirs / static_cast<double>(samples.size());
  state.counters["over_textbook"] = ours / theirs;
}
BENCHMARK((BM_FixedGain<7, 1, 1, ObserverForm::predictor>))->Name("BM_FixedGain7")->UseManualTime();
BENCHMARK((BM_FixedGain<7, 1, 1, ObserverForm::filter>))->Name("BM_FixedGain7_filter")->UseManualTime();
BENCHMARK((BM_FixedGain<30, 6, 6, ObserverForm::predictor>))->Name("BM_FixedGain30")->UseManualTime();
BENCHMARK((BM_FixedGain<30, 6, 6, ObserverForm::filter>))->Name("BM_FixedGain30_filter")->UseManualTime();

constexpr double kPeriod = 400e-6;
using Joint = ElasticJoint<double>;

Joint robot_axis() {
  Joint joint;
  joint.motor_inertia = 7e-4, joint.motor_viscous = 0.008, joint.ratio = 120.0;
  joint.stiffness = 1.2e5, joint.damping = 80.0, joint.load_inertia = 14.3854, joint.load_viscous = 2.0;
  joint.coupling_inertia = 3.4358, joint.neighbour_inertia = 2.7927, joint.neighbour_stiffness = 3e4;
  joint.neighbour_damping = 12.0, joint.neighbour_viscous = 0.5;
  joint.torque_noise << 1e-6, 0.1, 0.1;
  return joint;
}

// An axis of a robot: motor position and link velocity are measured.
struct Axis {
  Matrix<double, 6> continuous;
  Matrix<double, 6, 1> input;
  Matrix<double, 6> a;
  Matrix<double, 1, 6> motor = Matrix<double, 1, 6>::Unit(Joint::motor_position);
  Matrix<double, 2, 6> both = Matrix<double, 2, 6>::Zero();
  StepNoise<double, 6, 2> noise;
  Poles<double, 6> poles =
      ContinuousPoles<double, 6>().pair(40.0, 0.9).pair(80.0, 0.9).pair(100.0, 0.9).sampled(kPeriod);

  Axis() {
    const Joint joint = robot_axis();
    const auto at = linearise(joint, StateOf<Joint>::Zero(), InputOf<Joint>::Zero());
    continuous = at.by_state, input = at.by_input.col(Joint::motor_torque);
    a = held<double, 6, 1>(continuous, input, kPeriod).transition;
    both(0, Joint::motor_position) = both(1, Joint::load_velocity) = 1.0;
    // Of torques at motor, link and neighbour, which are the first inputs.
    noise.process = sampled_noise<double, 6, 3>(continuous, at.by_input.leftCols<3>(), {1e-6, 0.1, 0.1}, kPeriod);
    noise.sensors << 4.2e-12, 1e-6;
  }
};

// Ours against theirs where there is one.
template <class Ours, class Theirs>
void design_race(benchmark::State& state, [[maybe_unused]] Ours&& ours, [[maybe_unused]] Theirs&& theirs) {
  constexpr int kDesigns = 50;
  const auto batch = [](auto& work) {
    return [&] {
      for (int i = 0; i < kDesigns; ++i) benchmark::DoNotOptimize(work());
    };
  };
  double our_best = std::numeric_limits<double>::infinity(), their_best = our_best;
  for (auto _ : state) {
    const double elapsed = nanoseconds_of(batch(ours));
    state.SetIterationTime(elapsed * 1e-9);
    our_best = std::min(our_best, elapsed);
    their_best = std::min(their_best, nanoseconds_of(batch(theirs)));
  }
  state.counters["design_us"] = our_best / kDesigns * 1e-3;
#if defined(TAUHAT_BENCH_SLICOT)
  state.counters["slicot_us"] = their_best / kDesigns * 1e-3;
  state.counters["times_faster_than_slicot"] = their_best / our_best;
#endif
}

void riccati_race(benchmark::State& state) {
  const Axis axis;
  design_race(
      state,
      [&] {
        benchmark::DoNotOptimize(&axis);
        return solve_discrete_riccati<double, 6, 2>(axis.a, axis.both, axis.noise.process, axis.noise.sensors);
      },
      [&] {
#if defined(TAUHAT_BENCH_SLICOT)
        return slicot_riccati(axis.a, axis.both, axis.noise.process, axis.noise.sensors);
#else
        return 0;
#endif
      });
}
BENCHMARK(riccati_race)->Name("BM_Riccati6")->UseManualTime()->Unit(benchmark::kMicrosecond);

// With what is looked at besides: noise, detectability, Newton's step, residual, poles. SLICOT does not.
void stationary_filter_race(benchmark::State& state) {
  const Axis axis;
  design_race(
      state,
      [&] {
        benchmark::DoNotOptimize(&axis);
        return stationary_filter<double, 6, 2>(axis.a, axis.both, axis.noise, kPeriod);
      },
      [&] {
#if defined(TAUHAT_BENCH_SLICOT)
        return slicot_riccati(axis.a, axis.both, axis.noise.process, axis.noise.sensors);
#else
        return 0;
#endif
      });
}
BENCHMARK(stationary_filter_race)->Name("BM_StationaryFilter6")->UseManualTime()->Unit(benchmark::kMicrosecond);

void pole_placement_race(benchmark::State& state) {
  const Axis axis;
  design_race(
      state,
      [&] {
        benchmark::DoNotOptimize(&axis);
        return place_poles<double, 6>(axis.a, axis.motor, axis.poles);
      },
      [&] {
#if defined(TAUHAT_BENCH_SLICOT)
        return slicot_placement(axis.a, axis.motor, axis.poles);
#else
        return 0;
#endif
      });
}
BENCHMARK(pole_placement_race)->Name("BM_PolePlacement6")->UseManualTime()->Unit(benchmark::kMicrosecond);

// The exact hold of six states.
void hold_time(benchmark::State& state) {
  const Axis axis;
  for (auto _ : state) {
    benchmark::DoNotOptimize(&axis);
    benchmark::DoNotOptimize(held<double, 6, 1>(axis.continuous, axis.input, kPeriod));
  }
}
BENCHMARK(hold_time)->Name("BM_Hold6");

// With the leaky disturbance at the motor.
LinearJoint<double, 7> disturbed_axis(double load_inertia) {
  Joint joint = robot_axis();
  joint.load_inertia = load_inertia;
  return linear_joint(Augmented<Joint, RandomWalk<Joint::motor_disturbance>>{joint, 0.63, 1.2566});
}

// What a schedule costs at each pose: the model of its mass matrix, its exact hold, and the observer's matrices.
void pose_rebuild_time(benchmark::State& state) {
  const LinearJoint<double, 7> start = disturbed_axis(14.4);
  const auto step = held<double, 7, kJointInputs>(start.dynamics, start.by_torque, kPeriod);
  FixedGainObserver<double, 7, kJointInputs, 1> observer(step.transition, step.by_input, Matrix<double, 1, 7>::Unit(0),
                                                         ObserverForm::filter, Vector<double, 7>::Constant(0.01));
  double inertia = 9.0;
  for (auto _ : state) {
    inertia = inertia > 18.0 ? 9.0 : inertia + 0.01;
    const LinearJoint<double, 7> joint = disturbed_axis(inertia);
    const auto now = held<double, 7, kJointInputs>(joint.dynamics, joint.by_torque, kPeriod);
    observer.reschedule(now.transition, now.by_input);
    benchmark::DoNotOptimize(observer);
  }
}
BENCHMARK(pose_rebuild_time)->Name("BM_PoseRebuild7");

// The extended filter of eight states: six of the axis, the motor's disturbance, LuGre's bristle.
void bristle_filter_time(benchmark::State& state) {
  MeshLuGre<double> friction;
  friction.bristles = {.bristle_stiffness = 40.0,
                       .bristle_damping = 0.03,
                       .viscous = 0.0,
                       .coulomb = 0.343,
                       .breakaway = 0.45,
                       .stribeck_velocity = 3.0};
  friction.load_share = 0.04, friction.fading_velocity = 5.0;
  using Bristled = JointWithBristles<double, 7>;
  Ekf<Bristled> filter(Bristled(disturbed_axis(14.3854), friction, {-49.0, 135.0}, 1e-8, kPeriod), {});
  int k = 0;
  for (auto _ : state) {
    const double t = kPeriod * ++k;
    benchmark::DoNotOptimize(filter.correct({0, 3.0 * std::sin(2.0 * t), 4.2e-12}));
    benchmark::DoNotOptimize(filter.predict(Vector<double, kJointInputs>(0.5 * std::cos(2.0 * t), 0.0, 0.0), kPeriod));
  }
}
BENCHMARK(bristle_filter_time)->Name("BM_BristleFilter8");

}  // namespace
}  // namespace tauhat::bench
