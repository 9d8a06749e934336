// What identify says of its numbers follows what it decided: backlash, a spring, or one that stiffens.
#include <gmock/gmock.h>

#include "support/program.hpp"

namespace tauhat {
namespace {

class BacklashDecision : public Program {
 protected:
  // The answer to a second and a half of a drive with this law.
  nlohmann::json answer(const std::string& law, int exit_code) const {
    write("study.toml", R"toml(
[drive]
model = "two-mass"
motor.inertia = 8e-4
load.inertia = 1.765e-3
transmission.damping = 0.01
motor.friction = { law = "coulomb-atan", coulomb = 0.27, viscous = 0.01, width = 0.01 }
)toml" + law + R"toml(
[[unknown]]
signal = "transmission.torque"
kind = "random-walk"
intensity = 31.6
[log]
time = { column = "t" }
[log.channels]
"motor.torque" = { column = "u" }
"motor.velocity" = { column = "w_m", std = 0.3 }
"load.velocity" = { column = "w_l", std = 0.3 }
[estimator]
kind = "ekf"
[simulate]
duration = 1.5
rate = 2000
input = { kind = "prbs", amplitude = 2, hold = 0.005 }
)toml");
    EXPECT_EQ(run("simulate " + path("study.toml") + " -o " + path("log.csv") + " --seed 11").code, 0);
    const Outcome outcome =
        run("identify " + path("study.toml") + " " + path("log.csv") + " --json " + path("answer.json"));
    EXPECT_EQ(outcome.code, exit_code) << outcome.output;
    return json("answer.json")["results"];
  }
};

TEST_F(BacklashDecision, AGapIsIdentified) {
  const auto results = answer("transmission.law = \"dead-zone\"\ntransmission.stiffness = 79\nbacklash.gap = 0.1\n", 0);
  EXPECT_EQ(results["backlash.gap"]["identifiability"], "identified");
  EXPECT_EQ(results["transmission.stiffness"]["identifiability"], "identified");
}

TEST_F(BacklashDecision, ASpringHasABoundForAGap) {
  const auto results = answer("transmission.law = \"linear-spring\"\ntransmission.stiffness = 67\n", 0);
  EXPECT_EQ(results["backlash.gap"]["identifiability"], "only a bound");
  EXPECT_EQ(results["backlash.gap"]["ci95"][0], 0.0);
  EXPECT_EQ(results["transmission.stiffness"]["identifiability"], "identified");
}

// Its fitted dead zone is 38 +- 2 mrad wide and as stiff as the spring is somewhere: neither is a number of this gear.
TEST_F(BacklashDecision, ASpringThatStiffensHasNoOneStiffness) {
  const auto results = answer(
      "transmission.law = \"stiffening-spring\"\ntransmission.stiffness = 40\ntransmission.hardening = 300\n", 4);
  EXPECT_EQ(results["backlash.gap"]["identifiability"], "only a bound");
  EXPECT_EQ(results["backlash.gap"]["ci95"][0], 0.0);
  EXPECT_EQ(results["transmission.stiffness"]["identifiability"], "not identified");
}

}  // namespace
}  // namespace tauhat
