// Studies: what is read, and the sentence that a mistake gets.
#include "tauhat/offline/study/study.hpp"

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

std::string problem_of(const std::string& text) {
  try {
    parse_study(text, "axis.toml");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::wrong_use);
    return error.what();
  }
  return "no problem";
}

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

}  // namespace
}  // namespace tauhat
