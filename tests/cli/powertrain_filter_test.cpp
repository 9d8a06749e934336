// Which filter looks for the position in the gap: those that a study may choose, and the cascade of the paper.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "support/powertrain_program.hpp"

namespace tauhat {
namespace {

using testing::HasSubstr;
using testing::Not;

// The user may choose the filter: one that switches says how near its belief is to another mode, several in parallel
// how likely each is.
TEST_F(PowertrainProgram, TheFilterCanBeChosen) {
  ASSERT_EQ(run("simulate " + study() + " -o " + path("log.csv") + " --seed 4").code, 0);
  const auto unsure = [&](const std::string& kind) {
    write_study("kind.toml", "[accept]", "[estimator]\nkind = \"" + kind + "\"\n\n[accept]");
    EXPECT_EQ(run("estimate " + path("kind.toml") + " " + path("log.csv") + " -o " + path("e.csv")).code, 0);
    auto sure = cells("e.csv").column("backlash.mode.probability");
    std::erase_if(sure, [](double p) { return std::isnan(p); });
    EXPECT_GT(sure.size(), 1000U);
    return std::count_if(sure.begin(), sure.end(), [](double p) { return p < 1.0; });
  };
  EXPECT_GT(unsure("direct"), 100);
  EXPECT_GT(unsure("imm"), 100);
  EXPECT_GT(unsure("ekf"), 100);  // the gap is to be learned, so several are suited
  write_study("kind.toml", "[accept]", "[estimator]\nkind = \"immm\"\n\n[accept]");
  const Outcome outcome = run("estimate " + path("kind.toml") + " " + path("log.csv") + " -o " + path("e.csv"));
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(
      outcome.output,
      HasSubstr("must be one of ekf, direct, imm, cascade, switching, events, staircase; did you mean \"imm\"?"));
}

// The paper's own: an observer with stationary gains behind a filter of each wheel. Its limits are those of
// cascade_imperfect.
TEST_F(PowertrainProgram, ACascadeFindsThePosition) {
  for (int seed = 1; seed <= 3; ++seed) {
    write_events(seed);
    write_cascade("c.toml", path("p.toml"));
    const Outcome outcome = run("estimate " + path("c.toml") + " " + path("p.csv") + " -o " + path("e.csv"));
    ASSERT_EQ(outcome.code, 0) << outcome.output;
    const Score s = score("e.csv", "p.csv", 2.0);  // it has forgotten its start after 1.6 s
    EXPECT_GT(s.accuracy, 0.978) << seed;
    EXPECT_LT(s.rms, 0.7e-3) << seed;
  }
}

// A stationary gain does not know how far its start is off: what it says first is as near as its deviation.
TEST_F(PowertrainProgram, AStageSaysNothingBeforeItHasSettled) {
  write_events(2);
  for (const std::string kind : {"cascade", "switching"}) {
    write_cascade("c.toml", path("p.toml"), "kind = \"" + kind + "\"\nspeed = \"12 rad/s\"");
    ASSERT_EQ(run("estimate " + path("c.toml") + " " + path("p.csv") + " -o " + path("e.csv")).code, 0);
    for (const std::string signal : {"motor.position", "load.velocity", "transmission.torque"}) {
      int said = 0;
      compare("e.csv", "p.csv", signal, 0.0, 1.5, [&](double, double) { ++said; });
      EXPECT_EQ(said, 0) << kind << signal;
      EXPECT_GT(share_held("e.csv", "p.csv", signal, 1.5, 5.0), 0.9) << kind << signal;
    }
  }
}

// Its gain may follow the covariance, and it may take the counters as they stand. All within the limits of
// cascade_imperfect, but for the position behind staircases, which the paper's prototype finds to within 0.58 mrad at
// worst: with gains that are computed and not tuned, 1.5 times as much is allowed.
TEST_F(PowertrainProgram, TheObserverTakesEitherFirstStageAndEitherGain) {
  struct Case {
    const char *name, *kind;
    double rms;
  };
  write_events(1);
  for (const Case& c : {Case{"varying", "kind = \"cascade\"\ngain = \"time-varying\"\nspeed = \"12 rad/s\"", 0.7e-3},
                        Case{"stairs", "kind = \"switching\"\nspeed = \"12 rad/s\"", 0.87e-3},
                        Case{"both", "kind = \"switching\"\ngain = \"time-varying\"\nspeed = \"12 rad/s\"", 0.87e-3}}) {
    write_cascade("c.toml", path("p.toml"), c.kind);
    const Outcome outcome = run("estimate " + path("c.toml") + " " + path("p.csv") + " -o " + path("e.csv"));
    ASSERT_EQ(outcome.code, 0) << outcome.output;
    // Behind staircases it has forgotten its start after 3.2 s, and says nothing before.
    const Score s = score("e.csv", "p.csv", 3.5);
    EXPECT_GT(s.accuracy, 0.978) << c.name;
    EXPECT_LT(s.rms, c.rms) << c.name;
  }
}

// Filters of positions alone, with the limits of events_imperfect and quantised. Half a tooth is 65 mrad. They say
// nothing of the gap, and nothing that they do not know is written.
TEST_F(PowertrainProgram, FiltersOfPositionsTellTheDisplacement) {
  struct Case {
    const char *name, *kind;
    double rms;
  };
  write_events(1);
  for (const Case& c : {Case{"events", "kind = \"events\"", 4.0e-3},
                        Case{"staircase", "kind = \"staircase\"\nspeed = \"12 rad/s\"", 6.5e-3}}) {
    write_changed("c.toml", path("p.toml"), "kind = \"ekf\"", c.kind);
    const Outcome outcome = run("estimate " + path("c.toml") + " " + path("p.csv") + " -o " + path("e.csv") +
                                " --report " + path("e.html"));
    ASSERT_EQ(outcome.code, 0) << outcome.output;
    EXPECT_LT(rms_error("e.csv", "p.csv", "transmission.displacement", 1.0), c.rms) << c.name;
    EXPECT_GT(share_held("e.csv", "p.csv", "transmission.displacement", 1.0, 16.0), 0.9) << c.name;
    for (const char* unknown : {"backlash.position", "backlash.mode", "transmission.torque", "backlash.gap"})
      for (const double value : cells("e.csv").column(unknown)) ASSERT_TRUE(std::isnan(value)) << unknown;
    EXPECT_THAT(read("e.html"), HasSubstr("Displacement"));
    EXPECT_THAT(outcome.output, Not(HasSubstr("nan")));
    const Outcome refused = run("identify " + path("c.toml") + " " + path("p.csv"));
    EXPECT_EQ(refused.code, 2);
    EXPECT_THAT(refused.output, HasSubstr("tells positions and the displacement, not the gap"));
  }
}

// Its first stage follows the wheels whatever the drive does: that the gap lies elsewhere shows in when the shaft
// pulls.
TEST_F(PowertrainProgram, AWrongOffsetIsSaid) {
  write_events(3);
  for (const std::string kind : {"cascade", "switching"}) {
    write_cascade("c.toml", path("p.toml"), "kind = \"" + kind + "\"\nspeed = \"12 rad/s\"");
    write_changed("wrong.toml", path("c.toml"), "backlash.offset = 0", "backlash.offset = \"6 mrad\"");
    for (const std::string& command : {std::string("identify"), "estimate -o " + path("e.csv")}) {
      const Outcome right = run(command + " " + path("c.toml") + " " + path("p.csv"));
      EXPECT_EQ(right.code, 0) << right.output;
      EXPECT_THAT(right.output, Not(HasSubstr("Noise does not explain"))) << kind << command;
      const Outcome wrong = run(command + " " + path("wrong.toml") + " " + path("p.csv") + " --json " + path("r.json"));
      EXPECT_EQ(wrong.code, 0) << wrong.output;
      EXPECT_THAT(read("r.json"), HasSubstr("something else would: backlash.offset -0.00")) << kind << command;
    }
  }
}

// A gear that goes through its gap every half second is in neither mode for long: the bands are those of its way
// through both, not of either for ever. With the stationary ones 73 % of the twists within 0.15 s of a change of mode
// were held.
TEST_F(PowertrainProgram, ACascadesBandsHoldWhereTheGapIsCrossedOften) {
  ASSERT_EQ(run("describe powertrain --study > " + path("p.toml")).code, 0);
  std::string text = read("p.toml"), times, levels;
  for (int k = 0; k <= 32; ++k) {
    times += fmt::format("{}{}", k > 0 ? ", " : "", 0.45 * k);
    levels += fmt::format("{}{}", k > 0 ? ", " : "", k % 2 == 0 ? 50 : -30);
  }
  text = text.substr(0, text.rfind("input = ")) +
         fmt::format("input = {{ kind = \"steps\", times = [{}], levels = [{}] }}\n", times, levels);
  write("p.toml", text);
  write_changed("p.toml", path("p.toml"), "motor.gain = { value = 1, std = 0.1 }", "motor.gain = 1");
  const char* const signals[] = {"motor.position", "load.velocity", "transmission.twist", "transmission.torque"};
  for (const std::string kind : {"cascade", "switching"}) {
    write_cascade("c.toml", path("p.toml"), "kind = \"" + kind + "\"\nspeed = \"12 rad/s\"");
    std::map<std::string, double> held;
    constexpr int kSeeds = 2;
    for (int seed = 11; seed < 11 + kSeeds; ++seed) {
      ASSERT_EQ(run(fmt::format("simulate {} -o {} --seed {}", path("c.toml"), path("p.csv"), seed)).code, 0);
      ASSERT_EQ(run("estimate " + path("c.toml") + " " + path("p.csv") + " -o " + path("e.csv")).code, 0);
      for (const char* signal : signals)
        held[signal] += share_held("e.csv", "p.csv", signal, 4.0, 16.0) / kSeeds;  // by two deviations, 95.4 %
    }
    for (const char* signal : signals) EXPECT_GT(held[signal], 0.9) << kind << " " << signal;
  }
}

TEST_F(PowertrainProgram, ACascadeIsRefusedWhereItHasNoGains) {
  write_events(1);
  const auto refusal = [&](const std::string& name) {
    const Outcome outcome = run("estimate " + path(name) + " " + path("p.csv") + " -o " + path("e.csv"));
    EXPECT_EQ(outcome.code, 2) << name;
    return outcome.output;
  };
  write_changed("learns.toml", path("p.toml"), "kind = \"ekf\"", kCascade);
  EXPECT_THAT(refusal("learns.toml"), HasSubstr("learns nothing, so that gap and offset must be known"));
  write_cascade("slow.toml", path("p.toml"), "kind = \"cascade\"");
  EXPECT_THAT(refusal("slow.toml"), HasSubstr("estimator.speed"));
  write_cascade("c.toml", path("p.toml"));
  write_changed("sampled.toml", path("c.toml"),
                "{ stamps = \"time\", teeth = 48, sensor = { column = \"sensor\", number = 2 }, count = { column = "
                "\"count\" }, std = \"2.6 mrad\" }",
                "{ column = \"count\", unit = \"rad\", std = \"2.6 mrad\" }");
  EXPECT_THAT(refusal("sampled.toml"), HasSubstr("load.position must have stamps and teeth"));
  write_cascade("s.toml", path("p.toml"), "kind = \"switching\"\nspeed = \"12 rad/s\"");
  write_changed("missing.toml", path("s.toml"), "teeth = 60,", "teeth = 60, missing = 2,");
  EXPECT_THAT(refusal("missing.toml"), HasSubstr("stands still where teeth are missing"));
  write_cascade("gain.toml", path("p.toml"), "kind = \"cascade\"\nspeed = \"12 rad/s\"\ngain = \"varying\"");
  EXPECT_THAT(refusal("gain.toml"), HasSubstr("must be one of stationary, time-varying"));
}

}  // namespace
}  // namespace tauhat
