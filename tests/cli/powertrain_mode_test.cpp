// The mode of the gap, as its user reads it: in words, and unknown while a wheel is silent.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "support/powertrain_program.hpp"

namespace tauhat {
namespace {

using testing::HasSubstr;
using testing::Not;

// The last mode as people say it, and no interval: it is no quantity.
TEST_F(PowertrainProgram, TheModeIsSaidInWords) {
  ASSERT_EQ(run("simulate " + study() + " -o " + path("log.csv") + " --seed 4").code, 0);
  const std::string command =
      "estimate " + study() + " " + path("log.csv") + " -o " + path("e.csv") + " --json " + path("e.json");
  const Outcome outcome = run(command + " --report " + path("e.html"));
  ASSERT_EQ(outcome.code, 0) << outcome.output;
  ASSERT_EQ(rows("log.csv", "truth.").back().mode, -1.0);  // the motor brakes
  EXPECT_THAT(outcome.output, HasSubstr("contact below, with a probability of "));
  EXPECT_THAT(read("e.html"), HasSubstr("contact below, with a probability of "));
  const auto results = json("e.json")["results"];
  EXPECT_EQ(results["backlash.mode"]["value"], -1.0);
  EXPECT_GT(results["backlash.mode.probability"]["value"], 0.5);
  for (const char* name : {"backlash.mode", "backlash.mode.probability"})
    for (const char* key : {"std", "ci95"}) EXPECT_TRUE(results[name][key].is_null()) << name << key;
  EXPECT_TRUE(results["backlash.gap"]["ci95"].is_array());
  // A wheel that stops before the log ends.
  Cells all = cells("log.csv");
  const std::size_t wheel = all.place("wheel");
  for (auto& row : all.rows)
    if (!row[wheel].empty() && std::stod(row[wheel]) > 14.0) row[wheel].clear();
  write_cells("silent.csv", all);
  const Outcome silent =
      run("estimate " + study() + " " + path("silent.csv") + " -o " + path("e.csv") + " --json " + path("e.json"));
  ASSERT_EQ(silent.code, 0) << silent.output;
  EXPECT_THAT(silent.output, HasSubstr("unknown"));
  EXPECT_TRUE(json("e.json")["results"]["backlash.mode"]["value"].is_null());
}

// A gap of four deviations of the twist: where the shaft presses the mode is known all the same, and what is unknown is
// the way through the gap, once each.
TEST_F(PowertrainProgram, AContactOfASmallGapIsKnown) {
  write_study("small.toml", "{ value = \"60 mrad\", std = \"20 mrad\" }", "{ value = \"5 mrad\", std = \"2 mrad\" }");
  for (const int seed : {1, 2}) {
    ASSERT_EQ(run(fmt::format("simulate {} -o {} --seed {}", path("small.toml"), path("log.csv"), seed)).code, 0);
    ASSERT_EQ(run("estimate " + path("small.toml") + " " + path("log.csv") + " -o " + path("e.csv")).code, 0);
    const std::vector<double> time = cells("e.csv").column("time"), mode = cells("e.csv").column("backlash.mode");
    double all = 0.0, unknown = 0.0, losses = 0.0, openings = 0.0;
    for (std::size_t k = 1; k < time.size(); ++k) {
      if (time[k] < 2.0) continue;
      all += 1.0, unknown += std::isnan(mode[k]), losses += std::isnan(mode[k]) && !std::isnan(mode[k - 1]);
    }
    const std::vector<Row> truth = rows("log.csv", "truth.");
    for (std::size_t k = 1; k < truth.size(); ++k)
      openings += truth[k].time >= 2.0 && truth[k].mode == 0.0 && truth[k - 1].mode != 0.0;
    EXPECT_LT(unknown, 0.04 * all) << seed;  // 52 % and 63 % where the twist had to be known to a part of the gap
    EXPECT_LE(losses, 2.0 * openings) << seed;
    EXPECT_GT(score("e.csv", "log.csv", 2.0).accuracy, 0.98) << seed;
  }
}

class SilentWheel : public PowertrainProgram, public testing::WithParamInterface<const char*> {};
INSTANTIATE_TEST_SUITE_P(Kind, SilentWheel, testing::Values("suited", "cascade", "switching"),
                         [](const auto& each) { return std::string(each.param); });

// A wheel that stops for two seconds: the mode is unknown then, and known again afterwards. What is said meanwhile is
// as sure as it says.
TEST_P(SilentWheel, LeavesTheModeUnknown) {
  write_events(2);
  const std::string kind = GetParam();
  if (kind != "suited") write_cascade("p.toml", path("p.toml"), "kind = \"" + kind + "\"\nspeed = \"12 rad/s\"");
  std::istringstream text(read("p.csv"));
  std::string line, silent;
  while (std::getline(text, line)) {
    const double time = line.starts_with("time") ? 0.0 : std::stod(line);
    const std::string sensor = line.substr(line.find(',') + 1, 2);
    if (time > 7.0 && time < 9.0 && sensor == "2,") continue;
    silent += line + "\n";
  }
  write("silent.csv", silent);
  const Outcome outcome = run("estimate " + path("p.toml") + " " + path("silent.csv") + " -o " + path("e.csv"));
  ASSERT_EQ(outcome.code, 0) << outcome.output;
  std::size_t known = 0;
  for (const Row& row : rows("e.csv", "")) known += row.time > 8.0 && row.time < 9.0;
  EXPECT_EQ(known, 0U);
  EXPECT_THAT(read("e.csv"), Not(HasSubstr("nan")));  // an empty cell, as the guide says
  // Behind staircases a wheel is missed five teeth after it stopped, and what was said until then is wrong: it is a
  // small share of a longer window alone. The observer there has settled 3.2 s after the wheel came back.
  const bool behind_stairs = kind == "switching";
  const double until = behind_stairs ? 14.0 : 11.0, settled = behind_stairs ? 12.5 : 11.0;
  EXPECT_GT(share_held("e.csv", "p.csv", "load.velocity", 7.0, until), 0.9);
  EXPECT_GT(share_held("e.csv", "p.csv", "transmission.torque", 7.0, until), 0.85);
  EXPECT_GT(score("e.csv", "p.csv", settled).accuracy, 0.97);
}

// A record that ends before a filter with fixed gains has settled: nothing is said, and no number is given. One that
// ends while a wheel is silent has the number that was said before.
TEST_F(PowertrainProgram, AFilterThatSaysNothingGivesNoGap) {
  write_events(2);
  for (const std::string kind : {"cascade", "switching"}) {
    write_cascade("k.toml", path("p.toml"), "kind = \"" + kind + "\"\nspeed = \"12 rad/s\"");
    Cells start = cells("p.csv"), silent = start;
    std::erase_if(start.rows, [](const auto& row) { return std::stod(row[0]) > 0.3; });
    std::erase_if(silent.rows, [](const auto& row) { return row[1] == "2" && std::stod(row[0]) > 15.7; });
    write_cells("start.csv", start);
    write_cells("end.csv", silent);
    for (const std::string command : {"identify ", "check "}) {
      const Outcome outcome = run(command + path("k.toml") + " " + path("start.csv"));
      EXPECT_EQ(outcome.code, 4) << kind << outcome.output;
      EXPECT_THAT(outcome.output, HasSubstr("The filter said nothing in the whole record"));
      EXPECT_THAT(outcome.output, Not(HasSubstr(" nan")));
    }
    const Outcome end = run("identify " + path("k.toml") + " " + path("end.csv"));
    EXPECT_EQ(end.code, 0) << kind << end.output;
    EXPECT_THAT(end.output, Not(HasSubstr(" nan"))) << kind;
  }
}

}  // namespace
}  // namespace tauhat
