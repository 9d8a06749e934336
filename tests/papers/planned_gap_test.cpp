// What a powertrain's planned command was said to tell of the gap is what its records tell.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "support/paths.hpp"
#include "tauhat/offline/parallel.hpp"
#include "tauhat/offline/plan/plan_trials.hpp"
#include "tauhat/offline/simulate/random.hpp"

namespace tauhat {
namespace {

void replace(std::string& text, const std::string& from, const std::string& to) {
  text.replace(text.find(from), from.size(), to);
}

constexpr double kKnown = 0.005;  // of stiffness and inertia, which make a contact's place

Study study_that_knows_its_drive() {
  std::ifstream file(source_dir() / "studies/powertrain/powertrain.toml");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  replace(text, "stiffness = 1e4", "stiffness = { value = 1e4, std = \"0.5 %\" }");
  replace(text, "inertia = 140", "inertia = { value = 140, std = \"0.5 %\" }");
  return parse_study(text, "powertrain.toml");
}

double gap_in(const Report& report) {
  for (const Result& result : report.results)
    if (result.name == "backlash.gap") return result.value;
  throw std::logic_error("no gap");
}

// Of drives that differ from the study as it says: the prediction holds what is known only so well. Over 24 records the
// root of the mean squared error is known to 14 %, so that 30 % are two of its deviations.
TEST(PlannedGap, IsAsWellKnownAsWasPredicted) {
  const Study study = study_that_knows_its_drive();
  const PlanTrials trials = trials_of(study);
  const Plan plan = make_plan(*study.plan, trials, 1);
  constexpr std::size_t kRecords = 24;
  std::vector<double> errors(kRecords);
  for_each_in_parallel(kRecords, [&](std::size_t i) {
    Study drawn = study;
    Random random(100 + i, "drive");
    drawn.powertrain->drive.stiffness *= 1.0 + kKnown * random.normal();
    drawn.powertrain->drive.load_inertia *= 1.0 + kKnown * random.normal();
    errors[i] = gap_in(trials.identify(trials_of(drawn).record(plan.input, 100 + i))) - study.powertrain->gap;
  });
  double sum = 0.0;
  for (const double error : errors) sum += error * error;
  const double achieved = std::sqrt(sum / kRecords), predicted = *plan.chosen.found->std;
  EXPECT_GT(predicted, 0.7 * achieved);
  EXPECT_LT(predicted, 1.3 * achieved);
}

}  // namespace
}  // namespace tauhat
