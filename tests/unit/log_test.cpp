#include "tauhat/offline/log/log.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "tauhat/offline/error.hpp"

namespace tauhat {
namespace {

using ::testing::HasSubstr;

// A file that lives as long as its test.
class LogFile {
 public:
  explicit LogFile(const std::string& text, const std::string& extension = ".csv")
      : path_(std::filesystem::path(testing::TempDir()) /
              (testing::UnitTest::GetInstance()->current_test_info()->name() + extension)) {
    std::ofstream(path_, std::ios::binary) << text;
  }
  ~LogFile() { std::filesystem::remove(path_); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

LogSpec velocity_spec() {
  LogSpec spec;
  spec.time.column = "t";
  spec.channels.push_back({.signal = "motor.velocity", .column = "w"});
  return spec;
}

// "t,w" and one line a row.
std::string table(int rows, const std::function<std::string(int)>& row) {
  std::string text = "t,w\n";
  for (int k = 0; k < rows; ++k) text += row(k) + "\n";
  return text;
}

std::string message_of(const Log& log, const std::string& name) {
  for (const Diagnostic& diagnostic : log.diagnostics)
    if (diagnostic.name == name) return diagnostic.message;
  return "";
}

std::string refusal(const std::string& text, const LogSpec& spec = velocity_spec()) {
  const LogFile file(text);
  try {
    read_log(file.path(), spec);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::unusable_data);
    return std::string(error.what()).substr(file.path().size());
  }
  return "accepted";
}

// 300 rpm are 10 pi rad/s; 2 A at 0.5 N m/A with an offset of 0.1 N m are 1.1 N m; a stamp of 4 ms is 0.004
// s.
TEST(ReadLog, ConvertsToSi) {
  std::string text = "t;w;i\n";
  for (int k = 0; k < 20; ++k) text += fmt::format("{};{};2\n", k, k == 4 ? 300 : k);
  LogSpec spec = velocity_spec();
  spec.time.scale = 1e-3;
  spec.channels[0].scale = std::numbers::pi / 30;
  spec.channels.push_back({.signal = "motor.torque", .column = "i", .scale = 0.5, .offset = 0.1});
  const LogFile file(text);
  const Log log = read_log(file.path(), spec);
  EXPECT_EQ(log.source, file.path());
  const Channel& velocity = *log.find("motor.velocity");
  EXPECT_DOUBLE_EQ(velocity.value[4], 10 * std::numbers::pi);
  EXPECT_DOUBLE_EQ((*velocity.time)[4], 0.004);
  EXPECT_DOUBLE_EQ(log.find("motor.torque")->value[7], 1.1);
  EXPECT_EQ(log.find("motor.torque")->time, velocity.time);
  EXPECT_EQ(log.find("load.velocity"), nullptr);
}

TEST(ReadLog, MakesTimeFromARate) {
  LogSpec spec = velocity_spec();
  spec.time = {.column = "", .scale = 1.0, .rate = 500.0};
  const LogFile file(table(20, [](int k) { return fmt::format("x,{}", k); }));
  EXPECT_DOUBLE_EQ((*read_log(file.path(), spec).channels[0].time)[3], 3.0 / 500.0);
  spec.time.rate = 0.0;
  EXPECT_THROW(read_log(file.path(), spec), Error);
}

// A value that was true 2 ms before its stamp belongs 2 ms earlier; channels without delay keep the table's
// clock.
TEST(ReadLog, ShiftsTheClockOfADelayedChannel) {
  LogSpec spec = velocity_spec();
  spec.channels.push_back({.signal = "load.velocity", .column = "w", .delay = 2e-3});
  const LogFile file(table(20, [](int k) { return fmt::format("{},{}", 0.25 * k, k); }));
  const Log log = read_log(file.path(), spec);
  EXPECT_DOUBLE_EQ((*log.channels[0].time)[4], 1.0);
  EXPECT_DOUBLE_EQ((*log.channels[1].time)[4], 0.998);
}

// An oscilloscope's pairs of columns: the second channel is slower, so its columns end earlier.
TEST(ReadLog, GivesAChannelItsOwnClock) {
  std::string text = "t,w,t2,x\n";
  for (int k = 0; k < 30; ++k)
    text += k < 15 ? fmt::format("{},{},{},{}\n", k, k, 2 * k, k) : fmt::format("{},{},,\n", k, k);
  LogSpec spec = velocity_spec();
  spec.channels.push_back({.signal = "load.velocity", .column = "x", .time_column = "t2"});
  const LogFile file(text);
  const Log log = read_log(file.path(), spec);
  EXPECT_EQ(log.channels[0].value.size(), 30u);
  EXPECT_EQ(log.channels[1].value.size(), 15u);
  EXPECT_EQ(log.channels[1].time->back(), 28.0);
  EXPECT_EQ(log.channels[1].missing, 0u);
}

TEST(ReadLog, ReadsDatesAsSeconds) {
  const LogFile file(table(20, [](int k) { return fmt::format("2024-05-01T12:00:{:02}.250,{}", k, k); }));
  LogSpec spec = velocity_spec();
  spec.time.scale = 1e-3;  // a date's unit is the second, whatever the study says of numbers
  EXPECT_DOUBLE_EQ((*read_log(file.path(), spec).channels[0].time)[5], 12 * 3600 + 5.25);
}

// 16 ms stamps at 430 Hz: sample k is taken at k/430 s and stamped with the last tick before it. Spread over
// each tick, no sample may be off by more than one period, and all but the first and last ticks keep their
// stamps.
TEST(ReadLog, SpreadsTheSamplesOfACoarseClock) {
  constexpr double kTick = 0.016, kRate = 430.0;
  const auto row = [](int k) {
    return fmt::format("{:.3f},{}", kTick * std::floor(k / kRate / kTick), std::sin(0.1 * k));
  };
  const LogFile file(table(2000, row));
  const Log log = read_log(file.path(), velocity_spec());
  const std::vector<double>& time = *log.channels[0].time;
  ASSERT_EQ(time.size(), 2000u);
  for (std::size_t k = 1; k < time.size(); ++k) {
    EXPECT_GT(time[k], time[k - 1]);
    EXPECT_NEAR(time[k], static_cast<double>(k) / kRate, 1.2 / kRate);
  }
  EXPECT_THAT(message_of(log, "log.repeated_stamps"), HasSubstr("2000 rows share 291 stamps"));
  EXPECT_EQ(message_of(log, "log.duplicate"), "");
  EXPECT_EQ(message_of(log, "log.gap"), "");
}

// A gap in a coarse clock stays one gap: the run before it is not stretched across.
TEST(ReadLog, KeepsAGapInACoarseClock) {
  const auto row = [](int k) { return fmt::format("{},{}", k / 5 * 10 + (k >= 500 ? 1000 : 0), std::sin(0.1 * k)); };
  const LogFile file(table(1000, row));
  EXPECT_THAT(message_of(read_log(file.path(), velocity_spec()), "log.gap"), HasSubstr("1 gap longer than 3 periods"));
}

TEST(ReadLog, DropsDuplicateRows) {
  const LogFile file(table(100, [](int k) { return fmt::format("{0},{0}\n{0},{1}", k, k % 10 == 0 ? k : k + 0.0); }));
  const Log log = read_log(file.path(), velocity_spec());
  EXPECT_EQ(log.channels[0].value.size(), 100u);
  EXPECT_THAT(message_of(log, "log.duplicate"), HasSubstr("100 of 200 rows repeat"));
  EXPECT_EQ(message_of(log, "log.repeated_stamps"), "");
}

// 2 ms periods with 130 ms missing after row 50, which is line 52 (a header before it, lines count from one).
TEST(ReadLog, ReportsGaps) {
  const LogFile file(table(200, [](int k) { return fmt::format("{:.3f},{}", 0.002 * k + (k > 50 ? 0.128 : 0.0), k); }));
  const std::string message = message_of(read_log(file.path(), velocity_spec()), "log.gap");
  EXPECT_EQ(message,
            "Column \"t\": 1 gap longer than 3 periods of 2 ms; the largest, 0.13 s, follows 0.1 s (line 52).");
}

// Periods of 1 and 1.5 ms in turn vary by half of the median, 1 or 1.5 ms.
TEST(ReadLog, ReportsJitter) {
  const LogFile uneven(table(200, [](int k) { return fmt::format("{},{}", 1.25 * k + (k % 2 ? 0.25 : 0.0), k); }));
  EXPECT_NE(message_of(read_log(uneven.path(), velocity_spec()), "log.jitter"), "");
  const LogFile even(table(200, [](int k) { return fmt::format("{},{}", 1.25 * k, k); }));
  EXPECT_EQ(message_of(read_log(even.path(), velocity_spec()), "log.jitter"), "");
}

TEST(ReadLog, CountsMissingSamples) {
  const LogFile file(table(100, [](int k) { return fmt::format("{},{}", k, k % 10 == 3 ? "" : std::to_string(k)); }));
  const Log log = read_log(file.path(), velocity_spec());
  EXPECT_EQ(log.channels[0].missing, 10u);
  EXPECT_EQ(message_of(log, "log.missing"), "Column \"w\" (motor.velocity): 10 of 100 samples are missing.");
}

// A message of a bus in every tenth row, or one beside it: nothing is missing but the three that did not come.
TEST(ReadLog, CountsWhatIsMissingOfASlowerChannel) {
  const auto bus = [](int k, int lost) {
    const int message = (k + 1) / 10, at = 10 * message + (message % 7 == 3 ? -1 : 0);
    return fmt::format("{},{}", k, k == at && !(message >= 50 && message < 50 + lost) ? std::to_string(k) : "");
  };
  const auto said = [&](int lost) {
    const LogFile file(table(1000, [&](int k) { return bus(k, lost); }));
    return message_of(read_log(file.path(), velocity_spec()), "log.missing");
  };
  EXPECT_EQ(said(0), "");
  EXPECT_EQ(said(3), "Column \"w\" (motor.velocity): 3 of 100 samples are missing.");
}

TEST(ReadLog, ReportsAConstantChannel) {
  const LogFile file(table(100, [](int k) { return fmt::format("{},2.5", k); }));
  const Log log = read_log(file.path(), velocity_spec());
  EXPECT_TRUE(log.channels[0].constant);
  EXPECT_NE(message_of(log, "log.constant"), "");
}

// A sine cut at 80 % spends 2 acos(0.8) / pi = 41 % of its time at the limits.
TEST(ReadLog, ReportsAClippedChannel) {
  const auto row = [](int k) { return fmt::format("{},{:.6f}", k, std::clamp(std::sin(0.01 * k), -0.8, 0.8)); };
  const LogFile file(table(6283, row));
  const Log log = read_log(file.path(), velocity_spec());
  EXPECT_NEAR(log.channels[0].clipped_share, 2 * std::acos(0.8) / std::numbers::pi, 0.01);
  EXPECT_THAT(message_of(log, "log.clipped"), HasSubstr("41.0 %"));
  LogSpec position = velocity_spec();
  position.channels[0].signal = "motor.position";
  EXPECT_EQ(read_log(file.path(), position).channels[0].clipped_share, 0.0);
}

struct RefusalCase {
  const char* what;
  std::string text;
  const char* sentence;
};

TEST(ReadLog, RefusesWhatWouldGiveAWrongAnswer) {
  const auto row = [](int k) { return fmt::format("{},{}", k, k); };
  const std::vector<RefusalCase> cases = {
      {"few rows", table(9, row), ": 9 rows; at least 10 are needed"},
      {"backwards", table(20, [](int k) { return fmt::format("{},{}", k == 7 ? 3 : k, k); }),
       ":9: column \"t\": time runs backwards, from 6 s to 3 s"},
      {"backwards after a comment",
       "# a\n" + table(20, [](int k) { return fmt::format("{}{},{}", k == 5 ? "# b\n\n" : "", k == 7 ? 3 : k, k); }),
       ":12: column \"t\": time runs backwards, from 6 s to 3 s"},
      {"no time", table(20, [](int k) { return k == 7 ? std::string(",7") : fmt::format("{},{}", k, k); }),
       ":9: column \"t\": the time of this row is missing"},
      {"time stands still", table(20, [](int k) { return fmt::format("5,{}", k); }),
       ": column \"t\": time never advances, all 20 rows have 5 s"},
      {"nothing measured", table(20, [](int k) { return fmt::format("{},nan", k); }),
       ": column \"w\" (motor.velocity): all 20 samples are missing"},
      {"dates as values", table(20, [](int k) { return fmt::format("{},2024-05-01T12:00:00", k); }),
       ": column \"w\" (motor.velocity) holds dates, not numbers"},
  };
  for (const RefusalCase& expected : cases) EXPECT_EQ(refusal(expected.text), expected.sentence) << expected.what;
}

TEST(ReadLog, RefusesAnUnknownFormat) {
  const LogFile file("t,w\n0,1\n", ".mat");
  EXPECT_THROW(read_log(file.path(), velocity_spec()), Error);
}

}  // namespace
}  // namespace tauhat
