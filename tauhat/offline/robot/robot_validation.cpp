#include "tauhat/offline/robot/robot_validation.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tauhat/offline/robot/friction_shape.hpp"
#include "tauhat/offline/robot/robot_log.hpp"
#include "tauhat/offline/robot/robot_parameter_report.hpp"
#include "tauhat/offline/robot/robot_plots.hpp"

namespace tauhat {
namespace {

// Of all torques together, in %.
double relative_error(const TorquePrediction& prediction) {
  double left = 0.0, all = 0.0;
  for (std::size_t j = 0; j < prediction.measured.size(); ++j) {
    for (std::size_t k = 0; k < prediction.time.size(); ++k) {
      left += std::pow(prediction.measured[j][k] - prediction.predicted[j][k], 2);
      all += std::pow(prediction.measured[j][k], 2);
    }
  }
  return 100.0 * std::sqrt(left / all);
}

// A model that leaves much more of another motion than of its own has learned the motion, not the robot. Noise and what
// every model lacks make it up to twice as much.
void judge_validation(const RobotSpec& robot, const Eigen::VectorXd& unseen, const Eigen::VectorXd& seen,
                      Report& report) {
  constexpr double kMuchMore = 3.0;
  std::vector<std::string> worse;
  for (int j = 0; j < robot.count(); ++j)
    if (unseen[j] > kMuchMore * seen[j])
      worse.push_back(fmt::format("{} ({:.3g} {} instead of {:.3g})", robot.joints[static_cast<std::size_t>(j)].name,
                                  unseen[j], joint_unit(robot, j, "N m"), seen[j]));
  if (!worse.empty())
    report.diagnostics.push_back(
        {"validation.misfit", Severity::warning,
         fmt::format(
             "Of torques that the fit has not seen the model leaves several times as much as of its own: {}. It "
             "has learned the motion, not the robot: ask tauhat check for signs, ratios and clocks of both "
             "logs, and see that both begin from the same zero positions.",
             fmt::join(worse, ", "))});
}

void add_validation(const RobotIdentification& identification, const RobotFit& fit, const RobotRecord& unseen,
                    const char* what, Report& report) {
  const TorquePrediction prediction = predict_torque(identification.rows(unseen), fit.values);
  const Eigen::VectorXd left = residual_rms(prediction);
  add_residuals(identification.robot(), left, "torque.validation", what, report);
  judge_validation(identification.robot(), left, fit.residual_rms, report);
  report.results.push_back({.name = "validation.error",
                            .value = relative_error(prediction),
                            .unit = "%",
                            .note = "residual over torque, of all joints together"});
  report.sections.push_back(
      torque_section(identification.robot(), prediction, "Validation", "Torques that the fit has not seen."));
}

}  // namespace

void validate(const RobotSpec& study, const RobotIdentification& identification, const RobotFit& fit,
              const std::vector<RobotRecord>& records, const std::optional<RobotRecord>& other, Report& report) {
  if (other) return add_validation(identification, fit, *other, "rms on the other motion", report);
  const double held_back = study.held_back;
  if (held_back == 0.0) return;
  std::vector<RobotRecord> rest;
  for (const RobotRecord& record : records) rest.push_back(part_of(record, 0.0, 1.0 - held_back));
  const RobotSpec robot = fit_friction_shape(study, rest).model();
  const RobotIdentification of_rest(robot);
  add_validation(of_rest, of_rest.fit(rest), part_of(longest_of(records), 1.0 - held_back, 1.0),
                 "rms on the part that is held back, of a fit to the rest", report);
}

}  // namespace tauhat
