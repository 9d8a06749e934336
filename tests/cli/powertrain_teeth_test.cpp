// The teeth of the wheels: pulses lost or too many, tables that are learned, and a reversal that nobody counts.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/powertrain_program.hpp"

namespace tauhat {
namespace {

using testing::HasSubstr;
using testing::Not;

// A column of stamps with one of them left out, and another put in between two.
Cells with_faulty_stamps(Cells all, const std::string& wheel) {
  const std::size_t place = all.place(wheel);
  std::vector<std::string> stamps;
  for (const auto& row : all.rows) stamps.push_back(row[place]);
  stamps.erase(stamps.begin() + 400);
  const double between = 0.6 * std::stod(stamps[800]) + 0.4 * std::stod(stamps[801]);
  stamps.insert(stamps.begin() + 801, std::to_string(between));
  for (std::size_t k = 0; k < all.rows.size(); ++k) all.rows[k][place] = stamps[k];
  return all;
}

// Teeth that do not come, and pulses without a tooth, where no counter says so; on a wheel with all of its teeth and on
// one with a gap.
TEST_F(PowertrainProgram, PutsTheCountRight) {
  for (const std::string wheel : {"teeth = 48", "teeth = 60, missing = 2"}) {
    write_study("faulty.toml", "teeth = 48", wheel);
    ASSERT_EQ(run("simulate " + path("faulty.toml") + " -o " + path("log.csv") + " --seed 2").code, 0);
    write_cells("faulty.csv", with_faulty_stamps(cells("log.csv"), "wheel"));
    const Outcome outcome = run("estimate " + path("faulty.toml") + " " + path("faulty.csv") + " -o " + path("e.csv"));
    EXPECT_EQ(outcome.code, 0) << outcome.output;
    EXPECT_THAT(outcome.output, HasSubstr("1 pulse did not come")) << wheel;
    EXPECT_THAT(outcome.output, HasSubstr("1 pulse came without a tooth")) << wheel;
    EXPECT_GT(score("e.csv", "log.csv", 6.0).accuracy, 0.97) << wheel;
  }
}

// As many pulses that do not come as the wheel has missing teeth look like the gap to its sensor.
TEST_F(PowertrainProgram, SaysThatAsManyPulsesWereLostAsAreMissing) {
  write_study("gap.toml", "teeth = 48", "teeth = 60, missing = 2");
  ASSERT_EQ(run("simulate " + path("gap.toml") + " -o " + path("log.csv") + " --seed 3").code, 0);
  Cells all = cells("log.csv");
  const std::size_t place = all.place("wheel");
  std::vector<std::string> stamps;
  for (const auto& row : all.rows) stamps.push_back(row[place]);
  stamps.erase(stamps.begin() + 400, stamps.begin() + 402);
  for (std::size_t k = 0; k < all.rows.size(); ++k) all.rows[k][place] = k < stamps.size() ? stamps[k] : "";
  write_cells("faulty.csv", all);
  const std::string files = path("gap.toml") + " " + path("log.csv");
  EXPECT_THAT(run("estimate " + files + " -o " + path("e.csv")).output, Not(HasSubstr("teeth.lost")));
  const Outcome outcome = run("estimate " + path("gap.toml") + " " + path("faulty.csv") + " -o " + path("e.csv"));
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("2 pulses did not come, at once as many"));
}

// The load's wheel falls silent for good: the gap is that of the time before, and the silence is said.
TEST_F(PowertrainProgram, SaysThatAWheelFellSilent) {
  ASSERT_EQ(run("describe powertrain --study > " + path("p.toml")).code, 0);
  for (const int seed : {1, 2}) {
    ASSERT_EQ(run("simulate " + path("p.toml") + " -o " + path("p.csv") + " --seed " + std::to_string(seed)).code, 0);
    const Outcome whole = run("identify " + path("p.toml") + " " + path("p.csv"));
    EXPECT_THAT(whole.output, Not(HasSubstr("pulses.silent"))) << whole.output;
    Cells cut = cells("p.csv");
    std::erase_if(cut.rows, [](const auto& row) { return row[1] == "2" && std::stod(row[0]) > 8.0; });
    write_cells("cut.csv", cut);
    const Outcome outcome = run("identify " + path("p.toml") + " " + path("cut.csv") + " --json " + path("i.json"));
    EXPECT_EQ(outcome.code, 0) << outcome.output;
    EXPECT_THAT(outcome.output, HasSubstr("No pulse of load.position comes any more"));
    const auto gap = json("i.json")["results"]["backlash.gap"];
    EXPECT_NEAR(gap["value"].get<double>(), 0.06, 3.0 * gap["std"].get<double>()) << seed;
    EXPECT_LT(gap["std"].get<double>(), 2e-3) << seed;
  }
}

// A wheel that is silent for a while: the gap is what the rest of the record says, and nothing else is suspected.
TEST_F(PowertrainProgram, ASilenceIsNoFaultOfTheDrive) {
  for (const char* wheel : {"engine", "wheel"}) {
    ASSERT_EQ(run("simulate " + study() + " -o " + path("log.csv") + " --seed 812").code, 0);
    Cells cut = cells("log.csv");
    const std::size_t place = cut.place(wheel);
    for (auto& row : cut.rows)
      if (!row[place].empty() && std::stod(row[place]) > 7.0 && std::stod(row[place]) < 8.5) row[place].clear();
    write_cells("cut.csv", cut);
    const Outcome outcome = run("identify " + study() + " " + path("cut.csv") + " --json " + path("i.json"));
    EXPECT_EQ(outcome.code, 0) << outcome.output;
    EXPECT_THAT(outcome.output, HasSubstr("pulses.silent"));
    EXPECT_THAT(outcome.output, Not(HasSubstr("model.suspect"))) << wheel;
    const auto gap = json("i.json")["results"]["backlash.gap"];
    EXPECT_NEAR(gap["value"].get<double>(), 0.06, 3.0 * gap["std"].get<double>()) << wheel;
    EXPECT_LT(gap["std"].get<double>(), 1e-3) << wheel;
  }
}

// The load's wheel is seen to jump by three pitches over its missing teeth, between two pulses of a motor whose sensor
// is whole. One that does fall silent is still found.
TEST_F(PowertrainProgram, TakesNoMissingTeethForASilence) {
  write_study("gaps.toml", "teeth = 48", "teeth = 48, missing = 2");
  for (const int seed : {51, 52, 53, 54}) {
    ASSERT_EQ(run(fmt::format("simulate {} -o {} --seed {}", path("gaps.toml"), path("log.csv"), seed)).code, 0);
    const Outcome whole = run("identify " + path("gaps.toml") + " " + path("log.csv"));
    EXPECT_EQ(whole.code, 0) << whole.output;
    EXPECT_THAT(whole.output, Not(HasSubstr("pulses.silent"))) << seed;
  }
  Cells cut = cells("log.csv");
  const std::size_t engine = cut.place("engine");
  for (auto& row : cut.rows)
    if (!row[engine].empty() && std::stod(row[engine]) > 8.0) row[engine].clear();
  write_cells("cut.csv", cut);
  EXPECT_THAT(run("identify " + path("gaps.toml") + " " + path("cut.csv")).output,
              HasSubstr("No pulse of motor.position comes any more"));
}

// Six seconds of the record are missing, rows and all: behind them the filter begins anew and finds the gear again,
// with the gap that it had, as `stream` does; `identify` answers by the longest part. With counters, and without.
TEST_F(PowertrainProgram, BeginsAnewBehindAHole) {
  ASSERT_EQ(run("describe powertrain --study > " + path("p.toml")).code, 0);
  ASSERT_EQ(run("simulate " + path("p.toml") + " -o " + path("p.csv") + " --seed 1").code, 0);
  Cells cut = cells("p.csv");
  std::erase_if(cut.rows, [](const auto& row) { return std::stod(row[0]) > 4.0 && std::stod(row[0]) < 10.0; });
  write_cells("cut.csv", cut);
  for (const std::string count : {", count = { column = \"count\" }", ""}) {
    write_changed("cut.toml", path("p.toml"), ", count = { column = \"count\" }", count);
    write_changed("cut.toml", path("cut.toml"), ", count = { column = \"count\" }", count);
    const Outcome outcome = run("estimate " + path("cut.toml") + " " + path("cut.csv") + " -o " + path("e.csv") +
                                " --json " + path("e.json"));
    ASSERT_EQ(outcome.code, 0) << outcome.output;
    EXPECT_THAT(outcome.output, HasSubstr("No row came for 6"));
    EXPECT_LT(rms_error("e.csv", "p.csv", "backlash.position", 13.0), 1.1e-3) << count;
    EXPECT_GT(share_held("e.csv", "p.csv", "backlash.position", 13.0, 1e9), 0.85) << count;
    ASSERT_EQ(run("stream " + path("cut.toml") + " < " + path("cut.csv") + " > " + path("s.csv")).code, 0);
    Cells streamed = cells("s.csv");
    std::erase_if(streamed.rows, [&](const auto& row) { return row.size() != streamed.names.size(); });
    EXPECT_EQ(cells("e.csv").rows.back(), streamed.rows.back());
    ASSERT_EQ(run("identify " + path("cut.toml") + " " + path("cut.csv") + " --json " + path("i.json")).code, 0);
    const auto gap = json("i.json")["results"]["backlash.gap"];
    EXPECT_NEAR(gap["value"].get<double>(), 0.06, 2.5 * gap["std"].get<double>()) << count;
    EXPECT_LT(gap["std"].get<double>(), 2e-3) << count;
  }
}

// What the study gives as known is not found: there is no verdict on it.
TEST_F(PowertrainProgram, JudgesNoGapThatTheStudyGives) {
  ASSERT_EQ(run("describe powertrain --study > " + path("p.toml")).code, 0);
  ASSERT_EQ(run("simulate " + path("p.toml") + " -o " + path("p.csv") + " --seed 1").code, 0);
  write_changed("p.toml", path("p.toml"), "{ value = \"60 mrad\", std = \"20 mrad\" }", "\"40 mrad\"");
  write("p.toml", read("p.toml") + "\n[accept]\n\"backlash.gap\" = \"<= 50 mrad\"\n");
  const Outcome outcome = run("identify " + path("p.toml") + " " + path("p.csv"));
  EXPECT_EQ(outcome.code, 5) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("is the study's own"));
}

// A table that was learned makes another run of the same wheel better, which begins at another tooth: the missing ones
// say which is which.
TEST_F(PowertrainProgram, LearnsTheTeethAndUsesThem) {
  ASSERT_EQ(run("describe powertrain --study > " + path("p.toml")).code, 0);
  write_changed("p.toml", path("p.toml"),
                "teeth = 48, sensor = { column = \"sensor\", number = 2 }, count = { column = "
                "\"count\" }",
                "teeth = 48, missing = 2, sensor = { column = \"sensor\", number = 2 }");
  write_changed("p.toml", path("p.toml"), "{ value = \"60 mrad\", std = \"20 mrad\" }", "\"60 mrad\"");
  // The table lies beside the study.
  write_changed("table.toml", path("p.toml"), "std = \"2.6 mrad\"", "std = \"0.5 mrad\", table = \"t.csv\"");
  double before = 0.0, after = 0.0;  // rad^2, over the seeds
  for (const int seed : {2, 3, 4, 5}) {
    ASSERT_EQ(run(fmt::format("simulate {} -o {} --seed {}", path("p.toml"), path("p.csv"), seed)).code, 0);
    Cells first = cells("p.csv"), second = first;
    std::erase_if(first.rows, [](const auto& row) { return std::stod(row[0]) > 10.0; });
    std::erase_if(second.rows, [](const auto& row) { return std::stod(row[0]) < 6.03; });
    write_cells("first.csv", first);
    write_cells("second.csv", second);
    const Outcome learned =
        run("identify " + path("p.toml") + " " + path("first.csv") + " --tooth-table " + path("t.csv"));
    ASSERT_EQ(learned.code, 0) << learned.output;
    EXPECT_THAT(learned.output, Not(HasSubstr("No table")));
    ASSERT_EQ(run("estimate " + path("p.toml") + " " + path("second.csv") + " -o " + path("before.csv")).code, 0);
    const Outcome used = run("estimate " + path("table.toml") + " " + path("second.csv") + " -o " + path("after.csv"));
    ASSERT_EQ(used.code, 0) << used.output;
    const double without = score("before.csv", "second.csv", 10.0).rms,
                 with = score("after.csv", "second.csv", 10.0).rms;
    EXPECT_LT(with, 0.36e-3) << seed;  // rad: tooth_table.gap_rms of `reproduce lagerberg`
    before += without * without, after += with * with;
  }
  EXPECT_LT(after, 0.5 * before);
}

// No table of teeth that the next log would number otherwise, nor of teeth that faults have mixed up.
TEST_F(PowertrainProgram, GivesNoTableOfTeethThatItDoesNotKnow) {
  ASSERT_EQ(run("simulate " + study() + " -o " + path("log.csv") + " --seed 2").code, 0);
  const Outcome unknown = run("identify " + study() + " " + path("log.csv") + " --tooth-table " + path("t.csv") +
                              " --json " + path("r.json"));
  EXPECT_EQ(unknown.code, 0) << unknown.output;
  EXPECT_THAT(read("r.json"), HasSubstr("teeth.not_learned"));
  EXPECT_THAT(read("r.json"), HasSubstr("nothing says which tooth a log begins with"));
  EXPECT_FALSE(fs::exists(path("t.csv")));
  write("t.csv", "tooth,load.position [rad],load.position.std [rad]\n");
  write_study("table.toml", "std = \"2.6 mrad\"", "std = \"0.5 mrad\", table = \"t.csv\"");
  const Outcome refused = run("estimate " + path("table.toml") + " " + path("log.csv") + " -o " + path("e.csv"));
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.output, HasSubstr("table: nothing says which tooth a log begins with"));
  fs::remove(path("t.csv"));

  write_study("gap.toml", "teeth = 48", "teeth = 60, missing = 2");
  ASSERT_EQ(run("simulate " + path("gap.toml") + " -o " + path("log.csv") + " --seed 2").code, 0);
  write_cells("faulty.csv", with_faulty_stamps(cells("log.csv"), "wheel"));
  const Outcome faulty = run("identify " + path("gap.toml") + " " + path("faulty.csv") + " --tooth-table " +
                             path("t.csv") + " --json " + path("r.json"));
  EXPECT_EQ(faulty.code, 0) << faulty.output;
  EXPECT_THAT(read("r.json"),
              HasSubstr("pulses were lost or came without a tooth, and those around them were taken for other teeth"));
  EXPECT_FALSE(fs::exists(path("t.csv")));
}

// Without a count nobody knows that the wheel turned back.
TEST_F(PowertrainProgram, RefusesAReversalWithoutDirection) {
  write_study("slow.toml", "start.velocity = \"10 rad/s\"", "start.velocity = \"1 rad/s\"");
  ASSERT_EQ(run("simulate " + path("slow.toml") + " -o " + path("slow.csv") + " --seed 1").code, 0);
  const Outcome outcome = run("estimate " + path("slow.toml") + " " + path("slow.csv") + " -o " + path("e.csv"));
  EXPECT_EQ(outcome.code, 4) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("may have turned back"));
}

}  // namespace
}  // namespace tauhat
