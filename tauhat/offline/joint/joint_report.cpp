#include "tauhat/offline/joint/joint_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/identify/backlash_report.hpp"
#include "tauhat/offline/identify/online.hpp"
#include "tauhat/offline/joint/clock_diagnostics.hpp"
#include "tauhat/offline/joint/displacement_fit.hpp"
#include "tauhat/offline/joint/joint_bode.hpp"
#include "tauhat/offline/joint/joint_model.hpp"
#include "tauhat/offline/joint/modal_fit.hpp"
#include "tauhat/offline/joint/resonances.hpp"
#include "tauhat/offline/joint/velocity_quality.hpp"
#include "tauhat/offline/report/find_result.hpp"
#include "tauhat/offline/report/partners.hpp"
#include "tauhat/offline/report/series.hpp"
#include "tauhat/offline/report/verdict.hpp"
#include "tauhat/offline/signal/differentiate.hpp"
#include "tauhat/offline/signal/zero_phase.hpp"

namespace tauhat {
namespace {

const Timeline::Sensor* find_sensor(const Timeline& timeline, const char* signal) {
  for (const auto& sensor : timeline.sensors)
    if (sensor.signal == signal) return &sensor;
  return nullptr;
}

// ---- both encoders

DisplacementRecord both_encoders(const Timeline& timeline, const ElasticJoint<double>& joint) {
  return displacement_record({find_sensor(timeline, "motor.position")->value,
                              find_sensor(timeline, "load.position")->value, timeline.inputs[0]},
                             {joint.ratio, joint.motor_inertia, joint.motor_viscous}, timeline.median_interval());
}

void add_displacement(const Study& study, const Timeline& timeline, Report& report) {
  if (!find_sensor(timeline, "load.position")) return;
  const DisplacementRecord record = both_encoders(timeline, study.joint->joint);
  const DisplacementFit fit = fit_displacement(record, study.source);
  if (fit.has_stiffness()) {
    const FittedNumber stiffness = fit.stiffness();
    report.results.push_back(with_interval("transmission.stiffness", stiffness.value, stiffness.std, "N m/rad", 0.0));
    report.results.back().note = "by both encoders, under the torque of the motion";
  } else {
    report.diagnostics.push_back({"excitation.torque_too_small", Severity::warning,
                                  "The torque moves the joint less than what else moves it: its stiffness is not told. "
                                  "Record a motion with gravity or acceleration in both directions."});
  }
  report.results.push_back(with_interval("load.position.skew", fit.skew.value, fit.skew.std, "s"));
  report.results.back().note = "positive: load.position comes later than motor.position";
  if (fit.has_skew(record.period))
    report.diagnostics.push_back(clock_skew("load.position", "motor.position", fit.skew));
  Section section{"Motor and load", "", {}, {}};
  Plot plot{.title = "Displacement",
            .x_label = "time [s]",
            .y_label = "mrad",
            .caption = "Motor over ratio minus load, and what torque, skew and friction explain of it."};
  plot.series = {line("measured", timeline.time, scaled(record.displacement, 1e3))};
  if (fit.fitted.size() == timeline.size())
    plot.series.push_back(line("fitted", timeline.time, scaled(fit.fitted, 1e3)));
  section.plots.push_back(std::move(plot));
  report.sections.push_back(std::move(section));
}

// ---- the motor's response

constexpr std::size_t kLeastLines = 20;

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
Section bode_section(const JointSpec& spec, const Timeline& timeline, const FrequencyResponse& response,
                     const ModalFit& fit, double period) {
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

std::vector<double> slow_velocity(const Timeline& timeline) {
  const double period = timeline.median_interval();
  return differentiate(in_motion_band(find_sensor(timeline, "motor.position")->value, period), period);
}

// The samples at which the motor turns back.
std::vector<std::size_t> turns_of(const Timeline& timeline) {
  const auto velocity = slow_velocity(timeline);
  std::vector<std::size_t> turns;
  for (std::size_t k = 1; k < velocity.size(); ++k)
    if (velocity[k] * velocity[k - 1] < 0.0) turns.push_back(k);
  return turns;
}

// What the teeth may take or add of the joint's torque, on average over both directions of travel.
double share_of_teeth(const JointSpec& spec, const Timeline& timeline) {
  // Where the study says nothing, that of the axis that the observers are tried on; a gear with more needs load_share.
  constexpr double kUsual = 0.04;
  if (!(spec.coulomb > 0.0)) return 0.0;
  const double share = spec.friction && spec.friction->load_share > 0.0 ? spec.friction->load_share : kUsual;
  double forwards = 0.0;
  const auto velocity = slow_velocity(timeline);
  for (const double v : velocity) forwards += v > 0.0 ? 1.0 : -1.0;
  return share * std::abs(forwards) / static_cast<double>(velocity.size());
}

// About a turn friction is bent, and what it left swinging dies away.
std::vector<std::size_t> surroundings(const std::vector<std::size_t>& turns, double period, std::size_t size) {
  constexpr double kAbout = 0.1;  // s
  const auto reach = static_cast<std::size_t>(std::lround(kAbout / period));
  std::vector<std::size_t> samples;
  for (const std::size_t turn : turns) {
    samples.push_back(turn - std::min(turn, reach));
    samples.push_back(turn);
    samples.push_back(std::min(turn + reach, size - 1));
  }
  std::sort(samples.begin(), samples.end());
  return samples;
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
  report.results.push_back(with_interval("motor.torque.delay", fit.delay, fit.delay_std, "s"));
  report.results.back().note = "positive: motor.torque comes later than motor.position";
  constexpr double kOften = 2.0;  // a second
  if (reversals > (study.joint->coulomb > 0.0 ? 0.0 : kOften)) return;
  if (auto late = clock_of_samples("clock.torque", "motor.torque", "motor.position", {fit.delay, fit.delay_std}, period))
    report.diagnostics.push_back(std::move(*late));
}

// Returns the band that was used, where the response told something.
std::optional<Band> add_response(const Study& study, const Timeline& timeline, Report& report) {
  const JointSpec& spec = *study.joint;
  const double period = timeline.median_interval();
  constexpr double kResolution = 0.5, kCoarsest = 1.0, kHighest = 60.0;  // Hz: no joint of a robot swings faster
  const double duration = timeline.time.back() - timeline.time.front(), highest = std::min(kHighest, 0.4 / period);
  constexpr double kExcited = 0.01;  // 20 dB: a resonance inside the controller's band takes 15 dB from the torque
  FrequencyResponse response;
  const std::vector<std::size_t> turns = turns_of(timeline);
  if (duration * kResolution > 3.0)
    response = coherent_part(broadband_response(timeline.inputs[0], find_sensor(timeline, "motor.position")->value,
                                                {.period = period,
                                                 .resolution = kResolution,
                                                 .band = {2.0, highest},
                                                 .avoid = surroundings(turns, period, timeline.size()),
                                                 .coarsest = kCoarsest,
                                                 .excited = kExcited}));
  if (response.size() < kLeastLines) {
    report.diagnostics.push_back(
        {"excitation.too_narrow", Severity::warning,
         fmt::format(
             "The torque is excited, and the motor follows it, at {} frequencies between 2 and {:.0f} Hz; {} are "
             "needed for the joint's parameters. Record a multisine or PRBS of 4 to 40 Hz for 10 s, on a slow travel.",
             response.size(), highest, kLeastLines)});
    return std::nullopt;
  }
  const double reversals = response.avoided ? 0.0 : static_cast<double>(turns.size()) / duration;
  add_reversals(study, reversals, report);
  ModalFit fit = fit_modes(response, axis_in_study(spec).joint,
                           {.period = period, .free = free_parameters(spec), .delay_free = true});
  const double teeth = share_of_teeth(spec, timeline);
  widen_by_teeth(teeth, fit);
  add_torque_delay(study, fit, period, reversals, report);
  constexpr double kWorthSaying = 0.01;
  for (const ModalParameter& p : fit.parameters) {
    if (!p.determined) {
      report.diagnostics.push_back(
          {"parameter.undetermined", Severity::warning,
           fmt::format("{}: the response does not show it; it is what the study says.", p.name)});
      continue;
    }
    const bool known = find_result(report.results, p.name) != nullptr;
    Result result = with_interval(known ? p.name + ".by_response" : p.name, p.value, p.std, p.unit, 0.0);
    result.note = "by the motor's frequency response";
    if (teeth > kWorthSaying && (p.name.starts_with("transmission.") || p.name == "load.inertia"))
      result.note += fmt::format("; of it {:.2g} % for the teeth's friction: travel both ways", 100.0 * teeth);
    report.results.push_back(std::move(result));
  }
  std::vector<std::string> names;
  for (const ModalParameter& p : fit.parameters) names.push_back(p.name);
  name_partners(names, fit.covariance, report.results);
  Section section = bode_section(spec, timeline, response, fit, period);
  section.tables.push_back(add_resonances({fit.poles, fit.zeros, fit.pole_std, fit.zero_std}, report));
  report.sections.push_back(std::move(section));
  return Band{response.frequency.front(), response.frequency.back()};
}

}  // namespace

std::optional<DisplacementFit> compare_encoders(const Study& study, const Timeline& timeline) {
  if (!find_sensor(timeline, "load.position")) return std::nullopt;
  try {
    return fit_displacement(both_encoders(timeline, study.joint->joint), study.source);
  } catch (const Error&) {
    return std::nullopt;
  }
}

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
