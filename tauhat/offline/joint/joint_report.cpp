#include "tauhat/offline/joint/joint_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/identify/backlash_report.hpp"
#include "tauhat/offline/identify/input_spread.hpp"
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

// `gain`: torque that acts over torque as logged. What the rotor and its friction take is not multiplied by it.
DisplacementRecord both_encoders(const Timeline& timeline, const ElasticJoint<double>& joint, double gain = 1.0) {
  return displacement_record({find_sensor(timeline, "motor.position")->value,
                              find_sensor(timeline, "load.position")->value, scaled(timeline.inputs[0], gain)},
                             {joint.ratio, joint.motor_inertia, joint.motor_viscous}, timeline.median_interval());
}

// By what the study knows only so well, the largest of both sides.
double deviation_by_inputs(const Study& study, const Timeline& timeline, double found,
                           const std::function<double(const DisplacementFit&)>& number) {
  double square = 0.0;
  for (const UncertainParameter& parameter : uncertain_inputs(study)) {
    double largest = 0.0;
    for (const Study& other : with_input_off(study, parameter)) {
      const DisplacementRecord record = both_encoders(timeline, other.joint->joint, other.joint->torque_gain);
      largest = std::max(largest, std::abs(number(fit_displacement(record, study.source)) - found));
    }
    square += largest * largest;
  }
  return std::sqrt(square);
}

constexpr double kAnything = -std::numeric_limits<double>::infinity();

void add_result(const std::string& name, double value, const std::string& unit, const UncertaintyBudget& budget,
                double lowest, const std::string& note, Report& report) {
  Result& result = report.results.emplace_back(with_interval(name, value, budget.total(), unit, lowest));
  result.budget = budget, result.note = note;
}

void add_displacement(const Study& study, const Timeline& timeline, Report& report) {
  if (!find_sensor(timeline, "load.position")) return;
  const DisplacementRecord record = both_encoders(timeline, study.joint->joint);
  const DisplacementFit fit = fit_displacement(record, study.source);
  if (fit.has_stiffness()) {
    const FittedNumber stiffness = fit.stiffness();
    const double inputs = deviation_by_inputs(study, timeline, stiffness.value,
                                              [](const DisplacementFit& other) { return other.stiffness().value; });
    add_result("transmission.stiffness", stiffness.value, "N m/rad", {.noise = stiffness.std, .inputs = inputs}, 0.0,
               "by both encoders, under the torque of the motion", report);
  } else {
    report.diagnostics.push_back({"excitation.torque_too_small", Severity::warning,
                                  "The torque moves the joint less than what else moves it: its stiffness is not told. "
                                  "Record a motion with gravity or acceleration in both directions."});
  }
  const double inputs = deviation_by_inputs(study, timeline, fit.skew.value,
                                            [](const DisplacementFit& other) { return other.skew.value; });
  add_result("load.position.skew", fit.skew.value, "s", {.noise = fit.skew.std, .inputs = inputs}, kAnything,
             "positive: load.position comes later than motor.position", report);
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
constexpr double kShortest = 6.0;  // s

double duration_of(const Timeline& timeline) { return timeline.time.back() - timeline.time.front(); }

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

// Of every sample the direction of travel, and sign(w) sign(tau_j): whether the teeth pass on what the motor drives, or
// hold it.
//   tau_j / N = u - J w' - b w - F_c sign(w)
struct Travel {
  std::vector<double> direction, turned;
};
Travel travel_of(const JointSpec& spec, const Timeline& timeline) {
  constexpr double kJoint = 60.0;  // Hz: no joint of a robot swings faster
  const double period = timeline.median_interval(), share = std::min(2.0 * kJoint * period, 0.8);
  const LowPass filter = butterworth_low_pass(2, share);
  const auto position = filter_zero_phase(filter, find_sensor(timeline, "motor.position")->value),
             torque = filter_zero_phase(filter, timeline.inputs[0]);
  const auto velocity = differentiate(position, period), acceleration = differentiate(velocity, period);
  const auto sign = [](double x) { return x > 0.0 ? 1.0 : -1.0; };
  Travel travel;
  for (const double v : slow_velocity(timeline)) {
    const std::size_t k = travel.direction.size();
    const ElasticJoint<double>& joint = spec.joint;
    const double passed_on =
        torque[k] - joint.motor_inertia * acceleration[k] - joint.motor_viscous * velocity[k] - spec.coulomb * sign(v);
    travel.direction.push_back(sign(v)), travel.turned.push_back(sign(v) * sign(passed_on));
  }
  return travel;
}

// Beforehand. A gear that the study says nothing of loses up to a tenth of what it passes on; friction that it does not
// know at all may be none.
TeethFriction teeth_of(const JointSpec& spec) {
  constexpr double kUsual = 0.05;
  if (spec.load_share) return {spec.load_share->value, spec.load_share->std, true};
  return {0.0, spec.coulomb > 0.0 ? kUsual : 0.0, false};
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
  add_result("motor.torque.delay", fit.delay, "s", fit.delay_budget, kAnything,
             "positive: motor.torque comes later than motor.position", report);
  constexpr double kOften = 2.0;  // a second
  if (reversals > (study.joint->coulomb > 0.0 ? 0.0 : kOften)) return;
  if (auto late = clock_of_samples("clock.torque", "motor.torque", "motor.position",
                                   {fit.delay, fit.delay_budget.total()}, period))
    report.diagnostics.push_back(std::move(*late));
}

constexpr double kLowest = 2.0, kHighest = 60.0;  // Hz: no joint of a robot swings faster
double highest_line(double period) { return std::min(kHighest, 0.4 / period); }

// Without the samples to be avoided, where there is room for that.
FrequencyResponse response_without(const std::vector<std::size_t>& avoided, const Timeline& timeline) {
  constexpr double kResolution = 0.5, kCoarsest = 1.0;  // Hz
  constexpr double kExcited = 0.01;  // 20 dB: a resonance inside the controller's band takes 15 dB from the torque
  const double period = timeline.median_interval();
  return coherent_part(broadband_response(timeline.inputs[0], find_sensor(timeline, "motor.position")->value,
                                          {.period = period,
                                           .resolution = kResolution,
                                           .band = {kLowest, highest_line(period)},
                                           .avoid = avoided,
                                           .coarsest = kCoarsest,
                                           .excited = kExcited}));
}

// Of each direction of travel by itself, where the record has enough of both: the teeth's friction turns over between
// them. Else of the whole. Empty where nothing is told.
std::vector<TravelResponse> responses_of(const JointSpec& spec, const Timeline& timeline,
                                         const std::vector<std::size_t>& turns) {
  const double period = timeline.median_interval();
  if (duration_of(timeline) < kShortest) return {};
  const auto about_turns = surroundings(turns, period, timeline.size());
  const Travel travel = travel_of(spec, timeline);
  const auto turned_in = [&](double direction) {  // 0: both
    double sum = 0.0, count = 0.0;
    for (std::size_t k = 0; k < travel.turned.size(); ++k)
      if (direction == 0.0 || travel.direction[k] == direction) sum += travel.turned[k], ++count;
    return sum / std::max(count, 1.0);
  };
  std::vector<TravelResponse> each;
  if (teeth_of(spec).std > 0.0 && !turns.empty()) {
    for (const double direction : {1.0, -1.0}) {
      std::vector<std::size_t> avoided = about_turns;
      for (std::size_t k = 0; k < travel.direction.size(); ++k)
        if (travel.direction[k] != direction) avoided.push_back(k);
      std::sort(avoided.begin(), avoided.end());
      FrequencyResponse response = response_without(avoided, timeline);
      if (response.avoided && response.size() >= kLeastLines)
        each.push_back({std::move(response), turned_in(direction)});
    }
  }
  if (each.size() == 2) return each;
  FrequencyResponse whole = response_without(about_turns, timeline);
  if (whole.size() < kLeastLines) return {};
  return {{std::move(whole), turned_in(0.0)}};
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

Diagnostic no_response(const Timeline& timeline) {
  const double duration = duration_of(timeline);
  const std::string why =
      duration < kShortest
          ? fmt::format("The record is {:.3g} s long: below {:.0f} s the motor's response is not told", duration,
                        kShortest)
          : fmt::format(
                "The torque is excited, and the motor follows it, at less than {} frequencies between {:.0f} and "
                "{:.0f} Hz, as are needed for the joint's parameters",
                kLeastLines, kLowest, highest_line(timeline.median_interval()));
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
  const ModalFit fit = fit_modes(responses, axis_in_study(spec).joint,
                                 {.period = period,
                                  .free = free_parameters(spec),
                                  .delay_free = true,
                                  .known = known_so_well(spec),
                                  .teeth = teeth_of(spec),
                                  .modes_above = kCarried});
  add_torque_delay(study, fit, period, reversals, report);
  add_parameters(fit, report);
  Section section = bode_section(spec, timeline, responses, fit, period);
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
