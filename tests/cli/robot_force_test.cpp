// The force on a robot, as its user meets it: simulate, estimate, stream, the floor, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "support/cells.hpp"
#include "support/program.hpp"

namespace tauhat {
namespace {

using testing::HasSubstr;
using testing::Not;

class RobotForce : public Program {
 protected:
  std::string study() const { return (source_dir() / "studies/robot/force.toml").string(); }

  // The study with 1.6 s of motion and one push, for speed; and one text of it replaced by another.
  void write_study(const std::string& name, const std::string& from = "", const std::string& to = "") const {
    write_changed(name, study(), "duration = \"8 s\"", "duration = \"1.6 s\"");
    if (!from.empty()) write_changed(name, path(name), from, to);
  }
  void write_both_logs(const std::string& name) const {
    const auto done = run("simulate " + path(name) + " -o " + path("run.csv") + " --seed 3");
    ASSERT_EQ(done.code, 0) << done.output;
    ASSERT_EQ(run("simulate " + path(name) + " --without-contact -o " + path("free.csv") + " --seed 4").code, 0);
  }
  // Standard output and standard error go to s.csv and err.txt.
  int stream(const std::string& arguments, const std::string& log) const {
    const int status = std::system((program().string() + " stream " + arguments + " < " + path(log) + " > " +
                                    path("s.csv") + " 2> " + path("err.txt"))
                                       .c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  nlohmann::json results(const std::string& name) const { return json(name)["results"]; }
  double value(const std::string& file, const std::string& name) const {
    return results(file)[name]["value"].get<double>();
  }
};

// A column by its name; NaN where the cell is empty.
std::vector<double> column(const std::string& csv, const std::string& name) { return parse_cells(csv).column(name); }

// The paper's experiment through the program: the limit of force.true.rmse, 1.25 N.
TEST_F(RobotForce, TheExperimentOfThePaper) {
  ASSERT_EQ(run("simulate " + study() + " -o " + path("run.csv") + " --seed 1").code, 0);
  const auto done =
      run("estimate " + study() + " " + path("run.csv") + " -o " + path("e.csv") + " --json " + path("e.json"));
  ASSERT_EQ(done.code, 0) << done.output;
  EXPECT_LE(value("e.json", "force.rmse"), 1.25);
  EXPECT_THAT(done.output, HasSubstr("give it with --floor"));
}

TEST_F(RobotForce, TheSameSeedGivesTheSameBytes) {
  write_study("s.toml");
  for (const char* log : {"a.csv", "b.csv"})
    ASSERT_EQ(run("simulate " + path("s.toml") + " -o " + path(log) + " --seed 5").code, 0);
  EXPECT_TRUE(read("a.csv") == read("b.csv"));
  ASSERT_EQ(run("simulate " + path("s.toml") + " -o " + path("b.csv") + " --seed 6").code, 0);
  EXPECT_FALSE(read("a.csv") == read("b.csv"));
}

TEST_F(RobotForce, TheFloorComesFirstAndSetsTheThreshold) {
  write_study("s.toml");
  write_both_logs("s.toml");
  const auto done = run("estimate " + path("s.toml") + " " + path("run.csv") + " --floor " + path("free.csv") + " -o " +
                        path("e.csv") + " --json " + path("e.json") + " --report " + path("e.html"));
  ASSERT_EQ(done.code, 0) << done.output;
  const double floor = value("e.json", "force.floor"), threshold = value("e.json", "contact.threshold");
  EXPECT_GT(floor, 0.2);
  EXPECT_LT(floor, 1.0);
  EXPECT_GT(threshold, floor);
  EXPECT_GT(value("e.json", "contact.detectable"), threshold);
  EXPECT_LT(done.output.find("force.floor"), done.output.find("force.x"));
  // 20 N from 1 s on, nothing before.
  const auto time = column(read("e.csv"), "time"), contact = column(read("e.csv"), "contact"),
             probability = column(read("e.csv"), "contact.probability");
  double free = 0.0, false_alarms = 0.0;
  for (std::size_t k = 0; k < time.size(); ++k) {
    if (time[k] > 1.02) {
      EXPECT_EQ(contact[k], 1.0) << time[k];
      EXPECT_GT(probability[k], 0.5) << time[k];
    } else if (time[k] > 0.3 && time[k] < 1.0) {
      free += 1.0, false_alarms += contact[k] == 1.0;
    }
  }
  // The study allows 0.1 % of the samples, which a threshold from 1600 of them keeps to within a few times that.
  EXPECT_LE(false_alarms / free, 5e-3);
  EXPECT_THAT(read("e.html"), HasSubstr("Estimators side by side"));
  EXPECT_THAT(read("e.html"), HasSubstr("How sure a force is seen"));
}

// Under another name, too. What pushed the arm in it would be hidden by its own bands.
TEST_F(RobotForce, ALogThatIsItsOwnFloorIsWarnedOf) {
  write_study("s.toml");
  write_both_logs("s.toml");
  write("copy.csv", read("run.csv"));
  const std::string estimate = "estimate " + path("s.toml") + " " + path("run.csv") + " -o " + path("e.csv");
  const auto own = run(estimate + " --floor " + path("copy.csv"));
  EXPECT_EQ(own.code, 0) << own.output;
  EXPECT_THAT(own.output, HasSubstr("run.csv is its own log without contact"));
  EXPECT_THAT(run(estimate + " --floor " + path("free.csv")).output, Not(HasSubstr("own log without contact")));
}

TEST_F(RobotForce, StreamIsEstimate) {
  for (const std::string kind : {"ekf", "momentum-observer", "disturbance-filter"}) {
    const std::string walk = kind == "momentum-observer" ? "" : "force_walk = \"20 N/sqrt(s)\"\n";
    const std::string period = kind == "ekf" ? "" : "period = \"1 ms\"\n";
    write_study("s.toml",
                "kind = \"ekf\"                        # or \"momentum-observer\", \"disturbance-filter\"\n"
                "force_walk = \"20 N/sqrt(s)\"         # how fast the force may change; 0: it is constant\n",
                "kind = \"" + kind + "\"\n" + walk + period);
    write_both_logs("s.toml");
    const std::string floor = " --floor " + path("free.csv");
    ASSERT_EQ(run("estimate " + path("s.toml") + " " + path("run.csv") + floor + " -o " + path("e.csv")).code, 0);
    ASSERT_EQ(stream(path("s.toml") + floor, "run.csv"), 0) << read("err.txt");
    EXPECT_TRUE(read("e.csv") == read("s.csv")) << kind;
    EXPECT_THAT(read("err.txt"), HasSubstr("force.floor"));
  }
}

// Of the torques' gains, which no other source knows; and of the walk, which nobody does.
TEST_F(RobotForce, SaysWhereItsDeviationsComeFrom) {
  for (const std::string kind : {"ekf", "disturbance-filter"}) {
    write_study("exact.toml", "kind = \"ekf\"    ", "kind = \"" + kind + "\"    ");
    write_both_logs("exact.toml");
    write_changed("s.toml", path("exact.toml"), "unit = \"N m\", std = \"0.05 N m\" }\n\"joint3",
                  "unit = \"N m\", std = \"0.05 N m\", gain = { value = 1, std = 0.05 } }\n\"joint3");
    std::ofstream(path("s.toml"), std::ios::app) << "\n[accept]\n\"force.x\" = \"<= 200 N\"\n";
    const auto estimated = [&](const std::string& name) {
      const auto done = run("estimate " + path(name) + " " + path("run.csv") + " --floor " + path("free.csv") + " -o " +
                            path("e.csv") + " --json " + path("e.json"));
      EXPECT_EQ(done.code, 0) << done.output;
      return results("e.json");
    };
    const auto exact = estimated("exact.toml");
    const auto uncertain = estimated("s.toml");
    const auto part = [](const nlohmann::json& all, const char* name, const char* what) {
      return all.at(name).at(what).get<double>();
    };
    for (const char* name : {"force.x", "force.z", "joint2.external_torque"}) {
      EXPECT_EQ(part(exact, name, "std.inputs"), 0.0) << name;
      EXPECT_GT(part(uncertain, name, "std.inputs"), 0.0) << name;
      EXPECT_GT(part(uncertain, name, "std.model"), 0.0) << name;
      const double noise = part(uncertain, name, "std.noise"), inputs = part(uncertain, name, "std.inputs"),
                   model = part(uncertain, name, "std.model"), all = part(uncertain, name, "std");
      EXPECT_GT(noise, 0.0) << name;
      EXPECT_NEAR(std::hypot(noise, inputs, model), all, 1e-9 * all) << name;
      EXPECT_NE(part(exact, name, "value.intensity_3"), part(exact, name, "value")) << name;
    }
    EXPECT_EQ(json("e.json")["verdicts"][0]["verdict"], "conforming");
  }
}

// A gain that is wrong at one joint by its deviation moves every torque and every force by its share of their std, at
// every instant: as late as the filter is, and at whichever joints it takes the push to act.
TEST_F(RobotForce, AGainMovesTheForceByItsShareOfTheBand) {
  write_study("s.toml");
  write_both_logs("s.toml");
  const auto estimated = [&](int joint, const std::string& gain) {
    const std::string channel = fmt::format("column = \"tau{}\", unit = \"N m\"", joint);
    write_changed("gain.toml", path("s.toml"), channel, channel + ", gain = " + gain);
    const auto done = run("estimate " + path("gain.toml") + " " + path("run.csv") + " -o " + path("e.csv"));
    EXPECT_EQ(done.code, 0) << done.output;
    return parse_cells(read("e.csv"));
  };
  const Cells exact = estimated(1, "1");
  for (const int joint : {1, 5}) {
    const Cells uncertain = estimated(joint, "{ value = 1, std = 0.05 }"), wrong = estimated(joint, "1.05");
    double largest = 0.0;
    for (const std::string name :
         {"joint1.external_torque", "joint5.external_torque", "force.x", "force.y", "force.z"}) {
      const auto value = exact.column(name), moved = wrong.column(name), without = exact.column(name + ".std"),
                 with = uncertain.column(name + ".std");
      for (std::size_t k = 0; k < value.size(); ++k) {
        if (!std::isfinite(value[k])) continue;
        const double by = std::abs(moved[k] - value[k]),
                     said = std::sqrt(std::max(0.0, with[k] * with[k] - without[k] * without[k]));
        // A std of five digits tells a share of it that is a hundredth; how a gain moves it is linear to some percent.
        EXPECT_NEAR(by, said, 0.05 * by + 0.01 * without[k]) << "joint " << joint << ", " << name << ", row " << k;
        largest = std::max(largest, by);
      }
    }
    EXPECT_GT(largest, 0.5) << "joint " << joint;  // N
  }
}

// A sample that is missing, a row that is none.
TEST_F(RobotForce, StreamSkipsBadRowsAndBridgesMissingSamples) {
  write_study("s.toml");
  write_both_logs("s.toml");
  std::istringstream lines(read("run.csv"));
  std::string text, line;
  for (int row = 0; std::getline(lines, line) && row < 400; ++row) {
    if (row == 100) line = line.substr(0, line.find(',')) + "," + line.substr(line.find(',', line.find(',') + 1));
    text += line + "\n";
    if (row == 200) text += "0.2,not,a,number\n";
  }
  write("part.csv", text);
  ASSERT_EQ(stream(path("s.toml"), "part.csv"), 0) << read("err.txt");
  EXPECT_THAT(read("err.txt"), HasSubstr("standard input:202"));
  EXPECT_EQ(column(read("s.csv"), "time").size(), 399U);
  EXPECT_TRUE(std::isfinite(column(read("s.csv"), "force.x")[99]));
}

// An observer's steps are one period each: a few that are missing are made up for; behind a hole it begins anew.
TEST_F(RobotForce, AnObserverBeginsAnewBehindAHole) {
  for (const std::string kind : {"momentum-observer", "disturbance-filter"}) {
    write_study("s.toml",
                "kind = \"ekf\"                        # or \"momentum-observer\", \"disturbance-filter\"\n"
                "force_walk = \"20 N/sqrt(s)\"         # how fast the force may change; 0: it is constant\n",
                "kind = \"" + kind + "\"\n" + (kind == "momentum-observer" ? "" : "force_walk = \"20 N/sqrt(s)\"\n"));
    ASSERT_EQ(run("simulate " + path("s.toml") + " -o " + path("run.csv") + " --seed 3").code, 0);
    std::istringstream lines(read("run.csv"));
    std::string text;
    for (std::string line; std::getline(lines, line);) {
      const double time = line.starts_with("time") ? 0.0 : std::stod(line);
      if ((time < 1.1999 || time > 1.3001) && (time < 1.1499 || time > 1.1541)) text += line + "\n";
    }
    write("hole.csv", text);
    const auto done = run("estimate " + path("s.toml") + " " + path("hole.csv") + " -o " + path("e.csv"));
    ASSERT_EQ(done.code, 0) << done.output;
    const auto time = column(read("e.csv"), "time"), force = column(read("e.csv"), "force.x"),
               std = column(read("e.csv"), "force.x.std");
    std::size_t unknown = 0;
    for (std::size_t k = 0; k < time.size(); ++k) {
      if (time[k] < 1.14) continue;
      unknown += std::isnan(force[k]);
      if (std::isnan(force[k])) continue;
      EXPECT_LT(std::abs(force[k] - 20.0), 4.0 + 4.0 * std[k]) << kind << ", " << time[k];
    }
    EXPECT_GE(unknown, 1U) << kind;
    EXPECT_LT(unknown, 100U) << kind;
    EXPECT_TRUE(std::isfinite(force.back())) << kind;
  }
}

// Positions and torques at the motors, with a wrist whose motors move two joints: the same force.
TEST_F(RobotForce, MotorsTellTheSameForce) {
  write_study(
      "s.toml", "gravity = [0, 0, -9.81]",
      "gravity = [0, 0, -9.81]\ncoupling = [[1,0,0,0,0,0],[0,1,0,0,0,0],[0,0,1,0,0,0],[0,0,0,1,0,0],[0,0,0,0,1,0],"
      "[0,0,0,0,1,1]]");
  std::string text = read("s.toml");
  // Motor 6 follows joint 5, whose loop then sees both rotors: the gains that a wrist without coupling bears would not
  // be stable.
  const auto replace = [&text](const std::string& from, const std::string& to) {
    ASSERT_NE(text.find(from), std::string::npos) << from;
    text.replace(text.find(from), from.size(), to);
  };
  replace("position_gain = [4000, 4000, 2000, 600, 600, 300]", "position_gain = [4000, 4000, 2000, 600, 300, 150]");
  replace("velocity_gain = [120, 120, 50, 12, 12, 4]", "velocity_gain = [120, 120, 50, 12, 6, 2]");
  for (int i = 1; i <= 6; ++i) {
    const std::string joint = "\"joint" + std::to_string(i);
    for (const std::string quantity : {".position\"", ".torque\""})
      text.replace(text.find(joint + quantity), joint.size(), joint + ".motor");
    // Of one joint's gear, so that the noise at the joints stays what it was.
    const std::string column = "column = \"q" + std::to_string(i) + "\", unit = \"deg\", std = \"0.001 deg\"";
    text.replace(text.find(column), column.size(),
                 "column = \"q" + std::to_string(i) + "\", unit = \"deg\", std = \"0.03 deg\"");
    const std::string torque = "column = \"tau" + std::to_string(i) + "\", unit = \"N m\", std = \"0.05 N m\"";
    text.replace(
        text.find(torque), torque.size(),
        "column = \"tau" + std::to_string(i) + "\", unit = \"A\", torque_constant = 0.3, std = \"0.0015 N m\"");
  }
  write("m.toml", text);
  write_both_logs("m.toml");
  const auto done =
      run("estimate " + path("m.toml") + " " + path("run.csv") + " -o " + path("e.csv") + " --json " + path("e.json"));
  ASSERT_EQ(done.code, 0) << done.output;
  EXPECT_LT(value("e.json", "force.rmse"), 2.0);
}

// A joint that rests all the time tells nothing of its own residual, and leaves the others theirs.
TEST_F(RobotForce, AJointAtRestHasNoResidual) {
  write_study("s.toml", "amplitude = [0.5, 0.3, 0.3, 0.5, 0.35, 0.8]", "amplitude = [0.5, 0.3, 0.3, 0.5, 0.35, 0]");
  // The arm's second joint has a tenth more friction than the study says.
  write_changed("truth.toml", path("s.toml"), "coulomb = 7.8301", "coulomb = 8.6131");
  write_both_logs("truth.toml");
  const auto done = run("estimate " + path("s.toml") + " " + path("run.csv") + " --floor " + path("free.csv") + " -o " +
                        path("e.csv") + " --json " + path("e.json"));
  ASSERT_EQ(done.code, 0) << done.output;
  EXPECT_THAT(read("e.json"), HasSubstr("residual.unknown"));
  EXPECT_THAT(read("e.json"), HasSubstr("free.csv: joint6 rests, so that"));
  EXPECT_THAT(done.output, HasSubstr("unknown, and taken for zero"));
  EXPECT_GT(value("e.json", "joint2.torque.residual"), 0.5);
  // What rests hides its Coulomb torque, though the flange lies on its axis.
  EXPECT_GE(column(read("e.csv"), "joint6.external_torque.std").back(), 1.83);
}

// A threshold of the study's own has a share of false alarms of its own.
TEST_F(RobotForce, AThresholdThatIsGivenIsCounted) {
  write_study("s.toml", "contact.false_alarm_rate = \"0.1 %\"", "contact.threshold = \"0.001 N\"");
  write_both_logs("s.toml");
  const auto done = run("estimate " + path("s.toml") + " " + path("run.csv") + " --floor " + path("free.csv") +
                        " --json " + path("e.json"));
  ASSERT_EQ(done.code, 0) << done.output;
  EXPECT_THAT(done.output, HasSubstr("as the study says; exceeded by 1 of the samples without contact"));
  EXPECT_THAT(read("e.json"), Not(HasSubstr("contact.extrapolated")));
}

// Holding still, friction hides the force: large deviations, contact left open, exit code 4.
TEST_F(RobotForce, SaysThatItIsUnobservableAtRest) {
  write_study("s.toml", "amplitude = [0.5, 0.3, 0.3, 0.5, 0.35, 0.8]", "amplitude = [0, 0, 0, 0, 0, 0]");
  write_both_logs("s.toml");
  const auto done = run("estimate " + path("s.toml") + " " + path("run.csv") + " -o " + path("e.csv"));
  EXPECT_EQ(done.code, 4) << done.output;
  EXPECT_THAT(done.output, HasSubstr("Unobservable at rest: every joint rests in 100 % of the instants"));
  EXPECT_EQ(column(read("e.csv"), "force.observable").back(), 0.0);
  EXPECT_GT(column(read("e.csv"), "joint2.external_torque.std").back(), 2.0);
  const auto floor = run("estimate " + path("s.toml") + " " + path("run.csv") + " --floor " + path("free.csv"));
  EXPECT_EQ(floor.code, 3) << floor.output;
  EXPECT_THAT(floor.output, HasSubstr("free.csv: every joint rests"));
}

TEST_F(RobotForce, FollowsATrajectoryFromAFile) {
  write_study("s.toml", "duration = \"1.6 s\"\n", "trajectory = \"t.csv\"\n");
  std::string text = read("s.toml");
  const auto motion = text.find("[simulate.motion]"), force = text.find("[[simulate.force]]");
  write("s.toml", text.erase(motion, force - motion));
  std::string rows = "time";
  for (int i = 1; i <= 6; ++i)
    for (const char* quantity : {"position", "velocity", "acceleration"})
      rows += ",joint" + std::to_string(i) + "." + quantity;
  for (int k = 0; k <= 100; ++k) {  // a hundred times a second, for the controller's thousand
    const double t = 0.01 * k;
    rows += "\n" + std::to_string(t);
    for (int i = 0; i < 6; ++i)
      rows += "," + std::to_string(0.3 * std::sin(3.0 * t)) + "," + std::to_string(0.9 * std::cos(3.0 * t)) + "," +
              std::to_string(-2.7 * std::sin(3.0 * t));
  }
  write("t.csv", rows + "\n");
  ASSERT_EQ(run("simulate " + path("s.toml") + " --without-contact -o " + path("run.csv")).code, 0);
  const auto position = column(read("run.csv"), "truth.joint2.position");
  ASSERT_EQ(position.size(), 1001U);
  EXPECT_NEAR(position[500], 0.3 * std::sin(1.5), 1e-3);
  write("t.csv", "time,joint1.position\n0,1\n");
  const auto refused = run("simulate " + path("s.toml") + " -o " + path("run.csv"));
  EXPECT_EQ(refused.code, 3);
  EXPECT_THAT(refused.output, HasSubstr("joint1.velocity"));
}

// How fast the force walks, by the likelihood of the record: as good as the best of a grid, within a tenth.
TEST_F(RobotForce, ChoosesHowFastTheForceWalks) {
  write_study("auto.toml", "force_walk = \"20 N/sqrt(s)\"", "force_walk = \"auto\"");
  write_both_logs("auto.toml");
  const auto rmse = [&](const std::string& walk) {
    write_study("s.toml", "force_walk = \"20 N/sqrt(s)\"", "force_walk = " + walk);
    const auto done = run("estimate " + path("s.toml") + " " + path("run.csv") + " --floor " + path("free.csv") +
                          " -o " + path("e.csv") + " --json " + path("e.json"));
    EXPECT_EQ(done.code, 0) << done.output;
    return value("e.json", "force.rmse");
  };
  double best = 1e9;
  for (const char* walk : {"3", "10", "30", "100"}) best = std::min(best, rmse(walk));
  EXPECT_LT(rmse("\"auto\""), 1.1 * best);
  EXPECT_THAT(read("e.json"), HasSubstr("intensity.chosen"));
  EXPECT_EQ(stream(path("auto.toml"), "run.csv"), 2);
  EXPECT_THAT(read("err.txt"), HasSubstr("force_walk in [estimator]"));
  write_changed("m.toml", path("auto.toml"), "kind = \"ekf\"", "kind = \"disturbance-filter\"");
  EXPECT_THAT(run("estimate " + path("m.toml") + " " + path("run.csv")).output, HasSubstr("only kind = \"ekf\""));
}

TEST_F(RobotForce, SaysWhatItCannotEstimate) {
  const auto refused = [&](const std::string& from, const std::string& to) {
    write_study("s.toml", from, to);
    const auto done = run("estimate " + path("s.toml") + " " + path("none.csv"));
    EXPECT_EQ(done.code, 2) << done.output;
    return done.output;
  };
  EXPECT_THAT(refused("frame = \"flange\", axes", "frame = \"flagne\", axes"),
              HasSubstr("robot.force.frame = \"flagne\": is not a frame of the robot; did you mean \"flange\"?"));
  EXPECT_THAT(refused("\"joint4.torque\" = { column = \"tau4\", unit = \"N m\", std = \"0.05 N m\" }\n", ""),
              HasSubstr("has neither joint4.torque nor joint4.motor.torque"));
  EXPECT_THAT(refused("kind = \"ekf\"", "kind = \"ukf\""), HasSubstr("must be one of ekf, momentum-observer"));
  write_study("s.toml", "force = { frame = \"flange\", axes = \"world\" }   # moment = true: force and moment\n", "");
  write_study("t.toml");
  write_both_logs("t.toml");
  const auto frameless = run("estimate " + path("s.toml") + " " + path("run.csv"));
  EXPECT_EQ(frameless.code, 2);
  EXPECT_THAT(frameless.output, HasSubstr("simulate.force: needs a frame"));
  const auto smooth = run("estimate " + path("t.toml") + " " + path("run.csv") + " --smooth");
  EXPECT_EQ(smooth.code, 2);
  EXPECT_THAT(smooth.output, HasSubstr("have no smoother"));
  const auto floor = run("estimate " + demo() + " " + path("run.csv") + " --floor " + path("free.csv"));
  EXPECT_EQ(floor.code, 2);
  EXPECT_THAT(floor.output, HasSubstr("--floor is for robots"));
}

}  // namespace
}  // namespace tauhat
