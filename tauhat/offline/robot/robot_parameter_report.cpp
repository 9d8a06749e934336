#include "tauhat/offline/robot/robot_parameter_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tauhat/offline/report/partners.hpp"
#include "tauhat/offline/report/series.hpp"
#include "tauhat/offline/report/suspect.hpp"
#include "tauhat/offline/robot/column_noise.hpp"
#include "tauhat/offline/robot/robot_repeats.hpp"

namespace tauhat {
namespace {

std::string why_it_does_not_fall(FoundShape::Verdict verdict) {
  using Verdict = FoundShape::Verdict;
  switch (verdict) {
    case Verdict::at_lower_edge:
      return "falls so slowly that its fall is not told from viscous friction. Record a faster motion";
    case Verdict::at_upper_edge:
      return "falls within the speeds at which it changes its sign. Make robot.friction.width smaller, and record slow "
             "passages";
    case Verdict::not_settled:
      return "falls, but how fast was not found. Give friction.decay of the joint, or record a motion with more slow "
             "passages";
    case Verdict::none:
    case Verdict::found:
      break;
  }
  return "does not fall with speed as far as this motion tells. Record slow passages if it should";
}

std::string why_it_does_not_bend(FoundShape::Verdict verdict) {
  using Verdict = FoundShape::Verdict;
  switch (verdict) {
    case Verdict::at_lower_edge:
      return "changes its sign where the joint turns, without a way to go. Raise cut_off in [identify], and record "
             "more "
             "reversals";
    case Verdict::at_upper_edge:
      return "bends as far as the joint goes, which is not told from its weight. Record a longer motion";
    case Verdict::not_settled:
      return "bends before it slides, but how far was not found. Give friction.reach of the joint, or record more "
             "reversals";
    case Verdict::none:
    case Verdict::found:
      break;
  }
  return "is too small to tell how far it bends";
}

constexpr double kChance = 0.0027;  // that a normal number is above kWidens

void judge_suspects(const std::vector<RobotSuspect>& suspects, Report& report) {
  if (suspects.empty() || std::abs(suspects.front().z) <= kSuspicious) return;
  report.diagnostics.push_back(
      {"model.suspect", Severity::warning,
       fmt::format("Noise does not explain what the model leaves, and something else would: {}, in standard deviations "
                   "of noise. The intervals are wider by as much as it would move the parameters. Correct it in the "
                   "study, or let friction have the law that shows it.",
                   fmt::join(suspects_in_words(suspects), ", or "))});
}

// Noise of the motion that moves a parameter by more than the noise of the torques does, from the worst on.
void judge_column_noise(const RobotIdentification& identification, const RobotFit& fit, const Eigen::VectorXd& shift,
                        Report& report) {
  int worst = -1;
  double most = 1.0;  // times the deviation by noise
  for (int k = 0; k < identification.base().count(); ++k)
    if (fit.is_determined(k) && shift[k] > most * fit.deviation(k)) worst = k, most = shift[k] / fit.deviation(k);
  if (worst < 0) return;
  report.diagnostics.push_back(
      {"noise.motion", Severity::warning,
       fmt::format("Noise of the positions is in the accelerations, and moves the parameters: {} by {:.2g} times what "
                   "the noise of the torques does, others by less. The intervals are wider by as much. Give a lower "
                   "cut_off in [identify] than {:g} Hz.",
                   identification.result_name(worst), most, identification.robot().rows.cut_off)});
}

}  // namespace

void judge_widening(const RobotIdentification& identification, const RobotFit& fit,
                    const std::vector<RobotSuspect>& suspects, const Eigen::VectorXd& shift, Report& report) {
  if (suspects.empty() || std::abs(suspects.front().z) <= kWidens || std::abs(suspects.front().z) > kSuspicious) return;
  int widest = -1;
  double most = 1.0;  // times the interval by noise
  for (int k = 0; k < identification.base().count(); ++k) {
    if (!fit.is_determined(k)) continue;
    const double times = std::hypot(1.0, shift[k] / fit.deviation(k));
    if (times > most) widest = k, most = times;
  }
  constexpr double kSeen = 1.05;
  if (widest < 0 || most < kSeen) return;
  report.diagnostics.push_back(
      {"model.widened", Severity::info,
       fmt::format(
           "{} would explain what the model leaves a little better, in standard deviations of noise: of {} "
           "things that were tried chance brings one above {:g} in {:.0f} % of all records. Intervals are wider "
           "by as much as it would move the parameters, that of {} {:.2g} times.",
           fmt::join(suspects_in_words(suspects), ", or "), suspects.size(), kWidens,
           100.0 * -std::expm1(static_cast<double>(suspects.size()) * std::log1p(-kChance)),
           identification.result_name(widest), most)});
}

bool judge_determined(const RobotIdentification& identification, const RobotFit& fit, Report& report) {
  std::vector<std::string> names;
  for (const RobotJoint& joint : identification.robot().joints) names.push_back(joint.name);
  const auto sentences = undetermined_text(identification.columns(), identification.base(), fit, names);
  if (sentences.size() < static_cast<std::size_t>(identification.base().count())) {
    for (const std::string& sentence : sentences)
      report.diagnostics.push_back({"parameter.undetermined", Severity::warning, sentence});
    return true;
  }
  report.diagnostics.push_back({"excitation.none", Severity::error,
                                "The motion tells no parameter of any joint. Record one of tauhat excite, and check "
                                "that the columns of the positions are those that move."});
  return false;
}

// Below which a base parameter cannot be: a rotor's inertia and friction are not negative, where nothing else is
// grouped with them.
double lowest_of(const TorqueColumns& columns, const BaseParameters& base, int k) {
  using Kind = TorqueColumns::FrictionKind;
  constexpr double kAny = -std::numeric_limits<double>::infinity();
  const int column = base.columns[static_cast<std::size_t>(k)];
  if ((base.grouping.row(k).array() != 0.0).count() > 1) return kAny;
  if (column < columns.inertial()) return columns.is_rotor(column) ? 0.0 : kAny;
  const Kind kind = columns.friction_kind(column);
  return kind == Kind::viscous || kind == Kind::coulomb ? 0.0 : kAny;
}

void add_parameters(const RobotIdentification& identification, const RobotFit& fit,
                    const std::vector<RobotRecord>& records, const std::vector<RowSample>& samples,
                    const UncertainGains& gains, Report& report) {
  const TorqueColumns& columns = identification.columns();
  const BaseParameters& base = identification.base();
  const std::vector<RobotSuspect> suspects = find_robot_suspects(identification, records, samples);
  const Eigen::VectorXd shift = shift_by_suspects(suspects, base.count());
  const Eigen::VectorXd by_noise = shift_by_column_noise(identification, fit, records);
  const Eigen::VectorXd by_gains = shifts_by_gains(identification, records, samples, gains).rowwise().norm();
  const RobotRepeats repeats = repeats_of(identification, fit, records);
  judge_suspects(suspects, report);
  judge_widening(identification, fit, suspects, shift, report);
  judge_column_noise(identification, fit, by_noise, report);
  for (int k = 0; k < base.count(); ++k) {
    const int column = base.columns[static_cast<std::size_t>(k)];
    if (!fit.is_determined(k) || columns.is_change(column)) continue;  // which has a result of its own
    UncertaintyBudget budget;
    budget.noise = fit.deviation(k), budget.inputs = by_gains[k];
    budget.model = std::hypot(shift[k], by_noise[k]);
    budget.repeat = repeats.std[k], budget.repeat_freedom = repeats.freedom[k];
    const double lowest = lowest_of(columns, base, k);
    Result result = with_interval(identification.result_name(k), fit.base.values[k], budget.total(),
                                  std::string(identification.unit(k)), lowest);
    const double half = coverage_factor(budget.freedom()) * budget.total();
    result.ci95 = {{std::max(result.value - half, lowest), result.value + half}};
    result.budget = budget;
    const std::string grouping = grouping_text(columns, base, k);
    if (grouping != columns.name(column)) result.note = grouping;
    report.results.push_back(std::move(result));
  }
  std::vector<std::string> names;
  for (int k = 0; k < base.count(); ++k) names.push_back(identification.result_name(k));
  name_partners(names, fit.base.covariance, report.results);
}

void add_shapes(const RobotSpec& robot, const ShapedFriction& friction, Report& report) {
  const auto add = [&](const std::vector<FoundShape>& shapes, const char* result, std::string_view rotary,
                       std::string_view sliding, Diagnostic otherwise, auto&& why) {
    for (std::size_t j = 0; j < shapes.size(); ++j) {
      const std::string& name = robot.joints[j].name;
      const bool turns = robot.robot.joint(static_cast<int>(j)).is_revolute();
      if (shapes[j].verdict == FoundShape::Verdict::found) {
        report.results.push_back(with_interval(fmt::format("{}.friction.{}", name, result), shapes[j].value,
                                               shapes[j].std, std::string(turns ? rotary : sliding)));
      } else {
        otherwise.message =
            fmt::format("The friction of {} {}. It is taken as friction without that.", name, why(shapes[j].verdict));
        report.diagnostics.push_back(otherwise);
      }
    }
  };
  add(friction.falls, "decay", "s/rad", "s/m", {"friction.no_excess", Severity::info, {}}, why_it_does_not_fall);
  add(friction.bends, "reach", "rad", "m", {"friction.no_memory", Severity::info, {}}, why_it_does_not_bend);
}

void add_residuals(const RobotSpec& robot, const Eigen::VectorXd& rms, const char* name, const char* note,
                   Report& report) {
  for (int j = 0; j < robot.count(); ++j)
    report.results.push_back({.name = fmt::format("{}.{}", robot.joints[static_cast<std::size_t>(j)].name, name),
                              .value = rms[j],
                              .unit = joint_unit(robot, j, "N m"),
                              .note = note});
}

}  // namespace tauhat
