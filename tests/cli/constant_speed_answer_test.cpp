// The curve at constant speeds: what it tells of each direction, and when a line through it is no answer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support/friction_study.hpp"
#include "tauhat/offline/report/verdict.hpp"

namespace tauhat {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kMethod = "method = \"constant-speed\"";
const std::vector<double> kSteps{0.1, 0.2, 0.3, 0.4, 0.5, 0.4, 0.3, 0.2, 0.1};
const AxisParameters kUneven{{"axis.mass", 5.0},
                             {"friction.viscous", 30.0},
                             {"friction.coulomb.positive", 12.0},
                             {"friction.coulomb.negative", 8.0}};
constexpr AxisNoise kFine{.resolution = 1e-6, .force = 0.05};

AxisRecord steps(const AxisParameters& truth, std::uint64_t seed, const ForceOfMotion& beside = {}) {
  return measured(positioning_moves(kSteps, 0.2, 1.0), truth, kFine, seed, beside);
}

Study sliding(const std::string& drive) {
  return parse_study("[drive]\nmodel = \"axis\"\nmotion = \"linear\"\n" + drive + "\n[identify]\n" + kMethod +
                         "\n[log]\ntime.rate = \"1 kHz\"\n[log.channels]\n"
                         "\"axis.force\" = { column = \"f\", unit = \"N\" }\n"
                         "\"axis.position\" = { column = \"q\", unit = \"m\", std = 1e-6 }\n",
                     "axis.toml");
}

bool has(const Report& report, const std::string& name) {
  return std::any_of(report.results.begin(), report.results.end(), [&](const Result& r) { return r.name == name; });
}

// 12 N forwards and 8 N backwards are 10 N and a constant force of 2 N, too: neither may be said with confidence.
TEST(ConstantSpeedAnswer, TellsOnlyTheMeanWhereAConstantForceMayAct) {
  const Report report = answer_friction(sliding(""), log_of(steps(kUneven, 1)));
  EXPECT_FALSE(has(report, "friction.coulomb.positive"));
  EXPECT_FALSE(has(report, "friction.coulomb.negative"));
  expect_result(report, "friction.coulomb", 10.0);
  expect_result(report, "friction.viscous.positive", 30.0);
  const std::string message = said(report, "law.not_separable");
  for (const char* name : {"friction.coulomb.positive", "friction.coulomb.negative", "give friction.offset"})
    EXPECT_THAT(message, HasSubstr(name));
  EXPECT_EQ(exit_code_of(report), ExitCode::done);
}

TEST(ConstantSpeedAnswer, TellsBothDirectionsWhereTheOffsetIsGiven) {
  for (const double offset : {0.0, 2.0}) {
    const AxisParameters truth = with(kUneven, {{"friction.offset", offset}});
    const Report report =
        answer_friction(sliding("friction.offset = " + std::to_string(offset)), log_of(steps(truth, 2)));
    expect_result(report, "friction.coulomb.positive", 12.0);
    expect_result(report, "friction.coulomb.negative", 8.0);
    EXPECT_EQ(said(report, "law.not_separable"), "");
  }
}

// A turning axis with an offset that is given still has its gravity found; from a force of the row's instant, and from
// one that a controller holds to the next row, which acts half a row later.
TEST(ConstantSpeedAnswer, FindsGravityBesideAGivenOffset) {
  int held = 0, held_of_held = 0;
  constexpr int kRuns = 20;
  for (int run = 0; run < kRuns; ++run) {
    const AxisRecord record =
        measured(positioning_moves({0.4, 0.8, 1.2, 1.2, 0.8, 0.4}, 0.2, 0.8), with(kUneven, kGravity),
                 {.resolution = 1e-6, .force = 0.5}, static_cast<std::uint64_t>(run));
    const Report report =
        answer_friction(study_of("friction.offset = 0", std::string(kMethod) + "\nheld_force = false"), log_of(record));
    const Result& coulomb = result(report, "friction.coulomb.positive");
    held += (*coulomb.ci95)[0] < 12.0 && 12.0 < (*coulomb.ci95)[1] ? 1 : 0;
    AxisRecord until_the_next = record;
    for (std::size_t k = 0; k + 1 < record.force.size(); ++k)
      until_the_next.force[k] = 0.5 * (record.force[k] + record.force[k + 1]);
    const Report other = answer_friction(study_of("friction.offset = 0", kMethod), log_of(until_the_next));
    const Result& by_held = result(other, "friction.coulomb.positive");
    held_of_held += (*by_held.ci95)[0] < 12.0 && 12.0 < (*by_held.ci95)[1] ? 1 : 0;
  }
  EXPECT_GE(held, 17);  // of 20 at 95 %: fewer by chance once in sixty times
  EXPECT_GE(held_of_held, 17);
}

// A Stribeck bump: the line through its points meets standstill at 12.9 N, the friction at 18 N, its Coulomb level is
// 10.
TEST(ConstantSpeedAnswer, RefusesALineThroughPointsThatBend) {
  const AxisParameters straight{{"axis.mass", 5.0}, {"friction.viscous", 30.0}, {"friction.coulomb", 10.0}};
  const auto bump = [](double, double v, double) { return std::copysign(8.0 * std::exp(-std::abs(v) / 0.1), v); };
  const Report bent = answer_friction(sliding("friction.offset = 0"), log_of(steps(straight, 3, bump)));
  EXPECT_THAT(said(bent, "law.misfit"), HasSubstr("two-step"));
  EXPECT_EQ(exit_code_of(bent), ExitCode::untrusted);
  EXPECT_THAT(bent.headline, HasSubstr("does not give an answer"));
  const Report line = answer_friction(sliding("friction.offset = 0"), log_of(steps(straight, 3)));
  EXPECT_EQ(said(line, "law.misfit"), "");
  EXPECT_EQ(exit_code_of(line), ExitCode::done);
  EXPECT_THAT(line.headline, Not(HasSubstr("does not give an answer")));
}

// Two speeds of a force without noise lie on a line, and nothing says how well.
TEST(ConstantSpeedAnswer, SaysWhereThereIsNoInterval) {
  const AxisMoves moves = positioning_moves({0.1, 0.2}, 0.2, 1.0);
  const AxisParameters straight{{"axis.mass", 5.0}, {"friction.coulomb", 10.0}};
  AxisRecord record = measured(moves, straight, {.resolution = 1e-6, .force = 0.0}, 4);
  const Report report = answer_friction(sliding("friction.offset = 0"), log_of(record));
  EXPECT_THAT(said(report, "fit.no_interval"), HasSubstr("friction.coulomb.positive"));
  EXPECT_EQ(exit_code_of(report), ExitCode::untrusted);
}

// An offset that is known only so well moves each direction's level by as much.
TEST(ConstantSpeedAnswer, CarriesWhatTheStudyKnowsOnlySoWell) {
  const Report report =
      answer_friction(sliding("friction.offset = { value = 0.3, std = 0.3 }"), log_of(steps(kUneven, 5)));
  for (const char* name : {"friction.coulomb.positive", "friction.coulomb.negative"})
    EXPECT_NEAR(result(report, name).budget.value().inputs, 0.3, 1e-6) << name;
  EXPECT_NEAR(result(report, "friction.viscous.positive").budget.value().inputs, 0.0, 1e-6);
  expect_result(report, "friction.coulomb.positive", 12.0);
}

TEST(ConstantSpeedAnswer, DrawsTheLineWithItsBand) {
  const Report report = answer_friction(sliding("friction.offset = 0"), log_of(steps(kUneven, 6)));
  const auto& series = report.sections.front().plots.front().series;
  EXPECT_EQ(std::count_if(series.begin(), series.end(), [](const Series& s) { return s.kind == Series::Kind::band; }),
            2);
}

}  // namespace
}  // namespace tauhat
