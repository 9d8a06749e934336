// An elastic joint's numbers and clocks, as its user meets them: identify and check, and what they refuse.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "support/cells.hpp"
#include "support/joint_program.hpp"

namespace tauhat {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

// A joint's stiffness from the motor's response alone, where friction does not turn over with it.
TEST_F(JointProgram, IdentifiesTheJoint) {
  write_frictionless("smooth.toml");
  ASSERT_EQ(run("simulate " + path("smooth.toml") + " -o " + path("j.csv") + " --seed 3").code, 0);
  const auto done = run("identify " + path("smooth.toml") + " " + path("j.csv") + " --json " + path("i.json") +
                        " --study " + path("identified.toml"));
  ASSERT_EQ(done.code, 0) << done.output;
  // The study shakes this axis up to 30 Hz.
  EXPECT_THAT(done.output, ContainsRegex("the motor's response from 2 to 30(\\.5)? Hz"));
  const auto stiffness = nlohmann::json::parse(read("i.json"))["results"]["transmission.stiffness"];
  EXPECT_NEAR(stiffness["value"].get<double>(), 1.2e5, 3e3);
  EXPECT_GT(stiffness["std"].get<double>(), 0.0);
  // Resonances of this axis: 16.7 and 26.5 Hz; with the motor held 12.4 and 23.0 Hz.
  const auto results = json("i.json")["results"];
  const auto near = [&](const char* name, double frequency) {
    EXPECT_NEAR(results[name]["value"].get<double>(), frequency, 0.4) << name;
    EXPECT_GT(results[name]["std"].get<double>(), 0.0) << name;
  };
  near("response.pole1.frequency", 16.7);
  near("response.pole2.frequency", 26.5);
  near("response.zero1.frequency", 12.4);
  near("response.zero2.frequency", 23.0);
  // The study with these numbers is one to compare with.
  const auto compared = run("compare " + path("smooth.toml") + " " + path("j.csv") + " --with " +
                            path("identified.toml") + " --json " + path("c.json") + " --report " + path("c.html"));
  ASSERT_EQ(compared.code, 0) << compared.output;
  EXPECT_TRUE(json("c.json")["results"].contains(path("identified.toml") + ".kalman.fit"));
  for (const char* drawn : {"At a reversal", "Spectrum of the error", "the virtual sensor", "Friction of the motor in"})
    EXPECT_THAT(read("c.html"), HasSubstr(drawn));
}

// What clock.torque asks for: a torque that is moved by whole samples begins and ends elsewhere than the position.
TEST_F(JointProgram, ADelayOfTheTorqueLeavesNoHoles) {
  simulate();
  write_study("moved.toml", "\"motor.torque\" = {", "\"motor.torque\" = { delay = \"2 ms\",");
  for (const std::string command : {"check", "identify", "compare", "estimate"}) {
    const auto done = run(command + " " + path("moved.toml") + " " + path("j.csv"));
    EXPECT_TRUE(done.code == 0 || done.code == 4) << command << done.output;
    EXPECT_THAT(done.output, testing::Not(HasSubstr("is missing"))) << command;
  }
}

TEST_F(JointProgram, SaysThatFrictionBendsTheResponse) {
  simulate();
  const auto done = run("check " + study() + " " + path("j.csv"));
  EXPECT_EQ(done.code, 4) << done.output;
  EXPECT_THAT(done.output, HasSubstr("excitation.reversals: The motor turns back"));
}

// The current of a drive that logs it later than it acts: found, and put right by what the sentence says.
TEST_F(JointProgram, ALateTorqueIsFound) {
  // On a travel in one direction, friction and all.
  write_study("smooth.toml", "amplitude = \"0.9 N m\"", "amplitude = \"0.9 N m\", offset = \"1.6 N m\"");
  constexpr double kPeriod = 400e-6;
  for (const int late : {0, 2, 5}) {
    const std::string delay = "delay = \"" + nlohmann::json(0.4 * late).dump() + " ms\"";
    write_changed("late.toml", path("smooth.toml"), "column = \"current\"", "column = \"current\", " + delay);
    for (const char* seed : {"1", "2", "3"}) {
      ASSERT_EQ(run("simulate " + path("late.toml") + " -o " + path("l.csv") + " --seed " + seed).code, 0);
      const auto done = run("check " + path("smooth.toml") + " " + path("l.csv") + " --json " + path("l.json"));
      EXPECT_EQ(done.code, 0) << done.output;
      const double found = json("l.json")["results"]["motor.torque.delay"]["value"].get<double>();
      EXPECT_NEAR(found, late * kPeriod, 0.25 * kPeriod) << late << " seed " << seed;
      EXPECT_EQ(read("l.json").find("clock.torque") != std::string::npos, late > 0) << late << " seed " << seed;
      EXPECT_THAT(run("check " + path("late.toml") + " " + path("l.csv")).output, Not(HasSubstr("clock.torque")));
    }
    if (late > 0) {
      EXPECT_THAT(read("l.json"), HasSubstr(fmt::format("delay = \\\"{:.4g} ms\\\"", 0.4 * late)));
    }
  }
}

// Degrees for radians, a torque's constant without its point, motor turns for output turns: the response fits another
// joint as well, and says whose it is not.
TEST_F(JointProgram, WrongUnitsMakeAnotherJoint) {
  write_frictionless("right.toml");
  ASSERT_EQ(run("simulate " + path("right.toml") + " -o " + path("j.csv") + " --seed 3").code, 0);
  EXPECT_EQ(run("identify " + path("right.toml") + " " + path("j.csv")).code, 0);
  for (const auto& [from, to] :
       {std::pair{"unit = \"rad\"", "unit = \"deg\""}, std::pair{"torque_constant = 0.35", "torque_constant = 3.5"},
        std::pair{"ratio = 120", "ratio = 12"}}) {
    write_changed("wrong.toml", path("right.toml"), from, to);
    const auto done = run("identify " + path("wrong.toml") + " " + path("j.csv"));
    EXPECT_EQ(done.code, 4) << to << done.output;
    EXPECT_THAT(done.output, HasSubstr("parameter.not_of_this_joint")) << to;
  }
}

// A torque that is known to 3 %: the interval of what goes with it holds that, and says so; so does every instant of
// the estimate, and the stream's text is the estimate's.
TEST_F(JointProgram, AnUncertainTorqueWidens) {
  write_frictionless("exact.toml");
  write_changed("wide.toml", path("exact.toml"), "torque_constant = 0.35",
                "torque_constant = { value = 0.35, std = \"3 %\" }");
  ASSERT_EQ(run("simulate " + path("exact.toml") + " -o " + path("j.csv") + " --seed 3").code, 0);
  const auto stiffness = [&](const std::string& name) {
    const auto done = run("identify " + path(name) + " " + path("j.csv") + " --json " + path("i.json"));
    EXPECT_EQ(done.code, 0) << done.output;
    return json("i.json")["results"]["transmission.stiffness"];
  };
  const auto exact = stiffness("exact.toml"), wide = stiffness("wide.toml");
  EXPECT_EQ(exact["std.inputs"].get<double>(), 0.0);
  EXPECT_GT(exact["std.noise"].get<double>(), 0.0);
  EXPECT_GT(exact["std.model"].get<double>(), 0.0);
  // Less than the stiffness's own 3 %: a viscous friction that is known exactly tells a part of the gain.
  EXPECT_GT(wide["std.inputs"].get<double>(), 0.015 * 1.2e5);
  EXPECT_LT(wide["std.inputs"].get<double>(), 0.0301 * 1.2e5);
  EXPECT_NEAR(
      wide["std"].get<double>(),
      std::hypot(wide["std.noise"].get<double>(), wide["std.inputs"].get<double>(), wide["std.model"].get<double>()),
      1e-6 * 1.2e5);

  const auto estimated = [&](const std::string& name) {
    EXPECT_EQ(run("estimate " + path(name) + " " + path("j.csv") + " -o " + path("e.csv")).code, 0);
    return parse_cells(read("e.csv")).column("load.velocity.std");
  };
  const auto narrow = estimated("exact.toml"), broad = estimated("wide.toml");
  ASSERT_EQ(narrow.size(), broad.size());
  std::size_t wider = 0, known = 0;
  for (std::size_t k = 0; k < narrow.size(); ++k)
    if (std::isfinite(narrow[k])) wider += broad[k] > 1.01 * narrow[k], ++known;
  EXPECT_GT(wider, known / 4);
  ASSERT_EQ(run("stream " + path("wide.toml") + " < " + path("j.csv") + " > " + path("s.csv")).code, 0);
  EXPECT_EQ(read("e.csv"), read("s.csv"));
}

// By both encoders: a torque's gain acts on the torque alone, not on what rotor and friction take of it.
TEST_F(JointProgram, AnUncertainTorqueMovesTheEncodersStiffness) {
  write_frictionless("no_encoder.toml");
  write_changed("exact.toml", path("no_encoder.toml"), "\"load.velocity\" =",
                "\"load.position\" = { column = \"load\", unit = \"rad\", std = 1e-6 }\n\"load.velocity\" =");
  ASSERT_EQ(run("simulate " + path("exact.toml") + " -o " + path("j.csv") + " --seed 3").code, 0);
  const auto stiffness = [&](const std::string& torque_constant) {
    write_changed("given.toml", path("exact.toml"), "torque_constant = 0.35", "torque_constant = " + torque_constant);
    const auto done = run("identify " + path("given.toml") + " " + path("j.csv") + " --json " + path("i.json"));
    EXPECT_EQ(done.code, 0) << done.output;
    return json("i.json")["results"]["transmission.stiffness"];
  };
  const auto value = [&](const std::string& constant) { return stiffness(constant)["value"].get<double>(); };
  const double as_given = value("0.35"), above = std::abs(value("0.3605") - as_given),
               below = std::abs(value("0.3395") - as_given);
  const auto wide = stiffness("{ value = 0.35, std = \"3 %\" }");
  EXPECT_NEAR(wide["value"].get<double>(), as_given, 1e-9 * as_given);
  EXPECT_NEAR(wide["std.inputs"].get<double>(), std::max(above, below), 1e-4 * above);
}

// Stiffness twice, by encoders and by the response: what is said of the latter is not said of the former.
TEST_F(JointProgram, TheResponsesStiffnessIsNotTheEncoders) {
  write_study("travel.toml", "amplitude = \"0.9 N m\"", "amplitude = \"0.9 N m\", offset = \"1.6 N m\"");
  write_changed("travel.toml", path("travel.toml"), "\"load.velocity\" =",
                "\"load.position\" = { column = \"load\", unit = \"rad\", std = 1e-6 }\n\"load.velocity\" =");
  ASSERT_EQ(run("simulate " + path("travel.toml") + " -o " + path("j.csv") + " --seed 1").code, 0);
  const auto done = run("identify " + path("travel.toml") + " " + path("j.csv"));
  EXPECT_EQ(done.code, 0) << done.output;
  EXPECT_THAT(done.output, HasSubstr("transmission.stiffness.by_response: confounded with neighbour.coupling_inertia"));
  EXPECT_THAT(done.output, HasSubstr("confounded with transmission.stiffness.by_response"));
  EXPECT_THAT(done.output, Not(HasSubstr("transmission.stiffness: confounded")));
}

TEST_F(JointProgram, AShortRecordIsSaidToBe) {
  write_frictionless("smooth.toml");
  write_changed("short.toml", path("smooth.toml"), "duration = \"12 s\"", "duration = \"5 s\"");
  ASSERT_EQ(run("simulate " + path("short.toml") + " -o " + path("j.csv") + " --seed 3").code, 0);
  const auto done = run("identify " + path("short.toml") + " " + path("j.csv"));
  EXPECT_THAT(done.output, HasSubstr("excitation.too_narrow: The record is 5 s long"));
  EXPECT_THAT(done.output, Not(HasSubstr("frequencies between")));
}

// What nothing would make use of is not taken silently.
TEST_F(JointProgram, AnUncertainDelayIsRefused) {
  write_changed("known_so_well.toml", study(), "torque_constant = 0.35",
                "torque_constant = 0.35, delay = { value = \"1 ms\", std = \"0.1 ms\" }");
  const Outcome outcome = run("describe " + path("known_so_well.toml"));
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.output, HasSubstr("delay: identify finds it itself"));
}

}  // namespace
}  // namespace tauhat
