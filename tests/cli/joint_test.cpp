// The link's velocity, as its user meets it: simulate, compare, estimate, stream and tune, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "support/cells.hpp"
#include "support/joint_program.hpp"

namespace tauhat {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

TEST_F(JointProgram, ComparesItsObservers) {
  simulate();
  const auto done =
      run("compare " + study() + " " + path("j.csv") + " --json " + path("c.json") + " --report " + path("c.html"));
  ASSERT_EQ(done.code, 0) << done.output;
  const auto results = nlohmann::json::parse(read("c.json"))["results"];
  const auto fit = [&](const char* name) { return results[std::string(name) + ".fit"]["value"].get<double>(); };
  EXPECT_GT(fit("lugre"), 97.0);
  EXPECT_GT(fit("kalman"), 87.0);
  EXPECT_GT(fit("kalman"), fit("naive") + 10.0);
  const auto damping = [](const nlohmann::json& all, const std::string& name) {
    return all[name + ".damping"]["value"].get<double>();
  };
  EXPECT_GT(damping(results, "kalman"), 0.03);
  EXPECT_LT(damping(results, "naive"), 0.8 * damping(results, "lugre"));
  EXPECT_THAT(read("c.html"), HasSubstr("Damping in the loop"));
  // Who believes in other numbers damps the study's axis less.
  write_study("other.toml", "stiffness = 1.2e5", "stiffness = 2.4e5");
  ASSERT_EQ(
      run("compare " + study() + " " + path("j.csv") + " --with " + path("other.toml") + " --json " + path("c.json"))
          .code,
      0);
  const auto both = json("c.json")["results"];
  EXPECT_LT(damping(both, path("other.toml") + ".lugre"), 0.9 * damping(both, "lugre"));
}

TEST_F(JointProgram, StreamIsEstimate) {
  simulate();
  for (const char* observer : {"poles", "kalman", "lugre"}) {
    write_study("one.toml", "observer = \"kalman\"", std::string("observer = \"") + observer + "\"");
    ASSERT_EQ(run("estimate " + path("one.toml") + " " + path("j.csv") + " -o " + path("e.csv")).code, 0);
    ASSERT_EQ(run("stream " + path("one.toml") + " < " + path("j.csv") + " > " + path("s.csv")).code, 0);
    EXPECT_EQ(read("e.csv"), read("s.csv")) << observer;
  }
}

TEST_F(JointProgram, TunesAndKeepsTheComments) {
  simulate();
  const auto done = run("tune " + study() + " " + path("j.csv") + " --observer lugre --evaluations 15 -o " +
                        path("tuned.toml") + " --json " + path("t.json"));
  ASSERT_EQ(done.code, 0) << done.output;
  EXPECT_THAT(read("tuned.toml"), HasSubstr("# the extended filter with the friction's law inside"));
  const auto coulomb =
      nlohmann::json::parse(read("t.json"))["results"]["motor.friction.coulomb"]["value"].get<double>();
  EXPECT_GT(coulomb, 0.0);
  EXPECT_EQ(run("estimate " + path("tuned.toml") + " " + path("j.csv") + " -o " + path("e.csv")).code, 0);
}

// R as well: an encoder that the study makes ten times coarser than it is.
TEST_F(JointProgram, TunesTheSensorsNoise) {
  simulate();
  write_study("coarse.toml", "kind = \"kalman\"\n", "kind = \"kalman\"\nsensor_std = 2e-5\n");
  const auto done = run("tune " + path("coarse.toml") + " " + path("j.csv") + " --observer kalman -o " +
                        path("tuned.toml") + " --json " + path("t.json"));
  ASSERT_EQ(done.code, 0) << done.output;
  const double std = json("t.json")["results"]["sensor_std"]["value"].get<double>();
  // 2 urad of noise and steps of 6 urad: 2.6 urad; what the friction does within a sample stands beside it.
  EXPECT_GT(std, 1.5e-6);
  EXPECT_LT(std, 6e-6);
}

TEST_F(JointProgram, SaysWhyAnObserverCannotBe) {
  EXPECT_THAT(refused("motor_disturbance = { intensity = 0.63, leak = \"0.2 Hz\" }",
                      "motor_disturbance = { intensity = 0.63 }\nexternal_torque = { intensity = 5 }"),
              HasSubstr("observer \"kalman\": motor.position does not show"));
  EXPECT_THAT(refused("{ frequency = \"100 Hz\", damping = 0.9 }", "{ frequency = \"1300 Hz\", damping = 0.9 }"),
              HasSubstr("faster than half the sampling rate, 1250 Hz"));
  EXPECT_THAT(refused(", { frequency = \"100 Hz\", damping = 0.9 }", ""),
              HasSubstr("poles: there are 4, and the model has 6"));
  EXPECT_THAT(refused("coupling_inertia = 3.4358", "coupling_inertia = 9"),
              HasSubstr("the mass matrix must be positive"));
  EXPECT_THAT(refused("noise = { motor = 1e-3, load = 0.32 }", "noise = { motor = 1e-3 }"), HasSubstr("noise.load"));
  EXPECT_THAT(refused("coupling_inertia = 3.4358", "coupling_inertia = 0"),
              HasSubstr("give neighbour.coupling_inertia in [drive], or leave it out"));
  EXPECT_THAT(refused("noise = { motor = 1e-3, load = 0.32 }", "noise = { motor = 1e-3, load = -0.32 }"),
              HasSubstr("must be positive"));
  EXPECT_THAT(refused("std = 2e-6", "std = 0"), HasSubstr("must be positive"));
  EXPECT_THAT(refused("\"motor.position\" = { column = \"motor\", unit = \"rad\"",
                      "\"motor.velocity\" = { column = \"motor\", unit = \"rad/s\""),
              HasSubstr("has no motor.position"));
  // A joint so soft that its link swings at a millihertz: it is that, and not how the poles lie to each other.
  for (const char* soft : {"1e-6", "1e-3"})
    EXPECT_THAT(refused("stiffness = 1.2e5", std::string("stiffness = ") + soft),
                HasSubstr("observer \"poles\": motor.position does not show load"))
        << soft;
  // Outside the unit circle: poles that grow.
  EXPECT_THAT(refused("{ frequency = \"100 Hz\", damping = 0.9 }", "{ frequency = \"100 Hz\", damping = -0.1 }"),
              HasSubstr("observer.poles.damping = -0.1"));
}

// A state that the motor does not show is refused by every kind of observer, alone in its study, in the same words.
TEST_F(JointProgram, EveryKindOfObserverIsRefusedAState) {
  std::ifstream file(study());
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const auto first = text.find("[[observer]]"), estimator = text.find("[estimator]");
  const std::string noise = "noise = { motor = 1e-3, load = 0.32, neighbour = 0.32, bristle = 1e-4 }\n";
  const auto said = [&](const std::string& kind, const std::string& unknowns, const std::string& from,
                        const std::string& to) {
    std::string drive = text.substr(0, first), rest = text.substr(estimator);
    if (!from.empty()) drive.replace(drive.find(from), from.size(), to);
    rest.replace(rest.find("observer = \"kalman\""), 19, "observer = \"one\"");
    write("one.toml", drive + "[[observer]]\nname = \"one\"\nkind = \"" + kind + "\"\n" + unknowns + rest);
    const auto done = run("describe " + path("one.toml"));
    return fmt::format("{} {}", done.code, done.output);
  };
  const std::string leaking = "motor_disturbance = { intensity = 0.5, leak = \"0.2 Hz\" }\n";
  const std::pair<std::string, std::string> observers[] = {
      {"kalman", leaking + "noise = { motor = 1e-3, load = 0.32 }\n"},
      {"lugre-kalman", leaking + noise},
      {"virtual-sensor", ""}};
  for (const auto& [kind, unknowns] : observers) {
    EXPECT_THAT(said(kind, unknowns, "", ""), testing::StartsWith("0 ")) << kind;
    EXPECT_THAT(said(kind, unknowns, "coupling_inertia = 3.4358", "coupling_inertia = 0"),
                ContainsRegex("^2 .*does not show neighbour.*give neighbour.coupling_inertia"))
        << kind;
    EXPECT_THAT(said(kind, unknowns, "stiffness = 1.2e5", "stiffness = 1e-9"),
                ContainsRegex("^2 .*does not show load.*look at transmission.stiffness"))
        << kind;
  }
  const std::string both = "external_torque = { intensity = 5 }\n" + noise;
  EXPECT_THAT(said("lugre-kalman", leaking + both, "", ""), testing::StartsWith("0 "));
  EXPECT_THAT(said("lugre-kalman", "motor_disturbance = { intensity = 0.5 }\n" + both, "", ""),
              ContainsRegex("^2 .*cannot tell a disturbance at the motor from a torque at the link"));
}

TEST_F(JointProgram, DescribesGainsAndPoles) {
  const auto done = run("describe " + study() + " --json " + path("d.json"));
  ASSERT_EQ(done.code, 0) << done.output;
  // Of the axis with its true numbers, poles at 40, 80 and 100 Hz: the motor's velocity.
  const auto results = nlohmann::json::parse(read("d.json"))["results"];
  EXPECT_NEAR(results["poles.gain.motor.velocity"]["value"].get<double>(), 775.617, 1e-2);
  EXPECT_THAT(done.output, HasSubstr("poles of the error"));
  // Both poles of the axis lie above the zeros that its motor sees.
  EXPECT_GT(results["response.pole1.frequency"]["value"], results["response.zero1.frequency"]["value"]);
  EXPECT_GT(results["response.pole2.frequency"]["value"], results["response.zero2.frequency"]["value"]);
}

TEST_F(JointProgram, SweepsPoles) {
  simulate();
  const auto done = run("tune " + study() + " " + path("j.csv") + " --observer poles -o " + path("tuned.toml") +
                        " --json " + path("t.json") + " --report " + path("t.html"));
  ASSERT_EQ(done.code, 0) << done.output;
  const double factor = json("t.json")["results"]["poles.factor"]["value"].get<double>();
  EXPECT_GT(factor, 0.1);
  EXPECT_THAT(read("t.html"), HasSubstr("Noise against convergence"));
  ASSERT_EQ(run("describe " + path("tuned.toml") + " --json " + path("d.json")).code, 0);
  EXPECT_THAT(read("tuned.toml"), HasSubstr("# Luenberger's"));
  const auto fit_of = [&](const std::string& name) {
    EXPECT_EQ(run("compare " + name + " " + path("j.csv") + " --json " + path("c.json")).code, 0);
    return json("c.json")["results"]["poles.fit"]["value"].get<double>();
  };
  EXPECT_GT(fit_of(path("tuned.toml")), fit_of(study()) - 1.0);
}

// The links behind the motor, without gain: with true numbers as good as any.
TEST_F(JointProgram, AVirtualSensorNeedsNoGain) {
  simulate();
  write_study("links.toml", "[[observer]]\nname = \"poles\"",
              "[[observer]]\nname = \"links\"\nkind = \"virtual-sensor\"\n\n[[observer]]\nname = \"poles\"");
  ASSERT_EQ(run("compare " + path("links.toml") + " " + path("j.csv") + " --json " + path("c.json")).code, 0);
  EXPECT_GT(json("c.json")["results"]["links.fit"]["value"].get<double>(), 95.0);
  EXPECT_THAT(refused("kind = \"luenberger\"\n", "kind = \"virtual-sensor\"\n"),
              HasSubstr("takes the motor's motion as it is"));
}

// A reference with a delay of its own is looked up at the motor's instants; no observer is troubled by it.
TEST_F(JointProgram, AReferenceMayHaveItsOwnClock) {
  simulate();
  const auto fit_of = [&](const std::string& name) {
    const auto done = run("compare " + name + " " + path("j.csv") + " --json " + path("c.json"));
    EXPECT_EQ(done.code, 0) << done.output;
    return json("c.json")["results"];
  };
  const auto plain = fit_of(study());
  write_study("late.toml", "\"load.velocity\" = { column = \"gyro\"",
              "\"load.velocity\" = { delay = \"1.1 ms\", column = \"gyro\"");
  const auto late = fit_of(path("late.toml"));
  EXPECT_LT(late["lugre.fit"]["value"].get<double>(), plain["lugre.fit"]["value"].get<double>());
  // It is moved to earlier, so that the estimate follows.
  EXPECT_NEAR(late["lugre.delay"]["value"].get<double>() - plain["lugre.delay"]["value"].get<double>(), 1.1e-3, 1e-4);
}

// A gain is of one period. With another than the log's it would run, and be wrong.
TEST_F(JointProgram, ThePeriodIsThatOfTheLog) {
  simulate();
  write_study("slow.toml", "period = \"400 us\"", "period = \"800 us\"");
  for (const std::string command : {"estimate", "compare", "check"}) {
    const auto done = run(command + " " + path("slow.toml") + " " + path("j.csv"));
    EXPECT_EQ(done.code, 2) << done.output;
    EXPECT_THAT(done.output, HasSubstr("estimator.period = 0.8 ms, and the samples of"));
  }
  const auto streamed = run("stream " + path("slow.toml") + " < " + path("j.csv"));
  EXPECT_EQ(streamed.code, 2) << streamed.output;
  EXPECT_THAT(streamed.output, HasSubstr("estimator.period = 0.8 ms, and the samples of standard input are 0.4 ms"));
}

TEST_F(JointProgram, ADisturbanceObserverNeedsAModelThatDoesNotIntegrate) {
  simulate();
  write_study("changed.toml", "noise = { motor = 1e-3, load = 0.32 }",
              "noise = { motor = 1e-3, load = 0.32 }\ndisturbance_observer = true");
  std::string text = read("changed.toml");
  const std::string leak = "motor_disturbance = { intensity = 0.63, leak = \"0.2 Hz\" }";
  text.replace(text.find(leak), leak.size(), "external_torque = { intensity = 5 }");
  write("changed.toml", text);
  for (const std::string& command : {"estimate " + path("changed.toml") + " " + path("j.csv") + " -o " + path("e.csv"),
                                     "describe " + path("changed.toml")}) {
    const auto done = run(command);
    EXPECT_EQ(done.code, 2) << command;
    EXPECT_THAT(done.output, HasSubstr("integrates a torque of its own"));
    EXPECT_THAT(done.output, ContainsRegex("changed\\.toml:[0-9]+: observer \"kalman\""));
  }
}

// A motor that stands still tells nothing, and nothing is written.
TEST_F(JointProgram, AMotorThatNeverMovesTellsNothing) {
  simulate();
  Cells all = parse_cells(read("j.csv"));
  for (auto& row : all.rows) row[all.place("motor")] = "0.5", row[all.place("current")] = "0.1";
  write("flat.csv", to_text(all));
  const auto tuned = run("tune " + study() + " " + path("flat.csv") + " -o " + path("tuned.toml"));
  EXPECT_EQ(tuned.code, 4) << tuned.output;
  EXPECT_THAT(tuned.output, HasSubstr("flat.csv: the motor never moves"));
  EXPECT_FALSE(fs::exists(path("tuned.toml")));
  const auto compared = run("compare " + study() + " " + path("flat.csv"));
  EXPECT_EQ(compared.code, 4) << compared.output;
  EXPECT_THAT(compared.output, HasSubstr("excitation.no_motion"));
}

// Three rows of a hundred are missing: the model bridges them by the stamps, and the estimate stays what it was. Fifty
// rows of five thousand: over 20 ms nobody knows the torque, and the observer begins anew. So it does where the rows
// come without their position.
TEST_F(JointProgram, BridgesMissingRows) {
  simulate();
  const std::string whole = read("j.csv");
  const auto without_position = [](std::string row) {  // its third column
    const std::size_t begin = row.find(',', row.find(',') + 1) + 1;
    return row.erase(begin, row.find(',', begin) - begin);
  };
  const auto write_gaps = [&](const std::string& name, std::size_t missing, std::size_t every, bool rows_come = false) {
    std::string gaps;
    std::size_t row = 0;
    for (std::size_t at = 0; at < whole.size(); ++row) {
      const std::size_t end = whole.find('\n', at) + 1;
      const std::string text = whole.substr(at, end - at);
      const bool is_whole = row % every < every / 2 || row % every >= every / 2 + missing;
      if (is_whole || rows_come) gaps += is_whole ? text : without_position(text);
      at = end;
    }
    write(name, gaps);
  };
  write_gaps("gaps.csv", 3, 100);
  write_gaps("outages.csv", 50, 5000);
  write_gaps("silence.csv", 50, 5000, true);
  const auto fit = [&](const std::string& log) {
    const auto done = run("compare " + study() + " " + path(log) + " --json " + path("c.json"));
    EXPECT_EQ(done.code, 0) << done.output;
    return json("c.json")["results"]["kalman.fit"]["value"].get<double>();
  };
  const double undisturbed = fit("j.csv");
  EXPECT_GT(fit("gaps.csv"), undisturbed - 2.0);
  EXPECT_GT(fit("outages.csv"), undisturbed - 2.0);
  EXPECT_GT(fit("silence.csv"), undisturbed - 2.0);
  // Nothing is known in a hole and until the observer has settled, 0.6 s, everything after that. (`compare` leaves out
  // what is not known.)
  const auto unknown = [&](const std::string& log) {
    const auto done = run("estimate " + study() + " " + path(log) + " -o " + path("e.csv"));
    EXPECT_EQ(done.code, 0) << done.output;
    const Cells cells = parse_cells(read("e.csv"));
    const std::vector<double> velocity = cells.column("load.velocity");
    EXPECT_TRUE(std::isfinite(velocity.back()));
    return std::count_if(velocity.begin(), velocity.end(), [](double v) { return !std::isfinite(v); });
  };
  const auto at_the_start = unknown("j.csv"), holes = std::count(whole.begin(), whole.end(), '\n') / 5000;
  EXPECT_LE(unknown("outages.csv"), at_the_start + 1500 * holes);
  EXPECT_LE(unknown("silence.csv"), at_the_start + 1500 * holes);
}

TEST_F(JointProgram, HasNoSmoother) {
  simulate();
  const auto done = run("estimate " + study() + " " + path("j.csv") + " --smooth");
  EXPECT_EQ(done.code, 2);
  EXPECT_THAT(done.output, HasSubstr("has no smoother"));
}

TEST_F(JointProgram, ClocksThatDifferAreRefused) {
  write("clocks.csv", [] {
    std::string text = "time,current,t2,motor,gyro\n";
    for (int k = 0; k < 200; ++k)
      text += std::to_string(4e-4 * k) + ",0.1," + std::to_string(4e-4 * k + 1.7e-4) + ",1.0,0\n";
    return text;
  }());
  write_study("clocks.toml", "column = \"motor\", unit", "column = \"motor\", time_column = \"t2\", unit");
  const auto done = run("estimate " + path("clocks.toml") + " " + path("clocks.csv") + " -o " + path("e.csv"));
  EXPECT_EQ(done.code, 3) << done.output;
  EXPECT_THAT(done.output, HasSubstr("different clocks"));
}

}  // namespace
}  // namespace tauhat
