// How a velocity is judged, how a displacement tells stiffness and skew, and how a study is rewritten.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/random.hpp"
#include "tauhat/offline/error.hpp"
#include "tauhat/offline/joint/displacement_fit.hpp"
#include "tauhat/offline/joint/velocity_quality.hpp"
#include "tauhat/offline/study/rewrite.hpp"

namespace tauhat {
namespace {

using testing::HasSubstr;

constexpr double kPeriod = 4e-4;

std::vector<double> swing(double delay, double noise, std::uint64_t seed) {
  Draw draw(seed);
  std::vector<double> v;
  for (int k = 0; k < 25000; ++k) {
    const double t = k * kPeriod - delay;
    v.push_back(std::sin(2.0 * std::numbers::pi * 1.3 * t) + 0.3 * std::sin(2.0 * std::numbers::pi * 14.5 * t) +
                noise * draw.normal());
  }
  return v;
}

TEST(VelocityQuality, FindsDelayAndPhase) {
  const auto truth = swing(0.0, 0.0, 1), late = swing(1.1e-3, 0.0, 1);
  const auto quality = judge_velocity(late, &truth, kPeriod, {.resonance = 14.5});
  ASSERT_TRUE(quality.error);
  EXPECT_NEAR(quality.error->delay, 1.1e-3, 2e-5);
  ASSERT_TRUE(quality.error->phase_lag);
  EXPECT_NEAR(*quality.error->phase_lag, 2.0 * std::numbers::pi * 14.5 * 1.1e-3, 2e-3);
}

TEST(VelocityQuality, CountsNoiseAndFit) {
  const auto truth = swing(0.0, 0.0, 1), noisy = swing(0.0, 0.02, 2);
  const auto quality = judge_velocity(noisy, &truth, kPeriod, {});
  // White noise, of which the share above 150 of 1250 Hz remains.
  ASSERT_TRUE(quality.noise);
  EXPECT_NEAR(*quality.noise, 0.02 * std::sqrt(1.0 - 150.0 / 1250.0), 1e-3);
  EXPECT_NEAR(quality.error->rms, 0.02, 5e-4);
  const double spread = std::sqrt(0.5 * (1.0 + 0.09));
  EXPECT_NEAR(quality.error->fit, 100.0 * (1.0 - 0.02 / spread), 0.1);
  EXPECT_FALSE(quality.error->standstill);
}

// Samples of 300 Hz hold nothing above 150 Hz: no noise that could be measured, rather than none.
TEST(VelocityQuality, NoiseNeedsFastSamples) {
  const auto noisy = swing(0.0, 0.02, 2);
  EXPECT_FALSE(judge_velocity(noisy, nullptr, 1.0 / 300.0, {}).noise);
  EXPECT_TRUE(judge_velocity(noisy, nullptr, 1.0 / 400.0, {}).noise);
}

TEST(VelocityQuality, StandstillNeedsAWholeWindow) {
  std::vector<double> truth(10000, 0.0), estimate(10000, 0.003);
  for (std::size_t k = 0; k < 5000; ++k) truth[k] = estimate[k] = 1.0;
  for (std::size_t k = 7000; k < 7100; ++k) truth[k] = 1.0;  // a short move
  const auto quality = judge_velocity(estimate, &truth, kPeriod, {.settling = 0.1});
  ASSERT_TRUE(quality.error->standstill);
  EXPECT_NEAR(*quality.error->standstill, 0.003, 1e-12);
}

DisplacementRecord yielding_joint(double skew, double stiffness, std::uint64_t seed) {
  Draw draw(seed);
  DisplacementRecord record;
  record.period = 4e-3;
  double wandering = 0.0;
  for (int k = 0; k < 2500; ++k) {
    const double t = k * record.period, late = t - skew;
    const auto position = [](double at) {
      return -0.4 / 1.7 * std::cos(1.7 * at) - 0.1 / 4.1 * std::cos(4.1 * at + 1.0);
    };
    const double w = 0.4 * std::sin(1.7 * t) + 0.1 * std::sin(4.1 * t + 1.0);
    const double torque = 2000.0 * std::cos(0.9 * t) + 500.0 * std::sin(3.3 * t);
    wandering += 0.05 * (-wandering) + 3e-6 * draw.normal();  // gears are not round
    record.direction.push_back(std::tanh(w / 0.005)), record.torque.push_back(torque);
    record.motor.push_back(position(t) + torque / stiffness + 1e-3 - 4e-5 * record.direction.back() + wandering +
                           5e-6 * draw.normal());
    record.load.push_back(position(late));
  }
  return record;
}

TEST(DisplacementFit, SeparatesSkewFromStiffness) {
  int held = 0;
  constexpr int kRuns = 100;
  for (int run = 0; run < kRuns; ++run) {
    const auto fit = fit_displacement(yielding_joint(3e-3, 8e6, static_cast<std::uint64_t>(run) + 1), "run.csv");
    EXPECT_NEAR(fit.skew.value, 3e-3, 2e-4);
    EXPECT_NEAR(fit.stiffness().value, 8e6, 6e5);
    held += std::abs(fit.stiffness().value - 8e6) < 1.96 * fit.stiffness().std;
  }
  EXPECT_GE(held, 85);  // of 95: a wandering residual of ten seconds is only so well known
}

TEST(DisplacementFit, SaysThatNothingMoves) {
  DisplacementRecord record;
  record.period = 4e-3;
  record.motor = record.load = record.torque = record.direction = std::vector<double>(1000, 0.0);
  try {
    fit_displacement(record, "still.csv");
    FAIL();
  } catch (const Error& problem) {
    EXPECT_THAT(problem.what(), HasSubstr("still.csv: motor and load do not move enough"));
  }
}

TEST(Rewrite, ReplacesNumbersAndNothingElse) {
  const std::string text =
      "# τ̂ is a hat\n[drive]\nfriction = { law = \"lugre\", coulomb = \"0.3 N m\" }  # guessed\n\n"
      "[[observer]]\nname = \"a\"\n[[observer]]\nnoise.load = 0.1 # ö\n";
  EXPECT_EQ(
      with_numbers(text, "s.toml",
                   {{{"drive", "friction", "coulomb"}, 0.41, "N m"}, {{"observer", "1", "noise", "load"}, 0.25, ""}}),
      "# τ̂ is a hat\n[drive]\nfriction = { law = \"lugre\", coulomb = \"0.41 N m\" }  # guessed\n\n"
      "[[observer]]\nname = \"a\"\n[[observer]]\nnoise.load = 0.25 # ö\n");
}

TEST(Rewrite, RefusesWhatIsNotThere) {
  EXPECT_THROW(with_numbers("[drive]\n", "s.toml", {{{"drive", "coulomb"}, 1.0, "N m"}}), Error);
}

}  // namespace
}  // namespace tauhat
