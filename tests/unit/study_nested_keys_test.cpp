// A dotted name may be written as one quoted key, as nested keys, as an inline table or as a section of its own: TOML
// has four spellings, and a study takes them for the same.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/study_problem.hpp"
#include "tauhat/offline/error.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat {
namespace {

const std::string kDrive = "[drive]\nmodel = \"two-mass\"\nmotor.inertia = 1e-3\nload.inertia = 0.001765\n";
const std::string kLog =
    "[log]\ntime = { column = \"t\" }\n[log.channels]\n\"motor.torque\" = { column = \"u\" }\n"
    "\"motor.velocity\" = { column = \"w\", unit = \"rpm\", std = 0.5 }\n";
const std::string kSimulate =
    "[simulate]\nduration = 1\nrate = 1000\ninput = { kind = \"constant\", amplitude = 1 }\n";  // from line 10

Sensor sensor_of(const std::string& lines) {
  return parse_study(kDrive + kLog + kSimulate + lines, "axis.toml").simulation->sensors.front();
}

TEST(NestedKeys, OfASimulatedSensorMeanTheSame) {
  for (const char* lines : {"\"sensors.motor.velocity.std\" = 0.25\n\"sensors.motor.velocity.delay\" = \"2 ms\"\n",
                            "sensors.\"motor.velocity\".std = 0.25\nsensors.\"motor.velocity\".delay = \"2 ms\"\n",
                            "sensors.\"motor.velocity\" = { std = 0.25, delay = \"2 ms\" }\n",
                            "sensors = { \"motor.velocity\" = { std = 0.25, delay = \"2 ms\" } }\n",
                            "sensors.motor.velocity.std = 0.25\nsensors.motor.velocity.delay = \"2 ms\"\n",
                            "sensors.motor.velocity = { std = 0.25, delay = \"2 ms\" }\n",
                            "[simulate.sensors]\n\"motor.velocity\" = { std = 0.25, delay = \"2 ms\" }\n",
                            "[simulate.sensors.\"motor.velocity\"]\nstd = 0.25\ndelay = \"2 ms\"\n",
                            "[simulate.sensors.motor.velocity]\nstd = 0.25\ndelay = \"2 ms\"\n"}) {
    SCOPED_TRACE(lines);
    const Sensor sensor = sensor_of(lines);
    EXPECT_EQ(sensor.std, 0.25);
    EXPECT_EQ(sensor.delay, 2e-3);
  }
}

TEST(NestedKeys, OfAnUncertainParameterMeanTheSame) {
  const std::string head = "[drive]\nmodel = \"two-mass\"\nmotor.inertia = 1e-3\n";
  for (const char* lines :
       {"load.inertia = { value = 2e-3, std = 1e-4 }\n", "\"load.inertia\" = { value = 2e-3, std = 1e-4 }\n",
        "load.inertia.value = 2e-3\nload.inertia.std = 1e-4\n",
        "[drive.load]\ninertia = { value = 2e-3, std = 1e-4 }\n", "[drive.load.inertia]\nvalue = 2e-3\nstd = 1e-4\n"}) {
    SCOPED_TRACE(lines);
    const Study study = parse_study(head + lines, "axis.toml");
    EXPECT_EQ(study.drive.load_inertia, 2e-3);
    ASSERT_EQ(study.identification.uncertain.size(), 1U);
    EXPECT_EQ(study.identification.uncertain[0].std, 1e-4);
  }
}

TEST(NestedKeys, OfAChannelMeanTheSame) {
  const std::string head = kDrive + "[log]\ntime = { column = \"t\" }\n";
  for (const char* lines :
       {"[log.channels]\n\"motor.torque\" = { column = \"u\" }\n\"motor.velocity\" = { column = \"w\", std = 0.5 }\n",
        "[log.channels]\nmotor.torque = { column = \"u\" }\nmotor.velocity = { column = \"w\", std = 0.5 }\n",
        "[log.channels]\nmotor.torque.column = \"u\"\nmotor.velocity.column = \"w\"\nmotor.velocity.std = 0.5\n",
        "[log.channels.motor]\ntorque = { column = \"u\" }\nvelocity = { column = \"w\", std = 0.5 }\n",
        "[log.channels.\"motor.torque\"]\ncolumn = \"u\"\n[log.channels.motor.velocity]\ncolumn = \"w\"\nstd = "
        "0.5\n"}) {
    SCOPED_TRACE(lines);
    const Study study = parse_study(head + lines, "axis.toml");
    ASSERT_EQ(study.channels.size(), 2U);
    EXPECT_EQ(study.channels[0].spec.column, "u");
    EXPECT_EQ(study.channels[1].spec.signal, "motor.velocity");
    EXPECT_EQ(study.channels[1].spec.column, "w");
    EXPECT_EQ(study.channels[1].std, 0.5);
  }
}

// The line and the key that the mistake stands in, whichever way it is written.
TEST(NestedKeys, MistakesAreNamedWithTheirLine) {
  using testing::StartsWith;
  const std::string head = kDrive + kLog + kSimulate;
  EXPECT_EQ(problem_of(head + "sensors.\"motor.velocity\".std = -1\n"),
            "axis.toml:14: simulate.sensors.motor.velocity.std = -1 rad/s: must not be negative");
  EXPECT_EQ(problem_of(head + "[simulate.sensors.\"motor.velocity\"]\nstd = 1\ndelay = \"2 kg\"\n"),
            "axis.toml:16: simulate.sensors.motor.velocity.delay = \"2 kg\": has the wrong unit; give it in s");
  EXPECT_EQ(problem_of(head + "[simulate.sensors.\"motor.velocity\"]\nstd = 1\ndelya = \"2 ms\"\n"),
            "axis.toml:16: unknown key \"sensors.motor.velocity.delya\" in [simulate]; did you mean "
            "\"sensors.motor.velocity.delay\"?");
  EXPECT_EQ(problem_of(head + "[simulate.sensors.\"motor.velocty\"]\nstd = 1\n"),
            "axis.toml:15: unknown key \"sensors.motor.velocty.std\" in [simulate]; did you mean "
            "\"sensors.motor.velocity.std\"?");
  EXPECT_EQ(
      problem_of("[drive]\nmodel = \"two-mass\"\nmotor.inertia = 1e-3\nload.inertai = { value = 1, std = 0.1 }\n"),
      "axis.toml:4: unknown key \"load.inertai\" in [drive]; did you mean \"load.inertia\"?");
  EXPECT_EQ(
      problem_of(kDrive + "[log]\ntime = { column = \"t\" }\n[log.channels]\nmotor.velocty = { column = \"w\" }\n"),
      "axis.toml:8: unknown signal \"motor.velocty\" in [log.channels]; did you mean \"motor.velocity\"?");
  EXPECT_THAT(problem_of(kDrive + "[log]\ntime = { column = \"t\" }\n[log.channels]\nmotor.velocity = { gain = { value "
                                  "= 1 } }\n"),
              StartsWith("axis.toml:8: log.channels.\"motor.velocity\".column is missing"));
}

// Two spellings of one name are two values for it, though TOML sees two keys.
TEST(NestedKeys, OneNameGivenTwiceIsRefused) {
  EXPECT_EQ(problem_of(kDrive + "\"load.inertia\" = 2\n"),
            "axis.toml:4: drive.load.inertia is given twice, here and in line 5: keep one of them");
  EXPECT_EQ(problem_of(kDrive + kLog + "motor.velocity = { column = \"w\" }\n"),
            "axis.toml:9: log.channels.\"motor.velocity\" is given twice, here and in line 10: keep one of them");
}

}  // namespace
}  // namespace tauhat
