// Arms and numbers that are not usable are refused by name, and a study to begin with is printed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/robot_program.hpp"

namespace tauhat {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST_F(RobotProgram, DescribePrintsAStudyOfARobot) {
  EXPECT_THAT(run("describe").output, HasSubstr("robot "));
  EXPECT_THAT(run("describe robot").output, HasSubstr("identify.friction"));
  ASSERT_EQ(run("describe robot --study > " + path("r.toml")).code, 0);
  const auto done = run("describe " + path("r.toml"));
  EXPECT_EQ(done.code, 0) << done.output;
  EXPECT_THAT(done.output, HasSubstr("2 joints"));
}

// Each its own sentence, exit code 2, or merged and said.
TEST_F(RobotProgram, UrdfsThatAreNotUsableAreRefusedByName) {
  const std::string good = urdf_text(), end = "</robot>";
  const auto fixed = describe(good);
  EXPECT_EQ(fixed.code, 0);
  EXPECT_THAT(fixed.output, AllOf(HasSubstr("6 joints"), HasSubstr("flange")));
  const auto zero = describe(replaced(good, "<mass value=\"0.8403\"/>", "<mass value=\"0\"/>"));
  EXPECT_EQ(zero.code, 0);
  EXPECT_THAT(diagnostics("d.json"), HasSubstr("link5 has a mass of 0 kg"));
  const auto refused = [&](const std::string& urdf, const std::string& sentence, const std::string& more = "") {
    const auto done = describe(urdf, more);
    EXPECT_EQ(done.code, 2);
    EXPECT_THAT(done.output, HasSubstr(sentence));
  };
  refused(replaced(good, "<child link=\"link4\"/>", "<child link=\"link4\"/><mimic joint=\"joint3\"/>"),
          "joint \"joint4\" mimics \"joint3\"");
  refused(
      replaced(good, end,
               "<joint name=\"back\" type=\"revolute\"><parent link=\"link1\"/><child link=\"link6\"/><axis xyz=\"0 0 "
               "1\"/><limit lower=\"0\" upper=\"1\" velocity=\"1\" effort=\"1\"/></joint>" +
                   end),
      "link \"link6\" is carried by joint \"joint6\" and by joint \"back\": a loop");
  refused(good, "robot.force.frame = \"flang\": is not a frame of the robot; did you mean \"flange\"?",
          "force.frame = \"flang\"\n");
  refused(good, "identify.payload = \"hand\": is not a frame of the robot", "[identify]\npayload = \"hand\"\n");
  refused(replaced(good, "<mass value=\"7.088\"/>", "<mass value=\"nan\"/>"),
          ": link \"link1\": <mass> value = \"nan\": must be a finite number");
  refused(replaced(good, "lower=\"-2.1817\" upper=\"2.1817\"", "lower=\"2.1817\" upper=\"-2.1817\""),
          "bad.urdf: joint \"joint2\": <limit> lower = 2.1817 is above upper = -2.1817");
  refused(good, "bad.toml:7: robot.joint.name = \"joint1\": another [[robot.joint]] has this name",
          "[[robot.joint]]\nname = \"joint1\"\nratio = 3\n[[robot.joint]]\nname = \"joint1\"\nratio = 4\n");
  refused(good, "must be a list of viscous, coulomb, offset, asymmetric and load; \"stribeck\" is none",
          "[identify]\nfriction = [\"stribeck\"]\n");
}

TEST_F(RobotProgram, NamesTheNumberThatDoesNotFit) {
  write("arm.urdf", urdf_text());
  RobotRecord slow = record(1);
  constexpr std::size_t kEvery = 60;
  slow.period *= kEvery;
  for (auto* series : {&slow.position, &slow.torque})
    for (std::vector<double>& each : *series) {
      for (std::size_t k = 0; kEvery * k < each.size(); ++k) each[k] = each[kEvery * k];
      each.resize((each.size() - 1) / kEvery + 1);
    }
  write_log("slow.csv", slow);
  for (const char* command : {"identify ", "check "}) {
    const auto done = run(command + study() + " " + path("slow.csv"));
    EXPECT_EQ(done.code, 3) << done.output;
    EXPECT_THAT(done.output, HasSubstr("slow.csv: is sampled at 16.67 Hz, and identify.cut_off = 10 Hz"));
  }
  write("rate.toml", replaced(study_text(), "cut_off = \"10 Hz\"", "cut_off = \"60 Hz\"\nrate = \"100 Hz\""));
  const auto rate = run("identify " + path("rate.toml") + " " + path("slow.csv"));
  EXPECT_EQ(rate.code, 2);
  EXPECT_THAT(rate.output, HasSubstr("identify.cut_off = 60 Hz: must be below half of identify.rate = 100 Hz"));
  const auto one = run("excite " + study() + " --harmonics 1 -o " + path("t.csv"));
  EXPECT_EQ(one.code, 2);
  EXPECT_THAT(one.output, HasSubstr("robot.toml: excite.harmonics = 1: a motion that begins at rest needs 2"));
  write("high.toml", replaced(study_text(), "height = \"50 mm\"", "height = \"3 m\""));
  const auto high = run("excite " + path("high.toml") + " --evaluations 40 -o " + path("t.csv"));
  EXPECT_EQ(high.code, 2);
  EXPECT_THAT(high.output, HasSubstr("high.toml: no motion of 40 tried stays within the limits; the best does not keep "
                                     "excite.height = 3 m"));
}

// A force that divides by a mass needs one: it is asked for by the name of the link.
TEST_F(RobotProgram, RefusesAForceOfBodiesThatNobodyDescribed) {
  std::string urdf = urdf_text();
  for (auto at = urdf.find("<inertial>"); at != std::string::npos; at = urdf.find("<inertial>"))
    urdf.erase(at, urdf.find("</inertial>") + std::string("</inertial>").size() - at);
  write("arm.urdf", urdf);
  write("s.toml", replaced(study_text(), "friction.width", "force = { frame = \"flange\" }\nfriction.width"));
  write_log("run.csv", record(1));
  const auto done = run("estimate " + path("s.toml") + " " + path("run.csv") + " -o " + path("e.csv"));
  EXPECT_EQ(done.code, 2) << done.output;
  EXPECT_THAT(done.output, AllOf(HasSubstr("s.toml: the arm's mass matrix is not positive"), HasSubstr("link1 has"),
                                 HasSubstr("arm.urdf")));
}

}  // namespace
}  // namespace tauhat
