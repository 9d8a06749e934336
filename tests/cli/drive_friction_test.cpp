// The friction laws of a drive, end to end; above all teeth that slide under the torque they pass on: simulated, known
// to the filter, kept while the gap is identified, and listed.
#include <gmock/gmock.h>

#include <cmath>
#include <sstream>
#include <vector>

#include "support/cells.hpp"
#include "support/program.hpp"

namespace tauhat {
namespace {

using testing::HasSubstr;
using testing::Not;

class DriveFriction : public Program {
 protected:
  // The demo with this share of the passed torque lost, by a smooth sign.
  std::string study(const std::string& name, double load_coefficient) const {
    write_demo(name, "law = \"coulomb-atan\"",
               "law = \"load-dependent\", load_coefficient = " + std::to_string(load_coefficient));
    return path(name);
  }

  // Of the estimated torque in the transmission, rms.
  double torque_error(const std::string& study_path) const {
    EXPECT_EQ(run("estimate " + study_path + " " + path("log.csv") + " -o " + path("e.csv") + " --smooth --json " +
                  path("e.json"))
                  .code,
              0);
    const auto truth = parse_cells(read("log.csv")).column("truth.transmission.torque");
    const auto found = parse_cells(read("e.csv")).column("transmission.torque");
    EXPECT_EQ(truth.size(), found.size());
    double sum = 0.0;
    for (std::size_t k = 0; k < found.size(); ++k) sum += std::pow(found[k] - truth[k], 2);
    return std::sqrt(sum / static_cast<double>(found.size()));
  }
};

TEST_F(DriveFriction, MeshGoesFromSimulationToEstimate) {
  const std::string meshed = study("meshed.toml", 0.3), unaware = study("unaware.toml", 0.0);
  for (const char* seed : {"1", "2", "3"}) {
    ASSERT_EQ(run("simulate " + meshed + " -o " + path("log.csv") + " --seed " + seed).code, 0);
    const double known = torque_error(meshed);
    EXPECT_THAT(read("e.json"), Not(HasSubstr("filter.lag")));  // innovations as small as they should be
    EXPECT_LT(known, 0.8 * torque_error(unaware)) << seed;
  }
}

TEST_F(DriveFriction, GapIsFoundThroughAMesh) {
  const std::string meshed = study("meshed.toml", 0.2);
  ASSERT_EQ(run("simulate " + meshed + " -o " + path("log.csv") + " --seed 2").code, 0);
  const Outcome outcome = run("identify " + meshed + " " + path("log.csv") + " --json " + path("r.json"));
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  const auto results = json("r.json")["results"];
  const auto expect_held = [&](const char* name, double truth) {
    EXPECT_LT(results[name]["ci95"][0].get<double>(), truth) << name;
    EXPECT_GT(results[name]["ci95"][1].get<double>(), truth) << name;
  };
  expect_held("backlash.gap", 0.1);
  expect_held("transmission.stiffness", 79.0);
}

// The filter takes the load's inertia for true; what its std leaves of the mesh's share is most of the interval.
TEST_F(DriveFriction, EstimatesAreAsUncertainAsWhatTheyRestOn) {
  const auto study_of = [](const std::string& inertia, double load_coefficient) {
    return "[drive]\nmodel = \"two-mass\"\nmotor.inertia = 8e-4\nload.inertia = " + inertia +
           "\nmotor.friction = { law = \"load-dependent\", coulomb = 0.15, viscous = 0.01, width = 0.02, "
           "load_coefficient = " +
           std::to_string(load_coefficient) +
           " }\ntransmission = { law = \"dead-zone\", stiffness = 79 }\nbacklash.gap = 0.05\n"
           "[[unknown]]\nsignal = \"transmission.torque\"\nkind = \"random-walk\"\nintensity = 31.6\n"
           "[log]\ntime = { column = \"t\" }\n[log.channels]\n\"motor.torque\" = { column = \"u\" }\n"
           "\"motor.velocity\" = { column = \"wm\", std = 0.05 }\n\"load.velocity\" = { column = \"wl\", std = 0.05 }\n"
           "[simulate]\nduration = 3\nrate = \"2 kHz\"\ninput = { kind = \"prbs\", amplitude = 2, hold = 5e-3 }\n";
  };
  const std::string unknown =
      "[[unknown]]\nparameter = \"motor.friction.load_coefficient\"\nkind = \"constant\"\nstd = 0.1\n";
  write("truth.toml", study_of("17.65e-4", 0.08));
  write("study.toml", study_of("{ value = 17.65e-4, std = \"2 %\" }", 0.03) + unknown);
  for (const char* seed : {"1", "2", "3"}) {
    ASSERT_EQ(run("simulate " + path("truth.toml") + " -o " + path("log.csv") + " --seed " + seed).code, 0);
    ASSERT_EQ(run("estimate " + path("study.toml") + " " + path("log.csv") + " --json " + path("e.json")).code, 0);
    const auto found = json("e.json")["results"]["motor.friction.load_coefficient"];
    EXPECT_LT(found["ci95"][0].get<double>(), 0.08) << seed;
    EXPECT_GT(found["ci95"][1].get<double>(), 0.08) << seed;
    EXPECT_LT(found["std"].get<double>(), 0.01) << seed;
    EXPECT_GT(found["std.inputs"].get<double>(), found["std.noise"].get<double>()) << seed;
  }
}

TEST_F(DriveFriction, EveryLawGoesFromStudyToEstimate) {
  std::istringstream lines(run("describe two-mass").output);
  const std::string key = "motor.friction.law = \"";
  int laws = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(key)) continue;
    const std::string law = line.substr(key.size(), line.find('"', key.size()) - key.size());
    write("law.toml",
          "[drive]\nmodel = \"two-mass\"\nmotor.inertia = 8e-4\nload.inertia = 2e-3\n"
          "motor.friction.law = \"" +
              law +
              "\"\ntransmission.law = \"linear-spring\"\n"
              "transmission.stiffness = 80\n[[unknown]]\nsignal = \"transmission.torque\"\n"
              "kind = \"random-walk\"\nintensity = 30\n[log]\ntime.rate = \"1 kHz\"\n[log.channels]\n"
              "\"motor.torque\" = { column = \"u\" }\n"
              "\"motor.velocity\" = { column = \"w\", std = 0.1 }\n"
              "[simulate]\nduration = 0.2\nrate = \"1 kHz\"\n"
              "input = { kind = \"prbs\", amplitude = 1, hold = 0.02 }\n");
    const Outcome simulated = run("simulate " + path("law.toml") + " -o " + path("log.csv"));
    EXPECT_EQ(simulated.code, 0) << law << simulated.output;
    const Outcome estimated = run("estimate " + path("law.toml") + " " + path("log.csv") + " -o " + path("e.csv"));
    EXPECT_EQ(estimated.code, 0) << law << estimated.output;
    ++laws;
  }
  EXPECT_EQ(laws, 12);
}

TEST_F(DriveFriction, MeshIsListedForADriveAndRefusedForOneBody) {
  EXPECT_THAT(run("describe two-mass").output, HasSubstr("motor.friction.load_coefficient"));
  EXPECT_THAT(run("describe axis").output, Not(HasSubstr("load_coefficient")));
  write("axis.toml",
        "[drive]\nmodel = \"axis\"\nmotion = \"rotary\"\naxis.mass = 1\nfriction.law = \"load-dependent\"\n");
  const Outcome outcome = run("simulate " + path("axis.toml"));
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.output, HasSubstr("axis.toml:5: drive.friction.law = \"load-dependent\": one body passes"));
}

}  // namespace
}  // namespace tauhat
