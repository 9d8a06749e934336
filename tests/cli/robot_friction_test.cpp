// Friction of an arm's joints that falls, remembers or grows with the load: identified, written, read back, and what is
// refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/robot_program.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat {
namespace {

using testing::HasSubstr;

// A law that falls: its numbers are found, written to a study, and read back.
TEST_F(RobotProgram, FindsFrictionThatFallsWithSpeed) {
  RobotSpec truth = tx40_spec();
  truth.terms.law = SlidingLaw::exponential;
  for (RobotJoint& joint : truth.joints)
    joint.friction.excess = joint.friction.coulomb / 3.0, joint.friction.decay = 4.0;
  write_log("run.csv", tx40_record(1, 1.745e-5, 0.05, truth));
  write("falls.toml", replaced(replaced(study_text(), "[robot]\n", "[robot]\nfriction.law = \"exponential\"\n"),
                               "urdf = \"arm.urdf\"", "urdf = \"" + (studies() / "arm.urdf").string() + "\""));
  const auto done = run("identify " + path("falls.toml") + " " + path("run.csv") + " --study " + path("new.toml") +
                        " --json " + path("i.json"));
  ASSERT_EQ(done.code, 0) << done.output;
  const auto results = json("i.json")["results"];
  const RobotSpec after = *read_study(path("new.toml")).robot;
  for (int j = 0; j < 6; ++j) {
    const auto& decay = results[fmt::format("joint{}.friction.decay", j + 1)];
    EXPECT_NEAR(decay["value"].get<double>(), 4.0, 4.0 * decay["std"].get<double>()) << j;
    EXPECT_NEAR(after.joints[static_cast<std::size_t>(j)].friction.decay, decay["value"].get<double>(), 1e-6) << j;
    // That of the bodies that can exist, which leave the torques to the fit's within its uncertainty.
    const auto& excess = results[fmt::format("joint{}.friction.excess", j + 1)];
    EXPECT_NEAR(after.joints[static_cast<std::size_t>(j)].friction.excess, excess["value"].get<double>(),
                2.0 * excess["std"].get<double>())
        << j;
  }
  const auto refused = [&](const std::string& from, const std::string& to) {
    write("bad.toml", replaced(read("falls.toml"), from, to));
    const auto said = run("check " + path("bad.toml") + " " + path("run.csv"));
    EXPECT_EQ(said.code, 2) << said.output;
    return said.output;
  };
  EXPECT_THAT(refused("\"exponential\"", "\"expnential\""), HasSubstr("exponential"));
  const std::string limit = "limit.acceleration = \"15 rad/s^2\"";
  EXPECT_THAT(refused(limit, "friction.excess = -0.5\n" + limit), HasSubstr("friction.excess"));
  write("falls.toml", replaced(read("falls.toml"), limit, "actuator_inertia = 0.1\nfriction.excess = 0.5\n" + limit));
  EXPECT_THAT(refused("friction.law = \"exponential\"", ""), HasSubstr("has an excess"));
  EXPECT_THAT(refused("[robot]\n", "[robot]\ntorque_sensors = true\n"), HasSubstr("see no rotor"));
}

// Contacts that bend, under load: found, written to a study, read back, and followed by the force's estimator.
TEST_F(RobotProgram, FindsFrictionWithAMemoryAndUnderLoad) {
  RobotSpec truth = tx40_spec();
  truth.terms.law = SlidingLaw::dahl;
  for (RobotJoint& joint : truth.joints) joint.friction.reach = 0.03, joint.friction.load = 0.1;
  write_log("run.csv", tx40_record(1, 1.745e-5, 0.05, truth));
  write("bends.toml", replaced(replaced(study_text(), "[robot]\n", "[robot]\nfriction.law = \"dahl\"\n"),
                               "urdf = \"arm.urdf\"", "urdf = \"" + (studies() / "arm.urdf").string() + "\""));
  write("bends.toml", replaced(read("bends.toml"), "\"coulomb\"]", "\"coulomb\", \"load\"]"));
  const auto done = run("identify " + path("bends.toml") + " " + path("run.csv") + " --study " + path("new.toml") +
                        " --json " + path("i.json"));
  ASSERT_EQ(done.code, 0) << done.output;
  const auto results = json("i.json")["results"];
  const RobotSpec after = *read_study(path("new.toml")).robot;
  EXPECT_EQ(after.terms.law, SlidingLaw::dahl);
  for (int j = 0; j < 6; ++j) {
    const FrictionOfJoint& friction = after.joints[static_cast<std::size_t>(j)].friction;
    const auto& reach = results[fmt::format("joint{}.friction.reach", j + 1)];
    EXPECT_NEAR(reach["value"].get<double>(), 0.03, 4.0 * reach["std"].get<double>()) << j;
    EXPECT_NEAR(friction.reach, reach["value"].get<double>(), 1e-8) << j;
    const auto& load = results[fmt::format("joint{}.friction.load", j + 1)];
    EXPECT_NEAR(load["value"].get<double>(), 0.1, 4.0 * load["std"].get<double>()) << j;
    EXPECT_NEAR(friction.load, load["value"].get<double>(), 2.0 * load["std"].get<double>()) << j;
  }
  const auto refused = [&](const std::string& from, const std::string& to) {
    write("bad.toml", replaced(read("bends.toml"), from, to));
    const auto said = run("check " + path("bad.toml") + " " + path("run.csv"));
    EXPECT_EQ(said.code, 2) << said.output;
    return said.output;
  };
  const std::string limit = "limit.acceleration = \"15 rad/s^2\"";
  EXPECT_THAT(refused("\"load\"]", "\"loud\"]"), HasSubstr("asymmetric and load; \"loud\" is none"));
  EXPECT_THAT(refused("\"coulomb\", ", ""), HasSubstr("bends by its Coulomb friction"));
  EXPECT_THAT(refused(limit, "friction.load = 1.2\n" + limit), HasSubstr("friction.load"));
  write("bends.toml", replaced(read("bends.toml"), limit, "friction.reach = 0.02\n" + limit));
  EXPECT_THAT(refused("friction.law = \"dahl\"", "friction.law = \"stribeck\""),
              HasSubstr("has a reach, which stribeck"));
}

}  // namespace
}  // namespace tauhat
