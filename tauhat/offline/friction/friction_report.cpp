#include "tauhat/offline/friction/friction_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/friction/axis_inputs.hpp"
#include "tauhat/offline/friction/constant_speed_report.hpp"
#include "tauhat/offline/friction/forward.hpp"
#include "tauhat/offline/friction/regression_report.hpp"
#include "tauhat/offline/friction/study_record.hpp"
#include "tauhat/offline/identify/backlash_report.hpp"
#include "tauhat/offline/report/partners.hpp"
#include "tauhat/offline/report/series.hpp"
#include "tauhat/offline/report/verdict.hpp"

namespace tauhat {
namespace {

std::string untrusted() {
  return "This log does not give an answer that can be trusted. The diagnostics say why, and what to record.";
}

void add_separability(const std::vector<RegressionParameter>& parameters, Report& report) {
  for (const RegressionParameter& p : parameters) {
    if (!p.separable) {
      report.diagnostics.push_back({"law.not_separable", Severity::error, fmt::format("{}: {}", p.name, p.why)});
    } else if (!p.why.empty()) {
      report.diagnostics.push_back(below_noise(p.name, p.why));
    }
  }
}

// The model by itself, driven by the measured force: what the error of the force becomes, integrated twice.
void add_forward_run(const RegressionFit& fit, const AxisRecord& record, const StudyAxis& axis, Report& report) {
  const ForwardRun run = run_open_loop(axis_of(fit), record);
  Result error;
  error.name = "simulation.position_error", error.value = run.position_error, error.unit = unit_of(axis, "rad");
  error.note = fmt::format("rms over the whole record, by the measured force alone; {:.2g} % of the position",
                           100.0 * run.relative_position_error);
  report.results.push_back(error);
}

template <class Parameters>
std::vector<std::string> names_of(const Parameters& parameters) {
  std::vector<std::string> names;
  for (const auto& p : parameters) names.push_back(p.name);
  return names;
}

// Noise, what the model lacks, and what the study knows only so well.
Result regression_result(const RegressionParameter& p, double inputs, const StudyAxis& axis) {
  const UncertaintyBudget budget{.noise = p.std, .inputs = inputs, .model = p.misfit_std};
  Result result = with_interval(p.name, p.value, budget.total(), unit_of(axis, regression_unit(p.name)));
  result.budget = budget;
  if (p.misfit_std > 0.0)
    result.note = fmt::format("std by noise alone {:.2g}, by what the model lacks {:.2g}", p.std, p.misfit_std);
  return result;
}

template <class Parameters>
Numbers values_of(const Parameters& parameters) {
  Numbers values;
  for (const auto& p : parameters) values.push_back(p.value);
  return values;
}

// For its band: the covariance holds what the study knows only so well.
RegressionFit with_inputs(RegressionFit fit, const InputShifts& inputs) {
  for (Eigen::Index i = 0; i < fit.covariance.rows(); ++i) {
    for (Eigen::Index j = 0; j < fit.covariance.cols(); ++j)
      fit.covariance(i, j) += inputs.covariance(static_cast<std::size_t>(i), static_cast<std::size_t>(j));
  }
  return fit;
}

// How far the suspects would move what the record tells.
std::vector<std::string> moved_by_suspects(const RegressionFit& fit, const StudyAxis& axis) {
  std::vector<std::string> moved;
  const auto count = static_cast<Eigen::Index>(fit.parameters.size());
  for (Eigen::Index j = 0; j < count; ++j) {
    const RegressionParameter& p = fit.parameters[static_cast<std::size_t>(j)];
    const double shift = largest_shift(fit.suspects, Eigen::VectorXd::Unit(count, j));
    if (p.separable && shift > p.std)
      moved.push_back(fmt::format("{} by up to {:.2g} {}", p.name, shift, unit_of(axis, regression_unit(p.name))));
  }
  if (moved.empty()) moved.emplace_back("no number by more than its noise");
  return moved;
}

void answer_by_regression(const Study& study, const Log& log, Report& report) {
  const RegressionOptions& options = study.axis->regression;
  const AxisRecord as_logged = record_of(study, log);
  const AxisRecord record = without_known_force(as_logged, AxisInputs{*study.axis}, options.cut_off);
  const RegressionFit fit = fit_axis(record, options);
  const std::vector<AxisInputs> deviating = deviating_inputs(study);
  const InputShifts inputs(values_of(fit.parameters), deviating.size(), [&](std::size_t i) {
    return values_of(fit_axis(without_known_force(as_logged, deviating[i], options.cut_off), options).parameters);
  });
  for (std::size_t i = 0; i < fit.parameters.size(); ++i) {
    const RegressionParameter& p = fit.parameters[i];
    if (p.separable) report.results.push_back(regression_result(p, inputs.deviation(i), *study.axis));
  }
  Result error;
  error.name = "force.relative_error", error.value = fit.relative_error, error.unit = "1";
  error.note = "norm of the residual over norm of the force";
  report.results.push_back(error);
  if (fit.only_speed)
    report.diagnostics.push_back(
        {"excitation.one_speed", Severity::error,
         fmt::format(
             "But for its ramps the axis runs at one speed only, {:.3g} {}: how friction depends on speed cannot "
             "be seen. Record at least three speeds, from slow to the fastest, in both directions.",
             *fit.only_speed, unit_of(*study.axis, "rad/s"))});
  add_separability(fit.parameters, report);
  name_partners(names_of(fit.parameters), fit.covariance, report.results);
  if (const auto misfit = misfit_diagnostic(fit, *study.axis)) report.diagnostics.push_back(*misfit);
  std::vector<Suspect> suspects = fit.suspects;
  for (Suspect& suspect : suspects) suspect.unit = unit_of(*study.axis, suspect.unit);
  if (auto suspicious = suspect_diagnostic(suspects, moved_by_suspects(fit, *study.axis)))
    report.diagnostics.push_back(std::move(*suspicious));
  const bool has_position = study.find_channel("axis.position") != nullptr;
  if (has_position && is_trusted(report.diagnostics)) add_forward_run(fit, record, *study.axis, report);
  report.headline =
      fmt::format("Mass and friction from {} samples in motion; {:.2f} % of the force are left unexplained.",
                  fit.samples, 100.0 * fit.relative_error);
  report.sections = regression_sections(with_inputs(fit, inputs), *study.axis);
  for (Section& section : model_test_sections(fit, *study.axis)) report.sections.push_back(std::move(section));
  for (auto& assumption : regression_assumptions(fit, record, *study.axis))
    report.assumptions.push_back(std::move(assumption));
}

Result law_result(const LawParameter& p, double inputs, double model, const StudyAxis& axis) {
  const UncertaintyBudget budget{.noise = p.std, .inputs = inputs, .model = model};
  Result result = with_interval(p.name, p.value, budget.total(), unit_of(axis, p.unit));
  if (!axis.uncertain.empty() || model > 0.0) result.budget = budget;
  return result;
}

// Of the law's parameters and, last, of the constant force. The bands of the fit are widened by as much.
InputShifts shifts_by_inputs(const StudyAxis& axis, FrictionFit& fit) {
  const auto numbers_of = [](const ParametricTracks& tracks) {
    Numbers numbers = values_of(tracks.parameters);
    numbers.push_back(tracks.offset.value);
    // The friction over time is a number at each instant.
    numbers.insert(numbers.end(), tracks.smoothed_friction.value.begin(), tracks.smoothed_friction.value.end());
    return numbers;
  };
  // One deviation of each of as many independent errors as there are parameters.
  const Eigen::MatrixXd deviations = fit.inputs_covariance.llt().matrixL();
  InputShifts inputs(numbers_of(fit.parametric), axis.uncertain.size(), [&](std::size_t i) {
    ParametricSpec spec = fit.spec;
    spec.axis = with_moved(spec.axis, axis.uncertain, deviations.col(static_cast<Eigen::Index>(i)));
    return numbers_of(run_parametric(spec, fit.timeline));
  });
  if (axis.uncertain.empty()) return inputs;
  const std::size_t count = fit.parametric.parameters.size();
  const auto at = [](Eigen::Index i) { return static_cast<std::size_t>(i); };
  fit.by_inputs =
      Eigen::MatrixXd::NullaryExpr(static_cast<Eigen::Index>(count), static_cast<Eigen::Index>(count),
                                   [&](Eigen::Index i, Eigen::Index j) { return inputs.covariance(at(i), at(j)); });
  std::vector<double>& std = fit.parametric.smoothed_friction.std;
  for (std::size_t k = 0; k < std.size(); ++k) std[k] = std::hypot(std[k], inputs.deviation(count + 1 + k));
  return inputs;
}

void add_parameters(const FrictionFit& fit, const InputShifts& inputs, const StudyAxis& axis, Report& report) {
  const std::vector<LawParameter>& parameters = fit.parametric.parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (fit.is_told(parameters[i].name))
      report.results.push_back(law_result(parameters[i], inputs.deviation(i), fit.model_std(i), axis));
  }
  name_partners(names_of(parameters), fit.parametric.covariance, report.results);
  if (has_own_offset(fit.law.kind, axis.offset_unknown))
    report.results.push_back(
        law_result(fit.parametric.offset, inputs.deviation(parameters.size()), fit.model_std(parameters.size()), axis));
}

// An axis that does not move, or at one speed alone, shows the numbers of no law: what the filter makes of them is
// where it started, and its noise.
bool shows_a_law(const std::vector<Diagnostic>& diagnostics) {
  return std::none_of(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& d) {
    return d.name == "excitation.no_motion" || d.name == "excitation.one_speed";
  });
}

void answer_by_two_steps(const Study& study, const Log& log, Report& report,
                         const std::function<void(const std::string&, double)>& progress) {
  const StudyAxis& axis = *study.axis;
  require_position(study, log.source);
  const Timeline timeline = timeline_of(study, log, "axis.force", Axis<double>::kOutputs, report.diagnostics);
  const StudyAxis::Start start = axis.start.value_or(StudyAxis::Start{});
  FrictionFit fit = identify_friction(axis.axis, timeline,
                                      {.intensity = axis.intensity,
                                       .intensity_scale = axis.intensity_scale,
                                       .offset = axis.offset_unknown,
                                       .uncertain = axis.uncertain,
                                       .start = start.position,
                                       .start_std = start.std,
                                       .source = log.source,
                                       .progress = progress});
  const FrictionMeasures measures = measure(fit, fit.timeline);
  for (Diagnostic& d : diagnose(fit, measures, unit_of(axis, "rad/s"))) report.diagnostics.push_back(std::move(d));
  if (shows_a_law(report.diagnostics)) add_parameters(fit, shifts_by_inputs(axis, fit), axis, report);
  Result loop;
  loop.name = "friction.hysteresis", loop.value = measures.hysteresis, loop.std = measures.hysteresis_std;
  loop.unit = "1", loop.note = "speeding up less slowing down, over the mean; by the smoother";
  report.results.push_back(loop);
  report.headline = fmt::format("The friction follows the law \"{}\".", name_of(fit.law.kind));
  report.sections = friction_sections(fit, measures, fit.timeline, axis);
  if (fit.timeline.size() < timeline.size())
    report.assumptions.push_back({"samples used", fmt::format("{} of {}: the stretch with the most reversals",
                                                              fit.timeline.size(), timeline.size())});
  for (const FittedInput& input : fitted_inputs(fit.given, fit.axis, fit.inputs_covariance))
    report.assumptions.push_back(
        {input.name, fmt::format("{:.5g} +- {:.2g} {}, fitted along; by the study {:.5g} +- {:.2g}", input.value,
                                 input.std, unit_of(axis, input.unit), input.given, input.given_std)});
  if (fit.motion)
    report.assumptions.push_back(
        {"numbers of the law",
         "those with which its own motion, driven by the force alone, comes nearest to the record: "
         "what is left is the sensor's noise, through all reversals and rests"});
  if (fit.slow > 0.0)
    report.assumptions.push_back(
        {"trusted less below", fmt::format("{:.3g} {}: around standstill the motion is not what the law says, and "
                                           "counts for less; what the numbers owe to it is their std.model",
                                           fit.slow, unit_of(axis, "rad/s"))});
  report.assumptions.push_back({"friction, intensity of its random walk",
                                fmt::format("{:.4g} {}/sqrt(s), {}", fit.blind_options.intensity, unit_of(axis, "N m"),
                                            axis.intensity ? "from the study" : "by innovation likelihood")});
}

}  // namespace

Report answer_friction(const Study& study, const Log& log,
                       const std::function<void(const std::string&, double)>& progress) {
  Report report;
  report.command = "identify";
  report.title = fmt::format("Friction: {} on {}", study.source, log.source);
  for (const Diagnostic& d : log.diagnostics) {
    // A position that rests, a force that is limited: an axis does both.
    if (d.name != "log.clipped") report.diagnostics.push_back(d);
  }
  report.assumptions = study.assumptions;
  switch (study.axis->method) {
    case StudyAxis::Method::regression:
      answer_by_regression(study, log, report);
      break;
    case StudyAxis::Method::constant_speed:
      answer_by_constant_speed(study, log, report);
      break;
    case StudyAxis::Method::two_step:
      answer_by_two_steps(study, log, report, progress);
      break;
  }
  if (is_trusted(report.diagnostics)) {
    for (Diagnostic& d : diagnose_intervals(report.results, "Record longer, at more speeds, in both directions"))
      report.diagnostics.push_back(std::move(d));
  }
  if (!is_trusted(report.diagnostics)) report.headline = untrusted();
  judge_limits(study, report);
  return report;
}

}  // namespace tauhat
