// What an arm's log is good for, as its owner meets it: signs, gears and clocks by joint, and motions that tell too
// little.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "support/robot_program.hpp"

namespace tauhat {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST_F(RobotProgram, CheckSaysWhichJointIsWrong) {
  RobotRecord turned = record(1);
  for (double& tau : turned.torque[2]) tau = -tau;
  write_log("turned.csv", turned);
  EXPECT_THAT(checked(study(), "turned.csv", 4), HasSubstr("joint3: joint3.torque has the wrong sign"));

  RobotRecord late = record(1);
  auto& tau = late.torque[3];
  constexpr std::ptrdiff_t kLate = 12;  // ms
  std::rotate(tau.begin(), tau.end() - kLate, tau.end());
  write_log("late.csv", late);
  EXPECT_THAT(checked(study(), "late.csv", 4), HasSubstr("ms after joint4.position: give it delay = \"12"));

  // The encoder is at the motor, whose gear is 32, and the study says 45.
  RobotRecord geared = record(1);
  for (double& q : geared.position[1]) q *= 32.0;
  for (double& t : geared.torque[1]) t /= 32.0;
  write_log("geared.csv", geared);
  write("arm.urdf", urdf_text());
  std::string text = replaced(study_text(), "\"joint2.position\"", "\"joint2.motor.position\"");
  text = replaced(text, "\"joint2.torque\"", "\"joint2.motor.torque\"");
  write("geared.toml", replaced(text, "name = \"joint2\"", "name = \"joint2\"\nratio = 45"));
  EXPECT_THAT(checked(path("geared.toml"), "geared.csv", 4), HasSubstr("joint2: the gear ratio 45 does not fit"));
  // What was identified of them is not to be trusted either.
  const auto identified = [&](const std::string& log) {
    const auto done = run("identify " + study() + " " + path(log) + " --json " + path("i.json"));
    EXPECT_EQ(done.code, 4) << done.output;
    return diagnostics("i.json");
  };
  EXPECT_THAT(identified("turned.csv"), HasSubstr("joint3: joint3.torque has the wrong sign"));
  EXPECT_THAT(identified("late.csv"), HasSubstr("ms after joint4.position: give it delay = \"12"));
}

// Degrees that the study reads as radians: told once, and nothing is identified.
TEST_F(RobotProgram, SaysOnceThatAllPositionsAreInAnotherUnit) {
  write_log("run.csv", record(1));
  write("arm.urdf", urdf_text());
  std::string text = study_text();
  for (int joint = 1; joint <= 6; ++joint)
    text = replaced(text, fmt::format("\"q{}\", unit = \"deg\"", joint), fmt::format("\"q{}\", unit = \"rad\"", joint));
  write("rad.toml", text);
  EXPECT_THAT(checked(path("rad.toml"), "run.csv", 4),
              AllOf(HasSubstr("joints.unit: The positions of all joints are in deg, not in rad"),
                    Not(HasSubstr(".ratio: ")), Not(HasSubstr(".sign: ")), Not(HasSubstr("excitation.poor"))));
  const auto done = run("identify " + path("rad.toml") + " " + path("run.csv") + " --json " + path("i.json"));
  EXPECT_EQ(done.code, 4) << done.output;
  EXPECT_THAT(diagnostics("i.json"), HasSubstr("joints.unit: "));
  EXPECT_TRUE(json("i.json")["results"].empty());
}

TEST_F(RobotProgram, NamesWhatTheMotionDoesNotTell) {
  RobotRecord still = record(1);
  for (double& q : still.position[4]) q = 0.3;
  write_log("still.csv", still);
  run("identify " + study() + " " + path("still.csv") + " --json " + path("s.json"));
  EXPECT_THAT(diagnostics("s.json"),
              HasSubstr("parameter.undetermined: Ja5 (joint5): the motion makes no torque of it"));
  EXPECT_FALSE(json("s.json")["results"].contains("joint5.Ja"));
}

// A gain that is off by what it is known to: no motion shows it, and the intervals hold the truth all the same.
TEST_F(RobotProgram, UncertainGainsWidenTheIntervals) {
  RobotRecord louder = record(1);
  for (auto& torque : louder.torque)
    for (double& value : torque) value *= 1.02;
  write_log("louder.csv", louder);
  write("arm.urdf", urdf_text());
  std::string text = study_text();
  for (int j = 1; j <= 6; ++j) {
    const std::string column = fmt::format("column = \"tau{}\"", j);
    text = replaced(text, column, column + ", gain = { value = 1, std = 0.02 }");
  }
  write("gains.toml", text);
  const auto done = run("identify " + path("gains.toml") + " " + path("louder.csv") + " --json " + path("g.json"));
  ASSERT_EQ(done.code, 0) << done.output;
  const auto viscous = json("g.json")["results"].at("joint1.friction.viscous");
  const double truth = tx40_spec().joints[0].friction.viscous;
  EXPECT_NEAR(viscous["value"].get<double>(), 1.02 * truth, 0.002 * truth);
  EXPECT_NEAR(viscous["std.inputs"].get<double>(), 0.02 * truth, 0.001 * truth);
  EXPECT_LT(viscous["ci95"][0].get<double>(), truth);
}

// No rotor has less than no inertia: an interval that reaches zero is a bound, or nothing.
TEST_F(RobotProgram, DoesNotCallABoundIdentified) {
  write_log("noisy.csv", tx40_record(1, 1.745e-5, 20.0));
  run("identify " + study() + " " + path("noisy.csv") + " --json " + path("n.json"));
  const auto rotor = json("n.json")["results"].at("joint5.Ja");
  ASSERT_LT(rotor["value"].get<double>(), 1.96 * rotor["std"].get<double>());
  EXPECT_NE(rotor["identifiability"], "identified");
  EXPECT_EQ(json("n.json")["results"].at("joint1.friction.viscous")["identifiability"], "identified");
}

TEST_F(RobotProgram, SaysThatAnotherMotionIsPredictedBadly) {
  RobotRecord other = record(2);
  write_log("run.csv", record(1));
  write_log("good.csv", other);
  for (double& q : other.position[1]) q += 0.1;
  write_log("bad.csv", other);
  const auto said = [&](const char* validation) {
    const auto done = run("identify " + study() + " " + path("run.csv") + " --validation " + path(validation) +
                          " --json " + path("v.json"));
    EXPECT_EQ(done.code, 0) << done.output;
    return diagnostics("v.json");
  };
  EXPECT_THAT(said("good.csv"), Not(HasSubstr("validation.misfit")));
  EXPECT_THAT(said("bad.csv"), HasSubstr("validation.misfit"));
}

TEST_F(RobotProgram, SaysThatNothingMoves) {
  RobotRecord still = record(1);
  for (auto& q : still.position) std::fill(q.begin(), q.end(), 0.3);
  write_log("still.csv", still);
  EXPECT_THAT(checked(study(), "still.csv", 4), HasSubstr("excitation.none: The motion tells no parameter"));
  const auto done = run("identify " + study() + " " + path("still.csv") + " --json " + path("i.json") + " --study " +
                        path("none.toml"));
  EXPECT_EQ(done.code, 4) << done.output;
  EXPECT_THAT(diagnostics("i.json"), HasSubstr("excitation.none"));
  EXPECT_FALSE(fs::exists(path("none.toml")));
}

// Currents that were sampled with the position are taken as that. As held ones they would stand for the middle of the
// row that follows, and what is compared with the row's own instant comes half a sample late.
TEST_F(RobotProgram, TorquesAreHeldOrSampled) {
  const RobotRecord sampled = record(1);
  write_log("sampled.csv", sampled, Torques::sampled);
  write("arm.urdf", urdf_text());
  write("sampled.toml", replaced(study_text(), "[robot]\n", "[robot]\ntorques = \"sampled\"\n"));
  const auto delay = [&](const std::string& of) {
    checked(of, "sampled.csv", 0);
    double sum = 0.0;
    for (int j = 1; j <= 6; ++j)
      sum += json("c.json")["results"][fmt::format("joint{}.torque.delay", j)]["value"].get<double>();
    return sum / 6.0;
  };
  const double as_sampled = delay(path("sampled.toml")), as_held = delay(study());
  EXPECT_NEAR(as_held - as_sampled, sampled.period / 2.0, 0.05 * sampled.period);
  EXPECT_NEAR(as_sampled, 0.0, 0.1 * sampled.period);
  write("both.toml", replaced(study_text(), "[robot]\n", "[robot]\ntorque_sensors = true\ntorques = \"held\"\n"));
  EXPECT_THAT(run("describe " + path("both.toml")).output, HasSubstr("robot.torques = \"held\""));
}

}  // namespace
}  // namespace tauhat
