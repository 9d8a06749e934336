// `init` on logs as drives write them: with its TODOs answered, each becomes a study that reads its log.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>

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
                                                                 {"samples per second", "\"1 kHz\""},
                                                                 {"torque constant", "\"0.1 N m/A\""},
                                                                 {"rated torque", "\"1.27 N m\""},
                                                                 {"increments of one turn", "65536"},
                                                                 {"such as \\\"rad\\\"", "\"rad\""},
                                                                 {"such as \\\"rpm\\\"", "\"rpm\""},
                                                                 {"such as \\\"N m\\\"", "\"N m\""},
                                                                 {"motor's torque or current", "\"#4\""},
                                                                 {"whose definition", "\"nabtesco\""}};
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

std::vector<fs::path> fixtures() {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(source_dir() / "tests" / "fixtures" / "logs"))
    found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

TEST(Init, MakesAStudyOfEveryDialect) {
  EXPECT_GE(fixtures().size(), 20u);
  for (const fs::path& log : fixtures()) {
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
  for (const fs::path& log : fixtures()) {
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

TEST(Init, ABenchTestAsksForTheGear) {
  const std::string log = (source_dir() / "tests" / "fixtures" / "logs" / "load_encoder.csv").string();
  const Study study = parse_study(answered(study_for(log, StudyKind::hysteresis_curve)), "gear.toml");
  ASSERT_TRUE(study.test.has_value());
  EXPECT_EQ(study.test->ratio, 50.0);
}

TEST(Init, AStudyWithOpenQuestionsIsRefusedByListingThem) {
  const std::string log = (source_dir() / "tests" / "fixtures" / "logs" / "excel_german.csv").string();
  try {
    parse_study(study_for(log, StudyKind::two_mass), "axis.toml");
    FAIL();
  } catch (const Error& problem) {
    const std::string text = problem.what();
    EXPECT_EQ(problem.code(), ExitCode::wrong_use);
    EXPECT_NE(text.find("5 questions are still to be answered"), std::string::npos) << text;
    EXPECT_NE(text.find("log.channels.motor.torque.torque_constant"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace tauhat
