#include "tauhat/offline/friction/constant_speed_report.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tauhat/offline/friction/friction_report.hpp"
#include "tauhat/offline/friction/regression_report.hpp"
#include "tauhat/offline/friction/study_record.hpp"
#include "tauhat/offline/report/series.hpp"
#include "tauhat/offline/report/verdict.hpp"

namespace tauhat {
namespace {

void add(std::string name, double value, double std, std::string unit, Report& report) {
  const Result& result = report.results.emplace_back(with_interval(std::move(name), value, std, std::move(unit)));
  if (std::abs(value) < k95 * std)
    report.diagnostics.push_back(below_noise(
        result.name, "within the noise: not told from zero; record more sections, longer or with less noise"));
}

void add_mean_level(const SpeedCurve& curve, const StudyAxis& axis, Report& report) {
  const CoulombLevel mean = curve.mean_coulomb();
  add("friction.coulomb", mean.value, mean.std, unit_of(axis, "N m"), report);
  report.results.back().note = "mean of both directions";
  report.diagnostics.push_back(
      {"law.not_separable", Severity::warning,
       fmt::format("friction.coulomb.positive, friction.coulomb.negative and friction.offset cannot be told apart: a "
                   "constant force acts like friction that is larger one way than the other. The mean of both "
                   "directions, friction.coulomb, is told. For each by itself give friction.offset in [drive], 0 "
                   "where no constant force acts{}.",
                   axis.constant_speed.turns ? ", and gravity.sine and gravity.cosine where they are known" : "")});
}

void add_line(const char* side, const FrictionLine& line, const SpeedCurve& curve, const StudyAxis& axis,
              Report& report) {
  if (!line.separable) {
    report.diagnostics.push_back(
        {"law.not_separable", Severity::error, fmt::format("friction.{}: {}", side, line.why)});
    return;
  }
  if (curve.offset_is_given)
    add(fmt::format("friction.coulomb.{}", side), line.coulomb, line.coulomb_std, unit_of(axis, "N m"), report);
  add(fmt::format("friction.viscous.{}", side), line.viscous, line.viscous_std, unit_of(axis, "N m s/rad"), report);
}

}  // namespace

void answer_by_constant_speed(const Study& study, const Log& log, Report& report) {
  const StudyAxis& axis = *study.axis;
  const ConstantSpeedOptions& options = axis.constant_speed;
  const AxisRecord record = without_known_force(record_of(study, log), known_beside(axis), options.cut_off, false);
  const SpeedCurve curve = friction_curve(record, options);
  if (curve.positive.separable && curve.negative.separable && !curve.offset_is_given)
    add_mean_level(curve, axis, report);
  add_line("positive", curve.positive, curve, axis, report);
  add_line("negative", curve.negative, curve, axis, report);
  report.headline = fmt::format("The friction curve of the axis at {} speeds.", curve.points.size());
  report.sections = constant_speed_sections(curve, axis);
  for (auto& assumption : constant_speed_assumptions(curve, record, axis))
    report.assumptions.push_back(std::move(assumption));
}

}  // namespace tauhat
