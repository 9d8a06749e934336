// What an axis' study can have for results, by its method.
#include <algorithm>

#include "tauhat/offline/friction/candidate.hpp"
#include "tauhat/offline/friction/regression_columns.hpp"
#include "tauhat/offline/friction/typed_law.hpp"
#include "tauhat/offline/study/sections.hpp"

namespace tauhat {
namespace {

void add_once(const std::string& name, const std::string& unit, std::vector<OutputInfo>& results) {
  const auto is_it = [&](const OutputInfo& result) { return result.name == name; };
  if (std::none_of(results.begin(), results.end(), is_it)) results.push_back({name, unit});
}

void add_parameters(LawKind kind, const StudyAxis& axis, std::vector<OutputInfo>& results) {
  const std::vector<std::string> names = parameter_names(kind);
  const FittedLaw any{kind, std::vector<double>(6, 1.0), {1.0, 1.0}};
  with_typed_law(any, [&](const auto& law) {
    law.visit_parameters(
        law,
        [&](const ParameterInfo& info, const double&) {
          const std::string name = full_name(info);
          const bool is_estimated = std::find(names.begin(), names.end(), name) != names.end();
          if (is_estimated) add_once(name, unit_of(axis, info.unit), results);
        },
        "friction");
    return 0;
  });
}

std::vector<OutputInfo> two_step_results(const StudyAxis& axis) {
  std::vector<OutputInfo> results;
  for (const LawKind kind : kLawKinds) add_parameters(kind, axis, results);
  if (axis.offset_unknown) results.push_back({"friction.offset", unit_of(axis, "N m")});
  results.push_back({"friction.hysteresis", "1"});
  return results;
}

std::vector<OutputInfo> regression_results(const StudyAxis& axis) {
  const RegressionOptions& options = axis.regression;
  std::vector<OutputInfo> results;
  for (const std::string& name : regression_names(options.friction, options.gravity, options.torque_dependent))
    results.push_back({name, unit_of(axis, regression_unit(name))});
  results.push_back({"force.relative_error", "1"});
  results.push_back({"simulation.position_error", unit_of(axis, "rad")});
  return results;
}

std::vector<OutputInfo> constant_speed_results(const StudyAxis& axis) {
  std::vector<OutputInfo> results;
  for (const char* name : {"friction.coulomb", "friction.coulomb.positive", "friction.coulomb.negative",
                           "friction.viscous.positive", "friction.viscous.negative"})
    results.push_back({name, unit_of(axis, regression_unit(name))});
  return results;
}

}  // namespace

std::vector<OutputInfo> axis_results(const StudyAxis& axis) {
  switch (axis.method) {
    case StudyAxis::Method::two_step:
      return two_step_results(axis);
    case StudyAxis::Method::regression:
      return regression_results(axis);
    case StudyAxis::Method::constant_speed:
      return constant_speed_results(axis);
  }
  return {};
}

}  // namespace tauhat
