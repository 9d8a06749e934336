#include "tauhat/offline/joint/axes_check_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tauhat/offline/error.hpp"
#include "tauhat/offline/identify/online.hpp"
#include "tauhat/offline/joint/axes_clocks.hpp"
#include "tauhat/offline/joint/axes_estimator.hpp"
#include "tauhat/offline/joint/clock_diagnostics.hpp"
#include "tauhat/offline/joint/velocity_quality.hpp"
#include "tauhat/offline/replay/lag.hpp"
#include "tauhat/offline/report/series.hpp"
#include "tauhat/offline/report/verdict.hpp"
#include "tauhat/offline/signal/rms.hpp"

namespace tauhat {
namespace {

// Who tells noise from a late channel: the study's first by noise that knows of the coupling. Where there is none, one
// to which anything a thousandth of the torque, or less, is noise.
AxesObserver watching(const AxesSpec& spec, const Timeline& timeline) {
  const auto& observers = spec.observers;
  const auto found = std::find_if(observers.begin(), observers.end(), [](const AxesObserver& observer) {
    return observer.kind == AxesObserver::Kind::kalman && observer.coupled;
  });
  if (found != observers.end()) return *found;
  constexpr double kNoise = 1e-3, kLeak = 1.0;  // 1/s
  AxesObserver observer;
  observer.name = "check";
  for (std::size_t i = 0; i < spec.count(); ++i) {
    const double torque = rms_of(timeline.inputs[i]);
    observer.motor_noise.push_back(kNoise * torque);
    observer.load_noise.push_back(kNoise * torque * spec.ratio[i]);
    observer.disturbance.push_back(torque), observer.leak.push_back(kLeak);
  }
  return observer;
}

class Check {
 public:
  Check(const Study& study, const Log& log, Report& report) : spec_(*study.elastic_axes), report_(report) {
    report.diagnostics = log.diagnostics;
    for (Diagnostic& still : axes_at_rest(spec_, log)) report.diagnostics.push_back(std::move(still));
    timeline_ = online_timeline(study, log, report.diagnostics);
    period_ = observer_period(study, timeline_.median_interval());
    for (std::size_t i = 0; i < spec_.count(); ++i) variances_.push_back(motor(i).variance);
  }

  bool can_be_told() const { return is_trusted(report_.diagnostics); }

  // Of the study's observer as it stands.
  void look_at_innovations() {
    if (spec_.observers.empty()) return;
    const Replay replay = replayed(spec_, spec_.observers[spec_.chosen]);
    for (Diagnostic& failed : diagnose_steps(replay.failed, timeline_.size()))
      report_.diagnostics.push_back(std::move(failed));
    if (replay.corrections == 0) return;
    report_.results.push_back({.name = "filter.mean_nis", .value = replay.mean_nis(), .unit = "1"});
    for (Diagnostic& lag : diagnose_lag(replay.mean_nis(), kWhyLags)) report_.diagnostics.push_back(std::move(lag));
  }

  void compare_clocks() {
    try {
      tell_clocks();
    } catch (const Error& error) {
      if (error.code() != ExitCode::unusable_data) throw;
      report_.diagnostics.push_back({"record.too_short", Severity::warning, sentence(error)});
    }
  }

  // Where a link has an encoder, without any observer.
  void compare_encoders() {
    for (std::size_t i = 0; i < spec_.count(); ++i) {
      const Timeline::Sensor* load = find(i, axis_load_position);
      if (!load) continue;
      const DisplacementRecord record =
          displacement_record({motor(i).value, load->value, timeline_.inputs[i]},
                              {spec_.ratio[i], spec_.motor_inertia[i], spec_.motor_viscous[i]}, period_);
      try {
        const DisplacementFit fit = fit_displacement(record, spec_.signal(i, axis_load_position));
        add_skew(i, axis_load_position, fit.skew, fit.has_skew(period_));
      } catch (const Error& error) {
        if (error.code() != ExitCode::unusable_data) throw;
        report_.diagnostics.push_back({"excitation.no_motion", Severity::warning, sentence(error)});
      }
    }
  }

 private:
  static std::string sentence(const Error& error) { return std::string(error.what()) + "."; }

  void tell_clocks() {
    const AxesObserver observer = watching(spec_, timeline_);
    const AxesClocks clocks = fit_axes_clocks(spec_, observer, timeline_, period_);
    bool agree = true;
    // s, by how much each motor's position is to be moved.
    std::vector<double> moved(spec_.count(), 0.0);
    for (std::size_t i = 1; i < spec_.count(); ++i) {
      add_delay(i, axis_motor_position, 0, clocks.position[i]);
      auto said = clock_of_samples("clock.skew", spec_.signal(i, axis_motor_position),
                                   spec_.signal(0, axis_motor_position), clocks.position[i], period_);
      if (!said) continue;
      moved[i] = in_samples(clocks.position[i]);
      said->message += beside_a_moved_position(i, moved[i] + in_samples(clocks.torque[i]));
      report_.diagnostics.push_back(std::move(*said));
      agree = false;
    }
    for (std::size_t i = 0; i < spec_.count(); ++i) {
      add_delay(i, axis_motor_torque, i, clocks.torque[i]);
      auto said = clock_of_samples("clock.torque", spec_.signal(i, axis_motor_torque),
                                   spec_.signal(i, axis_motor_position), clocks.torque[i], period_, moved[i]);
      if (!said) continue;
      report_.diagnostics.push_back(std::move(*said));
      agree = false;
    }
    // An estimate by channels that do not belong together is late itself.
    if (agree) compare_with_velocities(replayed(clocks.believed, observer));
  }

  const Timeline::Sensor* find(std::size_t axis, AxisSignal signal) const {
    const auto found = std::find_if(timeline_.sensors.begin(), timeline_.sensors.end(),
                                    [&](const auto& sensor) { return sensor.signal == spec_.signal(axis, signal); });
    return found == timeline_.sensors.end() ? nullptr : &*found;
  }
  const Timeline::Sensor& motor(std::size_t axis) const { return *find(axis, axis_motor_position); }

  Replay replayed(const AxesSpec& believed, const AxesObserver& observer) const {
    return make_axes_estimator(believed, observer, period_, variances_)->replay(timeline_, {});
  }

  double in_samples(const FittedNumber& delay) const { return std::round(delay.value / period_) * period_; }

  // A delay acts on its own channel alone: the torque is told beside a position that is to be moved.
  std::string beside_a_moved_position(std::size_t axis, double torque_delay) const {
    const std::string torque = spec_.signal(axis, axis_motor_torque);
    if (torque_delay == 0.0) return fmt::format(" {} needs none.", torque);
    return fmt::format(" With it, {} needs delay = \"{:.4g} ms\".", torque, 1e3 * torque_delay);
  }

  void add_delay(std::size_t axis, AxisSignal signal, std::size_t beside, const FittedNumber& delay) {
    report_.results.push_back(with_interval(spec_.signal(axis, signal) + ".delay", delay.value, delay.std, "s"));
    report_.results.back().note =
        fmt::format("positive: it comes later than {}", spec_.signal(beside, axis_motor_position));
  }

  void add_skew(std::size_t axis, AxisSignal signal, const FittedNumber& skew, bool differs) {
    const std::string name = spec_.signal(axis, signal), motor = spec_.signal(axis, axis_motor_position);
    report_.results.push_back(with_interval(name + ".skew", skew.value, skew.std, "s"));
    report_.results.back().note = fmt::format("positive: it comes later than {}", motor);
    if (differs) report_.diagnostics.push_back(clock_skew(name, motor, skew));
  }

  // The estimate is of the motors' instants: what it lags behind a gyro, the gyro is early. By parts of the record,
  // each of which tells it anew.
  void compare_with_velocities(const Replay& replay) {
    constexpr std::size_t kParts = 8;
    constexpr double kSettling = 0.5;  // s
    const auto first = static_cast<std::size_t>(std::ceil(kSettling / period_));
    if (timeline_.size() < 2 * first) return;
    const std::size_t length = (timeline_.size() - first) / kParts;
    for (std::size_t i = 0; i < spec_.count(); ++i) {
      const Timeline::Sensor* gyro = find(i, axis_load_velocity);
      if (!gyro) continue;
      const auto& estimate = replay.filtered[i * kAxisOutputs + axis_load_velocity].value;
      double sum = 0.0, square = 0.0;
      for (std::size_t part = 0; part < kParts; ++part) {
        const auto cut = [&](const std::vector<double>& values) {
          const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first + part * length);
          return std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(length));
        };
        const double late = -delay_between(cut(gyro->value), cut(estimate), 0, period_);
        sum += late, square += late * late;
      }
      const double n = kParts, mean = sum / n;
      const FittedNumber skew{mean, std::sqrt(std::max(square / n - mean * mean, 0.0) / (n - 1.0))};
      add_skew(i, axis_load_velocity, skew, std::abs(mean) > std::max(4.0 * skew.std, 0.5 * period_));
    }
  }

  const AxesSpec& spec_;
  Report& report_;
  Timeline timeline_;
  double period_ = 0.0;
  std::vector<double> variances_;
};

}  // namespace

std::vector<Diagnostic> axes_at_rest(const AxesSpec& spec, const Log& log) {
  std::vector<Diagnostic> still;
  for (std::size_t axis = 0; axis < spec.count(); ++axis) {
    const std::string signal = spec.signal(axis, axis_motor_position);
    if (const Channel* position = log.find(signal); position && position->constant)
      still.push_back({"excitation.no_motion", Severity::error,
                       fmt::format("{} never changes: of this axis no observer can be told from another. Record it in "
                                   "motion.",
                                   signal)});
  }
  return still;
}

Report check_axes(const Study& study, const Log& log) {
  Report report;
  report.title = fmt::format("Elastic axes: {} on {}", study.source, log.source);
  Check check(study, log, report);
  if (check.can_be_told()) {
    check.look_at_innovations();
    check.compare_clocks();
    check.compare_encoders();
  }
  report.assumptions = study.assumptions;
  return report;
}

}  // namespace tauhat
