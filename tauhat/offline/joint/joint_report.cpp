#include "tauhat/offline/joint/joint_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "tauhat/offline/identify/backlash_report.hpp"
#include "tauhat/offline/identify/online.hpp"
#include "tauhat/offline/joint/clock_diagnostics.hpp"
#include "tauhat/offline/joint/displacement_report.hpp"
#include "tauhat/offline/joint/joint_bode.hpp"
#include "tauhat/offline/joint/joint_model.hpp"
#include "tauhat/offline/joint/joint_response.hpp"
#include "tauhat/offline/joint/joint_results.hpp"
#include "tauhat/offline/joint/modal_fit.hpp"
#include "tauhat/offline/joint/resonances.hpp"
#include "tauhat/offline/joint/travel_response.hpp"
#include "tauhat/offline/joint/velocity_quality.hpp"
#include "tauhat/offline/quantile.hpp"
#include "tauhat/offline/report/find_result.hpp"
#include "tauhat/offline/report/partners.hpp"
#include "tauhat/offline/report/series.hpp"
#include "tauhat/offline/report/verdict.hpp"

namespace tauhat {
namespace {

std::vector<std::string> free_parameters(const JointSpec& spec) {
  std::vector<std::string> names{"motor.inertia", "load.inertia", "transmission.stiffness"};
  if (spec.joint.damping > 0.0) names.emplace_back("transmission.damping");
  if (spec.has_neighbour) {
    names.insert(names.end(), {"neighbour.coupling_inertia", "neighbour.stiffness"});
    if (spec.joint.neighbour_damping > 0.0) names.emplace_back("neighbour.damping");
  }
  return names;
}

// Measured, identified, and as the study said; where a reference is in the log, the virtual sensor's, too.
Section bode_section(const JointSpec& spec, const Timeline& timeline, const std::vector<TravelResponse>& responses,
                     const ModalFit& fit, double period) {
  const FrequencyResponse& response = responses.front().response;
  const ElasticJoint<double> before = axis_in_study(spec).joint;
  Section section{"The motor's response",
                  fmt::format("From motor torque to motor position, where the torque is excited: {:.3g} to {:.3g} Hz.",
                              response.frequency.front(), response.frequency.back()),
                  {},
                  {}};
  section.plots = bode_plots("Motor torque to motor position", "rad/(N m)",
                             {{"measured", response.frequency, response.gain, true},
                              plant_curve("identified", fit.joint, period),
                              plant_curve("study", before, period)});
  Plot coherence{.title = "Coherence",
                 .x_label = "frequency [Hz]",
                 .y_label = "1",
                 .caption = "The share of the motor's motion that its torque explains.",
                 .series = {},
                 .logarithmic_x = true};
  coherence.series = {line("coherence", response.frequency, response.coherence)};
  section.plots.push_back(std::move(coherence));
  std::vector<BodeCurve> sensor{virtual_sensor_curve("identified", fit.joint, period),
                                virtual_sensor_curve("study", before, period)};
  const auto motor = central_velocity(find_sensor(timeline, "motor.position")->value, before.ratio, period);
  if (const auto* reference = find_sensor(timeline, "load.velocity"))
    if (auto measured = measured_curve("measured", motor, reference->value, period))
      sensor.insert(sensor.begin(), std::move(*measured));
  for (Plot& plot : bode_plots("Motor velocity over the ratio to link velocity: the virtual sensor", "1", sensor))
    section.plots.push_back(std::move(plot));
  return section;
}

constexpr double kFewReversals = 0.2;  // a second: a slow travel to and fro

// Friction that turns over with the excitation bends the response, and the numbers with it. How often is too often
// depends on the friction, which nobody knows yet.
void add_reversals(const Study& study, double reversals, Report& report) {
  if (!(study.joint->coulomb > 0.0) || reversals == 0.0) return;
  report.diagnostics.push_back(
      {"excitation.reversals", reversals > kFewReversals ? Severity::error : Severity::warning,
       fmt::format(
           "The motor turns back {:.2g} times a second, and its friction with it, which bends the response: too "
           "little of the record is without. Excite the joint while the axis travels slowly in one direction, "
           "for two seconds or more between two turns, and for ten or more in all.",
           reversals)});
}

// A torque that is logged later than it acts: the phase of the response shows it at every frequency. So does friction
// that turns over with the excitation: then nothing is said, and of friction that the study does not know, not where
// the motor turns often.
void add_torque_delay(const Study& study, const ModalFit& fit, double period, double reversals, Report& report) {
  add_result("motor.torque.delay", fit.delay, "s", fit.delay_budget, kAnything,
             "positive: motor.torque comes later than motor.position", report);
  constexpr double kOften = 2.0;  // a second
  if (reversals > (study.joint->coulomb > 0.0 ? 0.0 : kOften)) return;
  if (auto late = clock_of_samples("clock.torque", "motor.torque", "motor.position",
                                   {fit.delay, fit.delay_budget.total()}, period))
    report.diagnostics.push_back(std::move(*late));
}

std::vector<KnownSoWell> known_so_well(const JointSpec& spec) {
  std::vector<KnownSoWell> known;
  for (const UncertainParameter& parameter : spec.uncertain) {
    if (parameter.index == kTorqueGainIndex) {
      known.push_back({kTorqueGain, parameter.std});
      continue;
    }
    with_parameter(spec.joint, parameter.index, [&](const ParameterInfo& info, const double& value) {
      if (value > 0.0) known.push_back({fmt::format("{}.{}", info.group, info.name), parameter.std / value});
    });
  }
  return known;
}

void add_parameters(const ModalFit& fit, Report& report) {
  constexpr double kWorthSaying = 0.3;  // of the deviation
  std::vector<std::string> names;
  for (const ModalParameter& p : fit.parameters) {
    const bool known = find_result(report.results, p.name) != nullptr;  // by both encoders
    names.push_back(known ? p.name + ".by_response" : p.name);
    if (!p.determined) {
      report.diagnostics.push_back(
          {"parameter.undetermined", Severity::warning,
           fmt::format("{}: the response does not show it; it is what the study says.", p.name)});
      continue;
    }
    add_result(names.back(), p.value, p.unit, p.budget, 0.0, "by the motor's frequency response", report);
  }
  if (fit.teeth) {
    names.push_back(fit.teeth->name);
    for (Result& result : report.results) {
      const auto place = std::find(names.begin(), names.end(), result.name) - names.begin();
      const Eigen::Index i = place, teeth = fit.covariance.rows() - 1;
      if (i >= teeth) continue;
      const double shared = fit.covariance(i, teeth) / std::sqrt(fit.covariance(i, i) * fit.covariance(teeth, teeth));
      if (std::abs(shared) > kWorthSaying)
        result.note += fmt::format(
            "; {:.0f} % of its variance is the teeth's friction: travel both ways, or give "
            "motor.friction.load_share",
            100.0 * shared * shared);
    }
  }
  name_partners(names, fit.covariance, report.results);
}

// The torque that a motion takes, by the record over that by the study.
double size_of(const FrequencyResponse& response, const ElasticJoint<double>& joint, double period) {
  const SampledJoint study(joint, period);
  std::vector<double> sizes;
  for (std::size_t i = 0; i < response.frequency.size(); ++i)
    sizes.push_back(std::abs(study.gain(response.frequency[i])) / std::abs(response.gain[i]));
  return median(std::move(sizes));
}

// Where the fit starts: at the study's joint, or at one with its resonances and the record's size, where a wrong unit
// or constant makes it another. From so far away the fit would lose its way, and show nothing.
ElasticJoint<double> start_of_fit(const FrequencyResponse& response, ElasticJoint<double> joint, double period) {
  constexpr double kFar = 3.0;
  const double size = size_of(response, joint, period);
  if (size < kFar && size > 1.0 / kFar) return joint;
  ElasticJoint<double>::visit_parameters(joint, [&](const ParameterInfo& info, double& value) {
    if (std::string_view(info.name) != "ratio") value *= size;
  });
  return joint;
}

// What a wrong unit, torque constant or ratio makes of a joint. A rotor's inertia is on its data sheet; a link's and
// the gear's stiffness may be guesses, but not by ten times.
void judge_sizes(const ModalFit& fit, const JointSpec& spec, Report& report) {
  const ElasticJoint<double> study = axis_in_study(spec).joint;
  for (const auto& [name, given, most] :
       {std::tuple{"motor.inertia", study.motor_inertia, 3.0}, std::tuple{"load.inertia", study.load_inertia, 10.0},
        std::tuple{"transmission.stiffness", study.stiffness, 10.0}}) {
    const auto found = std::find_if(fit.parameters.begin(), fit.parameters.end(),
                                    [&, wanted = name](const ModalParameter& p) { return p.name == wanted; });
    if (found == fit.parameters.end() || !found->determined) continue;
    const double doubt = k95 * found->std, times = found->value / given;
    if (found->value - doubt < most * given && found->value + doubt > given / most) continue;
    report.diagnostics.push_back(
        {"parameter.not_of_this_joint", Severity::error,
         fmt::format("{} is {:.3g} {} by the record, {:.2g} times the study's {:.3g}: no joint is so far from its data "
                     "sheet. Check the units of motor.torque and motor.position in [log.channels], the torque's "
                     "constant, and transmission.ratio.",
                     name, found->value, found->unit, times, given)});
    return;  // the others follow from it
  }
}

Diagnostic no_response(const Timeline& timeline) {
  const double duration = duration_of(timeline);
  const std::string why =
      duration < kShortestRecord
          ? fmt::format("The record is {:.3g} s long: below {:.0f} s the motor's response is not told", duration,
                        kShortestRecord)
          : fmt::format(
                "The torque is excited, and the motor follows it, at less than {} frequencies between {:.0f} and "
                "{:.0f} Hz, as are needed for the joint's parameters",
                kLeastLines, kLowestLine, highest_line(timeline.median_interval()));
  return {"excitation.too_narrow", Severity::warning,
          why + ". Record a multisine or PRBS of 4 to 40 Hz for 10 s, on a slow travel."};
}

// Returns the band that was used, where the response told something.
std::optional<Band> add_response(const Study& study, const Timeline& timeline, Report& report) {
  const JointSpec& spec = *study.joint;
  const double period = timeline.median_interval();
  const std::vector<std::size_t> turns = turns_of(timeline);
  const std::vector<TravelResponse> responses = responses_of(spec, timeline, turns);
  if (responses.empty()) {
    report.diagnostics.push_back(no_response(timeline));
    return std::nullopt;
  }
  const FrequencyResponse& response = responses.front().response;
  const double reversals = response.avoided ? 0.0 : static_cast<double>(turns.size()) / duration_of(timeline);
  add_reversals(study, reversals, report);
  constexpr double kCarried = 0.1;  // of the link's inertia: a hand, or a tool, that swings above the band
  constexpr double kSwing = 1.5;    // of the highest line: where these swing, if they do
  const double unlimited = std::numeric_limits<double>::infinity();
  // Friction bends the lines by a per cent or two, alike over many of them, which their residuals do not show;
  // a study that says nothing of friction does not say that there is none.
  const bool has_friction = !spec.is_frictionless;
  const ModalFit fit = fit_modes(responses, start_of_fit(response, axis_in_study(spec).joint, period),
                                 {.period = period,
                                  .free = free_parameters(spec),
                                  .deviation_by_residuals = !has_friction,
                                  .delay_free = true,
                                  .known = known_so_well(spec),
                                  .teeth = teeth_of(spec),
                                  .modes_above = kCarried,
                                  .modes_at = has_friction ? unlimited : kSwing});
  add_torque_delay(study, fit, period, reversals, report);
  add_parameters(fit, report);
  judge_sizes(fit, spec, report);
  Section section = bode_section(spec, timeline, responses, fit, period);
  section.tables.push_back(add_resonances({fit.poles, fit.zeros, fit.pole_std, fit.zero_std}, report));
  report.sections.push_back(std::move(section));
  return Band{response.frequency.front(), response.frequency.back()};
}

}  // namespace

Report answer_joint(const Study& study, const Log& log) {
  Report report;
  report.command = "identify";
  report.title = fmt::format("Elastic joint: {} on {}", study.source, log.source);
  report.diagnostics = log.diagnostics;
  const Timeline timeline = online_timeline(study, log, report.diagnostics);
  add_displacement(study, timeline, report);
  const std::optional<Band> band = add_response(study, timeline, report);
  if (report.results.empty())
    report.diagnostics.push_back(
        {"excitation.none", Severity::error,
         "Nothing of the joint can be told from this log. Record an excitation of the current, "
         "or an encoder at the load."});
  report.headline =
      is_trusted(report.diagnostics)
          ? fmt::format(
                "{} numbers of the joint from {} samples{}.", report.results.size(), timeline.size(),
                band ? fmt::format(", the motor's response from {:.3g} to {:.3g} Hz", band->lowest, band->highest) : "")
          : "This log does not give an answer that can be trusted. The diagnostics say why, and what to record.";
  judge_limits(study, report);
  report.assumptions = study.assumptions;
  return report;
}

}  // namespace tauhat
