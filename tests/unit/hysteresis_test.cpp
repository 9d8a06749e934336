// The hysteresis-curve test on loops whose widths and slopes are known in closed form.
#include <gtest/gtest.h>

#include "support/gear_on_bench.hpp"
#include "tauhat/offline/error.hpp"
#include "tauhat/offline/report/verdict.hpp"

namespace tauhat {
namespace {

constexpr double kRated = 10.0;
constexpr double kThousandth = 1e-3;

HysteresisOutcome evaluated(const GearOnBench& gear, HysteresisDefinition definition, std::uint64_t seed = 1) {
  std::vector<HysteresisRecord> records{gear.record(seed)};
  HysteresisTest test;
  test.spec = {definition, kRated, {1.5, 4.0}};
  return evaluate(records, test);
}

double value(const HysteresisOutcome& outcome, const std::string& name) { return find_result(outcome, name).value; }

bool has(const HysteresisOutcome& outcome, const std::string& name) {
  return std::any_of(outcome.diagnostics.begin(), outcome.diagnostics.end(),
                     [&](const Diagnostic& d) { return d.name == name; });
}

struct Shape {
  const char* name;
  GearOnBench gear;
};

std::vector<Shape> shapes() {
  return {{"sharp", {.twist = flanks(2e-3, 5000.0)}},
          {"stiff and tight", {.twist = flanks(2e-4, 50000.0), .friction = 0.05}},
          {"soft corners", {.twist = flanks(2e-3, 5000.0, 0.3)}},
          {"curved flanks", {.twist = flanks(2e-3, 5000.0, 0.1, 0.02)}},
          {"no gap", {.twist = flanks(0.0, 5000.0, 0.0, 0.03)}},
          {"much friction", {.twist = flanks(2e-3, 5000.0), .friction = 0.9}}};
}

TEST(HysteresisCurve, WidthsAreThoseOfTheLoop) {
  for (const Shape& shape : shapes()) {
    SCOPED_TRACE(shape.name);
    const GearOnBench& gear = shape.gear;
    const auto outcome = evaluated(gear, HysteresisDefinition::nabtesco);
    EXPECT_TRUE(is_trusted(outcome.diagnostics));
    EXPECT_EQ(outcome.loops.size(), 3u);
    const double loss = 2.0 * gear.twist(gear.friction), lost_motion = 2.0 * gear.centre(0.03 * kRated);
    EXPECT_NEAR(value(outcome, "backlash.hysteresis_loss"), loss, kThousandth * loss);
    EXPECT_NEAR(value(outcome, "backlash.lost_motion"), lost_motion, kThousandth * std::max(lost_motion, loss));
  }
}

// K = torque / twist of the centre line, from half of the rated torque to just before the turn.
TEST(HysteresisCurve, RigidityIsTheSlopeOfTheCentreLine) {
  for (const Shape& shape : shapes()) {
    SCOPED_TRACE(shape.name);
    const GearOnBench& gear = shape.gear;
    const double expected = 0.48 * kRated / (gear.centre(0.98 * kRated) - gear.centre(0.5 * kRated));
    for (const auto definition : {HysteresisDefinition::nabtesco, HysteresisDefinition::spinea})
      EXPECT_NEAR(value(evaluated(gear, definition), "transmission.torsional_rigidity"), expected,
                  kThousandth * expected);
  }
}

// The makers' limits T1 and T2 are part of what the numbers mean; without them there are none.
TEST(HysteresisCurve, ThreeRigiditiesStateTheirLimits) {
  const GearOnBench gear{.twist = flanks(2e-3, 5000.0)};
  const auto outcome = evaluated(gear, HysteresisDefinition::harmonic_drive);
  EXPECT_EQ(find_result(outcome, "transmission.torsional_rigidity.k1").note, "up to T1 = 1.5 N m");
  EXPECT_EQ(find_result(outcome, "transmission.torsional_rigidity.k2").note, "T1 = 1.5 N m to T2 = 4 N m");
  EXPECT_EQ(find_result(outcome, "transmission.torsional_rigidity").note, "K3, above T2 = 4 N m");
  std::vector<HysteresisRecord> records{gear.record()};
  const HysteresisTest test{{HysteresisDefinition::harmonic_drive, kRated, {}}};
  const auto without = evaluate(records, test);
  EXPECT_TRUE(is_trusted(without.diagnostics));
  EXPECT_NEAR(value(without, "transmission.torsional_rigidity"), 5000.0, 5.0);
  EXPECT_EQ(hysteresis_quantities(test.spec).size(), 5u);
}

TEST(HysteresisCurve, ThreeRigiditiesAreThoseOfTheSections) {
  for (const Shape& shape : shapes()) {
    SCOPED_TRACE(shape.name);
    const GearOnBench& gear = shape.gear;
    const auto outcome = evaluated(gear, HysteresisDefinition::harmonic_drive);
    const double lost_motion = 2.0 * gear.centre(0.04 * kRated), loss = 2.0 * gear.twist(gear.friction);
    EXPECT_NEAR(value(outcome, "backlash.lost_motion"), lost_motion, kThousandth * std::max(lost_motion, loss));
    const double k1 = 1.5 / gear.centre(1.5), k2 = 2.5 / (gear.centre(4.0) - gear.centre(1.5));
    const double k3 = (0.98 * kRated - 4.0) / (gear.centre(0.98 * kRated) - gear.centre(4.0));
    EXPECT_NEAR(value(outcome, "transmission.torsional_rigidity.k1"), k1, kThousandth * k1);
    EXPECT_NEAR(value(outcome, "transmission.torsional_rigidity.k2"), k2, kThousandth * k2);
    EXPECT_NEAR(value(outcome, "transmission.torsional_rigidity.k3"), k3, kThousandth * k3);
    EXPECT_EQ(value(outcome, "transmission.torsional_rigidity"), value(outcome, "transmission.torsional_rigidity.k3"));
  }
}

// Loading lines x = (tau - friction) / k + g / 2: at zero torque they are g - 2 friction / k apart.
TEST(HysteresisCurve, GapIsBetweenTheLoadingLines) {
  const GearOnBench gear{.twist = flanks(2e-3, 5000.0)};
  const auto outcome = evaluated(gear, HysteresisDefinition::tauhat);
  const double gap = 2e-3 - 2.0 * 0.2 / 5000.0;
  EXPECT_NEAR(value(outcome, "backlash.gap"), gap, kThousandth * gap);
  EXPECT_NE(find_result(outcome, "backlash.gap").note.find("dead zone less 2 friction / stiffness"), std::string::npos);
  const double mean = 0.5 * (value(outcome, "backlash.gap") + value(outcome, "backlash.hysteresis_loss"));
  EXPECT_NEAR(mean, 2e-3, kThousandth * 2e-3) << "the dead zone is half of the two";
  EXPECT_NEAR(value(outcome, "transmission.compliance"), 1.0 / 5000.0, kThousandth / 5000.0);
  EXPECT_NEAR(value(outcome, "transmission.torsional_rigidity"), 5000.0, kThousandth * 5000.0);
}

TEST(HysteresisCurve, NegativeGapIsZeroWithAnUpperBound) {
  const GearOnBench preloaded{.twist = flanks(0.0, 5000.0), .friction = 0.6, .twist_noise = 1e-6};
  const Result gap = find_result(evaluated(preloaded, HysteresisDefinition::tauhat), "backlash.gap");
  EXPECT_EQ(gap.value, 0.0);
  EXPECT_EQ(gap.ci95->at(0), 0.0);
  EXPECT_GE(gap.ci95->at(1), 0.0);
  EXPECT_NE(gap.note.find("overlap"), std::string::npos);
}

// Seen from the other side, or begun downwards, the numbers are the same.
TEST(HysteresisCurve, SignsDoNotMatter) {
  const GearOnBench gear{.twist = flanks(2e-3, 5000.0), .loops = 1};
  const HysteresisTest test{{HysteresisDefinition::nabtesco, kRated, {}}};
  const auto loss = [&](double torque_sign, double twist_sign) {
    std::vector<HysteresisRecord> records{gear.record()};
    for (double& tau : records[0].ramp.torque) tau *= torque_sign;
    for (double& x : records[0].ramp.displacement) x *= twist_sign;
    return value(evaluate(records, test), "backlash.hysteresis_loss");
  };
  const double expected = loss(1.0, 1.0);
  EXPECT_DOUBLE_EQ(loss(1.0, -1.0), expected);
  EXPECT_NEAR(loss(-1.0, -1.0), expected, 1e-12);
  EXPECT_NEAR(loss(-1.0, 1.0), expected, 1e-12);
}

TEST(HysteresisCurve, ScaleUncertaintyEntersTheInterval) {
  GearOnBench gear{.twist = flanks(2e-3, 5000.0)};
  std::vector<HysteresisRecord> records{gear.record()};
  HysteresisTest test{{HysteresisDefinition::tauhat, kRated, {}}, 0.02, 0.01};
  const auto outcome = evaluate(records, test);
  const Result& rigidity = find_result(outcome, "transmission.torsional_rigidity");
  EXPECT_NEAR(rigidity.budget->inputs / rigidity.value, std::hypot(0.02, 0.01), 1e-3);
  EXPECT_NEAR(find_result(outcome, "backlash.gap").budget->inputs / 1.92e-3, 0.01, 2e-3);
}

TEST(HysteresisCurve, NoiseIsInTheInterval) {
  int held = 0;
  constexpr int kRuns = 200;
  const GearOnBench gear{.twist = flanks(2e-3, 5000.0), .period = 5e-3, .torque_noise = 0.02, .twist_noise = 2e-5};
  const double truth = 2.0 * gear.centre(0.03 * kRated);
  for (std::uint64_t seed = 1; seed <= kRuns; ++seed) {
    const auto interval =
        *find_result(evaluated(gear, HysteresisDefinition::nabtesco, seed), "backlash.lost_motion").ci95;
    held += interval[0] <= truth && truth <= interval[1];
  }
  // 200 draws of 95 %: 190 with a standard deviation of 3; a chance spread of the three loops widens some.
  EXPECT_GE(held, 0.93 * kRuns);
  EXPECT_LT(held, kRuns);
}

// Noise in the torque flattens a line that is fitted over it; the gap must not grow by that.
TEST(HysteresisCurve, NoisyTorqueDoesNotFlattenTheLoadingLines) {
  const GearOnBench gear{.twist = flanks(2e-3, 5000.0), .period = 5e-3, .torque_noise = 0.5, .twist_noise = 2e-5};
  const double gap = 2e-3 - 2.0 * 0.2 / 5000.0;
  int held = 0;
  double sum = 0.0;
  constexpr int kRuns = 100;
  for (std::uint64_t seed = 1; seed <= kRuns; ++seed) {
    const Result result = find_result(evaluated(gear, HysteresisDefinition::tauhat, seed), "backlash.gap");
    sum += result.value;
    held += result.ci95->at(0) <= gap && gap <= result.ci95->at(1);
  }
  EXPECT_NEAR(sum / kRuns, gap, 3e-3 * gap);
  EXPECT_GE(held, 0.9 * kRuns);
}

// The interval of three loops is for a fourth, whether they differ much, as much as their noise, or less.
TEST(HysteresisCurve, IntervalHoldsOneMoreRun) {
  constexpr int kRuns = 300;
  for (const double between_runs : {2e-4, 2e-5, 5e-6}) {
    std::mt19937_64 random(11);
    std::normal_distribution<double> normal;
    int held = 0;
    for (int run = 0; run < kRuns; ++run) {
      std::uint64_t seed = 3 * static_cast<std::uint64_t>(run);
      const auto loop = [&] {
        return GearOnBench{.twist = flanks(2e-3 + between_runs * normal(random), 5000.0),
                           .period = 2e-2,
                           .loops = 1,
                           .torque_noise = 0.02,
                           .twist_noise = 2e-5};
      };
      std::vector<HysteresisRecord> records;
      for (int i = 0; i < 3; ++i) records.push_back(loop().record(++seed));
      const GearOnBench next = loop();
      const auto outcome = evaluate(records, {{HysteresisDefinition::nabtesco, kRated, {}}});
      const auto interval = *find_result(outcome, "backlash.hysteresis_loss").ci95;
      const double loss = 2.0 * next.twist(next.friction);
      held += interval[0] <= loss && loss <= interval[1];
    }
    // 95 % of 300 have a standard deviation of 1.3 %. Where noise hides the spread, chance makes it look larger than
    // it is, and the interval is too wide, never too narrow.
    const double share = static_cast<double>(held) / kRuns;
    EXPECT_GE(share, 0.91) << between_runs;
    if (between_runs >= 2e-5) {
      EXPECT_LE(share, 0.99) << between_runs;
    }
  }
}

// Records of one part at several positions, each a little different.
struct PartAtPositions {
  double loss, between_files, between_loops = 0.0;
  double scale = 1.0;  // of the twist, as the bench has it

  // Loops as one file of their own shape, one after the other.
  HysteresisRecord file(std::mt19937_64& random, std::uint64_t seed, int loops) const {
    std::normal_distribution<double> normal;
    const double here = loss + between_files * normal(random);
    HysteresisRecord all;
    for (int i = 0; i < loops; ++i) {
      const GearOnBench gear{.twist = flanks(here + between_loops * normal(random) - 2.0 * 0.1 / 5000.0, 5000.0),
                             .friction = 0.1,
                             .period = 2e-2,
                             .loops = 1,
                             .torque_noise = 0.02,
                             .twist_noise = 2e-6};
      const HysteresisRecord one = gear.record(seed * 100 + static_cast<std::uint64_t>(i));
      const double begin = all.ramp.time.empty() ? 0.0 : all.ramp.time.back() + gear.period;
      const std::size_t first = all.ramp.size();
      for (std::size_t k = 0; k < one.ramp.size(); ++k) {
        all.ramp.time.push_back(begin + one.ramp.time[k]);
        all.ramp.torque.push_back(one.ramp.torque[k]);
        all.ramp.displacement.push_back(scale * one.ramp.displacement[k]);
      }
      all.parts.push_back({first, all.ramp.size(), true, true});
    }
    return all;
  }
};

// Loops of one position are no independent witnesses of the next position.
TEST(HysteresisCurve, IntervalHoldsOneMoreFile) {
  constexpr int kRuns = 300;
  std::mt19937_64 random(21);
  std::normal_distribution<double> normal;
  int held = 0;
  for (int run = 0; run < kRuns; ++run) {
    const PartAtPositions part{.loss = 2.2e-3, .between_files = 1e-4, .between_loops = 1e-5};
    std::vector<HysteresisRecord> records;
    for (int i = 0; i < 3; ++i) records.push_back(part.file(random, static_cast<std::uint64_t>(3 * run + i), 5));
    const auto outcome = evaluate(records, {{HysteresisDefinition::nabtesco, kRated, {}}});
    ASSERT_EQ(outcome.loops.size(), 15u);
    const auto interval = *find_result(outcome, "backlash.hysteresis_loss").ci95;
    const double next = part.loss + part.between_files * normal(random) + part.between_loops * normal(random);
    held += interval[0] <= next && next <= interval[1];
  }
  const double share = static_cast<double>(held) / kRuns;
  RecordProperty("held", held);
  EXPECT_GE(share, 0.93);
  EXPECT_LE(share, 0.99);
}

TEST(HysteresisCurve, SaysWhatLoopsAndFilesDifferBy) {
  std::mt19937_64 random(3);
  const PartAtPositions part{.loss = 2.2e-3, .between_files = 1e-4, .between_loops = 1e-5};
  std::vector<HysteresisRecord> records;
  for (std::uint64_t i = 0; i < 8; ++i) records.push_back(part.file(random, i, 5));
  const auto outcome = evaluate(records, {{HysteresisDefinition::nabtesco, kRated, {}}});
  // 32 and 7 degrees of freedom: within 40 % and 85 % at three standard deviations.
  EXPECT_NEAR(value(outcome, "backlash.hysteresis_loss.spread_repeats"), 1e-5, 4e-6);
  EXPECT_NEAR(value(outcome, "backlash.hysteresis_loss.spread_positions"), 1e-4, 8.5e-5);
  for (const char* name : {"backlash.gap", "transmission.torsional_rigidity"}) {
    EXPECT_GT(value(outcome, name + std::string(".spread_repeats")), 0.0);
    EXPECT_GT(value(outcome, name + std::string(".spread_positions")), 0.0);
  }
}

// One loop from rest: friction of 0.9 N m holds the gear far beyond the 0.3 N m at which lost motion is read.
TEST(HysteresisCurve, LostMotionIsNotReadOnALoopFromRest) {
  const GearOnBench much_friction{.twist = flanks(2e-3, 5000.0), .friction = 0.9, .loops = 1};
  const auto outcome = evaluated(much_friction, HysteresisDefinition::nabtesco);
  EXPECT_TRUE(std::none_of(outcome.results.begin(), outcome.results.end(),
                           [](const Result& r) { return r.name == "backlash.lost_motion"; }));
  EXPECT_TRUE(has(outcome, "test.starts_from_rest"));
  EXPECT_TRUE(is_trusted(outcome.diagnostics));  // the other numbers stand
  const double loss = 2.0 * much_friction.twist(0.9);
  EXPECT_NEAR(value(outcome, "backlash.hysteresis_loss"), loss, kThousandth * loss);
}

// A record that begins with the second loop has one loop, and begins where it closes.
TEST(HysteresisCurve, OneLoopAfterAnotherGivesItsLostMotion) {
  for (const double noise : {0.0, 1e-5}) {
    const GearOnBench gear{.twist = flanks(2e-3, 5000.0), .friction = 0.9, .loops = 2, .twist_noise = noise};
    std::vector<HysteresisRecord> records{gear.record()};
    TorqueRamp& ramp = records[0].ramp;
    const auto half = static_cast<std::ptrdiff_t>(ramp.size() / 2);
    for (auto* values : {&ramp.time, &ramp.torque, &ramp.displacement})
      values->erase(values->begin(), values->begin() + half);
    records[0].parts = {{0, ramp.size(), true, true}};
    const auto outcome = evaluate(records, {{HysteresisDefinition::nabtesco, kRated, {}}});
    ASSERT_EQ(outcome.loops.size(), 1u);
    EXPECT_FALSE(has(outcome, "test.starts_from_rest"));
    const double lost_motion = 2.0 * gear.centre(0.3);
    EXPECT_NEAR(value(outcome, "backlash.lost_motion"), lost_motion, kThousandth * 2.0 * gear.twist(0.9) + noise);
  }
}

TEST(HysteresisCurve, SaysWhenTheTorqueIsTooSmall) {
  EXPECT_TRUE(has(evaluated({.twist = flanks(2e-3, 5000.0), .largest_torque = 8.0}, HysteresisDefinition::nabtesco),
                  "test.rated_torque_not_reached"));
  EXPECT_TRUE(has(evaluated({.twist = flanks(2e-3, 5000.0), .friction = 0.05, .largest_torque = 0.25, .rate = 0.1},
                            HysteresisDefinition::nabtesco),
                  "test.torque_too_small"));
}

TEST(HysteresisCurve, SaysWhenTheRampIsTooFast) {
  GearOnBench gear{.twist = flanks(2e-3, 5000.0)};
  std::vector<HysteresisRecord> records{gear.record()};
  // The twist follows with a lag of 0.3 s, in which the torque changes by 6 %.
  double lagged = 0.0;
  for (double& x : records[0].ramp.displacement) x = lagged += (x - lagged) * gear.period / 0.3;
  const auto outcome = evaluate(records, {{HysteresisDefinition::nabtesco, kRated, {}}});
  EXPECT_TRUE(has(outcome, "test.too_fast"));
}

TEST(HysteresisCurve, SaysWhenTheOutputMoved) {
  GearOnBench gear{.twist = flanks(2e-3, 5000.0)};
  std::vector<HysteresisRecord> records{gear.record()};
  for (const double tau : records[0].ramp.torque) records[0].output_position.push_back(5e-5 * tau);
  EXPECT_TRUE(has(evaluate(records, {{HysteresisDefinition::nabtesco, kRated, {}}}), "test.output_moved"));
  // Without a sensor on it: it slips after the first loop.
  records = {gear.record()};
  for (std::size_t k = records[0].ramp.size() / 3; k < records[0].ramp.size(); ++k)
    records[0].ramp.displacement[k] += 5e-3;
  EXPECT_TRUE(has(evaluate(records, {{HysteresisDefinition::nabtesco, kRated, {}}}), "test.output_moved"));
}

TEST(HysteresisCurve, RefusesARecordWithoutLoops) {
  HysteresisRecord record;
  record.ramp.source = "bench.csv";
  for (int k = 0; k < 100; ++k) {
    record.ramp.time.push_back(0.01 * k);
    record.ramp.torque.push_back(0.1 * k);
    record.ramp.displacement.push_back(1e-5 * k);
  }
  record.parts = {{0, 100, true, true}};
  std::vector<HysteresisRecord> records{record};
  EXPECT_THROW(evaluate(records, {{HysteresisDefinition::nabtesco, kRated, {}}}), Error);
}

// A record that ends at a turning point: the loop that it cuts off is left out, the others count.
TEST(HysteresisCurve, LeavesOutALoopThatIsCutOff) {
  const GearOnBench gear{.twist = flanks(2e-3, 5000.0)};
  std::vector<HysteresisRecord> records{gear.record()};
  TorqueRamp& ramp = records[0].ramp;
  const std::size_t kept = ramp.size() * 11 / 12;  // three quarters of the last loop
  for (auto* values : {&ramp.time, &ramp.torque, &ramp.displacement}) values->resize(kept);
  records[0].parts = {{0, kept, true, true}};
  const auto outcome = evaluate(records, {{HysteresisDefinition::nabtesco, kRated, {}}});
  EXPECT_EQ(outcome.loops.size(), 2u);
  EXPECT_NEAR(value(outcome, "backlash.hysteresis_loss"), 2.0 * gear.twist(0.2), 3e-6);
}

// A file with large ramps only still knows where its play is.
TEST(HysteresisCurve, LoadingLinesBeginBeyondThePlayOfTheirOwnFile) {
  const GearOnBench gear{.twist = flanks(2e-3, 5000.0)};
  std::vector<HysteresisRecord> records{gear.record(), gear.record()};
  records[0].parts[0].gives_slopes = false;
  records[1].parts[0].gives_widths = false;
  const auto outcome = evaluate(records, {{HysteresisDefinition::tauhat, kRated, {}}});
  EXPECT_NEAR(value(outcome, "transmission.torsional_rigidity"), 5000.0, 5.0);
  EXPECT_NEAR(value(outcome, "backlash.gap"), 2e-3 - 2.0 * 0.2 / 5000.0, 2e-6);
}

// At the motor, the ratio is in torque and twist alike: rigidity goes with its square.
TEST(HysteresisCurve, OneRatioIsOneInput) {
  std::vector<HysteresisRecord> records{GearOnBench{.twist = flanks(2e-3, 5000.0)}.record()};
  HysteresisTest test{{HysteresisDefinition::tauhat, kRated, {}}};
  test.ratio_std = 0.01, test.torque_by_ratio = 1.0, test.displacement_by_ratio = -1.0;
  const auto outcome = evaluate(records, test);
  EXPECT_NEAR(find_result(outcome, "transmission.torsional_rigidity").budget->inputs, 0.02 * 5000.0,
              0.1 * 0.02 * 5000.0);
}

// Student's t: two degrees of freedom are two, however they were rounded.
TEST(CoverageFactor, IsStudents) {
  EXPECT_DOUBLE_EQ(coverage_factor(2.0), coverage_factor(2.0 - 1e-12));
  EXPECT_NEAR(coverage_factor(1.0), 12.706, 1e-3);
  EXPECT_NEAR(coverage_factor(10.0), 2.2281, 1e-4);
  EXPECT_NEAR(coverage_factor(15.0), 2.1314, 1e-4);
  EXPECT_NEAR(coverage_factor(30.0), 2.0423, 1e-4);
  EXPECT_NEAR(coverage_factor(std::numeric_limits<double>::infinity()), 1.959964, 1e-6);
}

// Parts at the limit and around it. Accepting one that is beyond it may happen to one in forty at most.
TEST(HysteresisCurve, FalseAcceptsAreRare) {
  constexpr int kParts = 2000;
  constexpr double kLimit = 2.2e-3;
  int false_accepts = 0, false_rejects = 0, accepted = 0, bad = 0, good = 0;
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  for (int part = 0; part < kParts; ++part) {
    // Half of them a hair beyond the limit, where a wrong decision is likeliest.
    const double loss = part % 2 == 0 ? kLimit * (1.0 + 1e-9) : kLimit + 2e-4 * normal(random);
    GearOnBench gear{.twist = flanks(loss - 2.0 * 0.1 / 5000.0, 5000.0),
                     .friction = 0.1,
                     .period = 2e-2,
                     .torque_noise = 0.02,
                     .twist_noise = 2e-5};
    const auto outcome = evaluated(gear, HysteresisDefinition::nabtesco, 1000 + static_cast<std::uint64_t>(part));
    const Verdict verdict = judge(find_result(outcome, "backlash.hysteresis_loss"), kLimit, true, "<= 2.2 mrad", true);
    (loss > kLimit ? bad : good) += 1;
    accepted += verdict.verdict == Conformity::conforming;
    false_accepts += verdict.verdict == Conformity::conforming && loss > kLimit;
    false_rejects += verdict.verdict == Conformity::nonconforming && loss <= kLimit;
  }
  EXPECT_LE(false_accepts, 0.025 * bad);  // of those that could be one
  EXPECT_LE(false_rejects, 0.025 * good);
  EXPECT_GE(accepted, 0.5 * good);  // and the good ones are not refused
}

// The same where positions differ, and the bench's scale is off by what its calibration allows. The part's value is the
// mean over all positions.
TEST(HysteresisCurve, FalseAcceptsAreRareAmongPositions) {
  constexpr int kParts = 500;
  constexpr double kLimit = 2.2e-3, kScale = 0.003;
  int false_accepts = 0, accepted = 0, bad = 0, good = 0;
  std::mt19937_64 random(17);
  std::normal_distribution<double> normal;
  for (int number = 0; number < kParts; ++number) {
    const double loss = number % 2 == 0 ? kLimit * (1.0 + 1e-9) : std::max(kLimit + 1e-3 * normal(random), 5e-4);
    const PartAtPositions part{.loss = loss, .between_files = 3e-5, .scale = 1.0 + kScale * normal(random)};
    std::vector<HysteresisRecord> records;
    for (int i = 0; i < 2; ++i) records.push_back(part.file(random, static_cast<std::uint64_t>(2 * number + i), 5));
    HysteresisTest test{{HysteresisDefinition::nabtesco, kRated, {}}};
    test.displacement_std = kScale;
    const auto outcome = evaluate(records, test);
    const Verdict verdict = judge(find_result(outcome, "backlash.hysteresis_loss"), kLimit, true, "<= 2.2 mrad", true);
    (loss > kLimit ? bad : good) += 1;
    accepted += verdict.verdict == Conformity::conforming;
    false_accepts += verdict.verdict == Conformity::conforming && loss > kLimit;
  }
  RecordProperty("false_accepts", false_accepts);
  EXPECT_LE(false_accepts, 0.025 * bad);
  EXPECT_GE(accepted, 0.5 * good);
}

}  // namespace
}  // namespace tauhat
