// The clocks of several elastic axes, as `check` looks at them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "support/cells.hpp"
#include "support/program.hpp"

namespace tauhat {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr double kPeriod = 400e-6;

class AxesClocksProgram : public Program {
 protected:
  std::string study() const { return (source_dir() / "studies/elastic-joint/two-axes.toml").string(); }

  void simulate(int seed) const {
    const auto done = run("simulate " + study() + " -o " + path("axes.csv") + " --seed " + std::to_string(seed));
    ASSERT_EQ(done.code, 0) << done.output;
  }

  // Columns that come so many samples late; less than zero: early.
  void write_late(const std::map<std::string, int>& samples) const {
    const Cells all = parse_cells(read("axes.csv"));
    Cells moved = all;
    const auto last = static_cast<int>(all.rows.size()) - 1;
    for (const auto& [name, late] : samples)
      for (int k = 0; k <= last; ++k)
        moved.rows[static_cast<std::size_t>(k)][all.place(name)] =
            all.rows[static_cast<std::size_t>(std::clamp(k - late, 0, last))][all.place(name)];
    write("late.csv", to_text(moved));
  }

  Outcome checked(const std::string& options = "") const {
    return run("check " + (options.empty() ? study() : options) + " " + path("late.csv") + " --json " + path("c.json"));
  }
  double samples(const std::string& result) const {
    return json("c.json")["results"][result]["value"].get<double>() / kPeriod;
  }
};

TEST_F(AxesClocksProgram, SaysNothingOfOneClock) {
  for (const int seed : {1, 2}) {
    simulate(seed);
    write_late({});
    const auto done = checked();
    EXPECT_EQ(done.code, 0) << done.output;
    EXPECT_THAT(done.output, Not(HasSubstr("clock."))) << seed;
    for (const char* delay : {"axis2.motor.torque.delay", "axis3.motor.torque.delay", "axis3.motor.position.delay"})
      EXPECT_NEAR(samples(delay), 0.0, 0.2) << delay << " seed " << seed;
  }
}

// Which axis, beside which, and how large: whatever else is late as well.
TEST_F(AxesClocksProgram, SaysWhichChannelIsLateAndByHowMuch) {
  simulate(1);
  write_late({{"current3", 3}, {"current2", -2}, {"gyro2", 4}});
  auto done = checked();
  EXPECT_EQ(done.code, 0) << done.output;
  EXPECT_NEAR(samples("axis3.motor.torque.delay"), 3.0, 0.2);
  EXPECT_NEAR(samples("axis2.motor.torque.delay"), -2.0, 0.2);
  EXPECT_THAT(read("c.json"), testing::ContainsRegex("axis3.motor.torque comes 1\\.(1[89]|2[012])"));
  EXPECT_THAT(read("c.json"), HasSubstr("delay = \\\"1.2 ms\\\" in [log.channels], which is 3 samples"));
  EXPECT_THAT(read("c.json"), HasSubstr("before axis2.motor.position"));

  write_late({{"motor3", 5}, {"current3", 5}});
  done = checked();
  EXPECT_NEAR(samples("axis3.motor.position.delay"), 5.0, 0.2);
  EXPECT_NEAR(samples("axis3.motor.torque.delay"), 0.0, 0.2);
  EXPECT_THAT(read("c.json"), HasSubstr("after axis2.motor.position"));
  EXPECT_THAT(read("c.json"), HasSubstr("With it, axis3.motor.torque needs delay = \\\"2 ms\\\"."));
  EXPECT_THAT(done.output, Not(HasSubstr("clock.torque")));

  write_late({{"gyro2", 4}});
  done = checked();
  EXPECT_NEAR(samples("axis2.load.velocity.skew"), 4.0, 0.3);
  EXPECT_THAT(read("c.json"), testing::ContainsRegex("axis2.load.velocity comes 1\\.[56]"));
  EXPECT_THAT(done.output, Not(HasSubstr("axis3.load.velocity comes")));
}

// A delay acts on its channel alone: with those of the sentences all channels have one clock.
TEST_F(AxesClocksProgram, WhatItAsksForPutsTheClocksRight) {
  simulate(1);
  write_late({{"motor3", 5}});
  EXPECT_EQ(checked().code, 0);
  EXPECT_THAT(read("c.json"), HasSubstr("in [log.channels], which is 5 samples. axis3.motor.torque needs none."));
  EXPECT_THAT(read("c.json"), Not(HasSubstr("clock.torque")));

  // Early beside its position, and late beside all others.
  write_late({{"motor3", 5}, {"current3", 3}});
  EXPECT_EQ(checked().code, 0);
  EXPECT_THAT(read("c.json"), HasSubstr("5 samples. With it, axis3.motor.torque needs delay = \\\"1.2 ms\\\"."));
  EXPECT_THAT(read("c.json"), HasSubstr("give it delay = \\\"1.2 ms\\\" in [log.channels], which is 3 samples"));

  write_changed("obeyed.toml", study(), "column = \"motor3\"", "column = \"motor3\", delay = \"2 ms\"");
  write_changed("obeyed.toml", path("obeyed.toml"), "column = \"current3\"",
                "column = \"current3\", delay = \"1.2 ms\"");
  const auto done = checked(path("obeyed.toml"));
  EXPECT_EQ(done.code, 0) << done.output;
  EXPECT_THAT(done.output, Not(HasSubstr("clock.")));
}

// Each position lacks four samples of twelve, the other ones: moved by six samples, they would lack the same.
TEST_F(AxesClocksProgram, SamplesThatLackDoNotLookLikeADelay) {
  simulate(1);
  Cells all = parse_cells(read("axes.csv"));
  for (std::size_t k = 0; k < all.rows.size(); ++k) {
    if (k % 12 < 4) all.rows[k][all.place("motor2")] = "";
    if ((k + 6) % 12 < 4) all.rows[k][all.place("motor3")] = "";
  }
  write("late.csv", to_text(all));
  const auto done = checked();
  EXPECT_THAT(done.output, Not(HasSubstr("clock."))) << done.output;
  EXPECT_NEAR(samples("axis3.motor.position.delay"), 0.0, 0.3);
}

// Twelve seconds at rest, and the motion after that.
TEST_F(AxesClocksProgram, LooksWhereTheAxesMove) {
  simulate(1);
  write_late({{"current3", 3}});
  Cells late = parse_cells(read("late.csv")), rested = late;
  const std::size_t time = late.place("time"), count = late.rows.size();
  for (std::size_t k = 0; k < count; ++k) {
    rested.rows[k] = late.rows.front();
    rested.rows[k][time] = fmt::format("{:.6f}", kPeriod * static_cast<double>(k));
    rested.rows.push_back(late.rows[k]);
    rested.rows.back()[time] = fmt::format("{:.6f}", kPeriod * static_cast<double>(count + k));
  }
  write("late.csv", to_text(rested));
  const auto done = checked();
  EXPECT_EQ(done.code, 0) << done.output;
  EXPECT_NEAR(samples("axis3.motor.torque.delay"), 3.0, 0.2);
}

// What cannot be compared is said beside what can.
TEST_F(AxesClocksProgram, AShortRecordIsSaidToBe) {
  simulate(1);
  Cells all = parse_cells(read("axes.csv"));
  all.names.emplace_back("load2");
  for (std::size_t k = 0; k < all.rows.size(); ++k) all.rows[k].push_back(k % 100 == 0 ? fmt::format("{}", k) : "");
  all.rows.resize(1400);
  write("late.csv", to_text(all));
  write_changed("encoder.toml", study(), "\"axis3.motor.torque\"",
                "\"axis2.load.position\" = { column = \"load2\", unit = \"rad\", std = 1e-5 }\n\"axis3.motor.torque\"");
  const auto done = checked(path("encoder.toml"));
  EXPECT_EQ(done.code, 0) << done.output;
  EXPECT_THAT(done.output, HasSubstr("record.too_short: 0.56 s"));
  EXPECT_THAT(done.output, HasSubstr("excitation.no_motion: axis2.load.position: motor and load do not move enough"));
  EXPECT_TRUE(json("c.json")["results"].contains("filter.mean_nis"));
}

// A study whose stiffnesses and inertias are off by 5 to 15 %, and which has no observer by noise.
TEST_F(AxesClocksProgram, FindsALateTorqueByAStudyThatIsOff) {
  simulate(3);
  write_late({{"current3", 2}});
  write_changed("off.toml", study(), "stiffness = [1.2e5, 3e4]", "stiffness = [1.36e5, 2.7e4]");
  write_changed("off.toml", path("off.toml"), "[[14.3854, 3.4358], [3.4358, 2.7927]]", "[[13.4, 3.2], [3.2, 2.95]]");
  write_changed("off.toml", path("off.toml"), "inertia = [7e-4, 3e-4]", "inertia = [7.4e-4, 2.85e-4]");
  const auto done = checked(path("off.toml"));
  EXPECT_EQ(done.code, 0) << done.output;
  EXPECT_NEAR(samples("axis3.motor.torque.delay"), 2.0, 0.25);
  EXPECT_NEAR(samples("axis2.motor.torque.delay"), 0.0, 0.25);
  EXPECT_THAT(read("c.json"), HasSubstr("axis3.motor.torque comes"));
  EXPECT_THAT(read("c.json"), Not(HasSubstr("axis2.motor.torque comes")));
}

TEST_F(AxesClocksProgram, AnAxisAtRestTellsNothing) {
  simulate(1);
  Cells all = parse_cells(read("axes.csv"));
  for (auto& row : all.rows) row[all.place("motor3")] = "0.5";
  write("late.csv", to_text(all));
  const auto done = checked();
  EXPECT_EQ(done.code, 4) << done.output;
  EXPECT_THAT(done.output, HasSubstr("axis3.motor.position never changes"));
}

}  // namespace
}  // namespace tauhat
