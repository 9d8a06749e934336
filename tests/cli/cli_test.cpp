// The program as its user meets it: commands, exit codes, files that appear whole, sentences for mistakes.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "support/program.hpp"

namespace tauhat {
namespace {

using testing::HasSubstr;

TEST_F(Program, GoesFromStudyToNumbers) {
  EXPECT_EQ(run("simulate " + demo() + " -o " + path("log.csv") + " --seed 3").code, 0);
  const Outcome outcome =
      run("identify " + demo() + " " + path("log.csv") + " --json " + path("r.json") + " --report " + path("r.html"));
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  const auto result = json("r.json");
  EXPECT_EQ(result["command"], "identify");
  const auto& gap = result["results"]["backlash.gap"];
  EXPECT_LT(gap["ci95"][0].get<double>(), 0.1005);
  EXPECT_GT(gap["ci95"][1].get<double>(), 0.0995);
  EXPECT_EQ(gap["unit"], "rad");
  EXPECT_EQ(result["verdicts"][0]["verdict"], "conforming");
  EXPECT_THAT(read("r.html"), HasSubstr("backlash.gap"));
  // Noise and the load's inertia, known to 0.5 %, make up the interval; the verdict can be signed.
  const double noise = gap["std.noise"], inputs = gap["std.inputs"];
  EXPECT_GT(noise, 0.0);
  EXPECT_GT(inputs, 0.0);
  EXPECT_NEAR(std::hypot(noise, inputs), gap["std"].get<double>(), 1e-9);
  for (const char* text : {"What dominates the uncertainty", "sha256", "Signature"})
    EXPECT_THAT(read("r.html"), HasSubstr(text));
}

TEST_F(Program, RefusesALimitInAnotherKindOfUnit) {
  ASSERT_EQ(run("simulate " + demo() + " -o " + path("log.csv") + " --seed 3").code, 0);
  write_demo("kg.toml", "<= 6 deg", "<= 6 kg");
  const Outcome outcome = run("identify " + path("kg.toml") + " " + path("log.csv"));
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.output, HasSubstr("must be in rad"));
}

TEST_F(Program, DescribesAModelForPrograms) {
  ASSERT_EQ(run("describe two-mass --json " + path("d.json") + " --report " + path("d.html")).code, 0);
  EXPECT_EQ(json("d.json")["results"]["load.inertia"]["unit"], "kg m^2");
  EXPECT_THAT(read("d.html"), HasSubstr("transmission.displacement"));
  EXPECT_EQ(run("describe --json -").code, 2);
}

// A simulated log is one of its own study: with the torque's delay, and with the clocks that it names.
TEST_F(Program, SimulatesTheClocksOfItsStudy) {
  write_demo("late.toml", "unit = \"N m\"", "unit = \"N m\", delay = \"1 ms\", time_column = \"t_torque\"");
  ASSERT_EQ(run("simulate " + path("late.toml") + " -o " + path("late.csv") + " --seed 3").code, 0);
  ASSERT_EQ(run("simulate " + demo() + " -o " + path("log.csv") + " --seed 3").code, 0);
  EXPECT_THAT(read("late.csv"), HasSubstr("t_torque"));
  const Outcome late = run("identify " + path("late.toml") + " " + path("late.csv") + " --json " + path("r.json"));
  EXPECT_EQ(late.code, 0) << late.output;
}

// What `simulate` cannot write so that reading gives it back is refused.
TEST_F(Program, SimulatesWhatTheTorqueChannelMakesOfTheTorque) {
  write_demo("between.toml", "unit = \"N m\"", "unit = \"N m\", delay = \"0.3 ms\"");
  const Outcome between = run("simulate " + path("between.toml") + " -o " + path("log.csv"));
  EXPECT_EQ(between.code, 2);
  EXPECT_THAT(between.output, HasSubstr("delay = 0.0003 s: simulate can only write a whole number of samples"));
  // x (1 - 0.1 (x - 1)) = 2
  write_demo("saturates.toml", "unit = \"N m\"", "unit = \"N m\", saturation = { from = 1, slope = 0.1 }");
  ASSERT_EQ(run("simulate " + path("saturates.toml") + " -o " + path("log.csv")).code, 0);
  EXPECT_THAT(read("log.csv"), HasSubstr(",2.29843"));
  write_demo("saturates.toml", "unit = \"N m\"", "unit = \"N m\", saturation = { from = 1, slope = 0.3 }");
  const Outcome beyond = run("simulate " + path("saturates.toml") + " -o " + path("log.csv"));
  EXPECT_EQ(beyond.code, 2);
  EXPECT_THAT(beyond.output, HasSubstr("leaves at most 1.408"));
}

// A disk that is full is no mistake of the program's.
TEST_F(Program, AFullStandardOutputIsSaid) {
  const std::string model = "describe two-mass", study = model + " --study";
  for (const std::string& command :
       {std::string("describe"), model, study, "simulate " + demo() + " -o " + path("l")}) {
    // The last word comments out that both streams go the same way.
    EXPECT_EQ(run(command + " > /dev/full 2> " + path("err.txt") + " #").code, 2) << command;
    EXPECT_THAT(read("err.txt"), testing::StartsWith("standard output: cannot be written: ")) << command;
  }
  EXPECT_THAT(run("man").output, HasSubstr("70 the program failed"));
}

// An uncertain number that nothing in the log depends on.
TEST_F(Program, AnUncertainNumberThatNothingShowsLeavesTheAnswer) {
  write_demo("width.toml", "transmission.damping = 0.01",
             "transmission.damping = 0.01\nload.friction = { coulomb = 0, width = { value = 0.01, std = 0.001 } }");
  ASSERT_EQ(run("simulate " + demo() + " -o " + path("log.csv")).code, 0);
  const Outcome outcome = run("identify " + path("width.toml") + " " + path("log.csv") + " --json " + path("r.json"));
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_TRUE(json("r.json")["results"]["backlash.gap"]["std"].is_number());
}

TEST_F(Program, InitDoesNotWriteOverAnswers) {
  ASSERT_EQ(run("simulate " + demo() + " -o " + path("log.csv") + " --seed 3").code, 0);
  ASSERT_EQ(run("init " + path("log.csv") + " -o " + path("axis.toml")).code, 0);
  EXPECT_EQ(run("init " + path("log.csv") + " -o " + path("axis.toml")).code, 2);
  EXPECT_EQ(run("init " + path("log.csv") + " -o " + path("axis.toml") + " --force").code, 0);
}

// Three logs of the same axis: one number with less noise than that of one, and the study's inputs as they were.
TEST_F(Program, CombinesSeveralLogs) {
  std::string logs;
  for (int seed = 1; seed <= 3; ++seed) {
    const std::string log = path("log" + std::to_string(seed) + ".csv");
    ASSERT_EQ(run("simulate " + demo() + " -o " + log + " --seed " + std::to_string(seed)).code, 0);
    logs += " " + log;
  }
  ASSERT_EQ(run("identify " + demo() + " " + path("log1.csv") + " --json " + path("one.json")).code, 0);
  ASSERT_EQ(run("identify " + demo() + logs + " --json " + path("three.json")).code, 0);
  const auto one = json("one.json")["results"]["backlash.gap"], three = json("three.json")["results"]["backlash.gap"];
  EXPECT_LT(three["std.noise"].get<double>(), 0.7 * one["std.noise"].get<double>());
  EXPECT_GT(three["std.inputs"].get<double>(), 0.8 * one["std.inputs"].get<double>());
  EXPECT_NEAR(three["value"].get<double>(), 0.1, 4 * three["std"].get<double>());
}

// One recording is one, also under another name: it must not narrow the interval.
TEST_F(Program, RefusesTheSameLogTwice) {
  ASSERT_EQ(run("simulate " + demo() + " -o " + path("log.csv") + " --seed 1").code, 0);
  fs::copy_file(path("log.csv"), path("copy.csv"));
  const Outcome twice = run("identify " + demo() + " " + path("log.csv") + " " + path("log.csv"));
  EXPECT_EQ(twice.code, 2);
  EXPECT_THAT(twice.output, HasSubstr("log.csv is given twice"));
  const Outcome copied = run("identify " + demo() + " " + path("log.csv") + " " + path("copy.csv"));
  EXPECT_EQ(copied.code, 2);
  EXPECT_THAT(copied.output, HasSubstr("log.csv and " + path("copy.csv") + " hold the same samples"));
}

TEST_F(Program, SameSeedGivesTheSameBytes) {
  for (const char* name : {"a.csv", "b.csv"})
    ASSERT_EQ(run("simulate " + demo() + " -o " + path(name) + " --seed 9").code, 0);
  ASSERT_EQ(run("simulate " + demo() + " -o " + path("c.csv") + " --seed 10").code, 0);
  EXPECT_EQ(read("a.csv"), read("b.csv"));
  EXPECT_NE(read("a.csv"), read("c.csv"));
}

TEST_F(Program, VerdictsHaveTheirExitCodes) {
  ASSERT_EQ(run("simulate " + demo() + " -o " + path("log.csv")).code, 0);
  write_demo("tight.toml", "<= 6 deg", "<= 5 deg");
  EXPECT_EQ(run("identify " + path("tight.toml") + " " + path("log.csv")).code, 1);
  write_demo("at.toml", "<= 6 deg", "<= 0.1 rad");
  const Outcome straddles = run("identify " + path("at.toml") + " " + path("log.csv"));
  EXPECT_EQ(straddles.code, 5) << straddles.output;
}

TEST_F(Program, WrongModelIsNotTrusted) {
  ASSERT_EQ(run("simulate " + demo() + " -o " + path("log.csv")).code, 0);
  write_demo("wrong.toml", "load.inertia = { value = \"17.65 kg cm^2\", std = \"0.5 %\" }",
             "load.inertia = \"21 kg cm^2\"");
  const Outcome outcome = run("identify " + path("wrong.toml") + " " + path("log.csv") + " --json " + path("r.json"));
  EXPECT_EQ(outcome.code, 4) << outcome.output;
  EXPECT_EQ(json("r.json")["verdicts"][0]["verdict"], "inconclusive");
  EXPECT_EQ(run("check " + path("wrong.toml") + " " + path("log.csv")).code, 4);
  EXPECT_EQ(run("check " + demo() + " " + path("log.csv")).code, 0);
}

// 20 ms without a torque: the longest part without a hole is answered, and what cannot be mended is said.
TEST_F(Program, HolesInALogAreNotBridged) {
  ASSERT_EQ(run("simulate " + demo() + " -o " + path("whole.csv") + " --seed 3").code, 0);
  std::istringstream rows(read("whole.csv"));
  std::string holed, row;
  std::getline(rows, holed);
  holed += '\n';
  while (std::getline(rows, row)) {
    const double time = std::stod(row);  // ms
    if (time < 600.0 || time > 620.0) holed += row + '\n';
  }
  write("holed.csv", holed);
  const Outcome found = run("identify " + demo() + " " + path("holed.csv") + " --json " + path("r.json"));
  EXPECT_EQ(found.code, 0) << found.output;
  EXPECT_THAT(found.output, HasSubstr("log.hole"));
  const auto gap = json("r.json")["results"]["backlash.gap"]["ci95"];
  EXPECT_LT(gap[0].get<double>(), 0.1);
  EXPECT_GT(gap[1].get<double>(), 0.1);
  const Outcome estimated = run("estimate " + demo() + " " + path("holed.csv") + " -o " + path("e.csv"));
  EXPECT_EQ(estimated.code, 4) << estimated.output;
  EXPECT_THAT(estimated.output, HasSubstr("log.hole"));
}

TEST_F(Program, EstimateWritesValuesAndStandardDeviations) {
  ASSERT_EQ(run("simulate " + demo() + " -o " + path("log.csv")).code, 0);
  ASSERT_EQ(run("estimate " + demo() + " " + path("log.csv") + " --smooth -o " + path("e.csv")).code, 0);
  std::istringstream lines(read("e.csv"));
  std::string header;
  std::getline(lines, header);
  EXPECT_THAT(header, testing::StartsWith("time,motor.position,motor.position.std,"));
  EXPECT_THAT(header, HasSubstr("transmission.torque,transmission.torque.std"));
}

TEST_F(Program, DescribePrintsAStudyThatRuns) {
  const Outcome outcome = run("describe two-mass --study");
  ASSERT_EQ(outcome.code, 0);
  write("s.toml", outcome.output);
  EXPECT_EQ(run("simulate " + path("s.toml") + " -o " + path("l.csv")).code, 0);
  EXPECT_EQ(run("identify " + path("s.toml") + " " + path("l.csv")).code, 0);
}

TEST_F(Program, MistakesGetASentenceAndTheirCode) {
  EXPECT_EQ(run("").code, 2);
  EXPECT_EQ(run("identfy a b").code, 2);
  EXPECT_EQ(run("identify").code, 2);
  EXPECT_EQ(run("describe three-mass").code, 2);
  EXPECT_EQ(run("reproduce nobody").code, 2);
  const Outcome no_cell = run("reproduce limits --only \"torque gian\"");
  EXPECT_EQ(no_cell.code, 2);
  EXPECT_THAT(no_cell.output, HasSubstr("torque gian"));
  const Outcome no_study = run("identify nowhere.toml nowhere.csv");
  EXPECT_EQ(no_study.code, 2);
  EXPECT_THAT(no_study.output, HasSubstr("nowhere.toml"));
  const Outcome no_log = run("identify " + demo() + " nowhere.csv");
  EXPECT_EQ(no_log.code, 3);
  EXPECT_THAT(no_log.output, HasSubstr("nowhere.csv"));
  write("bad.csv", "t,tau_cmd,w_m,w_l\n0,1,2,3\n1,1,n/a,3\n");
  const Outcome bad = run("identify " + demo() + " " + path("bad.csv"));
  EXPECT_EQ(bad.code, 3);
  EXPECT_THAT(bad.output, HasSubstr("bad.csv:3: column \"w_m\": \"n/a\" is not a number"));
}

TEST_F(Program, NothingIsWrittenHalf) {
  write("out.json", "before");
  EXPECT_EQ(run("identify " + demo() + " nowhere.csv --json " + path("out.json")).code, 3);
  EXPECT_EQ(read("out.json"), "before");
  const Outcome nowhere = run("simulate " + demo() + " -o /nowhere/log.csv");
  EXPECT_EQ(nowhere.code, 2);
  EXPECT_THAT(nowhere.output, HasSubstr("/nowhere/log.csv: cannot be written"));
}

TEST_F(Program, AnUnknownCommandGetsTheNearestAndTheList) {
  const Outcome outcome = run("identfy a b");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.output,
            "unknown command \"identfy\"; did you mean \"identify\"? The commands are init, plot, convert, simulate, "
            "estimate, stream, excite, plan, identify, check, reproduce, compare, tune, describe, completion, man.\n");
  EXPECT_THAT(run("xyzzyxyzzy").output, testing::StartsWith("unknown command \"xyzzyxyzzy\". The commands are init,"));
}

TEST_F(Program, WritesToADeviceAndDoesNotReplaceIt) {
  std::filesystem::create_symlink("/dev/null", path("sink"));
  EXPECT_EQ(run("simulate " + demo() + " -o " + path("log.csv") + " --seed 3 --json " + path("sink")).code, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(path("sink")));
}

// What matters is the device itself, not that its folder takes no new files.
TEST_F(Program, WritesToADeviceInAFolderThatTakesNoFiles) {
  if (::geteuid() == 0) GTEST_SKIP() << "every folder takes files from root";
  fs::create_directories(path("closed"));
  fs::create_symlink("/dev/null", path("closed/sink"));
  fs::permissions(path("closed"), fs::perms::owner_write, fs::perm_options::remove);
  const Outcome outcome = run("simulate " + demo() + " -o " + path("log.csv") + " --json " + path("closed/sink"));
  fs::permissions(path("closed"), fs::perms::owner_write, fs::perm_options::add);
  EXPECT_EQ(outcome.code, 0) << outcome.output;
}

// Said before the work, not after it: the study and the log that are not there would be complained of next.
TEST_F(Program, OutputsAreCheckedBeforeTheWork) {
  const std::string study = path("nowhere.toml"), log = path("nowhere.csv"), folder = path("nowhere");
  write("file", "");
  const std::string both = study + " " + log;
  const std::vector<std::string> commands{"identify " + both + " --report ",
                                          "identify " + both + " --json ",
                                          "check " + both + " --report ",
                                          "check " + both + " --json ",
                                          "estimate " + both + " -o ",
                                          "estimate " + both + " --report ",
                                          "estimate " + both + " --json ",
                                          "simulate " + study + " -o ",
                                          "simulate " + study + " --report ",
                                          "simulate " + study + " --json ",
                                          "reproduce --report ",
                                          "reproduce --json ",
                                          "init " + log + " -o ",
                                          "plot " + log + " -o ",
                                          "convert " + log + " -o "};
  for (const std::string& command : commands) {
    const Outcome missing = run(command + folder + "/out.csv");
    EXPECT_EQ(missing.code, 2) << command;
    EXPECT_EQ(missing.output, fmt::format("{0}/out.csv: cannot be written: the folder {0} does not exist\n", folder));
    EXPECT_THAT(run(command + path("file") + "/out.csv").output, HasSubstr("file is not a folder")) << command;
  }
  fs::create_directories(path("out.csv"));
  EXPECT_THAT(run("simulate " + demo() + " -o " + path("out.csv")).output, HasSubstr("it is a folder"));
}

TEST_F(Program, AVerdictSpeaksInTheUnitOfItsLimit) {
  ASSERT_EQ(run("simulate " + demo() + " -o " + path("log.csv") + " --seed 1").code, 0);
  write_demo("arcmin.toml", "<= 6 deg", "<= 400 arcmin");
  const Outcome outcome =
      run("identify " + path("arcmin.toml") + " " + path("log.csv") + " --report " + path("r.html"));
  EXPECT_THAT(outcome.output, testing::ContainsRegex("<= 400 arcmin: 34[0-9.]+ arcmin; the 95 % interval"));
  EXPECT_THAT(read("r.html"), testing::ContainsRegex("<p class=\"quantity\">34[0-9.]+ .*<span class=\"unit\">arcmin"));
}

// Mutated studies and logs: any exit code of the list, never a crash.
TEST_F(Program, SurvivesBrokenStudies) {
  std::ifstream file(demo());
  const std::string good{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  std::uint32_t state = 7;
  const auto next = [&state] { return state = state * 1664525U + 1013904223U; };
  for (int i = 0; i < 150; ++i) {
    std::string text = good;
    for (int change = 0; change < 3; ++change) {
      const std::size_t at = next() % text.size();
      if (next() % 2 == 0)
        text.erase(at, 1 + next() % 8);
      else
        text.insert(at, std::string(1, "[]{}=\"'#.,-0\n"[(next() >> 8) % 13]));
    }
    write("s.toml", text);
    const Outcome outcome = run("check " + path("s.toml") + " " + path("nowhere.csv"));
    EXPECT_THAT(outcome.code, testing::AnyOf(2, 3)) << text << outcome.output;
  }
}

TEST_F(Program, EveryCommandShowsAnExample) {
  for (const char* command : {"simulate", "estimate", "excite", "plan", "identify", "check", "reproduce", "describe"}) {
    const Outcome outcome = run(std::string(command) + " --help");
    EXPECT_EQ(outcome.code, 0);
    EXPECT_THAT(outcome.output, HasSubstr("Example: tauhat"));
  }
}

}  // namespace
}  // namespace tauhat
