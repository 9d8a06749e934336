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
using testing::Not;

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

// A joint's stiffness from the motor's response alone, where friction does not turn over with it.
TEST_F(JointProgram, IdentifiesTheJoint) {
  write_frictionless("smooth.toml");
  ASSERT_EQ(run("simulate " + path("smooth.toml") + " -o " + path("j.csv") + " --seed 3").code, 0);
  const auto done = run("identify " + path("smooth.toml") + " " + path("j.csv") + " --json " + path("i.json") +
                        " --study " + path("identified.toml"));
  ASSERT_EQ(done.code, 0) << done.output;
  // The study shakes this axis up to 30 Hz.
  EXPECT_THAT(done.output, ContainsRegex("the motor's response from 2 to 30(\\.5)? Hz"));
  const auto stiffness = nlohmann::json::parse(read("i.json"))["results"]["transmission.stiffness"];
  EXPECT_NEAR(stiffness["value"].get<double>(), 1.2e5, 3e3);
  EXPECT_GT(stiffness["std"].get<double>(), 0.0);
  // Resonances of this axis: 16.7 and 26.5 Hz; with the motor held 12.4 and 23.0 Hz.
  const auto results = json("i.json")["results"];
  const auto near = [&](const char* name, double frequency) {
    EXPECT_NEAR(results[name]["value"].get<double>(), frequency, 0.4) << name;
    EXPECT_GT(results[name]["std"].get<double>(), 0.0) << name;
  };
  near("response.pole1.frequency", 16.7);
  near("response.pole2.frequency", 26.5);
  near("response.zero1.frequency", 12.4);
  near("response.zero2.frequency", 23.0);
  // The study with these numbers is one to compare with.
  const auto compared = run("compare " + path("smooth.toml") + " " + path("j.csv") + " --with " +
                            path("identified.toml") + " --json " + path("c.json") + " --report " + path("c.html"));
  ASSERT_EQ(compared.code, 0) << compared.output;
  EXPECT_TRUE(json("c.json")["results"].contains(path("identified.toml") + ".kalman.fit"));
  for (const char* drawn : {"At a reversal", "Spectrum of the error", "the virtual sensor", "Friction of the motor in"})
    EXPECT_THAT(read("c.html"), HasSubstr(drawn));
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

// What clock.torque asks for: a torque that is moved by whole samples begins and ends elsewhere than the position.
TEST_F(JointProgram, ADelayOfTheTorqueLeavesNoHoles) {
  simulate();
  write_study("moved.toml", "\"motor.torque\" = {", "\"motor.torque\" = { delay = \"2 ms\",");
  for (const std::string command : {"check", "identify", "compare", "estimate"}) {
    const auto done = run(command + " " + path("moved.toml") + " " + path("j.csv"));
    EXPECT_TRUE(done.code == 0 || done.code == 4) << command << done.output;
    EXPECT_THAT(done.output, testing::Not(HasSubstr("is missing"))) << command;
  }
}

TEST_F(JointProgram, SaysThatFrictionBendsTheResponse) {
  simulate();
  const auto done = run("check " + study() + " " + path("j.csv"));
  EXPECT_EQ(done.code, 4) << done.output;
  EXPECT_THAT(done.output, HasSubstr("excitation.reversals: The motor turns back"));
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

// The current of a drive that logs it later than it acts: found, and put right by what the sentence says.
TEST_F(JointProgram, ALateTorqueIsFound) {
  // On a travel in one direction, friction and all.
  write_study("smooth.toml", "amplitude = \"0.9 N m\"", "amplitude = \"0.9 N m\", offset = \"1.6 N m\"");
  constexpr double kPeriod = 400e-6;
  for (const int late : {0, 2, 5}) {
    const std::string delay = "delay = \"" + nlohmann::json(0.4 * late).dump() + " ms\"";
    write_changed("late.toml", path("smooth.toml"), "column = \"current\"", "column = \"current\", " + delay);
    for (const char* seed : {"1", "2", "3"}) {
      ASSERT_EQ(run("simulate " + path("late.toml") + " -o " + path("l.csv") + " --seed " + seed).code, 0);
      const auto done = run("check " + path("smooth.toml") + " " + path("l.csv") + " --json " + path("l.json"));
      EXPECT_EQ(done.code, 0) << done.output;
      const double found = json("l.json")["results"]["motor.torque.delay"]["value"].get<double>();
      EXPECT_NEAR(found, late * kPeriod, 0.25 * kPeriod) << late << " seed " << seed;
      EXPECT_EQ(read("l.json").find("clock.torque") != std::string::npos, late > 0) << late << " seed " << seed;
      EXPECT_THAT(run("check " + path("late.toml") + " " + path("l.csv")).output, Not(HasSubstr("clock.torque")));
    }
    if (late > 0) {
      EXPECT_THAT(read("l.json"), HasSubstr(fmt::format("delay = \\\"{:.4g} ms\\\"", 0.4 * late)));
    }
  }
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

// Degrees for radians, a torque's constant without its point, motor turns for output turns: the response fits another
// joint as well, and says whose it is not.
TEST_F(JointProgram, WrongUnitsMakeAnotherJoint) {
  write_frictionless("right.toml");
  ASSERT_EQ(run("simulate " + path("right.toml") + " -o " + path("j.csv") + " --seed 3").code, 0);
  EXPECT_EQ(run("identify " + path("right.toml") + " " + path("j.csv")).code, 0);
  for (const auto& [from, to] :
       {std::pair{"unit = \"rad\"", "unit = \"deg\""}, std::pair{"torque_constant = 0.35", "torque_constant = 3.5"},
        std::pair{"ratio = 120", "ratio = 12"}}) {
    write_changed("wrong.toml", path("right.toml"), from, to);
    const auto done = run("identify " + path("wrong.toml") + " " + path("j.csv"));
    EXPECT_EQ(done.code, 4) << to << done.output;
    EXPECT_THAT(done.output, HasSubstr("parameter.not_of_this_joint")) << to;
  }
}

// A torque that is known to 3 %: the interval of what goes with it holds that, and says so; so does every instant of
// the estimate, and the stream's text is the estimate's.
TEST_F(JointProgram, AnUncertainTorqueWidens) {
  write_frictionless("exact.toml");
  write_changed("wide.toml", path("exact.toml"), "torque_constant = 0.35",
                "torque_constant = { value = 0.35, std = \"3 %\" }");
  ASSERT_EQ(run("simulate " + path("exact.toml") + " -o " + path("j.csv") + " --seed 3").code, 0);
  const auto stiffness = [&](const std::string& name) {
    const auto done = run("identify " + path(name) + " " + path("j.csv") + " --json " + path("i.json"));
    EXPECT_EQ(done.code, 0) << done.output;
    return json("i.json")["results"]["transmission.stiffness"];
  };
  const auto exact = stiffness("exact.toml"), wide = stiffness("wide.toml");
  EXPECT_EQ(exact["std.inputs"].get<double>(), 0.0);
  EXPECT_GT(exact["std.noise"].get<double>(), 0.0);
  EXPECT_GT(exact["std.model"].get<double>(), 0.0);
  EXPECT_NEAR(wide["std.inputs"].get<double>(), 0.03 * 1.2e5, 0.006 * 1.2e5);
  EXPECT_NEAR(
      wide["std"].get<double>(),
      std::hypot(wide["std.noise"].get<double>(), wide["std.inputs"].get<double>(), wide["std.model"].get<double>()),
      1e-6 * 1.2e5);

  const auto estimated = [&](const std::string& name) {
    EXPECT_EQ(run("estimate " + path(name) + " " + path("j.csv") + " -o " + path("e.csv")).code, 0);
    return parse_cells(read("e.csv")).column("load.velocity.std");
  };
  const auto narrow = estimated("exact.toml"), broad = estimated("wide.toml");
  ASSERT_EQ(narrow.size(), broad.size());
  std::size_t wider = 0, known = 0;
  for (std::size_t k = 0; k < narrow.size(); ++k)
    if (std::isfinite(narrow[k])) wider += broad[k] > 1.01 * narrow[k], ++known;
  EXPECT_GT(wider, known / 4);
  ASSERT_EQ(run("stream " + path("wide.toml") + " < " + path("j.csv") + " > " + path("s.csv")).code, 0);
  EXPECT_EQ(read("e.csv"), read("s.csv"));
}

// By both encoders: a torque's gain acts on the torque alone, not on what rotor and friction take of it.
TEST_F(JointProgram, AnUncertainTorqueMovesTheEncodersStiffness) {
  write_frictionless("no_encoder.toml");
  write_changed("exact.toml", path("no_encoder.toml"), "\"load.velocity\" =",
                "\"load.position\" = { column = \"load\", unit = \"rad\", std = 1e-6 }\n\"load.velocity\" =");
  ASSERT_EQ(run("simulate " + path("exact.toml") + " -o " + path("j.csv") + " --seed 3").code, 0);
  const auto stiffness = [&](const std::string& torque_constant) {
    write_changed("given.toml", path("exact.toml"), "torque_constant = 0.35", "torque_constant = " + torque_constant);
    const auto done = run("identify " + path("given.toml") + " " + path("j.csv") + " --json " + path("i.json"));
    EXPECT_EQ(done.code, 0) << done.output;
    return json("i.json")["results"]["transmission.stiffness"];
  };
  const auto value = [&](const std::string& constant) { return stiffness(constant)["value"].get<double>(); };
  const double as_given = value("0.35"), above = std::abs(value("0.3605") - as_given),
               below = std::abs(value("0.3395") - as_given);
  const auto wide = stiffness("{ value = 0.35, std = \"3 %\" }");
  EXPECT_NEAR(wide["value"].get<double>(), as_given, 1e-9 * as_given);
  EXPECT_NEAR(wide["std.inputs"].get<double>(), std::max(above, below), 1e-4 * above);
}

// Stiffness twice, by encoders and by the response: what is said of the latter is not said of the former.
TEST_F(JointProgram, TheResponsesStiffnessIsNotTheEncoders) {
  write_study("travel.toml", "amplitude = \"0.9 N m\"", "amplitude = \"0.9 N m\", offset = \"1.6 N m\"");
  write_changed("travel.toml", path("travel.toml"), "\"load.velocity\" =",
                "\"load.position\" = { column = \"load\", unit = \"rad\", std = 1e-6 }\n\"load.velocity\" =");
  ASSERT_EQ(run("simulate " + path("travel.toml") + " -o " + path("j.csv") + " --seed 1").code, 0);
  const auto done = run("identify " + path("travel.toml") + " " + path("j.csv"));
  EXPECT_EQ(done.code, 0) << done.output;
  EXPECT_THAT(done.output, HasSubstr("transmission.stiffness.by_response: confounded with neighbour.coupling_inertia"));
  EXPECT_THAT(done.output, HasSubstr("confounded with transmission.stiffness.by_response"));
  EXPECT_THAT(done.output, Not(HasSubstr("transmission.stiffness: confounded")));
}

TEST_F(JointProgram, AShortRecordIsSaidToBe) {
  write_frictionless("smooth.toml");
  write_changed("short.toml", path("smooth.toml"), "duration = \"12 s\"", "duration = \"5 s\"");
  ASSERT_EQ(run("simulate " + path("short.toml") + " -o " + path("j.csv") + " --seed 3").code, 0);
  const auto done = run("identify " + path("short.toml") + " " + path("j.csv"));
  EXPECT_THAT(done.output, HasSubstr("excitation.too_narrow: The record is 5 s long"));
  EXPECT_THAT(done.output, Not(HasSubstr("frequencies between")));
}

// What nothing would make use of is not taken silently.
TEST_F(JointProgram, AnUncertainDelayIsRefused) {
  write_changed("known_so_well.toml", study(), "torque_constant = 0.35",
                "torque_constant = 0.35, delay = { value = \"1 ms\", std = \"0.1 ms\" }");
  const Outcome outcome = run("describe " + path("known_so_well.toml"));
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.output, HasSubstr("delay: identify finds it itself"));
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
