// From a study and a log to the answer: what the study gives is used, or refused by name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support/friction_study.hpp"
#include "tauhat/offline/report/verdict.hpp"

namespace tauhat {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(FrictionAnswer, RegressionRemovesWhatTheStudyGives) {
  const auto beside = [](double q, double v, double) {
    return 40.0 * std::sin(q) - 15.0 * std::cos(q) + 6.0 * q + 1.5 * v;
  };
  const AxisRecord record = measured(swings(), kServo, kQuiet, 5, beside);
  const Report report =
      answer_friction(study_of("gravity.sine = 40\ngravity.cosine = -15\naxis.stiffness = 6\naxis.damping = 1.5",
                               "method = \"regression\""),
                      log_of(record));
  expect_result(report, "axis.mass", 2.0);
  expect_result(report, "friction.viscous", 3.0);
  expect_result(report, "friction.coulomb", 5.0);
  // A constant force that is given matters where the model has none of its own.
  const AxisRecord shifted = measured(swings(), with(kServo, {{"friction.offset", 2.0}}), kQuiet, 6);
  const Report sides = answer_friction(
      study_of("friction.offset = 2", "method = \"regression\"\nfriction = \"asymmetric\""), log_of(shifted));
  expect_result(sides, "friction.coulomb.positive", 5.0);
  expect_result(sides, "friction.coulomb.negative", 5.0);
}

TEST(FrictionAnswer, RegressionRefusesWhatItFinds) {
  EXPECT_THAT(refusal("axis.mass = 2", "method = \"regression\""), HasSubstr("finds axis.mass itself"));
  EXPECT_THAT(refusal("friction.offset = 2", "method = \"regression\""), HasSubstr("finds friction.offset itself"));
  EXPECT_THAT(refusal("gravity.sine = 2", "method = \"regression\"\ngravity = true"), HasSubstr("gravity.sine"));
  EXPECT_THAT(refusal("gravity.sine = 2", "method = \"regression\"\ntorque_dependent = true"),
              HasSubstr("Set gravity = true"));
  EXPECT_EQ(refusal("friction.offset = \"fit\"", "method = \"regression\""), "accepted");
  EXPECT_EQ(refusal("axis.mass = 2", "method = \"two-step\""), "accepted");
  EXPECT_THAT(refusal("", "method = \"regression\"\nheld_force = 7"),
              HasSubstr("held_force = 7: must be true or false"));
}

// A velocity sensor alone will do, as long as nothing depends on the position.
TEST(FrictionAnswer, RegressionTakesAVelocity) {
  const AxisMoves moves = swings();
  AxisRecord record = measured(moves, kServo, kQuiet, 7);
  record.position.clear();
  record.velocity = moves.velocity;
  Draw draw(7);
  for (double& v : record.velocity) v += 1e-4 * draw.normal();
  const Report report = answer_friction(study_of("", "method = \"regression\"", kVelocity), log_of(record));
  expect_result(report, "axis.mass", 2.0);
  expect_result(report, "friction.coulomb", 5.0);
  try {
    answer_friction(study_of("gravity.sine = 3", "method = \"regression\"", kVelocity), log_of(record));
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("Record axis.position"));
  }
}

// A constant force that is asked for is taken away, though gravity is given; then only the mean level is told.
TEST(FrictionAnswer, ConstantSpeedTakesTheOffsetAwayBesideAGivenGravity) {
  const AxisMoves moves = positioning_moves({0.4, 0.8, 1.2, 0.8, 0.4}, 0.2, 0.8);
  const AxisRecord record = measured(moves, with(kSymmetric, kGravity), {.resolution = 1e-6, .force = 0.5}, 8,
                                     [](double q, double v, double) { return 10.0 * q + 20.0 * v; });
  const Report report = answer_friction(study_of("axis.mass = 95\ngravity.sine = 40\ngravity.cosine = -15\n"
                                                 "axis.stiffness = 10\naxis.damping = 20\nfriction.offset = \"fit\"",
                                                 "method = \"constant-speed\""),
                                        log_of(record));
  EXPECT_NEAR(result(report, "friction.coulomb").value, 20.0, 0.3);
  for (const char* side : {".positive", ".negative"})
    EXPECT_NEAR(result(report, std::string("friction.viscous") + side).value, 200.0, 1.0) << side;
  // A mass that is given takes its share while the axis settles, and is told as what the answer rests on.
  EXPECT_THAT(report.assumptions, testing::Contains(testing::ElementsAre("axis.mass", testing::_)));
}

// The filter makes numbers of anything; an axis that stands shows none.
TEST(FrictionAnswer, AnAxisThatStandsHasNoLaw) {
  AxisRecord record{"still.csv", kAxisPeriod};
  Draw draw(12);
  for (int k = 0; k < 3000; ++k) {
    record.position.push_back(1e-6 * draw.normal());
    record.force.push_back(0.5 * std::sin(2e-3 * k));
  }
  const Report report = answer_friction(study_of("axis.mass = 2", "method = \"two-step\""), log_of(record));
  EXPECT_FALSE(is_trusted(report.diagnostics));
  EXPECT_THAT(said(report, "excitation.no_motion"), HasSubstr("hardly moves"));
  for (const Result& each : report.results) EXPECT_EQ(each.name, "friction.hysteresis");
}

TEST(FrictionAnswer, FrictionWithinTheNoiseIsNamed) {
  const AxisParameters slippery{{"axis.mass", 2.0}, {"friction.coulomb", 5.0}};
  const Report regression =
      answer_friction(study_of("", "method = \"regression\""), log_of(measured(swings(), slippery, kQuiet, 11)));
  EXPECT_THAT(said(regression, "friction.below_noise"), HasSubstr("not told from zero"));
  const AxisMoves steps = positioning_moves({0.4, 0.8, 1.2, 0.8, 0.4}, 0.2, 0.8);
  const AxisParameters rough{{"axis.mass", 2.0}, {"friction.coulomb", 5.0}};
  const Report curve = answer_friction(study_of("", "method = \"constant-speed\""),
                                       log_of(measured(steps, rough, {.resolution = 1e-6, .force = 2.0}, 12)));
  EXPECT_THAT(said(curve, "friction.below_noise"), HasSubstr("friction.viscous."));
}

// Its ramps show other speeds, of an axis that has nothing but mass, viscous and Coulomb friction in it.
TEST(FrictionAnswer, RegressionNamesASingleSpeed) {
  const AxisNoise noise{.resolution = 1e-6, .force = 2.0};
  const auto answer_to = [&](const std::vector<double>& speeds, double ramp, double cruise) {
    return answer_friction(study_of("", "method = \"regression\""),
                           log_of(measured(positioning_moves(speeds, ramp, cruise), kSymmetric, noise, 14)));
  };
  for (const double cruise : {0.3, 0.5, 2.0}) {
    const Report one = answer_to(std::vector<double>(8, 0.2), 0.2, cruise);
    EXPECT_THAT(said(one, "excitation.one_speed"), HasSubstr("0.2 rad/s")) << cruise;
    EXPECT_THAT(said(one, "excitation.one_speed"), HasSubstr("Record at least three speeds")) << cruise;
    EXPECT_FALSE(is_trusted(one.diagnostics));
    EXPECT_THROW(result(one, "friction.viscous"), std::out_of_range);
    EXPECT_THROW(result(one, "friction.coulomb"), std::out_of_range);
    expect_result(one, "axis.mass", 95.0);
  }
  for (const std::vector<double>& speeds : {std::vector<double>{0.1, 0.2, 0.1, 0.2}, {0.16, 0.2, 0.18, 0.2}, kSpeeds})
    EXPECT_EQ(said(answer_to(speeds, 0.2, 0.5), "excitation.one_speed"), "");
  // A motion that never runs evenly has no speed that it is at.
  const Report swung =
      answer_friction(study_of("", "method = \"regression\""), log_of(measured(swings(), kServo, kQuiet, 15)));
  EXPECT_EQ(said(swung, "excitation.one_speed"), "");
}

// A third of the record at one speed, then swings of every speed: they tell what one speed does not.
TEST(FrictionAnswer, SwingsBesideASingleSpeedAreNoRamps) {
  AxisMoves moves = positioning_moves(std::vector<double>(4, 0.2), 0.2, 2.0);
  const auto append = [](std::vector<double>& values, auto of_time) {
    const std::vector<double> more = sampled(20.0, of_time);
    values.insert(values.end(), more.begin(), more.end());
  };
  append(moves.position, [](double t) { return 0.06 * (1.0 - std::cos(1.1 * t)) + 0.03 * (1.0 - std::cos(4.3 * t)); });
  append(moves.velocity, [](double t) { return 0.066 * std::sin(1.1 * t) + 0.129 * std::sin(4.3 * t); });
  append(moves.acceleration, [](double t) { return 0.0726 * std::cos(1.1 * t) + 0.5547 * std::cos(4.3 * t); });
  const AxisRecord record = measured(moves, kSymmetric, {.resolution = 1e-6, .force = 2.0}, 14);
  const Report report = answer_friction(study_of("", "method = \"regression\""), log_of(record));
  EXPECT_EQ(said(report, "excitation.one_speed"), "");
  expect_result(report, "friction.viscous", 200.0);
  expect_result(report, "friction.coulomb", 20.0);
}

// What is known only so well widens what is found with it.
TEST(FrictionAnswer, RegressionCarriesWhatTheStudyKnowsOnlySoWell) {
  const auto damping = [](double, double v, double) { return 1.5 * v; };
  const AxisRecord record = measured(swings(), kServo, kQuiet, 13, damping);
  const Report report =
      answer_friction(study_of("axis.damping = { value = 1.0, std = 0.5 }", "method = \"regression\""), log_of(record));
  const Result& viscous = result(report, "friction.viscous");
  EXPECT_NEAR(viscous.budget.value().inputs, 0.5, 0.01);
  EXPECT_NEAR(viscous.value, 3.5, 4.0 * viscous.budget->noise);
  EXPECT_GT((*viscous.ci95)[1], 3.9);
  EXPECT_LT((*viscous.ci95)[0], 3.0);
}

// No motion shows a factor of the force, which is in every number alike: F (1 + g) = M (1 + g) a + ...
TEST(FrictionAnswer, TheGainOfTheForceIsInEveryNumber) {
  const AxisRecord swung = measured(swings(), kServo, kQuiet, 13);
  const Report regression =
      answer_friction(study_of("", "method = \"regression\"", kPosition, kForceToTwoPercent), log_of(swung));
  for (const char* name : {"axis.mass", "friction.coulomb", "friction.viscous"}) {
    const Result& found = result(regression, name);
    EXPECT_NEAR(found.budget.value().inputs, 0.02 * found.value, 1e-6 * found.value) << name;
  }
  const AxisMoves steps = positioning_moves({0.4, 0.8, 1.2, 0.8, 0.4}, 0.2, 0.8);
  const AxisRecord stepped = measured(steps, kServo, {.resolution = 1e-6, .force = 0.1}, 12);
  const Report curve =
      answer_friction(study_of("", "method = \"constant-speed\"", kPosition, kForceToTwoPercent), log_of(stepped));
  const Result& coulomb = result(curve, "friction.coulomb");
  EXPECT_NEAR(coulomb.budget.value().inputs, 0.02 * coulomb.value, 1e-6 * coulomb.value);
  EXPECT_THAT(refusal("axis.mass = 2", "method = \"two-step\"", kForceToTwoPercent),
              HasSubstr("gain: the two-step method takes the force as it is"));
}

TEST(FrictionAnswer, RegressionDrawsTheLawWithItsBand) {
  for (const char* shape : {"symmetric", "asymmetric"}) {
    const Report report =
        answer_friction(study_of("", std::string("method = \"regression\"\nfriction = \"") + shape + "\""),
                        log_of(measured(swings(), kServo, kQuiet, 14)));
    const auto& series = report.sections.front().plots.front().series;
    const auto band =
        std::find_if(series.begin(), series.end(), [](const Series& s) { return s.kind == Series::Kind::band; });
    ASSERT_NE(band, series.end());
    // At the fastest speed backwards, then forwards.
    EXPECT_LT(band->y.front(), -5.0 - 3.0 * std::abs(band->x.front()));
    EXPECT_GT(band->upper.front(), -5.0 - 3.0 * std::abs(band->x.front()));
    EXPECT_LT(band->y.back(), 5.0 + 3.0 * band->x.back());
    EXPECT_GT(band->upper.back(), 5.0 + 3.0 * band->x.back());
  }
}

// One way only, Coulomb friction is not told from a constant force: the headline must not sound as if it were.
TEST(FrictionAnswer, AHeadlineSaysWhereNothingIsTrusted) {
  const AxisRecord record = measured(one_way({0.1, 0.3, 0.5, 0.2}), kServo, kQuiet, 15);
  const Report report = answer_friction(study_of("", "method = \"regression\""), log_of(record));
  EXPECT_NE(said(report, "law.not_separable"), "");
  EXPECT_THAT(report.headline, HasSubstr("does not give an answer"));
}

// A limit of a result that there is not is refused at its line, before the work; in a unit of another kind, too.
TEST(FrictionAnswer, LimitsAreOfResultsThatTheMethodHas) {
  const auto limited = [](const std::string& method, const std::string& limit) {
    return refusal(method == "regression" ? "" : "axis.mass = 2",
                   "method = \"" + method + "\"\n[accept]\n" + limit + "\n");
  };
  EXPECT_THAT(limited("regression", "\"friction.colomb\" = \"<= 6\""),
              AllOf(HasSubstr("axis.toml:"), HasSubstr("did you mean \"friction.coulomb\"")));
  EXPECT_THAT(limited("two-step", "\"friction.colomb\" = \"<= 6\""), HasSubstr("did you mean"));
  EXPECT_THAT(limited("constant-speed", "\"friction.coulomb.positiv\" = \"<= 6\""), HasSubstr("did you mean"));
  EXPECT_THAT(limited("regression", "\"axis.mass\" = \"<= 6 N m\""), HasSubstr("must be in kg m^2"));
  for (const char* name : {"friction.coulomb", "friction.positive.excess", "friction.stribeck_velocity",
                           "friction.bristle_stiffness", "friction.hysteresis"})
    EXPECT_EQ(limited("two-step", std::string("\"") + name + "\" = \"<= 6\""), "accepted") << name;
}

// A law without the limited parameter leaves the verdict open; it is no mistake of the study.
TEST(FrictionAnswer, ALimitOfWhatIsNotToldIsInconclusive) {
  const AxisMoves moves = positioning_moves({0.4, 0.8, 1.2, 0.8, 0.4}, 0.2, 0.8);
  const Report report =
      answer_friction(study_of("gravity.sine = 0\nfriction.offset = \"fit\"",
                               "method = \"constant-speed\"\n[accept]\n\"friction.coulomb.positive\" = \"<= 10.5\""),
                      log_of(measured(moves, kServo, kQuiet, 16)));
  ASSERT_EQ(report.verdicts.size(), 1U);
  EXPECT_EQ(report.verdicts[0].verdict, Conformity::inconclusive);
  EXPECT_EQ(exit_code_of(report), ExitCode::inconclusive);
}

}  // namespace
}  // namespace tauhat
