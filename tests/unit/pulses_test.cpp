// Pulses of toothed wheels become positions at their stamps.
#include "tauhat/offline/log/pulses.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/log/log.hpp"
#include "tauhat/offline/log/pulse_stamps.hpp"
#include "tauhat/offline/log/tooth_table.hpp"
#include "tauhat/offline/simulate/toothed_wheel.hpp"

namespace tauhat {
namespace {

using testing::HasSubstr;

// Teeth that a number stands for, from the first one on.
std::vector<double> teeth(PulseSpec spec, const std::vector<std::pair<double, double>>& stamped) {
  PulseCounter counter(spec);
  std::vector<double> passed;
  for (const auto& [stamp, count] : stamped) {
    const auto position = counter.position(stamp, count);
    passed.push_back(position ? (*position - spec.phase) / spec.pitch() : -999.0);
  }
  return passed;
}

TEST(Pulses, WithoutACounterGoForward) {
  EXPECT_THAT(teeth({.teeth = 48}, {{0.1, 0}, {0.2, 0}, {0.3, 0}}),
              testing::Pointwise(testing::DoubleNear(1e-9), {0, 1, 2}));
}

TEST(Pulses, ACounterTellsDirectionAndLoss) {
  PulseSpec spec{.teeth = 48, .count_column = "n"};
  // Up to 7, back over edge 7 and 6, up again over 6; two were lost then.
  EXPECT_THAT(teeth(spec, {{0.1, 6}, {0.2, 7}, {0.3, 6}, {0.4, 5}, {0.5, 6}, {0.6, 9}}),
              testing::Pointwise(testing::DoubleNear(1e-9), {6, 7, 7, 6, 6, 9}));
  PulseCounter counter(spec);
  for (const auto& [stamp, count] : std::vector<std::pair<double, double>>{{0.1, 6}, {0.2, 9}, {0.2, 9}, {0.1, 6}})
    counter.position(stamp, count);
  EXPECT_EQ(counter.tally().lost, 2U);
  EXPECT_EQ(counter.tally().repeated, 1U);
  EXPECT_EQ(counter.tally().late, 1U);
}

TEST(Pulses, ACounterBeginsAnew) {
  EXPECT_THAT(teeth({.teeth = 48, .count_column = "n", .wraps_at = 16}, {{0.1, 14}, {0.2, 15}, {0.3, 0}, {0.4, 15}}),
              testing::Pointwise(testing::DoubleNear(1e-9), {14, 15, 16, 16}));
}

// A wheel of 60 - 2 teeth at a speed that changes: each pulse stands for its tooth, with a counter and without.
TEST(Pulses, MissingTeethAreNoPulses) {
  const ToothedWheel wheel{.teeth = 60, .phase = 0.01, .missing = 2};
  std::vector<Pulse> passed;
  append_pulses(wheel, {0.0, 1.0, 0.0, 15.0, 18.0, 22.0}, passed);
  PulseSpec spec{.teeth = 60, .missing = 2, .phase = 0.01};
  const auto by_order = [&] {
    std::vector<std::pair<double, double>> stamped;
    for (const Pulse& pulse : passed) stamped.emplace_back(pulse.stamp, 0.0);
    return teeth(spec, stamped);
  }();
  ASSERT_GT(passed.size(), 120U);
  for (std::size_t i = 0; i < passed.size(); ++i)
    EXPECT_NEAR(by_order[i] - by_order[0], static_cast<double>(passed[i].number - passed[0].number), 1e-9) << i;
  spec.count_column = "n";
  PulseCounter counter(spec);
  for (std::size_t i = 0; i < passed.size(); ++i) {
    const long turn = passed[i].number / 60, of_turn = passed[i].number % 60;
    const auto position = counter.position(passed[i].stamp, static_cast<double>(58 * turn + of_turn));
    EXPECT_NEAR(*position, wheel.edge(passed[i].number), 1e-9);
    EXPECT_EQ(counter.tooth(), of_turn);
  }
}

// A wheel of 60 - 2 teeth without a counter that loses a pulse, or shows one too many: from the next gap on each pulse
// is again taken for the tooth that it is, and the positions are behind or ahead by that pulse alone.
TEST(Pulses, TheGapPutsTheTeethRight) {
  const ToothedWheel wheel{.teeth = 60, .missing = 2};
  std::vector<Pulse> passed;
  append_pulses(wheel, {0.0, 2.0, 0.0, 15.0, 34.0, 19.0}, passed);
  // Pulses of the second turn; the one too many comes early, in the middle or late between two teeth.
  const auto check = [&](std::vector<Pulse> pulses, long shift) {
    PulseCounter counter({.teeth = 60, .missing = 2});
    for (const Pulse& pulse : pulses) {
      const auto position = counter.position(pulse.stamp, 0.0);
      if (pulse.number < 180) continue;
      ASSERT_EQ(counter.tooth(), tooth_of(pulse.number, 60)) << pulse.number;
      ASSERT_NEAR(*position / wheel.pitch(), static_cast<double>(pulse.number - passed.front().number + shift), 1e-9);
    }
  };
  ASSERT_GT(passed.size(), 290U);
  check(passed, 0);
  std::vector<Pulse> lost = passed;
  lost.erase(lost.begin() + 90);
  check(lost, -1);
  for (const double share : {0.05, 0.4, 0.6, 0.9}) {
    std::vector<Pulse> doubled = passed;
    const double stamp = (1.0 - share) * passed[90].stamp + share * passed[91].stamp;
    doubled.insert(doubled.begin() + 91, {stamp, passed[90].number, true});
    check(doubled, 1);
  }
}

// As many pulses lost at once as are missing look like the gap. They are said, and each pulse is taken for its tooth:
// also right before the gap, and where another one was lost as well.
TEST(Pulses, AsManyLostAsAreMissingAreNoGap) {
  const ToothedWheel wheel{.teeth = 60, .missing = 2};
  std::vector<Pulse> passed;
  append_pulses(wheel, {0.0, 2.0, 0.0, 15.0, 34.0, 19.0}, passed);
  ASSERT_GT(passed.size(), 290U);
  const auto unseen = [&](std::vector<long> lost, long from) {
    PulseCounter counter({.teeth = 60, .missing = 2});
    for (const Pulse& pulse : passed) {
      if (std::find(lost.begin(), lost.end(), pulse.number) != lost.end()) continue;
      const auto position = counter.position(pulse.stamp, 0.0);
      if (pulse.number < from) continue;
      EXPECT_EQ(counter.tooth(), tooth_of(pulse.number, 60)) << pulse.number;
      if (lost.size() == 2)
        EXPECT_NEAR(*position / wheel.pitch(), static_cast<double>(pulse.number - passed.front().number), 1e-9);
    }
    return counter.tally().unseen;
  };
  EXPECT_EQ(unseen({}, 60), 0U);
  for (const long first : {61, 90, 115}) EXPECT_EQ(unseen({first, first + 1}, 60), 2U) << first;
  EXPECT_EQ(unseen({80}, 180), 0U);
  EXPECT_EQ(unseen({80, 100, 101}, 180), 2U);
}

// With a table, pulses count from where their teeth are known: the std is not that of the others.
TEST(Pulses, ATableBeginsWithTheFirstToothThatIsKnown) {
  const ToothedWheel wheel{.teeth = 12, .missing = 2};
  std::vector<Pulse> passed;
  append_pulses(wheel, {0.0, 1.0, 2.0, 15.0, 17.0, 15.0}, passed);
  ASSERT_GT(passed.size(), 20U);
  PulseSpec spec{.teeth = 12, .missing = 2, .table = std::vector<double>(12, 0.0)};
  spec.table[1] = 0.01;
  PulseCounter counter(spec);
  bool has_begun = false;
  for (const Pulse& pulse : passed) {
    const auto position = counter.position(pulse.stamp, 0.0);
    has_begun = has_begun || tooth_of(pulse.number, 12) == 0;
    ASSERT_EQ(position.has_value(), has_begun) << pulse.number;
    if (!position) continue;
    const double stands = static_cast<double>(pulse.number - passed.front().number) * spec.pitch();
    EXPECT_NEAR(*position - stands, tooth_of(pulse.number, 12) == 1 ? 0.01 : 0.0, 1e-9) << pulse.number;
  }
}

// A table of teeth is of use in another log where a tooth has the same number there.
TEST(Pulses, TeethAreKnownByTheirGapOrByACounter) {
  EXPECT_FALSE((PulseSpec{.teeth = 48}).knows_teeth());
  EXPECT_TRUE((PulseSpec{.teeth = 48, .missing = 2}).knows_teeth());
  EXPECT_TRUE((PulseSpec{.teeth = 48, .count_column = "n"}).knows_teeth());
  EXPECT_TRUE((PulseSpec{.teeth = 48, .count_column = "n", .wraps_at = 96}).knows_teeth());
  EXPECT_FALSE((PulseSpec{.teeth = 48, .count_column = "n", .wraps_at = 65536}).knows_teeth());
  EXPECT_TRUE((PulseSpec{.teeth = 60, .missing = 2, .count_column = "n", .wraps_at = 58}).knows_teeth());
  EXPECT_FALSE((PulseSpec{.teeth = 60, .missing = 2, .count_column = "n", .wraps_at = 60}).knows_teeth());
}

struct PulseLog : testing::Test {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("tauhat_pulses_" + std::to_string(::getpid()));
  PulseLog() { std::filesystem::create_directories(folder); }
  ~PulseLog() override { std::filesystem::remove_all(folder); }
  PulseLog(const PulseLog&) = delete;
  PulseLog& operator=(const PulseLog&) = delete;

  std::string write(const std::string& text) const {
    const std::string path = (folder / "log.csv").string();
    std::ofstream(path) << text;
    return path;
  }
  static LogSpec spec(PulseSpec wheel) {
    LogSpec log;
    log.channels.push_back({.signal = "load.position", .column = "t", .pulses = std::move(wheel)});
    return log;
  }
};

// Late pulses are put in order, repeated ones used once, both are said.
TEST_F(PulseLog, IsMergedByStamp) {
  std::string text = "t,id,n\n";
  for (const int n : {0, 1, 2, 4, 3, 5, 6, 6, 7, 8, 9, 10})
    text +=
        std::to_string(0.1 * (n + 1)) + ",2," + std::to_string(n) + "\n" + std::to_string(0.1 * n + 0.05) + ",1,77\n";
  const Log log = read_log(write(text), spec({.teeth = 48, .sensor_column = "id", .sensor = 2, .count_column = "n"}));
  const Channel& channel = log.channels.front();
  ASSERT_EQ(channel.value.size(), 11U);
  for (std::size_t i = 0; i < 11; ++i)
    EXPECT_NEAR(channel.value[i], static_cast<double>(i) * 2.0 * std::numbers::pi / 48.0, 1e-12);
  std::string all;
  for (const Diagnostic& d : log.diagnostics) all += d.name + " ";
  EXPECT_THAT(all, HasSubstr("pulses.late"));
  EXPECT_THAT(all, HasSubstr("pulses.repeated"));
}

TEST_F(PulseLog, SaysWhereACountIsNone) {
  try {
    read_log(write("t,n\n0.1,0\n0.2,1.5\n"), spec({.teeth = 48, .count_column = "n"}));
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("log.csv:3: column \"n\" (load.position): 1.5 is not a count"));
  }
}

TEST_F(PulseLog, ToothTableIsReadAsItWasWritten) {
  const std::vector<ToothTable> tables{{"motor.position", {0.001, -0.001, 0.0}, {1e-4, 1e-4, 1e-4}},
                                       {"load.position", {0.002, -0.002}, {1e-4, 1e-4}}};
  const std::string path = write(tooth_table_text(tables));
  EXPECT_EQ(read_tooth_table(path, "motor.position", 3), tables[0].error);
  EXPECT_EQ(read_tooth_table(path, "load.position", 2), tables[1].error);
  EXPECT_THROW(read_tooth_table(path, "load.position", 48), Error);
}

TEST(PulseStamps, OfTooFewDigitsAreAFault) {
  std::vector<double> stamps;
  for (int i = 0; i < 400; ++i) stamps.push_back(std::floor(2e-2 * i));
  EXPECT_EQ(fault_of_stamps(stamps), "most of the stamps repeat the one before: they are written with too few digits");
}

// Every 2 ms, with a pause of 5 s in the middle: a wheel that rested.
std::vector<double> stamps_with_a_rest() {
  std::vector<double> stamps;
  for (int i = 0; i < 400; ++i) stamps.push_back(2e-3 * i + (i < 200 ? 0.0 : 5.0));
  return stamps;
}

TEST(PulseStamps, LatePulsesAndRestsAreNoFault) {
  std::vector<double> stamps = stamps_with_a_rest();
  EXPECT_EQ(fault_of_stamps(stamps), "");
  std::swap(stamps[50], stamps[53]);
  std::swap(stamps[199], stamps[200]);
  EXPECT_EQ(fault_of_stamps(stamps), "");
}

TEST(PulseStamps, ClocksThatWrapAndStampsThatWereMisreadAre) {
  std::vector<double> wrapped = stamps_with_a_rest();
  for (std::size_t i = 300; i < wrapped.size(); ++i) wrapped[i] -= 5.6;
  EXPECT_EQ(fault_of_stamps(wrapped),
            "the stamps jump from 5.598 s to 0 s: their clock was set back, or wraps; make it go on, or cut the log "
            "there");
  for (const std::size_t place : {std::size_t{3}, std::size_t{120}, std::size_t{399}}) {
    std::vector<double> misread = stamps_with_a_rest();
    misread[place] += 5e4;
    EXPECT_NE(fault_of_stamps(misread).find("the few beyond were misread"), std::string::npos) << place;
    misread[place] -= 1e5;
    EXPECT_NE(fault_of_stamps(misread).find("the few beyond were misread"), std::string::npos) << place;
  }
}

}  // namespace
}  // namespace tauhat
