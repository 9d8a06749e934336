// A motion that tells an arm's parameters apart, as its owner meets it: tauhat excite.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/robot_program.hpp"
#include "tauhat/offline/log/csv.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST_F(RobotProgram, ExcitesWithinItsLimitsFromRestToRest) {
  const auto done = run("excite " + study() + " -o " + path("t.csv") + " --evaluations 120 --rate 200 --json " +
                        path("t.json") + " --report " + path("t.html") + " --seed 4");
  ASSERT_EQ(done.code, 0) << done.output;
  std::vector<std::string> names{"time"};
  const Study arm = read_study(study());
  for (const RobotJoint& joint : arm.robot->joints)
    for (const char* quantity : {".position", ".velocity", ".acceleration"}) names.push_back(joint.name + quantity);
  const auto table = read_csv(path("t.csv"), names);
  ASSERT_EQ(table.columns[0].values.size(), 2001U);
  EXPECT_DOUBLE_EQ(table.columns[0].values.back(), 10.0);
  for (std::size_t j = 0; j < 6; ++j) {
    const JointLimits& limits = arm.robot->joints[j].limits;
    const auto& q = table.columns[1 + 3 * j].values;
    const auto &v = table.columns[2 + 3 * j].values, &a = table.columns[3 + 3 * j].values;
    for (std::size_t k = 0; k < q.size(); ++k) {
      EXPECT_LE(std::abs(q[k] - 0.5 * (limits.lower + limits.upper)), 0.45 * (limits.upper - limits.lower) + 1e-9);
      EXPECT_LE(std::abs(v[k]), 0.9 * limits.velocity + 1e-9);
      EXPECT_LE(std::abs(a[k]), 0.9 * limits.acceleration + 1e-9);
    }
    EXPECT_NEAR(v.front(), 0.0, 1e-9);
    EXPECT_NEAR(v.back(), 0.0, 1e-9);
    EXPECT_NEAR(a.front(), 0.0, 1e-9);
    EXPECT_NEAR(q.front(), q.back(), 1e-9);
  }
  const auto results = json("t.json")["results"];
  EXPECT_LT(results["excitation.condition"]["value"].get<double>(), 300.0);
  EXPECT_GE(results["excitation.height"]["value"].get<double>(), 0.049);
  EXPECT_THAT(read("t.html"),
              AllOf(HasSubstr("Height of the lowest point"), HasSubstr("Path of the tool"), HasSubstr("upper limit")));
  EXPECT_THAT(diagnostics("t.json"), HasSubstr("Friction is not known"));
}

// Twice the noise of all torques is twice the deviation of all parameters.
TEST_F(RobotProgram, ExcitePredictsTheIntervals) {
  write("arm.urdf", urdf_text());
  const auto predicted = [&](const std::string& std) {
    std::string text = study_text();
    for (int j = 1; j <= 6; ++j) {
      const std::string column = "column = \"tau" + std::to_string(j) + "\", ";
      text = replaced(text, column, column + "std = \"" + std + "\", ");
    }
    write("t.toml", text);
    const auto done = run("excite " + path("t.toml") + " --evaluations 60 -o " + path("t.csv") + " --json " +
                          path("t.json") + " --report " + path("t.html"));
    EXPECT_EQ(done.code, 0) << done.output;
    return json("t.json")["results"];
  };
  const auto quiet = predicted("0.2 N m"), noisy = predicted("0.4 N m");
  int parameters = 0;
  for (const auto& [name, result] : quiet.items()) {
    if (name.starts_with("excitation.")) continue;
    ++parameters;
    EXPECT_GT(result["std"].get<double>(), 0.0) << name;
    EXPECT_NEAR(noisy[name]["std"].get<double>() / result["std"].get<double>(), 2.0, 1e-9) << name;
  }
  EXPECT_EQ(parameters, 52);
  EXPECT_THAT(read("t.html"), HasSubstr("How well one period will tell the parameters"));
}

TEST_F(RobotProgram, ExciteNamesTheLimitsThatAreMissing) {
  write("arm.urdf", urdf_text());
  write("t.toml", replaced(study_text(), "limit.acceleration = \"15 rad/s^2\"", "ratio = 45"));
  const auto done = run("excite " + path("t.toml") + " -o " + path("t.csv"));
  EXPECT_EQ(done.code, 2);
  EXPECT_THAT(done.output, HasSubstr("limits that are missing; give in [[robot.joint]]: joint3 limit.acceleration\n"));
  EXPECT_FALSE(fs::exists(path("t.csv")));
  EXPECT_THAT(run("excite " + demo()).output, HasSubstr("excite needs [robot]"));
  EXPECT_THAT(run("excite " + study() + " -o " + path("no/t.csv")).output, HasSubstr("no does not exist"));
}

}  // namespace
}  // namespace tauhat
