// The friction curve from sections of constant speed.
#include "tauhat/offline/friction/constant_speed.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support/axis_records.hpp"
#include "support/bands.hpp"
#include "tauhat/offline/error.hpp"

namespace tauhat {
namespace {

using testing::HasSubstr;

TEST(FrictionCurve, FindsEachSpeedOnceForEachStep) {
  const AxisParameters turning = with(kSymmetric, kGravity);
  const AxisMoves moves = positioning_moves({0.4, 0.8, 1.2, 1.2, 0.8, 0.4}, 0.2, 0.8);
  const AxisRecord record = measured(moves, turning, {.resolution = 1e-5}, 8);
  const SpeedCurve curve = friction_curve(record, {.trimmed = 0.1, .turns = true});
  ASSERT_EQ(curve.points.size(), 10U);  // the highest level is only stepped up to
  for (const SpeedPoint& point : curve.points) {
    const double truth = 200.0 * point.speed + (point.speed > 0.0 ? 20.0 : -20.0);
    EXPECT_NEAR(point.friction, truth, 4.0 * point.std + 0.3) << point.speed;  // 0.3: the gravity is fitted
    EXPECT_LT(point.std, 0.5);
    EXPECT_EQ(point.sections, std::abs(point.speed) > 1.0 ? 2U : 1U);
    EXPECT_TRUE(std::abs(point.speed) < 1.0 || point.step == SpeedStep::rising) << point.speed;
  }
  EXPECT_NEAR(curve.gravity.sine, 40.0, 0.5);
  EXPECT_NEAR(curve.gravity.cosine, -15.0, 0.5);
  EXPECT_NEAR(curve.gravity.offset, -3.0, 0.5);
  for (const FrictionLine& line : {curve.positive, curve.negative}) {
    ASSERT_TRUE(line.separable);
    EXPECT_NEAR(line.viscous, 200.0, 4.0 * line.viscous_std + 0.3);
    EXPECT_NEAR(line.coulomb, 20.0, 4.0 * line.coulomb_std + 0.3);
    EXPECT_LT(line.viscous_std, 2.0);
  }
}

// Friction that is 2 N larger on the way down: the two branches must show it.
TEST(FrictionCurve, SeparatesRisingAndFalling) {
  const AxisMoves moves = positioning_moves({0.1, 0.2, 0.3, 0.2, 0.1}, 0.2, 0.8);
  AxisRecord record = measured(moves, kSymmetric, {.force = 0.5}, 8);
  for (std::size_t k = record.force.size() * 3 / 5; k < record.force.size(); ++k) {
    record.force[k] += moves.velocity[k] > 0.0 ? 2.0 : -2.0;
  }
  const SpeedCurve curve = friction_curve(record, {.trimmed = 0.1, .gravity = Gravity{.offset = -3.0}});
  ASSERT_EQ(curve.points.size(), 10U);
  for (const SpeedPoint& point : curve.points) {
    const double size = 20.0 + 200.0 * std::abs(point.speed) + (point.step == SpeedStep::falling ? 2.0 : 0.0);
    EXPECT_NEAR(std::abs(point.friction), size, 0.3) << point.speed;
  }
}

// 95 % intervals of the two lines, with noise that remembers 20 ms, over 200 seeds.
TEST(FrictionCurve, IntervalsHoldTheTruth) {
  const AxisMoves moves = positioning_moves({0.1, 0.2, 0.3, 0.4, 0.3, 0.2, 0.1}, 0.2, 0.8);
  constexpr int kRuns = 200;
  double viscous = 0.0, coulomb = 0.0;
  for (int run = 0; run < kRuns; ++run) {
    const auto seed = static_cast<std::uint64_t>(run);
    const AxisRecord record = measured(moves, kSymmetric, {.correlation_time = 0.02}, seed);
    const SpeedCurve curve = friction_curve(record, {.trimmed = 0.1, .gravity = Gravity{.offset = -3.0}});
    for (const FrictionLine& line : {curve.positive, curve.negative}) {
      viscous += std::abs(line.viscous - 200.0) < kNormal95 * line.viscous_std ? 0.5 / kRuns : 0.0;
      coulomb += std::abs(line.coulomb - 20.0) < kNormal95 * line.coulomb_std ? 0.5 / kRuns : 0.0;
    }
  }
  RecordProperty("viscous", std::to_string(viscous));
  RecordProperty("coulomb", std::to_string(coulomb));
  for (const double share : {viscous, coulomb}) {
    EXPECT_GE(share, 0.90);
    EXPECT_LE(share, 0.98);
  }
}

// Gravity that is fitted to the same sections is off as well, and moves the curve with it. The faster the longer the
// stroke: its error looks like viscous friction, one way more and the other way less. 95 % intervals over 200 seeds, of
// what is told: with the offset given the level of each direction, else their mean.
TEST(FrictionCurve, IntervalsHoldTheTruthBesideAFittedGravity) {
  const AxisMoves moves = positioning_moves({0.4, 0.8, 1.2, 1.6, 1.2, 0.8, 0.4}, 0.2, 0.8);
  const AxisParameters turning = with(kSymmetric, kGravity);
  constexpr int kRuns = 200;
  for (const bool offset_is_given : {false, true}) {
    double viscous = 0.0, coulomb = 0.0, points = 0.0;
    for (int run = 0; run < kRuns; ++run) {
      const AxisRecord record =
          measured(moves, turning, {.force = 8.0, .correlation_time = 0.01}, 3000 + static_cast<std::uint64_t>(run));
      ConstantSpeedOptions options{.trimmed = 0.1, .turns = true};
      if (offset_is_given) options.offset = -3.0;
      const SpeedCurve curve = friction_curve(record, options);
      const auto holds = [](double value, double std, double truth) {
        return std::abs(value - truth) < kNormal95 * std ? 1.0 / kRuns : 0.0;
      };
      for (const FrictionLine& line : {curve.positive, curve.negative}) {
        viscous += 0.5 * holds(line.viscous, line.viscous_std, 200.0);
        if (offset_is_given) coulomb += 0.5 * holds(line.coulomb, line.coulomb_std, 20.0);
      }
      const CoulombLevel mean = curve.mean_coulomb();
      if (!offset_is_given) coulomb += holds(mean.value, mean.std, 20.0);
      for (const SpeedPoint& point : curve.points) {
        const double truth = 200.0 * point.speed + std::copysign(20.0, point.speed);
        points += holds(point.friction, point.std, truth) / static_cast<double>(curve.points.size());
      }
    }
    const std::string name = offset_is_given ? "_with_offset" : "";
    RecordProperty("viscous" + name, std::to_string(viscous));
    RecordProperty("coulomb" + name, std::to_string(coulomb));
    RecordProperty("points" + name, std::to_string(points));
    for (const double share : {viscous, coulomb, points}) {
      EXPECT_GE(share, 0.90);  // as beside a known gravity
      EXPECT_LE(share, 0.98);
    }
  }
}

// A constant force and friction that differs by direction are one to the record: the mean level is what it tells.
TEST(FrictionCurve, TellsTheMeanLevelWhateverTheOffset) {
  const AxisParameters uneven{{"axis.mass", 5.0},
                              {"friction.viscous", 30.0},
                              {"friction.coulomb.positive", 12.0},
                              {"friction.coulomb.negative", 8.0}};
  const AxisMoves moves = positioning_moves({0.1, 0.2, 0.3, 0.4, 0.5}, 0.2, 1.0);
  const AxisRecord record = measured(moves, uneven, {.force = 0.05}, 9);
  const SpeedCurve fitted = friction_curve(record, {}), given = friction_curve(record, {.gravity = Gravity{}});
  EXPECT_FALSE(fitted.offset_is_given);
  EXPECT_NEAR(fitted.mean_coulomb().value, 10.0, 4.0 * fitted.mean_coulomb().std);
  EXPECT_NEAR(fitted.mean_coulomb().value, given.mean_coulomb().value, 1e-9);
  EXPECT_TRUE(given.offset_is_given);
  EXPECT_NEAR(given.positive.coulomb, 12.0, 4.0 * given.positive.coulomb_std);
  EXPECT_NEAR(given.negative.coulomb, 8.0, 4.0 * given.negative.coulomb_std);
}

// A force in coarse steps is the same through a whole section: that one must not outweigh the others.
TEST(FrictionCurve, ASectionWithoutScatterCountsLikeTheOthers) {
  const AxisMoves moves = positioning_moves({0.1, 0.2, 0.3, 0.4}, 0.2, 1.0);
  AxisRecord record = measured(moves, kSymmetric, {.force = 1.0}, 10);
  for (std::size_t k = 0; k < record.force.size(); ++k) {
    if (moves.velocity[k] > 0.399) record.force[k] = -3.0 + 20.0 + 200.0 * 0.4 + 1.0;
  }
  const SpeedCurve curve = friction_curve(record, {.trimmed = 0.1, .gravity = Gravity{.offset = -3.0}});
  for (const FrictionLine& line : {curve.positive, curve.negative}) {
    EXPECT_NEAR(line.viscous, 200.0, 5.0);
    EXPECT_NEAR(line.coulomb, 20.0, 1.0);
    EXPECT_GT(line.coulomb_std, 0.0);
    EXPECT_LT(line.coulomb_std, 1.0);
  }
}

// Of straight lines at most 2 % may be called bent or scattered: both lines of 200 seeds, with white noise and with
// noise that remembers 20 ms.
TEST(FrictionCurve, StraightLinesRaiseNoAlarm) {
  const AxisMoves moves = positioning_moves({0.1, 0.2, 0.3, 0.4, 0.3, 0.2, 0.1}, 0.2, 0.8);
  constexpr int kRuns = 200;
  for (const double memory : {0.0, 0.02}) {
    int scattered = 0, bent = 0;
    for (int run = 0; run < kRuns; ++run) {
      const AxisRecord record =
          measured(moves, kSymmetric, {.correlation_time = memory}, 1000 + static_cast<std::uint64_t>(run));
      const SpeedCurve curve = friction_curve(record, {.trimmed = 0.1, .gravity = Gravity{.offset = -3.0}});
      scattered += curve.positive.test.scatters() || curve.negative.test.scatters() ? 1 : 0;
      bent += curve.positive.bends() || curve.negative.bends() ? 1 : 0;
    }
    RecordProperty(memory > 0.0 ? "scattered_with_memory" : "scattered", scattered);
    RecordProperty(memory > 0.0 ? "bent_with_memory" : "bent", bent);
    EXPECT_LE(scattered, kRuns / 50);
    EXPECT_LE(bent, kRuns / 50);
  }
}

// |friction| = 20 + 8 exp(-|v| / 0.1) + 200 |v|, of which a line makes 25.
TEST(FrictionCurve, ABendIsSeen) {
  const auto bump = [](double, double v, double) { return std::copysign(8.0 * std::exp(-std::abs(v) / 0.1), v); };
  for (const std::vector<double>& speeds :
       {std::vector<double>{0.05, 0.1, 0.2, 0.3, 0.2, 0.1, 0.05}, std::vector<double>{0.05, 0.15, 0.3}}) {
    int seen = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const AxisRecord record = measured(positioning_moves(speeds, 0.2, 1.0), kSymmetric, {.force = 0.5}, seed, bump);
      const SpeedCurve curve = friction_curve(record, {.trimmed = 0.1, .gravity = Gravity{.offset = -3.0}});
      seen += curve.positive.bends() && curve.negative.bends() ? 1 : 0;
    }
    EXPECT_GE(seen, 19) << speeds.size() << " steps";
  }
}

TEST(FrictionCurve, SaysWhatItLacks) {
  const AxisRecord one_speed = measured(positioning_moves({0.2, 0.2}), kSymmetric, {}, 1);
  const SpeedCurve curve = friction_curve(one_speed, {});
  EXPECT_FALSE(curve.positive.separable);
  EXPECT_THAT(curve.positive.why, HasSubstr("only one speed"));
  const AxisRecord forth = measured(one_way({0.1, 0.2, 0.3}), kSymmetric, {}, 1);
  EXPECT_THROW(friction_curve(forth, {}), Error);  // the offset needs both directions
  const SpeedCurve given = friction_curve(forth, {.gravity = Gravity{.offset = -3.0}});
  EXPECT_TRUE(given.positive.separable);
  EXPECT_THAT(given.negative.why, HasSubstr("record both directions"));
  const AxisRecord never_steady = exact_record(kSymmetric, sampled(10.0, wandering), 100.0);
  const auto refusal = [](AxisRecord record) -> std::string {
    try {
      friction_curve(record, {});
      return "accepted";
    } catch (const Error& error) {
      return error.what();
    }
  };
  EXPECT_THAT(refusal(never_steady), HasSubstr("no section of at least"));
  AxisRecord at_rest = never_steady;
  Draw draw(3);
  for (double& q : at_rest.position) q = 0.2 + 1e-5 * draw.normal();
  EXPECT_THAT(refusal(at_rest), HasSubstr("does not move. Record strokes"));
  for (const double exactly : {0.2, 0.0}) {
    for (double& q : at_rest.position) q = exactly;
    EXPECT_THAT(refusal(at_rest), HasSubstr("does not move. Record strokes")) << exactly;
  }
}

}  // namespace
}  // namespace tauhat
