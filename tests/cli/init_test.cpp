// `init` on logs as drives write them: with its TODOs answered, each becomes a study that reads its log.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <numbers>
#include <regex>

#include "support/mat_bytes.hpp"
#include "support/mat_writer.hpp"
#include "support/paths.hpp"
#include "tauhat/offline/error.hpp"
#include "tauhat/offline/init/init.hpp"
#include "tauhat/offline/study/study.hpp"

namespace tauhat {
namespace {

namespace fs = std::filesystem;

// What an engineer would answer, by a word of the question.
std::string answer_to(const std::string& question) {
  const std::vector<std::pair<const char*, const char*>> answers{{"inertia", "\"8 kg cm^2\""},
                                                                 {"turns per output turn", "50"},
                                                                 {"friction of the motor", "\"0.05 N m\""},
                                                                 {"added with speed", "\"0.001 N m s/rad\""},
                                                                 {"samples per second", "\"1 kHz\""},
                                                                 {"torque constant", "\"0.1 N m/A\""},
                                                                 {"rated torque", "\"1.27 N m\""},
                                                                 {"increments of one turn", "65536"},
                                                                 {"such as \\\"rad\\\"", "\"rad\""},
                                                                 {"such as \\\"rpm\\\"", "\"rpm\""},
                                                                 {"such as \\\"N m\\\"", "\"N m\""},
                                                                 {"motor's torque or current", "\"#4\""},
                                                                 {"whose definition", "\"nabtesco\""},
                                                                 {"unit of this clock", "\"us\""},
                                                                 {"linear or rotary", "\"rotary\""},
                                                                 {"all that moves", "\"0.02 kg m^2\""}};
  for (const auto& [word, answer] : answers) {
    if (question.find(word) != std::string::npos) return answer;
  }
  ADD_FAILURE() << "a question without an answer: " << question;
  return "\"\"";
}

std::string answered(const std::string& study) {
  const std::regex todo(R"re("TODO(?:[^"\\]|\\.)*")re");
  std::string text;
  auto at = study.cbegin();
  for (std::sregex_iterator match(study.begin(), study.end(), todo), end; match != end; ++match) {
    text.append(at, (*match)[0].first);
    text += answer_to(match->str());
    at = (*match)[0].second;
  }
  text.append(at, study.cend());
  return text;
}

// The fixtures, and files that MATLAB saves of the same motion, which live as long as this.
class Logs {
 public:
  Logs() {
    for (const auto& entry : fs::directory_iterator(source_dir() / "tests" / "fixtures" / "logs"))
      paths_.push_back(entry.path());
    std::sort(paths_.begin(), paths_.end());
    fs::create_directories(folder_);
    for (const MatVersion& version : kMatVersions) {
      add(fmt::format("arrays_{}.mat", version.name), {time("t"), speed("speed"), current("current")}, version);
      add(fmt::format("structure_with_time_{}.mat", version.name), {structure_with_time()}, version);
      add(fmt::format("timeseries_as_struct_{}.mat", version.name), {timeseries_as_struct()}, version);
    }
  }
  ~Logs() { fs::remove_all(folder_); }
  Logs(const Logs&) = delete;
  Logs& operator=(const Logs&) = delete;
  auto begin() const { return paths_.begin(); }
  auto end() const { return paths_.end(); }
  std::size_t size() const { return paths_.size(); }

 private:
  static matvar_t* sampled(const char* name, const std::function<double(double)>& value) {
    std::vector<double> values;
    for (int k = 0; k < 40; ++k) values.push_back(value(1e-3 * k));
    return mat_array(name, values);
  }
  static constexpr double kOmega = 10.0 * std::numbers::pi;
  static matvar_t* time(const char* name) {
    return sampled(name, [](double t) { return t; });
  }
  static matvar_t* speed(const char* name) {
    return sampled(name, [](double t) { return 3.0 * kOmega * std::sin(kOmega * t); });
  }
  static matvar_t* current(const char* name) {
    return sampled(name, [](double t) { return 3.2 * std::cos(kOmega * t); });
  }

  // By a scope, or a block To Workspace.
  static matvar_t* structure_with_time() {
    return mat_struct("ScopeData", {"time", "signals", "blockName"},
                      {time(""),
                       mat_struct("", {"values", "dimensions", "label"},
                                  {speed(""), mat_array("", std::vector<double>{1}), mat_text("", "motor speed"),
                                   current(""), mat_array("", std::vector<double>{1}), mat_text("", "i_q current")}),
                       mat_text("", "drive/Scope")});
  }

  // As the sentence says that a timeseries is to be saved (formats/matlab_class.hpp).
  static matvar_t* timeseries_as_struct() {
    return mat_struct("s", {"speed", "current"},
                      {mat_struct("", {"Time", "Data"}, {time(""), speed("")}),
                       mat_struct("", {"Time", "Data"}, {time(""), current("")})});
  }

  void add(const std::string& name, const std::vector<matvar_t*>& variables, const MatVersion& version) {
    paths_.push_back(folder_ / name);
    EXPECT_TRUE(write_mat(paths_.back().string(), variables, version));
  }

  fs::path folder_ = fs::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name();
  std::vector<fs::path> paths_;
};

TEST(Init, MakesAStudyOfEveryDialect) {
  const Logs logs;
  EXPECT_GE(logs.size(), 30u);
  for (const fs::path& log : logs) {
    SCOPED_TRACE(log.filename());
    const std::string draft = study_for(log.string(), StudyKind::two_mass);
    const Study study = parse_study(answered(draft), "axis.toml");
    const Log read = read_log(log.string(), study.log_spec());
    ASSERT_NE(read.find("motor.torque"), nullptr);
    EXPECT_EQ(read.find("motor.torque")->value.size(), 40u);
    const double duration = read.channels.front().time->back() - read.channels.front().time->front();
    EXPECT_LE(duration, 79e-3) << draft;  // 40 samples, 0.25 to 2 ms apart: the clock's unit is right
    EXPECT_GE(duration, 9e-3) << draft;
  }
}

// The same motion in all of them: 3 rad (1 - cos), 0.8 N m cos.
TEST(Init, FindsTheSameMotionInEveryDialect) {
  for (const Logs logs; const fs::path& log : logs) {
    SCOPED_TRACE(log.filename());
    const Study study = parse_study(answered(study_for(log.string(), StudyKind::two_mass)), "axis.toml");
    const Log read = read_log(log.string(), study.log_spec());
    bool sensed = false;
    for (const char* signal : {"motor.position", "motor.velocity"}) sensed = sensed || read.find(signal) != nullptr;
    EXPECT_TRUE(sensed);
    const Channel& torque = *read.find("motor.torque");
    EXPECT_GT(torque.value.front(), 0.3 * torque.value.back());
    EXPECT_NEAR(torque.value.front(), study.find_channel("motor.torque")->unit == "A" ? 0.32 : 0.8, 0.01);
  }
}

TEST(Init, AsksOnlyWhatTheLogCannotSay) {
  const auto questions = [](const char* name) {
    const std::string study =
        study_for((source_dir() / "tests" / "fixtures" / "logs" / name).string(), StudyKind::two_mass);
    const std::string log = study.substr(study.find("[log]"));
    std::size_t count = 0;
    for (std::size_t at = log.find("TODO"); at != std::string::npos; at = log.find("TODO", at + 1)) ++count;
    return count;
  };
  EXPECT_EQ(questions("plain_units_in_header.csv"), 0u);
  EXPECT_EQ(questions("rosbag_joint_states.csv"), 0u);
  EXPECT_EQ(questions("setpoint_and_actual.csv"), 0u);
  EXPECT_EQ(questions("excel_german.csv"), 1u);  // the torque constant
}

// Simulink numbers its signals; what they are, their labels say.
TEST(Init, NamesASignalByItsLabel) {
  for (const Logs logs; const fs::path& log : logs) {
    if (!log.filename().string().starts_with("structure_with_time")) continue;
    const std::string study = study_for(log.string(), StudyKind::two_mass);
    EXPECT_NE(study.find("looks like a velocity (\"motor speed\")"), std::string::npos) << study;
    EXPECT_EQ(parse_study(answered(study), "axis.toml").find_channel("motor.velocity")->spec.column,
              "ScopeData.signals(1).values");
  }
}

// A timeseries is an object that MATLAB alone can open: the answer is what to type there.
TEST(Init, ATimeseriesIsRefusedByWhatToTypeInMatlab) {
  const fs::path log = fs::path(testing::TempDir()) / "timeseries.mat";
  const MatBytes mat;
  std::ofstream(log, std::ios::binary) << mat.file(mat.packed(mat.object("speed", "timeseries")));
  try {
    study_for(log.string(), StudyKind::two_mass);
    FAIL();
  } catch (const Error& problem) {
    EXPECT_EQ(problem.code(), ExitCode::unusable_data);
    EXPECT_THAT(problem.what(), testing::EndsWith("s.speed = struct('Time', speed.Time, 'Data', speed.Data); "
                                                  "save log.mat s"));
  }
  fs::remove(log);
}

// Beside arrays an object is easily missed: the study says that it was left out, and what to type.
TEST(Init, AnObjectBesideArraysIsMentionedWithWhatToTypeInMatlab) {
  const fs::path log = fs::path(testing::TempDir()) / "objects.mat";
  const MatBytes mat;
  std::vector<double> time(40), speed(40);
  for (std::size_t k = 0; k < time.size(); ++k) time[k] = 1e-3 * static_cast<double>(k), speed[k] = std::sin(time[k]);
  std::ofstream(log, std::ios::binary) << mat.file(mat.reals("t", time) + mat.reals("w", speed) +
                                                   mat.object("current", "timeseries"));
  const std::string study = study_for(log.string(), StudyKind::two_mass);
  EXPECT_THAT(study,
              testing::HasSubstr("# Skipped: \"current\" is of class timeseries, which MATLAB alone can open; save "
                                 "it as a struct of numbers: s.current = struct('Time', current.Time, 'Data', "
                                 "current.Data); save log.mat s.\n"));
  fs::remove(log);
}

// A log of 40 samples with these headings, the first of which is the clock.
class WrittenLog {
 public:
  explicit WrittenLog(const std::vector<std::string>& headings) {
    std::ofstream file(path_);
    file << fmt::format("{}\n", fmt::join(headings, ","));
    for (int k = 0; k < 40; ++k) {
      file << 1e-3 * k;
      for (std::size_t i = 1; i < headings.size(); ++i) file << ',' << std::sin(0.3 * k + static_cast<double>(i));
      file << '\n';
    }
  }
  ~WrittenLog() { fs::remove(path_); }
  WrittenLog(const WrittenLog&) = delete;
  WrittenLog& operator=(const WrittenLog&) = delete;
  std::string study(StudyKind kind) const { return study_for(path_.string(), kind); }

 private:
  fs::path path_ = fs::path(testing::TempDir()) / "headings.csv";
};

TEST(Init, TellsTheMotorFromTheLoad) {
  const std::vector<std::array<std::string, 2>> pairs{
      {"w_m", "w_l"},         {"wm", "wl"},           {"motor_speed", "load_speed"}, {"vel_mot", "vel_link"},
      {"omega1", "omega2"},   {"speed_1", "speed_2"}, {"MotorVelocity", "VelOut"},   {"speed", "speed_load"},
      {"velmotor", "velload"}};
  for (const auto& [motor, load] : pairs) {
    for (const bool motor_first : {true, false}) {
      const WrittenLog log({"t", motor_first ? motor : load, "tau_cmd", motor_first ? load : motor});
      const Study study = parse_study(answered(log.study(StudyKind::two_mass)), "axis.toml");
      ASSERT_TRUE(study.find_channel("motor.velocity") && study.find_channel("load.velocity")) << motor << ", " << load;
      EXPECT_EQ(study.find_channel("motor.velocity")->spec.column, motor);
      EXPECT_EQ(study.find_channel("load.velocity")->spec.column, load);
      EXPECT_EQ(study.find_channel("motor.torque")->spec.column, "tau_cmd");
    }
  }
}

// Numbers of joints and axes are no sides of a gear.
TEST(Init, TakesOneJointOfSeveralForTheMotor) {
  for (const auto& headings : {std::vector<std::string>{"t", "pos1", "pos2", "pos3", "effort1"},
                               std::vector<std::string>{"t", "joint1.position", "joint2.position", "joint1.effort"}}) {
    const Study study = parse_study(answered(WrittenLog(headings).study(StudyKind::two_mass)), "axis.toml");
    EXPECT_EQ(study.find_channel("motor.position")->spec.column, headings[1]);
    EXPECT_EQ(study.find_channel("load.position"), nullptr);
  }
}

TEST(Init, DoesNotInventTheViscousFriction) {
  std::string study = WrittenLog({"t", "w", "tau"}).study(StudyKind::two_mass);
  EXPECT_THAT(study, testing::ContainsRegex("viscous = \"TODO"));
  // The question offers to have it fitted: what it offers is accepted.
  const std::size_t begin = study.find("\"TODO", study.find("viscous")), end = study.find(", width", begin);
  study.replace(begin, end - begin, "{ value = 0.001, std = \"100 %\" }");
  EXPECT_EQ(parse_study(answered(study), "axis.toml").identification.uncertain.size(), 1u);
}

// The ratio applies to what was measured at the motor: a wrong side is a factor of a hundred.
TEST(Init, ABenchTestAsksForTheSideThatItCannotTell) {
  const auto channels = [](const std::vector<std::string>& headings) {
    const std::string study = WrittenLog(headings).study(StudyKind::hysteresis_curve);
    return study.substr(study.find("[log.channels]"));
  };
  using testing::HasSubstr;
  using testing::Not;
  const std::string untold = channels({"t", "torque [N m]", "angle [deg]"});
  EXPECT_THAT(untold, HasSubstr(R"("motor.torque" = { column = "TODO: \"torque\" if it was measured at the motor;)"));
  EXPECT_THAT(untold, HasSubstr(R"("transmission.torque" = { column = "TODO: \"torque\" if it was measured at the o)"));
  EXPECT_THAT(untold, HasSubstr(R"("motor.position" = { column = "TODO: \"angle\" if it was measured at the motor;)"));
  EXPECT_THAT(untold, HasSubstr(R"("transmission.displacement" = { column = "TODO: \"angle\" if it was measured at)"));

  const std::string differ = channels({"t", "tau_l [N m]", "phi_m [deg]"});
  EXPECT_THAT(differ,
              HasSubstr(R"("transmission.torque" = { column = "TODO: \"tau_l\" if it was measured at the output)"));
  EXPECT_THAT(differ, HasSubstr(R"("motor.position" = { column = "TODO: \"phi_m\" if it was measured at the motor)"));
  EXPECT_THAT(channels({"t", "tau_m [N m]", "phi_l [deg]"}), HasSubstr("though the angle seems to be at the output"));

  for (const auto& told : {channels({"t", "tau_m [N m]", "phi_m [deg]"}), channels({"t", "tau_l [N m]", "phi_l [deg]"}),
                           channels({"t", "tau_l [N m]", "phi_m [deg]", "phi_l [deg]"})})
    EXPECT_THAT(told, Not(HasSubstr("TODO")));
  EXPECT_THAT(channels({"t", "tau_m [N m]", "phi_m [deg]"}), HasSubstr("\"motor.torque\" = { column = \"tau_m\""));
}

TEST(Init, ABenchTestAsksForTheGear) {
  const std::string log = (source_dir() / "tests" / "fixtures" / "logs" / "load_encoder.csv").string();
  const Study study = parse_study(answered(study_for(log, StudyKind::hysteresis_curve)), "gear.toml");
  ASSERT_TRUE(study.test.has_value());
  EXPECT_EQ(study.test->ratio, 50.0);
}

// Whatever definition is the answer, no other question comes up; the lines for K1 to K3 are there to be filled in.
TEST(Init, ABenchTestTakesEveryDefinition) {
  const std::string log = (source_dir() / "tests" / "fixtures" / "logs" / "load_encoder.csv").string();
  const std::string draft = study_for(log, StudyKind::hysteresis_curve);
  for (const char* definition : kDefinitionNames) {
    std::string study = std::regex_replace(draft, std::regex(R"re(definition = "TODO[^"]*")re"),
                                           fmt::format("definition = \"{}\"", definition));
    EXPECT_EQ(parse_study(answered(study), "gear.toml").test->hysteresis.spec.limit_torque[1], 0.0) << study;
    if (definition != std::string("harmonic-drive")) continue;
    study = std::regex_replace(study, std::regex("# limit_torque_([12]) = \"[0-9]+ N m\""), "limit_torque_$1 = 0.$1");
    EXPECT_EQ(parse_study(answered(study), "gear.toml").test->hysteresis.spec.limit_torque[1], 0.2) << study;
  }
}

// A log of 40 rows behind this preamble, stamped by whole numbers.
std::string time_line_of(const std::string& preamble, std::int64_t first, std::int64_t step) {
  const fs::path path = fs::path(testing::TempDir()) / "counted.csv";
  std::ofstream file(path);
  file << preamble << "time;speed;torque\n";
  for (int k = 0; k < 40; ++k) file << first + k * step << ';' << std::sin(0.3 * k) << ';' << std::cos(0.3 * k) << '\n';
  file.close();
  const std::string study = study_for(path.string(), StudyKind::two_mass);
  fs::remove(path);
  const std::size_t begin = study.find("time = {");
  return study.substr(begin, study.find('\n', begin) - begin);
}

TEST(Init, TellsWhatAClockCounts) {
  using testing::HasSubstr;
  const std::string scope = "Name;Scope Project\nStarttime of export;133449876543210000\n\n";
  const std::int64_t file_time = 133449876543210000, since_1970 = 1700000000000000000;
  for (const std::int64_t step : {2500, 10000, 100000}) {  // 4 kHz to 100 Hz
    EXPECT_THAT(time_line_of("", file_time, step), HasSubstr("unit = \"100 ns\""));
    EXPECT_THAT(time_line_of(scope, 0, step), HasSubstr("unit = \"100 ns\""));
  }
  EXPECT_THAT(time_line_of(scope, 0, 1), HasSubstr("unit = \"ms\""));
  EXPECT_THAT(time_line_of("", since_1970, 1000000), HasSubstr("unit = \"ns\""));
  EXPECT_THAT(time_line_of("", 0, 1000000), HasSubstr("unit = \"ns\""));
  EXPECT_THAT(time_line_of("", 0, 250), HasSubstr("unit = \"us\""));
  EXPECT_THAT(time_line_of("", 0, 1000), HasSubstr("unit = \"us\""));
  EXPECT_THAT(time_line_of("", 0, 2), HasSubstr("unit = \"ms\""));
}

// 100, 200 and 400 Hz in microseconds are 1, 2 and 4 kHz in ticks of 100 ns: nobody can tell.
TEST(Init, AsksWhatAClockCountsWhereItCannotTell) {
  using testing::HasSubstr;
  EXPECT_THAT(
      time_line_of("", 0, 10000),
      HasSubstr(
          R"(unit = "TODO: unit of this clock; its steps of 10000 are 100 Hz if \"us\", 1000 Hz if \"100 ns\"")"));
  for (const std::int64_t step : {2500, 5000, 100000})
    EXPECT_THAT(time_line_of("", 0, step), HasSubstr("unit = \"TODO: unit of this clock"));
}

// What the file says is surer than what CiA 402 says.
TEST(Init, AUnitInTheHeaderIsTheDrivesOwn) {
  const auto torque_line = [](const std::string& heading) {
    const std::string study = WrittenLog({"t", "speed [rpm]", heading}).study(StudyKind::two_mass);
    const std::size_t begin = study.find("\"motor.torque\"");
    return study.substr(begin, study.find('\n', begin) - begin);
  };
  using testing::HasSubstr;
  EXPECT_THAT(torque_line("0x6077 torque [Nm]"), HasSubstr("unit = \"Nm\" }"));
  EXPECT_THAT(torque_line("0x6078 current [A]"), HasSubstr("unit = \"A\", torque_constant"));
  EXPECT_THAT(torque_line("0x6077 torque"), HasSubstr("unit = \"permille\", rated_torque"));
  EXPECT_THAT(torque_line("0x6077 torque [%]"), HasSubstr("unit = \"permille\", gain = 10, rated_torque"));
}

TEST(Init, TakesTheCurrentAlongQForACurrent) {
  for (const char* name : {"i_q", "I_q", "iq", "motor.i_q"}) {
    const Study study = parse_study(answered(WrittenLog({"t", "speed", name}).study(StudyKind::two_mass)), "axis.toml");
    EXPECT_EQ(study.find_channel("motor.torque")->spec.column, name);
    EXPECT_EQ(study.find_channel("motor.position"), nullptr) << name;
  }
}

TEST(Init, NamesTheColumnsOfWordsThatItLeavesOut) {
  const fs::path path = fs::path(testing::TempDir()) / "words.csv";
  std::ofstream file(path);
  file << "t,speed [rpm],torque [Nm],state\n";
  for (int k = 0; k < 40; ++k) file << 1e-3 * k << ',' << k << ',' << -k << ",running\n";
  file.close();
  const std::string study = study_for(path.string(), StudyKind::two_mass);
  fs::remove(path);
  EXPECT_THAT(study.substr(study.find("# not used:")), testing::HasSubstr("#   \"state\" holds words, such as"));
}

TEST(Init, AnAxisIsAskedForItsMass) {
  const std::string study = study_for((source_dir() / "tests/fixtures/logs/plain.csv").string(), StudyKind::axis);
  EXPECT_NE(study.find("axis.mass = \"TODO"), std::string::npos) << study;
  const Study read = parse_study(answered(study), "axis.toml");
  ASSERT_TRUE(read.axis);
  EXPECT_NE(read.find_channel("axis.force"), nullptr);
}

TEST(Init, AStudyWithOpenQuestionsIsRefusedByListingThem) {
  const std::string log = (source_dir() / "tests" / "fixtures" / "logs" / "excel_german.csv").string();
  try {
    parse_study(study_for(log, StudyKind::two_mass), "axis.toml");
    FAIL();
  } catch (const Error& problem) {
    const std::string text = problem.what();
    EXPECT_EQ(problem.code(), ExitCode::wrong_use);
    EXPECT_NE(text.find("6 questions are still to be answered"), std::string::npos) << text;
    EXPECT_NE(text.find("log.channels.motor.torque.torque_constant"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace tauhat
