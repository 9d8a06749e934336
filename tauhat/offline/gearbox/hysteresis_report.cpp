#include "tauhat/offline/gearbox/hysteresis_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauhat/offline/certified_log.hpp"
#include "tauhat/offline/error.hpp"
#include "tauhat/offline/identify/backlash_report.hpp"
#include "tauhat/offline/log/distinct_logs.hpp"
#include "tauhat/offline/report/digits.hpp"
#include "tauhat/offline/report/spoken.hpp"
#include "tauhat/offline/report/verdict.hpp"

namespace tauhat {
namespace {

// A test's channels come from one table: they must share their instants.
const std::vector<double>& values_of(const Log& log, const std::string& signal, const Channel& with) {
  const Channel& channel = *log.find(signal);
  if (channel.time != with.time && *channel.time != *with.time)
    throw Error(ExitCode::unusable_data,
                fmt::format("{}: {} and {} have different clocks; a bench test needs both at the same instants",
                            log.source, signal, with.signal));
  return channel.value;
}

std::vector<double> scaled(std::vector<double> values, double factor) {
  for (double& v : values) v *= factor;
  return values;
}

std::vector<double> displacement_of(const Log& log, const Channel& torque, double ratio) {
  if (log.find("transmission.displacement")) return values_of(log, "transmission.displacement", torque);
  if (!log.find("motor.position")) return values_of(log, "load.position", torque);
  std::vector<double> twist = scaled(values_of(log, "motor.position", torque), 1.0 / ratio);
  if (!log.find("load.position")) return twist;
  const auto& output = values_of(log, "load.position", torque);
  for (std::size_t k = 0; k < twist.size(); ++k) twist[k] -= output[k];
  return twist;
}

// Samples with a missing value say nothing of a curve: they are left out.
void keep_whole_samples(TorqueRamp& ramp, std::vector<double>& numbers, std::vector<double>& output) {
  std::size_t kept = 0;
  for (std::size_t k = 0; k < ramp.size(); ++k) {
    if (!std::isfinite(ramp.torque[k]) || !std::isfinite(ramp.displacement[k])) continue;
    if (!numbers.empty() && !std::isfinite(numbers[k])) continue;
    if (!output.empty() && !std::isfinite(output[k])) continue;
    ramp.time[kept] = ramp.time[k], ramp.torque[kept] = ramp.torque[k], ramp.displacement[kept] = ramp.displacement[k];
    if (!numbers.empty()) numbers[kept] = numbers[k];
    if (!output.empty()) output[kept] = output[k];
    ++kept;
  }
  for (auto* values : {&ramp.time, &ramp.torque, &ramp.displacement}) values->resize(kept);
  if (!numbers.empty()) numbers.resize(kept);
  if (!output.empty()) output.resize(kept);
}

std::vector<HysteresisRecord::Part> parts_of(const std::vector<double>& numbers, std::size_t size,
                                             const StudyTest& test) {
  if (numbers.empty()) return {{0, size, true, true}};
  std::vector<HysteresisRecord::Part> parts;
  for (std::size_t first = 0, k = 1; k <= size; ++k) {
    if (k < size && numbers[k] == numbers[first]) continue;
    parts.push_back({first, k, test.play.contains(numbers[first]), test.stiffness.contains(numbers[first])});
    first = k;
  }
  return parts;
}

std::string headline(const std::vector<Result>& results, bool trusted) {
  if (!trusted)
    return "This test does not give an answer that can be trusted. The diagnostics say why, and what to do.";
  std::vector<std::string> parts;
  for (const Result& r : results) {
    if (r.name == "backlash.lost_motion") {
      const SpokenUnit unit = *spoken_unit(r.value, "rad");
      const Rounded number = rounded(r, unit.factor);
      parts.push_back(fmt::format("a lost motion of {} ± {} {}", number.value, number.above, unit.name));
    }
    if (r.name == "backlash.hysteresis_loss")
      parts.push_back(fmt::format("a hysteresis loss of {}", spoken(r.value, "rad")));
    if (r.name == "transmission.torsional_rigidity")
      parts.push_back(fmt::format("a torsional rigidity of {}", spoken(r.value, "N m/rad")));
  }
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i)
    text += (i == 0 ? "" : i + 1 < parts.size() ? ", " : " and ") + parts[i];
  return fmt::format("The gear has {}.", text);
}

}  // namespace

HysteresisTest hysteresis_test_of(const Study& study) {
  HysteresisTest test = study.test->hysteresis;
  const auto gain_std = [&](const char* signal) {
    const StudyChannel* channel = study.find_channel(signal);
    return channel ? channel->gain_std : 0.0;
  };
  const bool by_motor_torque = study.find_channel("motor.torque") && !study.find_channel("transmission.torque");
  const bool by_motor_position =
      study.find_channel("motor.position") && !study.find_channel("transmission.displacement");
  test.torque_std = gain_std(by_motor_torque ? "motor.torque" : "transmission.torque");
  test.displacement_std = gain_std(study.find_channel("transmission.displacement") ? "transmission.displacement"
                                   : by_motor_position                             ? "motor.position"
                                                                                   : "load.position");
  test.ratio_std = by_motor_torque || by_motor_position ? study.test->ratio_std : 0.0;
  test.torque_by_ratio = by_motor_torque ? 1.0 : 0.0;
  test.displacement_by_ratio = by_motor_position ? -1.0 : 0.0;
  return test;
}

HysteresisRecord hysteresis_record(const Study& study, const Log& log) {
  const StudyTest& test = *study.test;
  const bool at_output = log.find("transmission.torque") != nullptr;
  const Channel& torque = *log.find(at_output ? "transmission.torque" : "motor.torque");
  HysteresisRecord record;
  record.ramp = {log.source, *torque.time, at_output ? torque.value : scaled(torque.value, test.ratio),
                 displacement_of(log, torque, test.ratio)};
  std::vector<double> numbers;
  if (log.find("test.ramp")) numbers = values_of(log, "test.ramp", torque);
  const bool output_is_apart =
      log.find("load.position") && (log.find("motor.position") || log.find("transmission.displacement"));
  if (output_is_apart) record.output_position = values_of(log, "load.position", torque);
  keep_whole_samples(record.ramp, numbers, record.output_position);
  record.parts = parts_of(numbers, record.ramp.size(), test);
  return record;
}

Report answer_hysteresis(const Study& study, const std::vector<std::string>& paths) {
  Report report;
  report.command = "identify";
  std::vector<HysteresisRecord> records;
  DistinctLogs distinct;
  Certificate certificate{study.test->part, study.test->date, study.test->tested_by, {}};
  for (const std::string& path : paths) {
    const Log log = read_certified_log(path, study.log_spec(), certificate);
    distinct.add(log);
    for (const Diagnostic& d : log.diagnostics) {
      // The torque rests at the ends of its ramp, and the gear at the ends of its twist.
      if (d.name == "log.clipped" || d.name == "log.constant") continue;
      report.diagnostics.push_back({d.name, d.severity, fmt::format("{}: {}", log.source, d.message)});
    }
    records.push_back(hysteresis_record(study, log));
  }
  const HysteresisTest test = hysteresis_test_of(study);
  const HysteresisOutcome outcome = evaluate(records, test);
  report.title = fmt::format("Hysteresis curve: {} on {}", study.source,
                             paths.size() == 1 ? records.front().ramp.source : fmt::format("{} logs", paths.size()));
  report.diagnostics.insert(report.diagnostics.end(), outcome.diagnostics.begin(), outcome.diagnostics.end());
  report.results = outcome.results;
  report.headline = headline(report.results, is_trusted(report.diagnostics));
  judge_limits(study, report, hysteresis_quantities(test.spec));
  report.sections = hysteresis_sections(records, outcome, test.spec);
  report.certificate = certificate;
  report.assumptions = {{"definition", kDefinitionNames[static_cast<std::size_t>(test.spec.definition)]},
                        {"rated torque", fmt::format("{:g} N m", test.spec.rated_torque)},
                        {"ratio", fmt::format("{:g}", study.test->ratio)},
                        {"torque scale, std", fmt::format("{:g} %", 100.0 * test.torque_std)},
                        {"displacement scale, std", fmt::format("{:g} %", 100.0 * test.displacement_std)}};
  if (const auto [t1, t2] = test.spec.limit_torque; t2 > 0.0)
    report.assumptions.push_back({"limit torques", fmt::format("T1 = {:g} N m, T2 = {:g} N m", t1, t2)});
  return report;
}

}  // namespace tauhat
