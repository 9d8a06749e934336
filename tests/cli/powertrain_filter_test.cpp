// Which filter looks for the position in the gap: those that a study may choose, and the cascade of the paper.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "support/powertrain_program.hpp"

namespace tauhat {
namespace {

using testing::HasSubstr;

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
  EXPECT_THAT(outcome.output, HasSubstr("must be one of ekf, direct, imm, cascade; did you mean \"imm\"?"));
}

// The paper's own: an observer with stationary gains behind a filter of each wheel. Its limits are those of
// cascade_imperfect.
TEST_F(PowertrainProgram, ACascadeFindsThePosition) {
  for (int seed = 1; seed <= 3; ++seed) {
    write_events(seed);
    write_cascade("c.toml", path("p.toml"));
    const Outcome outcome = run("estimate " + path("c.toml") + " " + path("p.csv") + " -o " + path("e.csv"));
    ASSERT_EQ(outcome.code, 0) << outcome.output;
    const Score s = score("e.csv", "p.csv", 1.0);
    EXPECT_GT(s.accuracy, 0.978) << seed;
    EXPECT_LT(s.rms, 0.7e-3) << seed;
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
}

}  // namespace
}  // namespace tauhat
