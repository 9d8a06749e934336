#include "tauhat/offline/robot/payload_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tauhat/offline/report/series.hpp"
#include "tauhat/offline/robot/payload.hpp"

namespace tauhat {
namespace {

struct Quantity {
  const char *name, *unit;
};
// In the order of PayloadBody.
constexpr std::array<Quantity, kInertialParameters> kQuantities{{{"payload.mass", "kg"},
                                                                 {"payload.centre.x", "m"},
                                                                 {"payload.centre.y", "m"},
                                                                 {"payload.centre.z", "m"},
                                                                 {"payload.Ixx", "kg m^2"},
                                                                 {"payload.Ixy", "kg m^2"},
                                                                 {"payload.Ixz", "kg m^2"},
                                                                 {"payload.Iyy", "kg m^2"},
                                                                 {"payload.Iyz", "kg m^2"},
                                                                 {"payload.Izz", "kg m^2"}}};

NamedFrame frame_of(const RobotSpec& robot) {
  if (const NamedFrame* named = robot.find_frame(robot.payload_frame)) return *named;
  return {robot.joints.back().link, robot.count() - 1, {}};
}

// A payload of some grams is chance; a centre that far off means nothing.
bool has_mass(const PayloadBody& body) { return body.values[0] > 3.0 * body.deviations[0]; }

// What the noise of both records does not say is of what else changed between them.
UncertaintyBudget budget_of(const PayloadBody& body, Eigen::Index i) {
  UncertaintyBudget budget;
  budget.noise = body.by_noise[i], budget.inputs = body.by_inputs[i];
  budget.model = std::sqrt(std::max(body.deviations[i] * body.deviations[i] - budget.variance(), 0.0));
  return budget;
}

void warn(Report& report, const char* name, std::string sentence) {
  report.diagnostics.push_back({name, Severity::warning, std::move(sentence)});
}

}  // namespace

void add_payload(const RobotIdentification& identification, const RobotFit& empty, const RobotFit& loaded,
                 const Eigen::MatrixXd& by_gains, Report& report) {
  const NamedFrame frame = frame_of(identification.robot());
  const PayloadFit fit =
      identify_payload(identification.columns(), identification.base(), empty, loaded, frame.link, by_gains);
  std::vector<std::string> untold;
  for (const PayloadParameter& parameter : fit.parameters)
    if (!parameter.is_told) untold.push_back(parameter.name);
  if (!untold.empty()) {
    warn(report, "payload.undetermined",
         fmt::format(
             "The motions do not tell {} of the payload on {}; its mass and centre are not given. Move the joints "
             "before it, about axes that are not vertical.",
             fmt::join(untold, ", "), frame.name));
    return;
  }
  const PayloadBody body = body_of(fit, frame.placement);
  const std::string note = fmt::format("in the axes of {}", frame.name);
  for (std::size_t i = 0; i < kQuantities.size(); ++i) {
    if (i > 0 && !has_mass(body)) break;
    const auto at = static_cast<Eigen::Index>(i);
    report.results.push_back(
        with_interval(kQuantities[i].name, body.values[at], body.deviations[at], kQuantities[i].unit));
    report.results.back().budget = budget_of(body, at);
    if (i > 0) report.results.back().note = i < 4 ? note : fmt::format("about its centre, {}", note);
  }
  if (!has_mass(body)) {
    warn(report, "payload.none", "Both records tell the same robot: no payload is seen, and no centre is given.");
    return;
  }
  if (!body.can_exist)
    warn(report, "payload.inertia",
         "No body has the inertia that was found of the payload: its moments are too uncertain. Take mass and centre.");
  constexpr double kMostMisfit = 4.0;
  if (fit.misfit > kMostMisfit)
    report.diagnostics.push_back(
        {"payload.misfit", Severity::error,
         fmt::format("The payload explains the difference of the records badly ({:.2g} times what chance leaves): "
                     "another body changed, too, the law of friction does not fit, or the load is not fixed to {}. "
                     "Record both in a row, by the same motion.",
                     fit.misfit, frame.name)});
}

}  // namespace tauhat
