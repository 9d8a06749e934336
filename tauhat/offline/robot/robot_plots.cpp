#include "tauhat/offline/robot/robot_plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauhat/offline/report/find_result.hpp"
#include "tauhat/offline/report/series.hpp"

namespace tauhat {
namespace {

std::string number_or_none(double value) { return std::isfinite(value) ? fmt::format("{:.4g}", value) : "not known"; }

// The determined parameters of one unit: bars of the prior beside those of the fit.
Plot parameter_plot(const RobotIdentification& identification, const std::vector<Result>& results,
                    const Eigen::VectorXd& prior, const std::string& unit) {
  Series before{.kind = Series::Kind::bars, .name = "known before", .is_time_series = false};
  Series after{.kind = Series::Kind::bars, .name = "identified, 95 %", .is_time_series = false};
  const auto add = [&](Series& series, int k, double value) {
    series.x.push_back(static_cast<double>(series.x.size()));
    series.y.push_back(value);
    series.labels.push_back(identification.result_name(k));
  };
  for (int k = 0; k < identification.base().count(); ++k) {
    // Null where it is not determined. Tables and bars repeat what was said: an interval has more parts than the noise
    // of the fit.
    const Result* said = find_result(results, identification.result_name(k));
    if (!said || identification.unit(k) != unit) continue;
    if (std::isfinite(prior[k])) add(before, k, prior[k]);
    add(after, k, said->value);
    after.upper.push_back(k95 * *said->std);
  }
  Plot plot{.title = fmt::format("Parameters in {}", unit),
            .x_label = "",
            .y_label = unit,
            .caption =
                "Each stands for its group; an interval that reaches over zero says that the torques hardly need "
                "the parameter."};
  plot.series = {std::move(after)};
  if (!before.x.empty()) plot.series.push_back(std::move(before));
  return plot;
}

}  // namespace

Section torque_section(const RobotSpec& robot, const TorquePrediction& prediction, std::string title,
                       std::string text) {
  Section section{std::move(title), std::move(text), {}, {}};
  for (std::size_t j = 0; j < prediction.measured.size(); ++j) {
    std::vector<double> left(prediction.time.size());
    for (std::size_t i = 0; i < left.size(); ++i) left[i] = prediction.measured[j][i] - prediction.predicted[j][i];
    Plot plot{.title = robot.joints[j].name,
              .x_label = "time [s]",
              .y_label = fmt::format("torque [{}]", joint_unit(robot, static_cast<int>(j), "N m")),
              .caption = "A residual that follows the motion is a model that lacks something."};
    plot.series = {line("measured", prediction.time, prediction.measured[j]),
                   line("model", prediction.time, prediction.predicted[j]), line("residual", prediction.time, left)};
    section.plots.push_back(std::move(plot));
  }
  return section;
}

Section parameter_section(const RobotIdentification& identification, const std::vector<Result>& results,
                          const RobotPrior& prior, const EssentialFit& essential) {
  const Eigen::VectorXd known = prior.known_base(identification.base());
  Section section{"Parameters", "What the torques tell, beside what study and URDF say.", {}, {}};
  Table table{
      "Base parameters", {"parameter", "stands for", "known before", "identified", "95 %", "unit", "needed"}, {}};
  std::vector<std::string> units;
  for (int k = 0; k < identification.base().count(); ++k) {
    const Result* said = find_result(results, identification.result_name(k));
    const bool is_needed =
        std::find(essential.parameters.begin(), essential.parameters.end(), k) != essential.parameters.end();
    const std::string unit(identification.unit(k));
    table.rows.push_back({identification.result_name(k),
                          grouping_text(identification.columns(), identification.base(), k), number_or_none(known[k]),
                          said ? fmt::format("{:.4g}", said->value) : "not determined",
                          said ? fmt::format("± {:.2g}", k95 * *said->std) : "", unit, is_needed ? "yes" : "no"});
    if (said && std::find(units.begin(), units.end(), unit) == units.end()) units.push_back(unit);
  }
  for (const std::string& unit : units) section.plots.push_back(parameter_plot(identification, results, known, unit));
  section.tables.push_back(std::move(table));
  return section;
}

Section body_section(const RobotIdentification& identification, const RobotPrior& prior, const ConsistentFit& bodies) {
  const TorqueColumns& columns = identification.columns();
  Section section{
      "Bodies that can exist",
      "Of all sets of parameters with nearly the same torques, the one nearest to what was known: these are "
      "written to a URDF or a study. Single values may lean on the prior; their groups do not.",
      {},
      {}};
  Table table{"Standard parameters", {"joint", "parameter", "known before", "found", "unit"}, {}};
  for (int c = 0; c < columns.count(); ++c) {
    if (!columns.is_part(c)) continue;
    const bool is_known = prior.is_known[static_cast<std::size_t>(c)];
    table.rows.push_back({identification.robot().joints[static_cast<std::size_t>(columns.joint(c))].name,
                          columns.name(c), is_known ? number_or_none(prior.parameters[c]) : "not known",
                          fmt::format("{:.5g}", bodies.parameters[c]), std::string(columns.unit(c))});
  }
  section.tables.push_back(std::move(table));
  return section;
}

}  // namespace tauhat
