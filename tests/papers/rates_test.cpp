// Every diagnostic has a provocation, each of which raises it, and does not where nothing provokes. How often is what
// `tauhat reproduce diagnostics` counts over many more records.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "support/paths.hpp"
#include "tauhat/offline/error.hpp"
#include "tauhat/offline/reproduce/rates_table.hpp"

namespace tauhat::rates {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Names = std::set<std::string>;

Names pages() {
  Names names;
  for (const auto& entry : std::filesystem::directory_iterator(source_dir() / "docs/guides/diagnostics")) {
    const std::string name = entry.path().stem().string();
    if (entry.path().extension() == ".md" && name != "README" && name != "rates") names.insert(name);
  }
  return names;
}

TEST(Rates, EveryPageIsOfADiagnosticThatIsProvoked) {
  Names named;
  for (const Provocation& each : all_provocations()) named.insert(each.diagnostic);
  for (const NotOfARecord& each : not_of_a_record()) {
    EXPECT_TRUE(named.insert(each.diagnostic).second) << each.diagnostic << " is provoked, and said not to be";
    EXPECT_FALSE(each.why.empty());
  }
  EXPECT_EQ(named, pages());
}

// Three records of each kind where they are cheap, else one.
void expect_raised(bool are_cheap) {
  constexpr int kCheap = 100;
  std::vector<Provocation> some = all_provocations();
  std::erase_if(some, [&](const Provocation& each) { return (each.records >= kCheap) != are_cheap; });
  ASSERT_FALSE(some.empty());
  const int records = are_cheap ? 3 : 1;
  for (const Rate& rate : run_provocations(some, records, {})) {
    EXPECT_EQ(rate.found, records) << rate.diagnostic << ", by " << rate.by;
    EXPECT_EQ(rate.false_alarms, 0) << rate.diagnostic << ", without " << rate.by;
  }
}

TEST(Rates, CheapRecordsRaiseWhatTheyProvoke) { expect_raised(true); }

TEST(Rates, DearRecordsRaiseWhatTheyProvoke) { expect_raised(false); }

// Said of 20 records: always, of the provoked ones only, never; one of them is refused.
Provocation counted(const std::string& name, bool with, bool without) {
  return {name, "a test",
          [=](std::uint64_t seed, bool is_provoked) -> std::vector<Diagnostic> {
            if (seed == 7 && !is_provoked) throw Error(ExitCode::unusable_data, "refused");
            if (is_provoked ? with : without) return {{"log.gap", Severity::warning, ""}};
            return {};
          },
          20};
}

TEST(Rates, AreCounted) {
  const auto rates = run_provocations({counted("log.gap", true, false), counted("log.gap", true, true),
                                       counted("log.gap", false, false), counted("log.hole", true, false)},
                                      0, {});
  std::vector<int> found, alarms;
  std::vector<bool> met;
  for (const Rate& rate : rates)
    found.push_back(rate.found), alarms.push_back(rate.false_alarms), met.push_back(is_met(rate));
  EXPECT_THAT(found, ElementsAre(20, 20, 0, 0));
  EXPECT_THAT(alarms, ElementsAre(0, 19, 0, 0));
  EXPECT_THAT(met, ElementsAre(true, false, false, false));
  const std::string page = rates_page(rates);
  EXPECT_THAT(page, HasSubstr("| [`log.gap`](log.gap.md) | a test | 20 of 20 | 0 of 20 |  |\n"));
  EXPECT_THAT(page, HasSubstr("| [`log.hole`](log.hole.md) | a test | 0 of 20 | 0 of 20 | **missed** |\n"));
}

TEST(Rates, OneRecordIsNoRate) {
  EXPECT_DOUBLE_EQ(most_false_alarms(20), 1.0 / 20);
  EXPECT_DOUBLE_EQ(most_false_alarms(100), 2.0 / 100);
  EXPECT_TRUE(is_met({"a", "b", 100, 95, 2}));
  EXPECT_FALSE(is_met({"a", "b", 100, 94, 0}));
  EXPECT_FALSE(is_met({"a", "b", 100, 100, 3}));
}

TEST(Rates, AJointsNameStandsForJoint) {
  const std::vector<Diagnostic> said{{"elbow.clock", Severity::error, ""}};
  EXPECT_TRUE(is_said("joint.clock", said));
  EXPECT_FALSE(is_said("joint.sign", said));
  EXPECT_FALSE(is_said("clock", said));
}

}  // namespace
}  // namespace tauhat::rates
