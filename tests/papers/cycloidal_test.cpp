// Cycloidal gearboxes measured by others, against what their authors computed from the same files.
#include <gtest/gtest.h>

#include <filesystem>
#include <numbers>

#include "support/named.hpp"
#include "support/paths.hpp"
#include "tauhat/offline/gearbox/hysteresis_report.hpp"
#include "tauhat/offline/report/find_result.hpp"
#include "tauhat/offline/report/verdict.hpp"

namespace tauhat {
namespace {

namespace fs = std::filesystem;
constexpr double kDegree = std::numbers::pi / 180.0;

struct Case : Named {
  double play, compliance, gap;  // deg, deg/(N m), deg: the authors', and their loading lines'
};

class Cycloidal : public testing::TestWithParam<Case> {};

TEST_P(Cycloidal, AgreesWithItsAuthors) {
  const std::string gear = GetParam().name;
  const fs::path data = source_dir() / ".." / "shared" / "data" / "cycloidal";
  if (!fs::exists(data)) GTEST_SKIP() << "the measurements are not here: " << data;
  const Study study = read_study((source_dir() / "studies" / "cycloidal" / (gear + ".toml")).string());
  std::vector<std::string> files;
  for (const char* number : {"_1", "_5", "_6"}) files.push_back((data / (gear + number + ".csv")).string());
  const Report report = answer_hysteresis(study, files);
  EXPECT_TRUE(is_trusted(report.diagnostics));
  const auto result = [&](const std::string& name) { return *find_result(report.results, name); };
  EXPECT_NEAR(result("backlash.hysteresis_loss").value / (GetParam().play * kDegree), 1.0, 0.03);
  EXPECT_NEAR(result("transmission.compliance").value / (GetParam().compliance * kDegree), 1.0, 0.05);
  EXPECT_NEAR(result("backlash.gap").value / (GetParam().gap * kDegree), 1.0, 0.05);
  // The interval holds what each file says by itself.
  for (const std::string& file : files) {
    const Report alone = answer_hysteresis(study, {file});
    for (const std::string name : {"backlash.hysteresis_loss", "backlash.gap", "transmission.compliance"}) {
      const Result* const one = find_result(alone.results, name);
      EXPECT_GE(one->value, result(name).ci95->at(0)) << file << " " << name;
      EXPECT_LE(one->value, result(name).ci95->at(1)) << file << " " << name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Both, Cycloidal,
                         testing::Values(Case{{"base_init"}, 2.556, 0.084, 2.29},
                                         Case{{"conic_run_in"}, 1.474, 0.103, 1.09}),
                         by_name);

}  // namespace
}  // namespace tauhat
