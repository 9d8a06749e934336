// Studies: what is read, and the sentence that a mistake gets.
#include "tauhat/offline/study/study.hpp"
#include "support/study_problem.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tauhat/offline/error.hpp"

namespace tauhat {
namespace {

const std::string kDrive = "[drive]\nmodel = \"two-mass\"\nmotor.inertia = \"8 kg cm^2\"\nload.inertia = 0.001765\n";
const std::string kLog =
    "[log]\ntime = { column = \"t\", unit = \"ms\" }\n[log.channels]\n"
    "\"motor.torque\" = { column = \"tau\", unit = \"N m\" }\n"
    "\"motor.velocity\" = { column = \"w\", unit = \"rpm\", std = \"10 rpm\" }\n";

TEST(Study, ReadsUnitsAndUncertainty) {
  const Study study = parse_study(
      "[drive]\nmodel = \"two-mass\"\nmotor.inertia = \"8 kg cm^2\"\n"
      "load.inertia = { value = 0.002, std = \"5 %\" }\nmotor.friction = { law = \"stribeck\", coulomb = 0.27, "
      "breakaway = 0.4 }\n" +
          kLog,
      "axis.toml");
  EXPECT_DOUBLE_EQ(study.drive.motor_inertia, 8e-4);
  EXPECT_DOUBLE_EQ(study.drive.motor_friction.stribeck.breakaway, 0.4);
  ASSERT_EQ(study.identification.uncertain.size(), 1U);
  EXPECT_DOUBLE_EQ(study.identification.uncertain[0].std, 1e-4);
  EXPECT_DOUBLE_EQ(study.time.scale, 1e-3);
  EXPECT_NEAR(*study.find_channel("motor.velocity")->std, 10 * 2 * 3.14159265358979 / 60, 1e-12);
}

TEST(Study, OneStiffnessMeansBothFlanks) {
  const Study study = parse_study(
      kDrive + "transmission.law = \"dead-zone\"\ntransmission.stiffness = 37\nbacklash.gap = \"3 arcmin\"\n",
      "axis.toml");
  const auto& law = std::get<DeadZone<double>>(*study.law);
  EXPECT_EQ(law.stiffness_positive, 37.0);
  EXPECT_EQ(law.stiffness_negative, 37.0);
  EXPECT_NEAR(law.gap, 3.0 / 60 * 3.14159265358979 / 180, 1e-12);
}

// In SI where no unit is said, as everywhere.
TEST(Study, IntensityIsANumberOrAWord) {
  const auto intensity = [](const std::string& value) {
    return parse_study(kDrive + "[[unknown]]\nkind = \"random-walk\"\nsignal = \"transmission.torque\"\nintensity = " +
                           value + "\n",
                       "axis.toml")
        .identification.intensity;
  };
  EXPECT_EQ(intensity("30"), 30.0);
  EXPECT_EQ(intensity("\"3 N m/sqrt(s)\""), 3.0);
  EXPECT_FALSE(intensity("\"auto\""));
}

TEST(Study, UnknownParameterNoLongerCountsAsUncertain) {
  const Study study = parse_study(
      "[drive]\nmodel = \"two-mass\"\nmotor.inertia = 1e-3\nload.inertia = { value = 2e-3, std = 1e-4 }\n"
      "[[unknown]]\nkind = \"constant\"\nparameter = \"load.inertia\"\n",
      "axis.toml");
  EXPECT_TRUE(study.identification.uncertain.empty());
  ASSERT_EQ(study.identification.estimated.size(), 1U);
  EXPECT_DOUBLE_EQ(study.identification.estimated[0].std, 6e-4);
}

TEST(Study, ExampleIsComplete) {
  const Study study = parse_study(example_study(), "example.toml");
  EXPECT_TRUE(study.simulation.has_value());
  EXPECT_TRUE(study.law.has_value());
  EXPECT_EQ(study.limits.size(), 1U);
}

// Each mistake names the file, the line, the key, what was found and what is allowed.
TEST(Study, MistakesGetOneClearSentence) {
  using testing::HasSubstr;
  EXPECT_EQ(problem_of("[drive]\nmodel = \"two-mass\"\nmotor.inertia = 1e-3\nload.inertia = -0.02\n"),
            "axis.toml:4: drive.load.inertia = -0.02 kg m^2: must be positive");
  EXPECT_THAT(
      problem_of(kDrive + "transmission.dampping = 1\n"),
      HasSubstr(
          "axis.toml:5: unknown key \"transmission.dampping\" in [drive]; did you mean \"transmission.damping\"?"));
  EXPECT_THAT(problem_of("[drive]\nmodel = \"two-mass\"\nmotor.inertia = \"8 kg\"\nload.inertia = 1\n"),
              HasSubstr("axis.toml:3: drive.motor.inertia = \"8 kg\": has the wrong unit; give it in kg m^2"));
  EXPECT_THAT(problem_of("[drive]\nmodel = \"two-mas\"\n"),
              HasSubstr("axis.toml:2: drive.model = \"two-mas\": must be one of two-mass"));
  EXPECT_THAT(problem_of("[drive]\nmodel = \"two-mass\"\nmotor.inertia = 1\n"),
              HasSubstr("drive.load.inertia is missing"));
  EXPECT_THAT(problem_of("[driv]\n"), HasSubstr("unknown section \"driv\"; did you mean \"drive\"?"));
  EXPECT_THAT(problem_of(""), HasSubstr("[drive] is missing"));
  EXPECT_THAT(problem_of("[drive\n"), HasSubstr("axis.toml:1:"));
  EXPECT_THAT(problem_of(kDrive + "[accept]\n\"backlash.gab\" = \"<= 3 arcmin\"\n"),
              HasSubstr("accept.backlash.gab: is not a result of this study; did you mean \"backlash.gap\"?"));
  EXPECT_THAT(problem_of(kDrive + "[accept]\n\"backlash.gap\" = \"<= 3 kg\"\n"),
              HasSubstr("must be in rad or a unit of the same kind"));
  EXPECT_EQ(problem_of(kDrive + "[accept]\n\"backlash.gap\" = 3e-3\n"),
            "axis.toml:6: accept.backlash.gap: a number does not say which side of it is accepted; give a text such as "
            "\"<= 3 arcmin\"");
  EXPECT_EQ(problem_of(kDrive + "[accept]\n\"transmission.stiffness.positive\" = \">= 3 N m/rad\"\n"), "no problem");
  EXPECT_THAT(problem_of(kDrive + "[accept]\n\"backlash.gap\" = \"3 arcmin\"\n"),
              HasSubstr("must begin with <= or >="));
  EXPECT_THAT(
      problem_of(
          kDrive +
          "[log]\ntime = { column = \"t\", unit = \"mss\" }\n[log.channels]\n\"motor.torque\" = { column = \"a\" }\n"),
      HasSubstr("is not a unit"));
  EXPECT_THAT(
      problem_of(kDrive + "[log]\ntime = { column = \"t\" }\n[log.channels]\n\"motor.speed\" = { column = \"a\" }\n"),
      HasSubstr("unknown signal \"motor.speed\""));
  EXPECT_THAT(
      problem_of(
          kDrive +
          "[log]\ntime = { column = \"t\" }\n[log.channels]\n\"motor.torque\" = { column = \"a\", unit = \"A\" }\n"),
      HasSubstr("torque_constant is missing"));
  EXPECT_THAT(problem_of(kDrive +
                         "[log]\ntime = { column = \"t\" }\n[log.channels]\n\"motor.velocity\" = { column = \"a\" }\n"),
              HasSubstr("has no motor.torque"));
}

// A misspelt key is also a missing one: the sentence is about the former.
TEST(Study, MisspeltKeysAreNotCalledMissing) {
  using testing::HasSubstr;
  EXPECT_EQ(problem_of("[drive]\nmodel = \"two-mass\"\nmotor.inertai = 1e-3\nload.inertia = 1\n"),
            "axis.toml:3: unknown key \"motor.inertai\" in [drive]; did you mean \"motor.inertia\"?");
  EXPECT_THAT(problem_of("[drive]\nmodle = \"two-mass\"\nmotor.inertia = 1\nload.inertia = 1\n"),
              HasSubstr("drive.model is missing: give a text; is \"modle\" in line 2 meant?"));
  const std::string log = kDrive + "[log]\ntime = { column = \"t\" }\n[log.channels]\n";
  EXPECT_EQ(problem_of(log + "\"motor.torque\" = { colum = \"a\" }\n"),
            "axis.toml:8: unknown key \"colum\" in [log.channels.\"motor.torque\"]; did you mean \"column\"?");
  EXPECT_THAT(problem_of(log + "\"motor.torque\" = { column = \"a\", unit = \"A\", torque_konstant = 1 }\n"),
              HasSubstr("unknown key \"torque_konstant\""));
  EXPECT_EQ(problem_of(log + "\"motor.velocty\" = { column = \"a\" }\n"),
            "axis.toml:8: unknown signal \"motor.velocty\" in [log.channels]; did you mean \"motor.velocity\"?");
}

// Where nothing is misspelt, nothing is meant: load.inertia is near to motor.inertia, and itself.
TEST(Study, MissingKeysAreNotGuessedFromOthers) {
  EXPECT_EQ(problem_of("[drive]\nmodel = \"two-mass\"\nload.inertia = 1\n"),
            "axis.toml: drive.motor.inertia is missing: give a number in kg m^2, or { value = ..., std = ... }");
  EXPECT_THAT(problem_of(kDrive + "[log]\ntime = { column = \"t\" }\n[log.channels]\n"
                                  "\"motor.position\" = { column = \"a\", unit = \"count\" }\n"),
              testing::EndsWith("counts_per_rev is missing: give a number, or { value = ..., std = ... }"));
  // Known in a channel, but not with this unit.
  EXPECT_THAT(problem_of(kDrive + "[log]\ntime = { column = \"t\" }\n[log.channels]\n"
                                  "\"motor.position\" = { column = \"a\", counts_per_rev = 4096 }\n"),
              testing::HasSubstr("unknown key \"counts_per_rev\""));
}

std::string drive_with(const std::string& channel) {
  return kDrive + "[log]\ntime = { column = \"t\" }\n[log.channels]\n\"motor.velocity\" = { column = \"w\" }\n" +
         channel;
}

// Scales known only so well are one relative uncertainty, whatever their signs.
TEST(Study, ScalesOfTheTorqueCarryTheirUncertainty) {
  const auto gain_std = [](const std::string& keys) {
    const Study study = parse_study(drive_with("\"motor.torque\" = { column = \"i\", " + keys + " }\n"), "axis.toml");
    EXPECT_DOUBLE_EQ(study.identification.torque_gain_std, study.find_channel("motor.torque")->gain_std);
    return study.identification.torque_gain_std;
  };
  EXPECT_DOUBLE_EQ(gain_std("unit = \"N m\", gain = { value = -2, std = 0.06 }"), 0.03);
  EXPECT_DOUBLE_EQ(gain_std("unit = \"A\", torque_constant = { value = \"0.1 N m/A\", std = \"2 %\" }"), 0.02);
  EXPECT_DOUBLE_EQ(gain_std("unit = \"permille\", rated_torque = { value = \"1.27 N m\", std = \"4 %\" }, "
                            "gain = { value = 1, std = 0.03 }"),
                   0.05);
  EXPECT_DOUBLE_EQ(gain_std("unit = \"V\", force_constant = { value = -3, std = 0.03 }"), 0.01);
}

TEST(Study, ABenchTestTakesTheUncertaintyOfItsEncoder) {
  const std::string test =
      "[test]\nkind = \"hysteresis-curve\"\ndefinition = \"nabtesco\"\nrated_torque = 10\n[log]\n"
      "time = { column = \"t\" }\n[log.channels]\n\"motor.position\" = { column = \"q\", unit = \"count\", "
      "counts_per_rev = { value = 4096, std = \"1 %\" } }\n\"motor.torque\" = { column = \"a\" }\n";
  EXPECT_DOUBLE_EQ(parse_study(test, "gear.toml").find_channel("motor.position")->gain_std, 0.01);
  EXPECT_EQ(problem_of(test + "\"transmission.torque\" = { column = \"b\" }\n"),
            "axis.toml: [log.channels] has motor.torque and transmission.torque: a test takes one of them; keep the "
            "line of the side on which it was measured");
  EXPECT_THAT(problem_of(test + "\"transmission.displacement\" = { column = \"b\" }\n"),
              testing::HasSubstr("has motor.position and transmission.displacement"));
}

TEST(Study, RefusesAScaleThatLeavesNothing) {
  using testing::HasSubstr;
  EXPECT_THAT(problem_of(drive_with("\"motor.torque\" = { column = \"i\", gain = 0 }\n")),
              HasSubstr("gain = 0: nothing would be left of the column"));
  EXPECT_THAT(problem_of(drive_with("\"motor.torque\" = { column = \"i\", unit = \"V\", force_constant = 0 }\n")),
              HasSubstr("force_constant = 0: nothing would be left"));
  EXPECT_THAT(problem_of(drive_with("\"motor.torque\" = { column = \"i\" }\n\"motor.position\" = { column = \"q\", "
                                    "unit = \"count\", counts_per_rev = { value = 4096, std = 1 } }\n")),
              HasSubstr("counts_per_rev: only that of motor.torque can be fitted or carry a std"));
}

TEST(Study, IncrementsCountAnAngle) {
  EXPECT_THAT(problem_of(drive_with("\"motor.torque\" = { column = \"i\", unit = \"count\", counts_per_rev = 9 }\n")),
              testing::HasSubstr("unit = \"count\": increments count an angle; this column must be in N m"));
  const Study study = parse_study(
      drive_with("\"motor.torque\" = { column = \"i\" }\n\"load.velocity\" = { column = \"v\", unit = \"count/s\", "
                 "counts_per_rev = 4096 }\n"),
      "axis.toml");
  EXPECT_DOUBLE_EQ(study.find_channel("load.velocity")->spec.scale, 2.0 * 3.14159265358979323846 / 4096.0);
}

// A value inside braces is in their line, a number of a list in the list's.
TEST(Study, ValuesInsideOthersHaveALine) {
  EXPECT_EQ(problem_of("[drive]\nmodel = \"two-mass\"\nmotor.inertia = 1e-3\n"
                       "load.inertia = { value = 0.002, std = -0.005 }\n"),
            "axis.toml:4: drive.load.inertia.std = -0.005 kg m^2: must not be negative");
  EXPECT_EQ(problem_of(kDrive + "[log]\ntime = { column = \"t\", unit = \"kg\" }\n[log.channels]\n"
                                "\"motor.torque\" = { column = \"a\" }\n"),
            "axis.toml:6: log.time.unit = \"kg\": is not a unit of time");
  EXPECT_EQ(problem_of(kDrive + "[log]\ntime = { unit = \"ms\" }\n[log.channels]\n"
                                "\"motor.torque\" = { column = \"a\" }\n"),
            "axis.toml:6: log.time.column is missing: give a text");
}

// A second one would replace the first, or be fitted against it.
TEST(Study, NothingIsUnknownTwice) {
  const std::string walk = "[[unknown]]\nkind = \"random-walk\"\nsignal = \"transmission.torque\"\n";
  const std::string inertia = "[[unknown]]\nkind = \"constant\"\nparameter = \"load.inertia\"\n";
  EXPECT_EQ(problem_of(kDrive + walk + inertia), "no problem");
  EXPECT_EQ(problem_of(kDrive + inertia + walk + inertia),
            "axis.toml:13: unknown.parameter = \"load.inertia\": is unknown already by line 7; keep one of them");
  EXPECT_EQ(problem_of(kDrive + walk + "intensity = 3\n" + walk + "intensity = 5\n"),
            "axis.toml:11: unknown.signal = \"transmission.torque\": is unknown already by line 7; keep one of them");
  const std::string friction = "[[unknown]]\nkind = \"random-walk\"\nsignal = \"friction.force\"\n";
  EXPECT_EQ(problem_of("[drive]\nmodel = \"axis\"\nmotion = \"linear\"\n" + friction + friction),
            "axis.toml:9: unknown.signal = \"friction.force\": is unknown already by line 6; keep one of them");
}

// What cannot be played at the rate and for the duration of [simulate], and a file that is not there.
TEST(Study, InputsOfASimulationAreRefusedWhereTheyStand) {
  const auto problem_with = [](const std::string& input, const std::string& duration = "1") {
    return problem_of(kDrive + kLog + "[simulate]\nduration = " + duration + "\nrate = 1000\ninput = { " + input +
                      " }\n");
  };
  const std::string place = "axis.toml:13: simulate.input.";
  EXPECT_EQ(problem_with("kind = \"prbs\", amplitude = 1, hold = 0.01"), "no problem");
  EXPECT_EQ(problem_with("kind = \"prbs\", amplitude = 1, hold = 1e-4"),
            place + "hold = 0.0001 s: must be at least one sample, 0.001 s");
  EXPECT_EQ(problem_with("kind = \"chirp\", amplitude = 1, lowest = 50, highest = 20"),
            place + "lowest = 50 Hz: must not exceed highest, 20 Hz");
  EXPECT_EQ(
      problem_with("kind = \"sines\", tones = [{ frequency = 2, amplitude = 1 }, { frequency = 600, amplitude = 1 }]"),
      place + "tones[1].frequency = 600 Hz: must be below half the sampling frequency, 500 Hz");
  EXPECT_EQ(problem_with("kind = \"steps\", times = [0, 2, 1], levels = [1, 2, 3]"),
            place + "times[2] = 1 s: must be later than the one before");
  EXPECT_EQ(problem_with("kind = \"file\", file = \"nix.csv\", column = \"u\""), place + "file: nix.csv: no such file");
  EXPECT_EQ(problem_with("kind = \"constant\", amplitude = 1", "1e-4"),
            "axis.toml:11: simulate.duration = 0.0001 s: is shorter than one sample, 0.001 s");
}

TEST(Study, OpenQuestionsAreListedFromTopToBottom) {
  const std::string problem = problem_of(
      "[test]\nrated_torque = \"TODO: a\"\ndefinition = \"TODO: b\"\n[log]\ntime = { unit = \"TODO: c\", column = "
      "\"TODO: d\" }\n[accept]\ngap = \"TODO: e\"\n");
  EXPECT_EQ(problem,
            "axis.toml: 5 questions are still to be answered:\n  line 2: test.rated_torque = \"TODO: a\"\n"
            "  line 3: test.definition = \"TODO: b\"\n  line 5: log.time.unit = \"TODO: c\"\n"
            "  line 5: log.time.column = \"TODO: d\"\n  line 7: accept.gap = \"TODO: e\"");
}

}  // namespace
}  // namespace tauhat
