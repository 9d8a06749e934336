// The clocks of several elastic axes, as `check` looks at them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

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
  EXPECT_THAT(done.output, Not(HasSubstr("clock.torque")));

  write_late({{"gyro2", 4}});
  done = checked();
  EXPECT_NEAR(samples("axis2.load.velocity.skew"), 4.0, 0.3);
  EXPECT_THAT(read("c.json"), testing::ContainsRegex("axis2.load.velocity comes 1\\.[56]"));
  EXPECT_THAT(done.output, Not(HasSubstr("axis3.load.velocity comes")));
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
