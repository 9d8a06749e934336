// A mass and a damping that are known only so well: the law's numbers move with them, and their intervals must say so.
#include <gmock/gmock.h>

#include <algorithm>
#include <utility>

#include "support/program.hpp"
#include "tauhat/offline/friction/friction_report.hpp"

namespace tauhat {
namespace {

class UncertainMass : public Program {
 protected:
  std::string study(const std::string& mass, const std::string& damping) const {
    return "[drive]\nmodel = \"axis\"\nmotion = \"rotary\"\naxis.mass = " + mass + "\naxis.damping = " + damping +
           "\nfriction = { law = \"coulomb-tanh\", coulomb = 0.8, viscous = 0.3, width = 0.01 }\n"
           "[[unknown]]\nsignal = \"friction.force\"\nkind = \"random-walk\"\nintensity = \"auto\"\n"
           "[log]\ntime = { column = \"t\", unit = \"s\" }\n[log.channels]\n"
           "\"axis.force\" = { column = \"f\", unit = \"N m\" }\n"
           "\"axis.position\" = { column = \"q\", unit = \"rad\", std = 2e-5 }\n"
           "[simulate]\nduration = 3\nrate = \"500 Hz\"\ninput = { kind = \"sines\", tones = ["
           "{ frequency = 0.5, amplitude = 1.5 }, { frequency = 1.7, amplitude = 1.0, phase = 1 }] }\n";
  }

  // What is found, as told.toml has it, on a record of truth.toml.
  nlohmann::json identified(int seed) const {
    const std::string log = path("log.csv");
    EXPECT_EQ(run("simulate " + path("truth.toml") + " -o " + log + " --seed " + std::to_string(seed)).code, 0);
    const Outcome outcome = run("identify " + path("told.toml") + " " + log + " --json " + path("result.json"));
    EXPECT_EQ(outcome.code, 0) << outcome.output;
    return json("result.json")["results"];
  }
  static constexpr std::pair<const char*, double> kTruth[] = {{"friction.coulomb", 0.8}, {"friction.viscous", 0.3}};
};

// The axis has 0.1 kg m^2 and 0.1 N m s/rad; the study says 2 % more, give or take 2 %, and half as much again. Without
// the deviations the interval of the viscous friction would be 0.250 +- 0.005 N m s/rad.
TEST_F(UncertainMass, WidensTheIntervals) {
  write("truth.toml", study("0.1", "0.1"));
  write("told.toml", study("{ value = 0.102, std = \"2 %\" }", "{ value = 0.15, std = 0.05 }"));
  for (const int seed : {1, 2}) {
    const auto results = identified(seed);
    for (const auto& [name, truth] : kTruth) {
      const auto& found = results.at(name);
      EXPECT_LT(found["ci95"][0].get<double>(), truth) << name << ", seed " << seed;
      EXPECT_GT(found["ci95"][1].get<double>(), truth) << name << ", seed " << seed;
      EXPECT_GT(found["std.inputs"].get<double>(), 0.0) << name;
    }
    EXPECT_NEAR(results.at("friction.viscous")["std.inputs"].get<double>(), 0.05, 0.005);
  }
}

// A mass that is known only so well is found along: two deviations off are no reason to refuse, and the numbers are
// those of the mass that the axis has. (At the mass that was told, the Coulomb friction would be 0.6 % off.)
TEST_F(UncertainMass, IsFoundAlong) {
  write("truth.toml", study("0.1", "0.1"));
  write("told.toml", study("{ value = 0.104, std = \"2 %\" }", "0.1"));
  for (const int seed : {3, 4}) {
    const auto results = identified(seed);
    for (const auto& [name, truth] : kTruth) {
      const double value = results.at(name)["value"].get<double>(), std = results.at(name)["std"].get<double>();
      EXPECT_NEAR(value, truth, 4.0 * std) << name << ", seed " << seed;
      EXPECT_LT(std, 1e-3 * truth) << name << ", seed " << seed;
    }
  }
}

// Ten deviations off is not what the study says.
TEST_F(UncertainMass, IsNotFoundBeyondWhatIsKnown) {
  write("truth.toml", study("0.1", "0.1"));
  write("told.toml", study("{ value = 0.12, std = \"2 %\" }", "0.1"));
  ASSERT_EQ(run("simulate " + path("truth.toml") + " -o " + path("log.csv") + " --seed 5").code, 0);
  const Outcome outcome = run("identify " + path("told.toml") + " " + path("log.csv"));
  EXPECT_EQ(outcome.code, 4);
  EXPECT_THAT(outcome.output, testing::HasSubstr("law.none_fits"));
}

// The bands of the report hold them as well: of the law over velocity, and of the friction over time.
TEST_F(UncertainMass, WidensTheBands) {
  write("exact.toml", study("0.1", "0.1"));
  write("told.toml", study("{ value = 0.1, std = \"2 %\" }", "{ value = 0.1, std = 0.05 }"));
  ASSERT_EQ(run("simulate " + path("exact.toml") + " -o " + path("log.csv") + " --seed 1").code, 0);
  const auto answer = [&](const std::string& name) {
    const Study study = read_study(path(name));
    return answer_friction(study, read_log(path("log.csv"), study.log_spec()));
  };
  const auto width_of = [](const Section& section) {
    double width = 0.0;
    for (const Series& series : section.plots[0].series) {
      if (series.kind != Series::Kind::band) continue;
      for (std::size_t k = 0; k < series.y.size(); ++k) width = std::max(width, series.upper[k] - series.y[k]);
    }
    return width;
  };
  const Report exact = answer("exact.toml"), told = answer("told.toml");
  for (const std::size_t section : {0U, 1U}) {
    const double narrow = width_of(exact.sections[section]), wide = width_of(told.sections[section]);
    EXPECT_GT(narrow, 0.0) << section;
    // The damping alone moves the friction at the fastest speed, about 3 rad/s, by 0.05 v: 0.15 N m.
    EXPECT_GT(wide, narrow + 2.0 * 0.1) << section;
  }
}

}  // namespace
}  // namespace tauhat
