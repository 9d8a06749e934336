#include "tauhat/offline/reproduce/lagerberg_filters.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tauhat/core/filters/gap_cascade.hpp"
#include "tauhat/core/filters/gap_filter.hpp"
#include "tauhat/core/filters/gap_imm.hpp"
#include "tauhat/core/filters/staircase_positions.hpp"
#include "tauhat/core/filters/stationary_positions.hpp"
#include "tauhat/core/filters/time_varying_observer.hpp"
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

// What the filter takes an edge for: it knows phase and number, not the tooth's error.
double angle_of(const ToothedWheel& wheel, long number) {
  return wheel.phase + static_cast<double>(number) * wheel.pitch();
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

constexpr double kEngineStd = 1.047e-3;  // rad, of teeth

P noisy_drive(const Engine& engine, double motor_torque_noise) {
  P drive = drive_with(engine);
  drive.noise[P::motor_velocity] = 1.1, drive.noise[P::load_velocity] = 1e-4, drive.noise[P::load_torque] = 225.0;
  drive.noise[P::motor_torque] = motor_torque_noise;
  return drive;
}

// The wheel may run out of true by as much as teeth of this std would.
Gaussian<double, P::kStates> prior_of(const Run& run, double tooth_std) {
  PowertrainState variances = PowertrainState::Zero();
  variances.head<6>() << kEngineStd * kEngineStd, 1.0, kWheelStd * kWheelStd, 0.1, 1e4, 25.0;
  variances[P::runout_cosine] = variances[P::runout_sine] = P::runout_variance(tooth_std, kWheelTeeth);
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

// A filter in two stages over the run, each position known so well.
template <class F, class Look>
void follow_stages(F filter, const Run& run, const Engine& engine, double engine_std, double wheel_std,
                   const Look& look) {
  follow(
      filter, run, engine,
      [&](F& f, const Event& event) {
        const double std = event.is_engine ? engine_std : wheel_std;
        f.correct({event.is_engine ? P::motor_position : P::load_position,
                   angle_of(event.is_engine ? run.engine : run.wheel, event.number), std * std});
      },
      look);
}

// Behind the filters of [th w a] at each pulse.
template <class Second, class Look>
void follow_cascade(const Run& run, Teeth teeth, const Engine& engine, const typename Second::Tuning& second,
                    const Look& look) {
  const bool ideal = teeth == Teeth::ideal;
  const double engine_std = ideal ? 3e-5 : 1e-3, wheel_std = ideal ? 1e-4 : 2.6e-3;
  PowertrainState variances = PowertrainState::Zero();
  variances[P::motor_position] = engine_std * engine_std + 0.09;
  variances[P::load_position] = wheel_std * wheel_std + 0.09;
  variances[P::motor_velocity] = variances[P::load_velocity] = 2500.0;
  using Cascade = GapCascade<double, PulsePositions<double>, Second>;
  const Vector<double, 2> jerk(ideal ? 3.2e3 : 3.2e4, ideal ? 3.2e4 : 3e2);
  const Cascade filter(drive_with(engine), Gaussian<double, P::kStates>::from_variances(start_of(run), variances),
                       {jerk, second, kPeriod});
  follow_stages(filter, run, engine, engine_std, wheel_std, look);
}

// No filter before it: the staircases' means.
template <class Second>
GapCascade<double, StaircasePositions<double>, Second> on_staircases(const Run& run, const Engine& engine,
                                                                     const typename Second::Tuning& second) {
  Gaussian<double, P::kStates> start;
  start.mean = start_of(run);
  return {drive_with(engine), start, {{run.engine.pitch(), run.wheel.pitch()}, second, kPeriod}};
}

}  // namespace

Estimates run_quantised(const Run& run) {
  StationaryPositions<double>::Tuning tuning;
  tuning.noise << 0.0, 0.0, 1.0, 1.0, 1.0, 1.0;
  tuning.sensors << 1e-9, 3.2e-7;
  Estimates estimates;
  follow_stages(on_staircases<StationaryPositions<double>>(run, {}, tuning), run, {}, 0.0, 0.0, [&](const auto& f) {
    const auto x = f.belief().mean;
    estimates.displacement.push_back(displacement_of(x[P::motor_position], x[P::load_position]));
  });
  return estimates;
}

Estimates run_events(const Run& run, Teeth teeth) {
  Estimates estimates;
  follow_cascade<Observer>(run, teeth, {}, tuning_of(teeth, Prefilter::events), [&](const auto& f) {
    estimates.displacement.push_back(displacement_of(f.positions()[0], f.positions()[1]));
  });
  return estimates;
}

Estimates run_switching(const Run& run, Teeth teeth, Prefilter prefilter, const Engine& engine) {
  Estimates estimates;
  const auto look = [&](const auto& f) { append(f, estimates); };
  if (prefilter == Prefilter::events) {
    follow_cascade<Observer>(run, teeth, engine, tuning_of(teeth, prefilter), look);
  } else {
    follow_stages(on_staircases<Observer>(run, engine, tuning_of(teeth, prefilter)), run, engine, 0.0, 0.0, look);
  }
  return estimates;
}

Estimates run_time_varying(const Run& run, const Engine& engine) {
  Observer::Tuning tuning;
  tuning.noise << 1e-12, 67.6, 1e-12, 7.43e-5, 1.76e3, 1.14e3, 2.12e-9;
  tuning.sensors << 2.04e-7, 6.87e-7;
  Estimates estimates;
  follow_cascade<TimeVaryingObserver<double>>(run, Teeth::imperfect, engine, tuning,
                                              [&](const auto& f) { append(f, estimates); });
  return estimates;
}

Estimates run_direct(const Run& run, const Direct& how) {
  P drive = noisy_drive(how.engine, kImmuneTorqueNoise);
  drive.mode = run.rows.front().mode;
  return run_on_pulses(GapFilter<double>(drive, prior_of(run, how.wheel_std)), run, how, how.wheel_std);
}

Estimates run_imm(const Run& run, const Direct& how) {
  P drive = noisy_drive(how.engine, kImmuneTorqueNoise);
  drive.mode = run.rows.front().mode;
  return run_on_pulses(GapImm<double>(drive, prior_of(run, how.wheel_std)), run, how, how.wheel_std);
}

std::vector<double> learn_table(const Run& run, const Engine& engine) {
  constexpr double kCautious = 4e-3;  // rad
  ToothLearner learner(static_cast<std::size_t>(run.wheel.teeth), kWheelStd);
  for (int sweep = 0; sweep < ToothLearner::kSweeps; ++sweep) {
    P drive = noisy_drive(engine, kImmuneTorqueNoise);
    drive.mode = run.rows.front().mode;
    GapFilter<double> filter(drive, prior_of(run, 0.0));  // the runout belongs to the table
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
