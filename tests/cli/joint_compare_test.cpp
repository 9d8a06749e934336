// What `compare` says of one joint's observers without a reference, and of what they cost.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "support/joint_program.hpp"

namespace tauhat {
namespace {

using testing::HasSubstr;

class JointComparison : public JointProgram {
 protected:
  nlohmann::json compared(const std::string& name) const {
    const auto done = run("compare " + path(name) + " " + path("j.csv") + " --json " + path("c.json") + " --report " +
                          path("c.html"));
    EXPECT_EQ(done.code, 0) << done.output;
    return json("c.json")["results"];
  }
  static double number(const nlohmann::json& results, const std::string& name) {
    EXPECT_TRUE(results.contains(name)) << name;
    return results.contains(name) ? results[name]["value"].get<double>() : std::nan("");
  }
};

// All of the torque is one that no observer knows: the lag that the gyro shows is then the one that the model
// foretells, and without the gyro the model still says it.
TEST_F(JointComparison, ForetellsTheLagThatAReferenceShows) {
  write_frictionless("known.toml");
  write_changed("known.toml", path("known.toml"), "[estimator]",
                "[[observer]]\nname = \"links\"\nkind = \"virtual-sensor\"\n\n[estimator]");
  // As white as the friction that the model takes.
  write_changed("known.toml", path("known.toml"), "lowest = 0.25, highest = 30, lines = 120",
                "lowest = 2, highest = 100, lines = 393");
  write_changed("unknown.toml", path("known.toml"), "torque_constant = 0.35", "torque_constant = 1e-12");
  write_changed("blind.toml", path("unknown.toml"), "\"load.velocity\"", "# \"load.velocity\"");
  ASSERT_EQ(run("simulate " + path("known.toml") + " -o " + path("j.csv") + " --seed 5").code, 0);
  const auto seen = compared("unknown.toml"), blind = compared("blind.toml");
  EXPECT_FALSE(blind.contains("kalman.phase_lag"));
  EXPECT_THAT(read("c.html"), HasSubstr("By the model, not by the data"));
  for (const std::string observer : {"poles", "kalman", "links", "naive"}) {
    EXPECT_NEAR(number(seen, observer + ".modelled.phase_lag"), number(seen, observer + ".phase_lag"), 0.02)
        << observer;
    EXPECT_EQ(number(seen, observer + ".modelled.phase_lag"), number(blind, observer + ".modelled.phase_lag"));
    EXPECT_EQ(number(seen, observer + ".modelled.delay"), number(blind, observer + ".modelled.delay"));
    // Where motor and link swing against each other no shift is right: of the naive velocity it says nothing.
    if (observer == "naive") continue;
    EXPECT_NEAR(number(seen, observer + ".modelled.delay"), number(seen, observer + ".delay"), 1e-4) << observer;
  }
  // The disturbance observer around it is part of what lags.
  EXPECT_GT(number(seen, "poles.phase_lag"), 0.1);
}

// While the axis travels, LuGre's friction hardly changes: the extended filter lags as the stationary one of the same
// noise does.
TEST_F(JointComparison, TellsTheLagOfTheExtendedFilter) {
  simulate();
  write_study("same.toml",
              "motor_disturbance = { intensity = 0.63, leak = \"0.2 Hz\" }\nnoise = { motor = 1e-3, load = 0.32 }",
              "motor_disturbance = { intensity = 0.56, leak = \"0.2 Hz\" }\nnoise = { motor = 1e-3, load = 0.32, "
              "neighbour = 0.32 }");
  const auto results = compared("same.toml");
  EXPECT_NEAR(number(results, "lugre.modelled.phase_lag"), number(results, "kalman.modelled.phase_lag"), 0.02);
  EXPECT_NEAR(number(results, "lugre.modelled.delay"), number(results, "kalman.modelled.delay"), 1e-4);
}

// How long a step takes is the machine's affair; that an extended filter, which carries a covariance of eight states
// along, takes longer than one product with a matrix of seven is not.
TEST_F(JointComparison, SaysWhatAStepCosts) {
  simulate();
  write_study("as_is.toml", "observer = \"kalman\"", "observer = \"kalman\"");
  const auto results = compared("as_is.toml");
  for (const std::string observer : {"poles", "kalman", "lugre"}) {
    EXPECT_EQ(results[observer + ".cost"]["unit"], "s") << observer;
    EXPECT_GT(number(results, observer + ".cost"), 0.0) << observer;
    EXPECT_TRUE(std::isfinite(number(results, observer + ".cost"))) << observer;
  }
  EXPECT_GT(number(results, "lugre.cost"), number(results, "kalman.cost"));
  EXPECT_FALSE(results.contains("naive.cost"));
}

// A joint that is far too soft for its link: no two torques are confused, the stiffness is at fault.
TEST_F(JointComparison, NamesTheStiffnessThatHidesTheLink) {
  const std::string soft = "stiffness = 1e-9, damping = 0";
  EXPECT_THAT(refused("stiffness = 1.2e5, damping = 80", soft),
              HasSubstr("observer \"poles\": motor.position does not show load."));
  EXPECT_THAT(refused("stiffness = 1.2e5, damping = 80", soft), HasSubstr("look at transmission.stiffness"));
}

}  // namespace
}  // namespace tauhat
