// A powertrain's events one by one: through a pipe as from a record, and those that come late.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "support/powertrain_program.hpp"

namespace tauhat {
namespace {

// Rows of one instant are one in a record; the last of them counts.
std::vector<std::string> instants_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) {
    if (!lines.empty() && line.substr(0, line.find(',')) == lines.back().substr(0, lines.back().find(',')))
      lines.pop_back();
    lines.push_back(line);
  }
  return lines;
}

class PowertrainStream : public PowertrainProgram, public testing::WithParamInterface<const char*> {};
INSTANTIATE_TEST_SUITE_P(Kind, PowertrainStream,
                         testing::Values("suited", "cascade", "switching", "events", "staircase"),
                         [](const auto& each) { return std::string(each.param); });

TEST_P(PowertrainStream, GivesTheNumbersOfARecord) {
  write_events(3);
  const std::string kind = GetParam();
  if (kind != "suited")
    write_cascade("p.toml", path("p.toml"), "kind = \"" + kind + "\"" + (kind == "events" ? "" : "\nspeed = 12"));
  ASSERT_EQ(run("estimate " + path("p.toml") + " " + path("p.csv") + " -o " + path("e.csv")).code, 0);
  ASSERT_EQ(run("stream " + path("p.toml") + " < " + path("p.csv") + " > " + path("s.csv")).code, 0);
  std::istringstream record(read("e.csv"));
  std::string a;
  std::size_t same = 0;
  const std::vector<std::string> streamed = instants_of(read("s.csv"));
  while (std::getline(record, a)) {
    ASSERT_LT(same, streamed.size());
    ASSERT_EQ(a, streamed[same++]);
  }
  EXPECT_EQ(same, streamed.size());
}

// A gate counts in both, and changes what they say.
TEST_F(PowertrainProgram, GatesInAStreamAsInARecord) {
  write_events(3);
  ASSERT_EQ(run("estimate " + path("p.toml") + " " + path("p.csv") + " -o " + path("open.csv")).code, 0);
  write_changed("gated.toml", path("p.toml"), "kind = \"ekf\"", "kind = \"ekf\"\ngate = 2");
  run("estimate " + path("gated.toml") + " " + path("p.csv") + " -o " + path("e.csv"));
  run("stream " + path("gated.toml") + " < " + path("p.csv") + " > " + path("s.csv"));
  // The last row; what is said of the gate stands behind those of the stream.
  const auto last = [&](const std::string& name) {
    Cells all = cells(name);
    std::erase_if(all.rows, [&](const auto& row) { return row.size() != all.names.size(); });
    return all.rows.back();
  };
  EXPECT_NE(last("e.csv"), last("open.csv"));
  EXPECT_EQ(last("e.csv"), last("s.csv"));
}

// A record twice: its clock is set back in the middle, and the second half goes as the first.
TEST_F(PowertrainProgram, StartsAnewWhereTheClockIsSetBack) {
  write_events(3);
  const std::string text = read("p.csv");
  write("twice.csv", text + text.substr(text.find('\n') + 1));
  const Outcome outcome = run("stream " + path("p.toml") + " < " + path("twice.csv") + " > " + path("s.csv"));
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  ASSERT_EQ(run("stream " + path("p.toml") + " < " + path("p.csv") + " > " + path("once.csv")).code, 0);
  // A few rows at the turn are taken for mistakes, so that not every digit is the same. What is said of them stands
  // among the rows.
  const Cells once = cells("once.csv");
  auto twice = cells_of(read("s.csv"));
  std::erase_if(twice, [&](const auto& row) { return row.size() != once.names.size(); });
  const std::size_t gap = once.place("backlash.gap");
  ASSERT_GT(twice.size(), 1.9 * static_cast<double>(once.rows.size()));
  EXPECT_NEAR(std::stod(twice.back()[gap]), std::stod(once.rows.back()[gap]), 2e-4);
}

// Events that were written a little late change nothing of a record but a remark.
TEST_F(PowertrainProgram, PutsLateEventsInOrder) {
  write_events(4);
  std::istringstream record(read("p.csv"));
  std::vector<std::string> lines;
  for (std::string line; std::getline(record, line);) lines.push_back(line);
  for (std::size_t i = 1000; i + 1 < lines.size(); i += 5000) std::swap(lines[i], lines[i + 1]);
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  write("late.csv", text);
  ASSERT_EQ(run("estimate " + path("p.toml") + " " + path("p.csv") + " -o " + path("e.csv")).code, 0);
  const Outcome outcome = run("estimate " + path("p.toml") + " " + path("late.csv") + " -o " + path("l.csv"));
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_EQ(read("l.csv"), read("e.csv"));
}

// A stream has written its row by then: it skips the late one, says so, and says what to do.
TEST_F(PowertrainProgram, AStreamSkipsLateEventsAndSaysSo) {
  write_events(4);
  std::istringstream record(read("p.csv"));
  std::vector<std::string> lines;
  for (std::string line; std::getline(record, line);) lines.push_back(line);
  std::string text;
  for (std::size_t i = 0; i < 3000; ++i) text += lines[i == 1000 ? 1001 : i == 1001 ? 1000 : i] + '\n';
  write("late.csv", text);
  const Outcome outcome = run("stream " + path("p.toml") + " < " + path("late.csv") + " > " + path("s.csv"));
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_THAT(read("s.csv"), testing::HasSubstr("1 of these came after a row with a later stamp"));
}

// A wheel's rows come 5 ms late throughout. A stream that holds the others back for as long gives the estimates of the
// record; one that does not loses the wheel, and names the key.
TEST_F(PowertrainProgram, AStreamHoldsRowsBackForALateWheel) {
  write_events(4);
  std::istringstream record(read("p.csv"));
  std::string line, late;
  std::getline(record, line);
  late = line + '\n';
  std::vector<std::pair<double, std::string>> arrivals;
  while (std::getline(record, line)) {
    const double stamp = std::stod(line);
    if (stamp > 4.0) break;
    const bool is_wheel = line.substr(line.find(',') + 1, 2) == "2,";
    arrivals.emplace_back(stamp + (is_wheel ? 5e-3 : 0.0), line);
  }
  std::stable_sort(arrivals.begin(), arrivals.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [arrival, row] : arrivals) late += row + '\n';
  write("late.csv", late);
  const Outcome lost = run("stream " + path("p.toml") + " < " + path("late.csv") + " 2>&1");
  EXPECT_NE(lost.code, 0);
  EXPECT_THAT(lost.output, testing::HasSubstr("hold_back in [estimator]"));
  for (const std::string hold_back : {"5.1 ms", "200 ms", "1 h"}) {
    write_changed("held.toml", path("p.toml"), "kind = \"ekf\"", "kind = \"ekf\"\nhold_back = \"" + hold_back + '"');
    const Outcome outcome = run("stream " + path("held.toml") + " < " + path("late.csv") + " > " + path("s.csv"));
    ASSERT_EQ(outcome.code, 0) << outcome.output;
    ASSERT_EQ(run("estimate " + path("held.toml") + " " + path("late.csv") + " -o " + path("e.csv")).code, 0);
    EXPECT_TRUE(instants_of(read("s.csv")) == instants_of(read("e.csv"))) << hold_back;
  }
}

// Rows an hour apart show nothing of a shaft that swings within 0.4 s: refused at once, not followed step by step.
TEST_F(PowertrainProgram, RefusesSamplesThatAreHoursApart) {
  write_events(4);
  write_changed("slow.toml", path("p.toml"), "time = { column = \"time\", unit = \"s\" }",
                "time = { column = \"time\", unit = \"h\" }");
  std::string text = "time,sensor,count,command\n";
  for (int i = 0; i < 40; ++i)
    text += std::to_string(i) + "," + std::to_string(1 + i % 2) + "," + std::to_string(i) + ",30\n";
  write("slow.csv", text);
  for (const std::string& command :
       {"stream " + path("slow.toml") + " < " + path("slow.csv"),
        "estimate " + path("slow.toml") + " " + path("slow.csv") + " -o " + path("e.csv")}) {
    const Outcome outcome = run(command);
    EXPECT_EQ(outcome.code, 3) << outcome.output;
    EXPECT_THAT(outcome.output, testing::HasSubstr("the samples are 3600 s apart"));
  }
  write_cascade("cascade.toml", path("p.toml"), std::string(kCascade) + "\nperiod = \"1 h\"");
  const Outcome outcome = run("estimate " + path("cascade.toml") + " " + path("p.csv") + " -o " + path("e.csv"));
  EXPECT_EQ(outcome.code, 2) << outcome.output;
  EXPECT_THAT(outcome.output, testing::HasSubstr("estimator.period = 3600 s: is too long"));
}

}  // namespace
}  // namespace tauhat
