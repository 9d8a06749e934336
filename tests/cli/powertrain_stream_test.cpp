// A powertrain's events one by one: through a pipe as from a record, and those that come late.
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "support/powertrain_program.hpp"

namespace tauhat {
namespace {

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
  std::istringstream record(read("e.csv")), stream(read("s.csv"));
  std::string a, b;
  std::size_t same = 0;
  // Rows of one instant are one in a record; the last of them counts.
  std::vector<std::string> streamed;
  while (std::getline(stream, b)) {
    if (!streamed.empty() && b.substr(0, b.find(',')) == streamed.back().substr(0, streamed.back().find(',')))
      streamed.pop_back();
    streamed.push_back(b);
  }
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
  const auto last = [&](const std::string& name) { return cells(name).rows.back(); };
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

// Events that were written a little late change nothing but a remark.
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

}  // namespace
}  // namespace tauhat
