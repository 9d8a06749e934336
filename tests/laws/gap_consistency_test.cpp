// Do the gap's filters know how well they know? 200 seeded runs of a powertrain that is the model itself: torques
// wander as the filters take it, both positions are sampled every millisecond, and the command drives and brakes, so
// that the gear goes through its gap every half second and the runs end anywhere on its way.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "support/bands.hpp"
#include "support/random.hpp"
#include "tauhat/core/filters/followed_observer.hpp"
#include "tauhat/core/filters/gap_filter.hpp"
#include "tauhat/core/filters/gap_imm.hpp"
#include "tauhat/core/filters/time_varying_observer.hpp"

namespace tauhat {
namespace {

using P = Powertrain<double>;
using State = StateOf<P>;
using Observer = SwitchingObserver<double>;

constexpr int kRuns = 200, kMoving = Observer::kStates;
constexpr int kSeen = 6;          // positions, velocities, torques; the position in the gap has no variance in contact
constexpr double kPeriod = 1e-3;  // s

Observer::Tuning tuning() {
  Observer::Tuning tuning;
  tuning.noise << 1e-12, 1.0, 1e-12, 1e-4, 225.0, 900.0, 1e-9;
  tuning.sensors << 1e-9, 7e-8;
  return tuning;
}

P noisy_drive() {
  P drive;
  drive.noise.head<Observer::kStates>() = tuning().noise;
  return drive;
}

// The hybrid equation by short steps, noise and all.
class Truth {
 public:
  Truth(const State& start, Draw& draw) : x_(start), draw_(draw) { drive_.mode = GapMode::upper; }
  const State& state() const { return x_; }

  void advance(double command) {
    constexpr int kSteps = 5;
    constexpr double kStep = kPeriod / kSteps;
    for (int i = 0; i < kSteps; ++i) {
      x_ = drive_.step(x_, Vector<double, 1>(command), kStep).mean;
      for (int state = 0; state < Observer::kStates; ++state)
        if (state != P::gap_position || !drive_.in_contact())
          x_[state] += std::sqrt(drive_.noise[state] * kStep) * draw_.normal();
      drive_.mode = next_mode(drive_, x_, 0.0);
      if (drive_.in_contact()) x_[P::gap_position] = x_[drive_.limit_state()];
    }
  }

 private:
  P drive_ = noisy_drive();
  State x_;
  Draw& draw_;
};

// In contact with the torques that a steady acceleration takes.
State start_state() {
  const P drive;
  State x = State::Zero();
  x[P::upper_limit] = 0.03, x[P::lower_limit] = -0.03, x[P::gap_position] = 0.03;
  x[P::load_velocity] = 10.0, x[P::motor_velocity] = drive.ratio * 10.0;
  x[P::motor_torque] = 40.0, x[P::load_torque] = 100.0;
  const double inertia = drive.load_inertia + drive.ratio * drive.ratio * drive.motor_inertia;
  const double pull = drive.ratio * 40.0 - 100.0 - drive.load_damping * 10.0;
  const double torque = drive.load_inertia * pull / inertia + 100.0 + drive.load_damping * 10.0;
  x[P::motor_position] = drive.ratio * (0.03 + torque / drive.stiffness);
  return x;
}

double command_at(int k) { return (k / 450) % 2 == 0 ? 40.0 : -30.0; }

Vector<double, kSeen> variances() { return {1e-8, 1e-2, 1e-6, 1e-4, 400.0, 25.0}; }

Gaussian<double, P::kStates> prior() {
  State all = State::Zero();
  all.head<kSeen>() = variances();
  return Gaussian<double, P::kStates>::from_variances(start_state(), all);
}

// One step of each kind: what was measured at its begin, then on.
template <class F>
struct Switching {
  F filter{P{}, tuning(), kPeriod, PositionSample::instant};
  Switching() { filter.start(start_state()); }
  void step(double command, const Observer::Positions& y) { filter.step(command, y); }
  State mean() const { return filter.whole_state(); }
  Matrix<double, kMoving> covariance() const { return filter.covariance().template topLeftCorner<kMoving, kMoving>(); }
};
template <class F>
struct Direct {
  static P in_contact() {
    P drive = noisy_drive();
    drive.mode = GapMode::upper;
    return drive;
  }
  F filter{in_contact(), prior()};
  void step(double command, const Observer::Positions& y) {
    filter.correct({P::motor_position, y[0], tuning().sensors[0] / kPeriod});
    filter.correct({P::load_position, y[1], tuning().sensors[1] / kPeriod});
    for (int i = 0; i < 2; ++i) filter.predict(Vector<double, 1>(command), 0.5 * kPeriod);
  }
  State mean() const { return filter.belief().mean; }
  Matrix<double, kMoving> covariance() const {
    return filter.belief().covariance().template topLeftCorner<kMoving, kMoving>();
  }
};

// What was measured, and the truth at the end.
struct Run {
  std::vector<Observer::Positions> measured;
  State end;
};
Run make_run(int seed) {
  Draw draw(static_cast<std::uint64_t>(seed));
  State start = start_state();
  for (int i = 0; i < kSeen; ++i) start[i] += std::sqrt(variances()[i]) * draw.normal();
  Truth truth(start, draw);
  Run run;
  const int steps = 3000 + 37 * (seed % 25);
  for (int k = 0; k < steps; ++k) {
    Observer::Positions y(truth.state()[P::motor_position], truth.state()[P::load_position]);
    for (int i = 0; i < 2; ++i) y[i] += std::sqrt(tuning().sensors[i] / kPeriod) * draw.normal();
    run.measured.push_back(y);
    truth.advance(command_at(k));
  }
  run.end = truth.state();
  return run;
}
const std::vector<Run>& runs() {
  static const std::vector<Run> all = [] {
    std::vector<Run> made;
    for (int run = 0; run < kRuns; ++run) made.push_back(make_run(5000 + run));
    return made;
  }();
  return all;
}

struct Errors {
  double nees = 0.0, held = 0.0;  // means: the error's square in its covariance; twists within their 95 % band
};
template <class F>
Errors errors_of() {
  Errors errors;
  for (const Run& run : runs()) {
    F filter;
    for (std::size_t k = 0; k < run.measured.size(); ++k) filter.step(command_at(static_cast<int>(k)), run.measured[k]);
    const Vector<double, kMoving> error = (run.end - filter.mean()).template head<kMoving>();
    const Matrix<double, kMoving> covariance = filter.covariance();
    const Matrix<double, kSeen> seen = covariance.topLeftCorner<kSeen, kSeen>();
    errors.nees += error.head<kSeen>().dot(seen.ldlt().solve(error.head<kSeen>())) / kRuns;
    Vector<double, kMoving> twist = Vector<double, kMoving>::Zero();
    twist[P::motor_position] = 1.0 / P{}.ratio, twist[P::load_position] = twist[P::gap_position] = -1.0;
    errors.held += (std::abs(twist.dot(error)) < kNormal95 * std::sqrt(twist.dot(covariance * twist))) / double{kRuns};
  }
  return errors;
}

template <class F>
struct GapErrors : testing::Test {};
using Filters = testing::Types<Switching<FollowedObserver<double>>, Switching<TimeVaryingObserver<double>>,
                               Direct<GapFilter<double>>, Direct<GapImm<double>>>;
TYPED_TEST_SUITE(GapErrors, Filters);

// 6.2 of 6 for all four, and 93.5 to 94.5 % of the twists.
TYPED_TEST(GapErrors, AreAsLargeAsTheFilterSays) {
  const Errors errors = errors_of<TypeParam>();
  EXPECT_THAT(errors.nees, Within95(static_cast<double>(kSeen), static_cast<double>(kRuns)));
  EXPECT_THAT(errors.held, CoversAsOften(0.95, static_cast<double>(kRuns)));
}

// The negative of it: the same observer with the covariance of a mode that lasts for ever (81 % are held).
TEST(GapErrorsBetweenModes, AreNotThoseOfAModeThatLasts) {
  const double held = errors_of<Switching<SwitchingObserver<double>>>().held;
  EXPECT_THAT(held, testing::Not(CoversAsOften(0.95, static_cast<double>(kRuns))));
}

}  // namespace
}  // namespace tauhat
