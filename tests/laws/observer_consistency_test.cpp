// Does an observer with a fixed gain know how well it knows? 200 seeded runs of a two-mass joint that is the model
// itself, motor position measured, load torque wandering; the covariance is that of the Riccati equation.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/bands.hpp"
#include "support/linear_model.hpp"
#include "support/random.hpp"
#include "support/truth.hpp"
#include "tauhat/core/linear/stationary_filter.hpp"
#include "tauhat/core/observers/fixed_gain.hpp"

namespace tauhat {
namespace {

constexpr int kStates = 5, kRuns = 200, kInstants = 4000;
constexpr double kPeriod = 5e-4, kVariance = 1e-10;  // s; rad^2

// Motor and load, positions and velocities, and the load's torque, which wanders and slowly leaks away.
LinearModel<double, kStates, 1> joint() {
  constexpr double kMotor = 1.5e-3, kLoad = 2.5e-3, kStiffness = 5.0, kDamping = 0.01, kLeak = 0.5;
  LinearModel<double, kStates, 1> model;
  model.a << 0, 1, 0, 0, 0,                                                                               //
      -kStiffness / kMotor, -kDamping / kMotor, kStiffness / kMotor, kDamping / kMotor, 0,                //
      0, 0, 0, 1, 0,                                                                                      //
      kStiffness / kLoad, kDamping / kLoad, -kStiffness / kLoad, -(kDamping + 0.02) / kLoad, -1 / kLoad,  //
      0, 0, 0, 0, -kLeak;
  model.b[1] = 1.0 / kMotor;
  model.c.setZero();
  model.c(0, 0) = 1.0;
  model.density << 0, 1e-3, 0, 0, 0.1;
  return model;
}

struct Errors {
  double nees = 0.0, innovation = 0.0;  // means of squares, over what is expected of them
};

// `truth` moves; the observer believes `believed`.
Errors errors_of(const LinearModel<double, kStates, 1>& truth, const LinearModel<double, kStates, 1>& believed) {
  const VanLoan exact = van_loan(truth, kPeriod), step = van_loan(believed, kPeriod);
  const Matrix<double, kStates> a = step.transition.cast<double>();
  const StepNoise<double, kStates, 1> noise{step.noise.cast<double>(), Vector<double, 1>(kVariance)};
  const auto filter = stationary_filter<double, kStates, 1>(a, believed.c, noise, kPeriod);
  EXPECT_TRUE(filter.designed());
  const double expected = (believed.c * filter.predicted * believed.c.transpose())(0, 0) + kVariance;
  Errors errors;
  for (int run = 0; run < kRuns; ++run) {
    Draw draw(static_cast<std::uint64_t>(2000 + run));
    FixedGainObserver<double, kStates, 1, 1> observer(a, step.response.cast<double>(), believed.c, ObserverForm::filter,
                                                      filter.gain);
    Vector<double, kStates> x = Vector<double, kStates>::Zero();
    observer.start(x);
    for (int k = 0; k < kInstants; ++k) {
      const Vector<double, 1> u(0.5 * std::sin(0.01 * k)),
          y = truth.c * x + std::sqrt(kVariance) * draw.matrix<double, 1>();
      observer.correct(y);
      if (k + 1 == kInstants) break;
      observer.predict(u);
      x = exact.transition.cast<double>() * x + exact.response.cast<double>() * u[0] +
          draw.sample<kStates>(exact.noise.cast<double>());
    }
    errors.nees += nees(Gaussian<double, kStates>(observer.estimate(), filter.corrected), x) / kRuns;
    errors.innovation += observer.innovation().squaredNorm() / expected / kRuns;
  }
  return errors;
}

TEST(FixedGainConsistency, ErrorsAreAsLargeAsTheRiccatiEquationSays) {
  const Errors errors = errors_of(joint(), joint());
  EXPECT_THAT(errors.nees, Within95(static_cast<double>(kStates), static_cast<double>(kRuns)));
  EXPECT_THAT(errors.innovation, Within95(1.0, static_cast<double>(kRuns)));
}

// The negative of it: a load torque that wanders twice as fast as the observer believes is found out.
TEST(FixedGainConsistency, BandsCatchAWrongObserver) {
  auto faster = joint();
  faster.density[4] *= 4.0;
  EXPECT_THAT(errors_of(faster, joint()).nees,
              testing::Not(Within999(static_cast<double>(kStates), static_cast<double>(kRuns))));
}

}  // namespace
}  // namespace tauhat
