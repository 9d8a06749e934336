// A motor's and a load's channel that do not belong together: named before anything is fitted.
#include <gmock/gmock.h>

#include "support/program.hpp"

namespace tauhat {
namespace {

using testing::HasSubstr;

class OneMotion : public Program {
 protected:
  // What `check` and `identify` say of the demo's log under a study with one mistake.
  void expect_refusal(const std::string& from, const std::string& to, const std::vector<std::string>& said) const {
    write_changed("study.toml", demo(), from, to);
    for (const char* command : {"check ", "identify "}) {
      const Outcome outcome = run(command + path("study.toml") + " " + path("log.csv"));
      EXPECT_EQ(outcome.code, 3) << command << outcome.output;
      for (const std::string& each : said) EXPECT_THAT(outcome.output, HasSubstr(each)) << command;
    }
  }
};

TEST_F(OneMotion, AWrongUnitSignOrRatioIsNamed) {
  ASSERT_EQ(run("simulate " + demo() + " --seed 3 -o " + path("log.csv")).code, 0);
  expect_refusal(R"("w_m", unit = "rpm")", R"("w_m", unit = "rad/s")",
                 {"motor.velocity turns 9.5", "motor.velocity is in rpm, not in rad/s"});
  expect_refusal(R"("w_l", unit = "rpm")", R"("w_l", unit = "deg/s")",
                 {"load.velocity is in rpm, not in deg/s", "or transmission.ratio is"});
  expect_refusal(R"("w_l", unit = "rpm")", R"("w_l", gain = -1, unit = "rpm")",
                 {"and the other way", "one of the two has the wrong sign (give it gain = -1)"});
  expect_refusal(
      "load.inertia =", "transmission.ratio = 100\nload.inertia =", {"transmission.ratio is 1", ", not 100"});
}

}  // namespace
}  // namespace tauhat
