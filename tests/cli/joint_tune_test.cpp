// tune on logs that tell little: a motor that rests, hardly moves, or moves without ever being shaken. No number runs
// away, and what the log does not tell is named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "support/cells.hpp"
#include "support/program.hpp"

namespace tauhat {
namespace {

using testing::HasSubstr;

class TuneProgram : public Program {
 protected:
  std::string study() const { return (source_dir() / "studies/elastic-joint/elastic-joint.toml").string(); }

  // The study's axis with another excitation.
  std::string log_with(const std::string& input, const std::string& duration = "6 s") const {
    write_changed("simulated.toml", study(),
                  "input = { kind = \"multisine\", lowest = 0.25, highest = 30, lines = 120, amplitude = \"0.9 N m\" }",
                  "input = " + input);
    write_changed("simulated.toml", path("simulated.toml"), "duration = \"12 s\"", "duration = \"" + duration + "\"");
    const auto done = run("simulate " + path("simulated.toml") + " -o " + path("j.csv") + " --seed 1");
    EXPECT_EQ(done.code, 0) << done.output;
    return path("j.csv");
  }

  auto tuned(const std::string& log, const std::string& observer, int evaluations = 60) const {
    return run("tune " + study() + " " + log + " --observer " + observer + " --evaluations " +
               std::to_string(evaluations) + " -o " + path("tuned.toml") + " --json " + path("t.json"));
  }
  double number(const std::string& name) const {
    return nlohmann::json::parse(read("t.json"))["results"][name]["value"].get<double>();
  }
};

// Friction holds the motor: 1 mN m against a breakaway of 0.45 N m bend its bristles by 25 urad, and no more.
TEST_F(TuneProgram, AMotorThatFrictionHoldsTellsNothing) {
  const std::string log =
      log_with("{ kind = \"multisine\", lowest = 0.25, highest = 30, lines = 120, amplitude = \"1e-4 N m\" }");
  const auto done = tuned(log, "lugre");
  EXPECT_EQ(done.code, 4) << done.output;
  EXPECT_THAT(done.output, HasSubstr("The log does not tell motor.friction.coulomb, motor.friction.breakaway"));
  EXPECT_FALSE(fs::exists(path("tuned.toml")));
}

// Sixteen seconds at rest, then three of motion: the same is tuned as by the motion alone.
TEST_F(TuneProgram, RestDoesNotCount) {
  const std::string log =
      log_with("{ kind = \"multisine\", lowest = 0.25, highest = 30, lines = 120, amplitude = \"0.9 N m\" }", "3 s");
  ASSERT_EQ(tuned(log, "kalman").code, 0);
  const double alone = number("motor_disturbance.intensity");
  Cells all = parse_cells(read("j.csv"));
  constexpr int kAtRest = 40000;
  std::vector<std::vector<std::string>> rows(kAtRest, all.rows.front());
  for (auto& row : rows) row[all.place("current")] = "0";
  rows.insert(rows.end(), all.rows.begin(), all.rows.end());
  for (std::size_t k = 0; k < rows.size(); ++k) rows[k][all.place("time")] = std::to_string(400e-6 * double(k));
  all.rows = std::move(rows);
  write("rest.csv", to_text(all));
  const auto done = tuned(path("rest.csv"), "kalman");
  ASSERT_EQ(done.code, 0) << done.output;
  EXPECT_THAT(done.output, HasSubstr("excitation.no_motion: The motor rests for"));
  // The first half second, which counts here and does not there, is a sixth of the motion.
  EXPECT_NEAR(std::log(number("motor_disturbance.intensity") / alone), 0.0, 0.3);
}

// A slow motion that is never shaken hardly tells the bristles and the Stribeck velocity. What is not told stays as it
// is, and whatever is tuned stays within three standard deviations of what is known beforehand.
TEST_F(TuneProgram, NoNumberRunsAway) {
  const std::string log =
      log_with("{ kind = \"multisine\", lowest = 0.4, highest = 0.6, lines = 2, amplitude = \"0.8 N m\" }");
  const auto done = tuned(log, "lugre", 80);
  ASSERT_EQ(done.code, 0) << done.output;
  const std::map<std::string, double> given{{"motor.friction.coulomb", 0.343},
                                            {"motor.friction.stribeck_velocity", 3.0},
                                            {"motor.friction.bristle_stiffness", 40.0}};
  for (const auto& [name, value] : given) EXPECT_LT(std::abs(std::log(number(name) / value)), 3.01) << name;
  EXPECT_EQ(run("describe " + path("tuned.toml")).code, 0);
}

}  // namespace
}  // namespace tauhat
