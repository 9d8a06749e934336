#include "tauhat/offline/reproduce/lagerberg_filters.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tauhat/core/filters/gap_cascade.hpp"
#include "tauhat/core/filters/gap_filter.hpp"
#include "tauhat/core/filters/gap_imm.hpp"
#include "tauhat/core/linear/hold.hpp"
#include "tauhat/offline/gap/jitter.hpp"
#include "tauhat/offline/gap/tooth_learner.hpp"
#include "tauhat/offline/simulate/random.hpp"

namespace tauhat::lagerberg {
namespace {

using P = Powertrain<double>;
using Observer = SwitchingObserver<double>;

double displacement_of(double motor, double load) { return motor / P{}.ratio - load; }

P drive_with(const Engine& engine) {
  P drive;
  drive.lag = engine.lag;
  return drive;
}

// One of the two sensors.
struct Sensor {
  const ToothedWheel& wheel;
  const std::vector<Pulse>& pulses;
  int position, velocity;  // states
};
Sensor engine_of(const Run& run) { return {run.engine, run.engine_pulses, P::motor_position, P::motor_velocity}; }
Sensor wheel_of(const Run& run) { return {run.wheel, run.wheel_pulses, P::load_position, P::load_velocity}; }

// What the filter takes an edge for: it knows phase and number, not the tooth's error.
double angle_of(const ToothedWheel& wheel, long number) {
  return wheel.phase + static_cast<double>(number) * wheel.pitch();
}

// The counter's staircase, half a tooth higher than its edges, as its mean over each row's interval.
std::vector<double> staircase_means(const Run& run, const Sensor& sensor) {
  const double pitch = sensor.wheel.pitch(), start = run.rows.front().state[sensor.position];
  double level = angle_of(sensor.wheel, static_cast<long>(std::floor((start - sensor.wheel.phase) / pitch)));
  std::vector<double> means;
  auto pulse = sensor.pulses.begin();
  for (std::size_t k = 0; k + 1 < run.rows.size(); ++k) {
    double at = run.rows[k].time, area = 0.0;
    for (; pulse != sensor.pulses.end() && pulse->stamp <= run.rows[k + 1].time; ++pulse) {
      area += level * (pulse->stamp - at), at = pulse->stamp;
      level = angle_of(sensor.wheel, pulse->number);
    }
    area += level * (run.rows[k + 1].time - at);
    means.push_back(area / kPeriod + 0.5 * pitch);
  }
  return means;
}

// x' = A x + K (y - C x) of [th w a] with the mean of y over each interval.
std::vector<double> filter_staircase(const Run& run, const Sensor& sensor, double variance) {
  Matrix<double, 3> a = Matrix<double, 3>::Zero();
  a(0, 1) = a(1, 2) = 1.0;
  const Matrix<double, 1, 3> c(1.0, 0.0, 0.0);
  const Vector<double, 1> r(variance);
  const auto solved =
      solve_continuous_riccati<double, 3, 1>(a, c, Matrix<double, 3>(Vector<double, 3>(0.0, 1.0, 1.0).asDiagonal()), r);
  const Matrix<double, 3, 1> gain = continuous_gain<double, 3, 1>(solved, c, r);
  const auto step = held<double, 3, 1>(a - gain * c, gain, kPeriod);
  const auto& start = run.rows.front().state;
  Vector<double, 3> x(start[sensor.position], start[sensor.velocity], 0.0);
  std::vector<double> position{x[0]};
  for (const double y : staircase_means(run, sensor)) {
    const Vector<double, 3> next = step.transition * x + step.by_input * y;
    x = next;
    position.push_back(x[0]);
  }
  return position;
}

Observer::Tuning tuning_of(Teeth teeth, Prefilter prefilter) {
  // w_m, w_l, T_l, T_m, th_b; th_m, th_l
  constexpr double kTable[4][7] = {{5.68e4, 4.96e-5, 2.25e5, 4.13, 3.13e-9, 1.65e-6, 3.41e-10},
                                   {204, 3.59e-4, 1.87e3, 34.6, 1.61e-9, 5.30e-7, 7.45e-7},
                                   {495, 7.69e-4, 735, 90.8, 3.35e-10, 1.09e-6, 4.06e-7},
                                   {545, 8.26e-4, 672, 27.9, 6.40e-10, 6.49e-7, 6.44e-7}};
  const auto& q = kTable[(prefilter == Prefilter::none ? 2 : 0) + (teeth == Teeth::ideal ? 0 : 1)];
  Observer::Tuning tuning;
  tuning.noise << 1e-12, q[0], 1e-12, q[1], q[2], q[3], q[4];
  tuning.sensors << q[5], q[6];
  return tuning;
}

constexpr double kStartLoad = 100.0;  // N m

PowertrainState start_of(const Run& run) {
  PowertrainState x = run.rows.front().state;
  x[P::load_torque] = kStartLoad;
  return x;
}

void append(const Observer& observer, Estimates& estimates) {
  const auto& x = observer.state();
  estimates.displacement.push_back(displacement_of(x[P::motor_position], x[P::load_position]));
  estimates.gap.push_back(x[P::gap_position]);
  estimates.mode.push_back(observer.mode());
}

template <class F>
void append(const F& filter, Estimates& estimates) {
  const auto x = filter.belief().mean;
  estimates.displacement.push_back(displacement_of(x[P::motor_position], x[P::load_position]));
  estimates.gap.push_back(x[P::gap_position]);
  estimates.mode.push_back(filter.mode());
}

// Both wheels' pulses in the order of their stamps.
struct Event {
  double stamp;
  long number;
  bool is_engine;
};
std::vector<Event> merged(const Run& run) {
  std::vector<Event> events;
  for (const Pulse& pulse : run.engine_pulses) events.push_back({pulse.stamp, pulse.number, true});
  for (const Pulse& pulse : run.wheel_pulses) events.push_back({pulse.stamp, pulse.number, false});
  std::stable_sort(events.begin(), events.end(), [](const Event& a, const Event& b) { return a.stamp < b.stamp; });
  return events;
}

// Carries a filter over the run: to each pulse and corrected there, to each row and looked at there.
template <class F, class Correct, class Look>
void follow(F& filter, const Run& run, const Engine& engine, const Correct& correct, const Look& look) {
  const std::vector<Event> events = merged(run);
  auto event = events.begin();
  double now = 0.0;
  look(filter);
  for (std::size_t k = 0; k + 1 < run.rows.size(); ++k) {
    const Vector<double, 1> u(run.delayed_command(k, engine.delay));
    const double end = run.rows[k + 1].time;
    for (; event != events.end() && event->stamp <= end; ++event) {
      if (event->stamp > now) filter.predict(u, event->stamp - now), now = event->stamp;
      correct(filter, *event);
    }
    if (end > now) filter.predict(u, end - now), now = end;
    look(filter);
  }
}

constexpr double kEngineStd = 1.047e-3, kWheelStd = 2.618e-3;  // rad, of teeth

P noisy_drive(const Engine& engine, double motor_torque_noise) {
  P drive = drive_with(engine);
  drive.noise[P::motor_velocity] = 1.1, drive.noise[P::load_velocity] = 1e-4, drive.noise[P::load_torque] = 225.0;
  drive.noise[P::motor_torque] = motor_torque_noise;
  return drive;
}

Gaussian<double, P::kStates> prior_of(const Run& run, double wheel_std) {
  PowertrainState variances = PowertrainState::Zero();
  variances.head<6>() << kEngineStd * kEngineStd, 1.0, wheel_std * wheel_std, 0.1, 1e4, 25.0;
  return Gaussian<double, P::kStates>::from_variances(start_of(run), variances);
}

constexpr double kImmuneTorqueNoise = 3000.0;  // (N m)^2/s: large, so that lag and delay need not be known well

template <class F>
Estimates run_on_pulses(F filter, const Run& run, const Direct& how, double wheel_std) {
  Estimates estimates;
  follow(
      filter, run, how.engine,
      [&](F& f, const Event& event) {
        if (event.is_engine) {
          f.correct({P::motor_position, angle_of(run.engine, event.number), kEngineStd * kEngineStd});
        } else {
          const double learned =
              how.table.empty() ? 0.0 : how.table[static_cast<std::size_t>(tooth_of(event.number, run.wheel.teeth))];
          f.correct({P::load_position, angle_of(run.wheel, event.number) + learned, wheel_std * wheel_std});
        }
      },
      [&](const F& f) { append(f, estimates); });
  return estimates;
}

// The filters of [th w a] at each pulse, and the switching observer behind them.
template <class Look>
void follow_cascade(const Run& run, Teeth teeth, const Engine& engine, const Look& look) {
  const bool ideal = teeth == Teeth::ideal;
  const double engine_std = ideal ? 3e-5 : 1e-3, wheel_std = ideal ? 1e-4 : 2.6e-3;
  const GapCascade<double>::Positions jerk(ideal ? 3.2e3 : 3.2e4, ideal ? 3.2e4 : 3e2);
  PowertrainState variances = PowertrainState::Zero();
  variances[P::motor_position] = engine_std * engine_std + 0.09;
  variances[P::load_position] = wheel_std * wheel_std + 0.09;
  variances[P::motor_velocity] = variances[P::load_velocity] = 2500.0;
  GapCascade<double> filter(drive_with(engine), Gaussian<double, P::kStates>::from_variances(start_of(run), variances),
                            {jerk, tuning_of(teeth, Prefilter::events), kPeriod});
  follow(
      filter, run, engine,
      [&](GapCascade<double>& f, const Event& event) {
        const double std = event.is_engine ? engine_std : wheel_std;
        f.correct({event.is_engine ? P::motor_position : P::load_position,
                   angle_of(event.is_engine ? run.engine : run.wheel, event.number), std * std});
      },
      look);
}

// No filter before it: the staircases' means.
Estimates run_on_staircases(const Run& run, Teeth teeth, const Engine& engine) {
  const auto motor = staircase_means(run, engine_of(run)), load = staircase_means(run, wheel_of(run));
  Observer observer(drive_with(engine), tuning_of(teeth, Prefilter::none), kPeriod, Held::measurement);
  observer.start(start_of(run));
  Estimates estimates;
  append(observer, estimates);
  for (std::size_t k = 0; k + 1 < run.rows.size(); ++k) {
    observer.step(run.delayed_command(k, engine.delay), {motor[k], load[k]});
    append(observer, estimates);
  }
  return estimates;
}

}  // namespace

Estimates run_quantised(const Run& run) {
  const auto engine = filter_staircase(run, engine_of(run), 1e-9), wheel = filter_staircase(run, wheel_of(run), 3.2e-7);
  Estimates estimates;
  for (std::size_t k = 0; k < engine.size(); ++k)
    estimates.displacement.push_back(displacement_of(engine[k], wheel[k]));
  return estimates;
}

Estimates run_events(const Run& run, Teeth teeth) {
  Estimates estimates;
  follow_cascade(run, teeth, {}, [&](const GapCascade<double>& f) {
    estimates.displacement.push_back(displacement_of(f.positions()[0], f.positions()[1]));
  });
  return estimates;
}

Estimates run_switching(const Run& run, Teeth teeth, Prefilter prefilter, const Engine& engine) {
  if (prefilter == Prefilter::none) return run_on_staircases(run, teeth, engine);
  Estimates estimates;
  follow_cascade(run, teeth, engine, [&](const GapCascade<double>& f) { append(f, estimates); });
  return estimates;
}

Estimates run_time_varying(const Run& run, const Engine& engine) {
  P drive = drive_with(engine);
  drive.noise.head<7>() << 1e-12, 67.6, 1e-12, 7.43e-5, 1.76e3, 1.14e3, 2.12e-9;
  drive.mode = run.rows.front().mode;
  GapFilter<double> filter(drive, prior_of(run, kWheelStd));
  Estimates estimates;
  std::size_t row = 0;
  follow_cascade(run, Teeth::imperfect, engine, [&](const GapCascade<double>& f) {
    append(filter, estimates);
    if (row + 1 == run.rows.size()) return;
    filter.correct({P::motor_position, f.positions()[0], 2.04e-7 / kPeriod});
    filter.correct({P::load_position, f.positions()[1], 6.87e-7 / kPeriod});
    filter.predict(Vector<double, 1>(run.delayed_command(row++, engine.delay)), kPeriod);
  });
  return estimates;
}

Estimates run_direct(const Run& run, const Direct& how) {
  P drive = noisy_drive(how.engine, kImmuneTorqueNoise);
  drive.mode = run.rows.front().mode;
  return run_on_pulses(GapFilter<double>(drive, prior_of(run, kWheelStd)), run, how,
                       how.wheel_std > 0.0 ? how.wheel_std : kWheelStd);
}

Estimates run_imm(const Run& run, const Direct& how) {
  P drive = noisy_drive(how.engine, kImmuneTorqueNoise);
  drive.mode = run.rows.front().mode;
  return run_on_pulses(GapImm<double>(drive, prior_of(run, kWheelStd)), run, how,
                       how.wheel_std > 0.0 ? how.wheel_std : kWheelStd);
}

std::vector<double> learn_table(const Run& run, const Engine& engine) {
  constexpr double kCautious = 4e-3;  // rad
  ToothLearner learner(static_cast<std::size_t>(run.wheel.teeth), kWheelStd);
  for (int sweep = 0; sweep < ToothLearner::kSweeps; ++sweep) {
    P drive = noisy_drive(engine, kImmuneTorqueNoise);
    drive.mode = run.rows.front().mode;
    GapFilter<double> filter(drive, prior_of(run, kWheelStd));
    learner.begin_sweep();
    follow(
        filter, run, engine,
        [&](GapFilter<double>& f, const Event& event) {
          if (event.is_engine) {
            f.correct({P::motor_position, angle_of(run.engine, event.number), kEngineStd * kEngineStd});
            return;
          }
          const auto tooth = static_cast<std::size_t>(tooth_of(event.number, run.wheel.teeth));
          const auto done = f.correct(
              {P::load_position, angle_of(run.wheel, event.number) + learner.error(tooth), kCautious * kCautious});
          learner.learn(tooth, done.innovation, done.variance);
        },
        [](const GapFilter<double>&) {});
  }
  return learner.errors();
}

namespace {

// An IMM that begins with limits of +-45 mrad, known to 30.
GapImm<double> learning_filter(const Run& run, const Engine& engine, double offset) {
  constexpr double kLimit = 0.045, kLimitStd = 0.03, kLimitWalk = 1e-10, kTorqueNoise = 300.0;
  P drive = noisy_drive(engine, kTorqueNoise);
  drive.mode = run.rows.front().mode;
  drive.noise[P::upper_limit] = drive.noise[P::lower_limit] = kLimitWalk;
  auto prior = prior_of(run, kWheelStd);
  prior.mean[P::load_position] += offset;
  prior.mean[P::upper_limit] = kLimit, prior.mean[P::lower_limit] = -kLimit;
  for (const int limit : {P::upper_limit, P::lower_limit}) prior.covariance()(limit, limit) = kLimitStd * kLimitStd;
  return {drive, prior};
}

void look_at(const GapImm<double>& filter, double offset, LearnedGap& learned) {
  const auto belief = filter.belief();
  append(filter, learned.estimates);
  learned.estimates.gap.back() += offset;
  learned.size.push_back(belief.mean[P::upper_limit] - belief.mean[P::lower_limit]);
  learned.offset.push_back(-0.5 * (belief.mean[P::upper_limit] + belief.mean[P::lower_limit]));
  const auto& p = belief.covariance();
  const double upper = p(P::upper_limit, P::upper_limit), lower = p(P::lower_limit, P::lower_limit),
               both = p(P::upper_limit, P::lower_limit);
  learned.size_std = std::sqrt(upper + lower - 2.0 * both);
  learned.offset_std = 0.5 * std::sqrt(upper + lower + 2.0 * both);
}

}  // namespace

LearnedGap run_unknown_gap(const Run& run, const Engine& engine) {
  GapImm<double> filter = learning_filter(run, engine, kOffset);
  LearnedGap learned;
  follow(
      filter, run, engine,
      [&](GapImm<double>& f, const Event& event) {
        if (event.is_engine) {
          f.correct({P::motor_position, angle_of(run.engine, event.number), kEngineStd * kEngineStd});
        } else {
          f.correct({P::load_position, angle_of(run.wheel, event.number) + kOffset, kWheelStd * kWheelStd});
        }
      },
      [&](const GapImm<double>& f) { look_at(f, kOffset, learned); });
  return learned;
}

LearnedGap run_bus(const Run& run, std::uint64_t seed) {
  constexpr std::size_t kEvery = 10;  // rows
  constexpr double kJitter = 1e-3, kEngineStep = 0.25 * std::numbers::pi / 30.0, kWheelStep = 0.01;
  GapImm<double> filter = learning_filter(run, {}, 0.0);
  Random random(seed, "bus");
  LearnedGap learned;
  look_at(filter, 0.0, learned);
  for (std::size_t k = 0; k + 1 < run.rows.size(); ++k) {
    filter.predict(Vector<double, 1>(run.delayed_command(k, kDelay)), kPeriod);
    const std::size_t row = k + 1;
    if (row % kEvery == 0 && row + 2 < run.rows.size()) {
      for (const bool engine : {true, false}) {
        const int state = engine ? P::motor_velocity : P::load_velocity;
        const double step = engine ? kEngineStep : kWheelStep, early = random.uniform(-kJitter, kJitter);
        // Straight between two rows.
        const double at = static_cast<double>(row) + early / kPeriod;
        const auto below = static_cast<std::size_t>(at);
        const double share = at - static_cast<double>(below);
        const double speed = (1.0 - share) * run.rows[below].state[state] + share * run.rows[below + 1].state[state];
        const double variance =
            step * step / 12.0 + jitter_variance(filter.model(), filter.belief().mean, state, kJitter);
        filter.correct({state, std::round(speed / step) * step, variance});
      }
    }
    look_at(filter, 0.0, learned);
  }
  return learned;
}

}  // namespace tauhat::lagerberg
