// The position in the gap on other powertrains: gaps, shafts, ratios, wheels, paces and a wrong torque.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ostream>
#include <string>
#include <vector>

#include "support/powertrain_program.hpp"

namespace tauhat {
namespace {

// The drive, its wheels, its pace: the limits of unknown_gap hold on all of them.
struct Variation {
  const char* name;
  double gap;                                         // rad
  std::vector<std::array<std::string, 2>> changes{};  // of the study's text
  const char* wrong_command = nullptr;                // what the log's command is taken for, where it is wrong
  double scale = 1.0;  // of the limits: how wrong the wheel's teeth are, beside the paper's

  friend void PrintTo(const Variation& variation, std::ostream* to) { *to << variation.name; }
};

class OtherPowertrains : public PowertrainProgram, public testing::WithParamInterface<Variation> {};

TEST_P(OtherPowertrains, AreSeenAsWell) {
  write_changed("drive.toml", study(), "", "");
  for (const auto& [from, to] : GetParam().changes) write_changed("drive.toml", path("drive.toml"), from, to);
  const std::string command = "column = \"command\", unit = \"N m\"";
  write_changed("filter.toml", path("drive.toml"), command,
                command + (GetParam().wrong_command ? GetParam().wrong_command : ""));
  for (int seed = 21; seed <= 23; ++seed) {
    ASSERT_EQ(run("simulate " + path("drive.toml") + " -o " + path("log.csv") + " --seed " + std::to_string(seed)).code,
              0);
    const Outcome outcome = run("estimate " + path("filter.toml") + " " + path("log.csv") + " -o " + path("e.csv") +
                                " --json " + path("e.json"));
    ASSERT_EQ(outcome.code, 0) << outcome.output;
    const Score s = score("e.csv", "log.csv", 6.0);
    EXPECT_GT(s.accuracy, 0.97) << seed;
    EXPECT_LT(s.rms, GetParam().scale * 1.1e-3) << seed;
    const auto gap = json("e.json")["results"]["backlash.gap"];
    // A milliradian, or four deviations where that is more: what the teeth err comes again with every turn.
    const double limit = std::max(GetParam().scale * 1e-3, 4.0 * gap["std"].get<double>());
    const double error = std::abs(gap["value"].get<double>() - GetParam().gap);
    EXPECT_LT(error, limit) << seed;
    // What the motor makes of the command that the filter was given.
    const auto gain = json("e.json")["results"]["motor.gain"];
    const double right = GetParam().wrong_command ? 1.0 / 1.1 : 1.0;
    EXPECT_NEAR(gain["value"].get<double>(), right, 3.5 * gain["std"].get<double>()) << seed;
  }
}

const std::string kGap = "value = \"60 mrad\", std = \"20 mrad\"";
const std::string kShaft = "stiffness = 1e4, damping = 120";
const std::string kEngineTeeth = "teeth = 60, missing = 2", kWheelTeeth = "teeth = 48";

INSTANTIATE_TEST_SUITE_P(
    Powertrain, OtherPowertrains,
    testing::Values(Variation{"SmallGap", 0.02, {{kGap, "value = \"20 mrad\", std = \"10 mrad\""}}},
                    Variation{"LargeGap", 0.12, {{kGap, "value = \"120 mrad\", std = \"30 mrad\""}}},
                    Variation{"SoftShaft", 0.06, {{kShaft, "stiffness = 5e3, damping = 80"}}},
                    Variation{"StiffShaft", 0.06, {{kShaft, "stiffness = 2e4, damping = 150"}}},
                    Variation{"OtherRatio", 0.06, {{"ratio = 12", "ratio = 8"}}},
                    Variation{"FineTeeth",
                              0.06,
                              {{kEngineTeeth, "teeth = 120"},
                               {kWheelTeeth, "teeth = 96"},
                               {"std = \"1 mrad\"", "std = \"0.5 mrad\""},
                               {"std = \"2.6 mrad\"", "std = \"1.3 mrad\""}},
                              nullptr,
                              0.5},
                    Variation{"GapsInBothWheels", 0.06, {{kWheelTeeth, "teeth = 60, missing = 2"}}},
                    Variation{"Creep", 0.06, {{"start.velocity = \"10 rad/s\"", "start.velocity = \"2 rad/s\""}}},
                    Variation{"WrongTorque", 0.06, {}, ", gain = 1.1, offset = 3"}),
    [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace tauhat
