// From a study and a log to the answer: what the study gives is used, or refused by name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/axis_records.hpp"
#include "tauhat/offline/error.hpp"
#include "tauhat/offline/friction/friction_report.hpp"

namespace tauhat {
namespace {

using testing::HasSubstr;

constexpr const char* kChannels =
    "[log]\ntime.rate = \"1 kHz\"\n[log.channels]\n\"axis.force\" = { column = \"f\", unit = \"N m\" }\n";
constexpr const char* kPosition = "\"axis.position\" = { column = \"q\", unit = \"rad\", std = 1e-6 }\n";
constexpr const char* kVelocity = "\"axis.velocity\" = { column = \"v\", unit = \"rad/s\", std = 1e-4 }\n";

Study study_of(const std::string& drive, const std::string& identify, const std::string& sensors = kPosition) {
  return parse_study("[drive]\nmodel = \"axis\"\nmotion = \"rotary\"\n" + drive + "\n[identify]\n" + identify + "\n" +
                         kChannels + sensors,
                     "axis.toml");
}

std::string refusal(const std::string& drive, const std::string& identify) {
  try {
    study_of(drive, identify);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::wrong_use);
    return error.what();
  }
  return "accepted";
}

Log log_of(const AxisRecord& record) {
  Log log;
  log.source = record.source;
  auto time = std::make_shared<std::vector<double>>();
  for (std::size_t k = 0; k < record.force.size(); ++k) time->push_back(static_cast<double>(k) * record.period);
  const auto add = [&](const char* signal, const std::vector<double>& values) {
    if (!values.empty()) log.channels.push_back({.signal = signal, .time = time, .value = values});
  };
  add("axis.force", record.force);
  add("axis.position", record.position);
  add("axis.velocity", record.velocity);
  return log;
}

const Result& result(const Report& report, const std::string& name) {
  const auto found =
      std::find_if(report.results.begin(), report.results.end(), [&](const Result& r) { return r.name == name; });
  if (found == report.results.end()) throw std::out_of_range(name);
  return *found;
}

std::string said(const Report& report, const std::string& name) {
  for (const Diagnostic& d : report.diagnostics) {
    if (d.name == name) return d.message;
  }
  return "";
}

void expect_result(const Report& report, const std::string& name, double value) {
  const Result& found = result(report, name);
  EXPECT_NEAR(found.value, value, 4.0 * found.std.value() + 1e-3 * std::abs(value)) << name;
}

// Swings of all sizes, for a rotary axis.
AxisMoves swings() {
  AxisMoves moves;
  for (int k = 0; k < 12000; ++k) {
    const double t = k * kAxisPeriod;
    moves.position.push_back(wandering(t));
    moves.velocity.push_back(wandering_rate(t));
    moves.acceleration.push_back(-0.968 * std::sin(1.1 * t) - 4.107 * std::sin(3.7 * t + 1.0) -
                                 8.281 * std::sin(9.1 * t));
  }
  return moves;
}

const AxisParameters kServo{{"axis.mass", 2.0}, {"friction.viscous", 3.0}, {"friction.coulomb", 5.0}};
constexpr AxisNoise kQuiet{.resolution = 1e-7, .force = 0.05};

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

// A constant force that is asked for is found, though gravity is given.
TEST(FrictionAnswer, ConstantSpeedFindsTheOffsetBesideAGivenGravity) {
  const AxisMoves moves = positioning_moves({0.4, 0.8, 1.2, 0.8, 0.4}, 0.2, 0.8);
  const AxisRecord record = measured(moves, with(kSymmetric, kGravity), {.resolution = 1e-6, .force = 0.5}, 8,
                                     [](double q, double v, double) { return 10.0 * q + 20.0 * v; });
  const Report report = answer_friction(study_of("axis.mass = 95\ngravity.sine = 40\ngravity.cosine = -15\n"
                                                 "axis.stiffness = 10\naxis.damping = 20\nfriction.offset = \"fit\"",
                                                 "method = \"constant-speed\""),
                                        log_of(record));
  for (const char* side : {"positive", "negative"}) {
    const std::string end = std::string(".") + side;
    EXPECT_NEAR(result(report, "friction.coulomb" + end).value, 20.0, 0.3) << side;
    EXPECT_NEAR(result(report, "friction.viscous" + end).value, 200.0, 1.0) << side;
  }
  for (const auto& [name, text] : report.assumptions) EXPECT_NE(name, "axis.mass") << text;
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

}  // namespace
}  // namespace tauhat
