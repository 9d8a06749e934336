// The study of a powertrain: what can be given, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "support/powertrain_program.hpp"

namespace tauhat {
namespace {

using testing::HasSubstr;

// What can be given and what comes out is all in `describe`.
TEST_F(PowertrainProgram, IsDescribedWhole) {
  const std::string text = run("describe powertrain").output;
  for (const char* name : {"motor.delay", "backlash.gap", "backlash.offset", "backlash.mode.probability",
                           "\"switching\"", "\"staircase\"", "\"events\"", "\"time-varying\""})
    EXPECT_THAT(text, HasSubstr(name));
  ASSERT_EQ(run("describe powertrain --json " + path("d.json")).code, 0);
  EXPECT_EQ(json("d.json")["results"]["backlash.gap"]["unit"], "rad");
}

TEST_F(PowertrainProgram, RefusesWhatIsNoGap) {
  const std::array<std::array<std::string, 3>, 10> cases{
      {{"{ value = \"60 mrad\", std = \"20 mrad\" }", "0", "backlash.gap = 0 rad: must be positive"},
       {"stiffness = 1e4", "stiffness = inf", "transmission.stiffness = inf N m/rad: must be positive and finite"},
       {"damping = 120", "damping = 0", "transmission.damping = 0 N m s/rad: must be positive"},
       {"teeth = 48", "teeth = 1", "teeth"},
       {"teeth = 48", "teeth = 48.9", "teeth = 48.9: must be a whole number"},
       {"missing = 2", "missing = 2.7", "missing = 2.7: must be a whole number"},
       {"teeth = 48", "teeth = 48, count = { column = \"n\", wraps_at = 99.5 }", "wraps_at = 99.5: must be a whole"},
       {"stamps = \"wheel\", teeth = 48, std = \"2.6 mrad\"", "column = \"wheel\", teeth = 48", "teeth"},
       {"{ value = \"60 mrad\", std = \"20 mrad\" }", "\"60 mrad\"\nbacklash.offset = 0",
        "backlash.offset is given, and nothing says which tooth load.position begins with"},
       {"load.torque = \"15 N m/sqrt(s)\"", "", "load.torque"}}};
  for (const auto& [from, to, message] : cases) {
    write_study("bad.toml", from, to);
    const Outcome outcome = run("simulate " + path("bad.toml") + " -o " + path("x.csv"));
    EXPECT_EQ(outcome.code, 2) << message;
    EXPECT_THAT(outcome.output, HasSubstr(message));
  }
}

}  // namespace
}  // namespace tauhat
