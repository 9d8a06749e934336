#include "tauhat/offline/gap/gap_estimator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>

#include <fmt/format.h>

#include "tauhat/core/filters/gap_filter.hpp"
#include "tauhat/core/filters/gap_imm.hpp"
#include "tauhat/offline/error.hpp"
#include "tauhat/offline/gap/cascade_tuning.hpp"
#include "tauhat/offline/gap/command_delay.hpp"
#include "tauhat/offline/gap/gap_outputs.hpp"
#include "tauhat/offline/gap/gap_start.hpp"
#include "tauhat/offline/gap/jitter.hpp"
#include "tauhat/offline/gap/tooth_faults.hpp"
#include "tauhat/offline/replay/step_by_step.hpp"

namespace tauhat {
namespace {

using gap::Belief;
using gap::P;
using gap::probability_of_mode;
using gap::Row;
using gap::row_of;
using gap::variance_of;

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

double square(double x) { return x * x; }

// What is expected of a position or a velocity: by the belief, or by the stage that it goes to.
struct Expected {
  double value, variance;
};
template <class F>
Expected expected(const F&, const Belief& belief, int output) {
  return {belief.mean[output], belief.covariance()(output, output)};
}
Expected expected(const GapCascade<double>& filter, const Belief&, int output) {
  const int state = output == P::motor_velocity || output == P::load_velocity ? 1 : 0;
  const auto& side = filter.side(output);
  return {side.mean[state], side.covariance()(state, state)};
}

// Short beside the fastest motion, and beside the change of a mode.
double longest_step_of(const P& drive) { return std::min(1e-3, 0.1 / drive.fastest_rate()); }

template <class F>
F make_filter(const P& drive, const Belief& start, const GapSpec& spec) {
  if constexpr (std::is_same_v<F, GapCascade<double>>) {
    return {drive, start, cascade_tuning(spec)};
  } else if constexpr (std::is_same_v<F, GapImm<double>>) {
    return {drive, start, longest_step_of(drive)};
  } else {
    return {drive, start};
  }
}

// Where a wheel's count was lost, the offset between both counters may be anything within a pitch.
Row offset_within(double pitch) {
  Row row = Row::Zero();
  row[P::gap_position] = row[P::upper_limit] = row[P::lower_limit] = pitch;
  return row;
}

template <class F>
class GapEstimatorOf final : public Estimator {
 public:
  explicit GapEstimatorOf(const GapSpec& spec) : spec_(spec), delay_(spec.delay), start_(spec) {
    for (const Signal& signal : kGapSignals) outputs_.push_back({std::string(signal.name), std::string(signal.unit)});
    longest_step_ = longest_step_of(spec_.drive);
  }

  const std::vector<OutputInfo>& outputs() const override { return outputs_; }
  std::unique_ptr<Estimator> clone() const override { return std::make_unique<GapEstimatorOf>(*this); }

  void set_intensity(double intensity) override { spec_.drive.noise[P::load_torque] = square(intensity); }
  double intensity() const override { return std::sqrt(spec_.drive.noise[P::load_torque]); }
  void set_lag(std::size_t) override {}  // a study with a lag is refused
  std::size_t lag() const noexcept override { return 0; }
  void set_gate(double nis) override { gate_ = nis; }

  void reset() override {
    const double gate = gate_;
    *this = GapEstimatorOf(spec_);
    gate_ = gate;
  }

  Correction<double> correct(const Measurement<double>& z) noexcept override {
    if (!std::isfinite(z.value)) return {};
    if (!filter_) {
      start_.add(now_, z);
      return {};
    }
    const auto& wheel = spec_.wheels[static_cast<std::size_t>(z.output)];
    return wheel.pitch > 0.0 ? correct_tooth(z, wheel) : corrected(jittered(z));
  }

  StepStatus predict(std::span<const double> u, double dt) noexcept override {
    delay_.command(now_, spec_.gain * u[0]);
    if (!filter_ && start_.is_complete()) begin();
    const double end = now_ + dt;
    StepStatus status = dt > 0.0 ? StepStatus::ok : StepStatus::interval_not_positive;
    while (filter_ && now_ < end) {
      const CommandDelay::Acting acting = delay_.at(now_);
      const double until = std::min(end, acting.until), whole = until - now_;
      const int steps = std::max(1, static_cast<int>(std::ceil(whole / longest_step_)));
      for (int i = 0; i < steps; ++i) {
        const StepStatus one = stepped(acting.value, whole / steps);
        if (one != StepStatus::ok) status = one;
      }
      now_ = until;
    }
    now_ = end;
    return status;
  }

  void estimate(int output, double& value, double& std) const noexcept override {
    value = std = kUnknown;
    if (!filter_) return;
    const Belief& b = belief();
    if (kHasFixedGains && (now_ < settled_ || is_silent(b))) return;
    if (output >= mode_output) return estimate_mode(output, b, value, std);
    const Row row = row_of(output, filter_->model());
    value = row.dot(b.mean);
    std = std::sqrt(variance_of(row, b));
    if (output == P::gain_output) value = spec_.gain * (1.0 + value), std *= spec_.gain;
  }

  bool settle() override { return false; }
  void lagged(int, double&, double&) const noexcept override {}
  void finish(const std::function<void()>&) override {}

  Replay replay(const Timeline& timeline, const ReplayOptions& options) override {
    return replay_step_by_step(*this, timeline, options);
  }
  std::vector<Diagnostic> remarks() const override;

 private:
  static constexpr bool kLearns = requires(F filter, const Row& row) { filter.widen(row); };
  // Its deviations are those of a wheel that turns, whatever comes of it: after a silence nothing is said until it has
  // settled.
  static constexpr bool kHasFixedGains = requires(F filter) { filter.restart(); };

  void begin() noexcept {
    const GapStart::Belief start = start_.belief(now_, delay_.at(now_).value);
    P drive = spec_.drive;
    drive.mode = start.mode;
    // What is learned may still wear: by a hundredth of a per cent of the gap in a second.
    if (spec_.is_learned()) drive.noise[P::upper_limit] = drive.noise[P::lower_limit] = square(1e-4 * spec_.gap);
    filter_.emplace(make_filter<F>(drive, start.state, spec_));
    began_ = now_;
    for (const int output : {P::motor_position, P::load_position})
      seen_[static_cast<std::size_t>(output)] = start.state.mean[output];
    is_read_ = false;
  }

  // Never inlined: a replay and a stream must round alike.
  [[gnu::noinline]] StepStatus stepped(double command, double dt) noexcept {
    is_read_ = false;
    return filter_->predict(Vector<double, 1>(command), dt);
  }
  [[gnu::noinline]] Correction<double> corrected(const Measurement<double>& z) noexcept {
    const Expected about = expected(*filter_, belief(), z.output);
    const double variance = about.variance + z.variance, innovation = z.value - about.value;
    if (gate_ > 0.0 && square(innovation) > gate_ * variance) return {StepStatus::gated, innovation, variance};
    is_read_ = false;
    return filter_->correct(z);
  }

  Measurement<double> jittered(Measurement<double> z) const noexcept {
    const double jitter = spec_.jitter[static_cast<std::size_t>(z.output)];
    if (jitter > 0.0) z.variance += jitter_variance(filter_->model(), belief().mean, z.output, jitter);
    return z;
  }

  // A pulse says where its tooth stands, if it is the tooth that it is taken for; a sure prediction says which one it
  // is.
  Correction<double> correct_tooth(const Measurement<double>& z, const GapSpec::Wheel& wheel) noexcept {
    // Of a pitch: the nearest tooth is the wrong one from half a pitch on, three of these standard deviations away.
    constexpr double kSure = 1.0 / 6.0;
    // Standard deviations, in which a tooth misses its prediction once in two million pulses: what came between two
    // teeth is none.
    constexpr double kFar = 5.0;
    const auto index = static_cast<std::size_t>(z.output);
    Measurement<double> tooth = z;
    tooth.value += slipped_[index] * wheel.pitch;
    const Expected about = expected(*filter_, belief(), z.output);
    const double sure = std::sqrt(std::max(about.variance, 0.0));
    const double innovation = tooth.value - about.value;
    const double off = std::round(innovation / wheel.pitch);
    watch_direction(z.output, wheel);
    [[maybe_unused]] const bool was_silent = kHasFixedGains && is_silent(belief());
    const bool is_sure = sure <= kSure * wheel.pitch;
    // After an outage a counter knows better than the prediction, unless it stood still itself.
    const bool is_counted =
        wheel.directed && !is_sure && square(innovation) < square(kFar) * (square(sure) + z.variance);
    if (off != 0.0 && !is_counted) {
      slipped_[index] -= off;
      tooth.value -= off * wheel.pitch;
      if (!is_sure) {
        ++faults_.resumed;
        if constexpr (kLearns) filter_->widen(offset_within(wheel.pitch));
        is_read_ = false;
      } else {
        ToothFaults::Of& faults = off < 0.0 ? faults_.lost : faults_.spurious;
        if (faults.count == 0) faults.output = z.output, faults.first = now_ - began_;
        faults.count += static_cast<std::size_t>(std::abs(off));
      }
    }
    seen_[index] = tooth.value;
    const double left = tooth.value - expected(*filter_, belief(), z.output).value;
    if (off > 0.0 && !is_counted && std::abs(left) > kFar * std::sqrt(square(sure) + z.variance))
      return {};  // no tooth: nothing was measured
    const Correction<double> done = corrected(tooth);
    if constexpr (kHasFixedGains) {
      if (was_silent) filter_->restart(), settled_ = now_ + filter_->memory(), is_read_ = false;
    }
    return done;
  }

  // Pulses without direction count on as the wheel turns back.
  void watch_direction(int position, const GapSpec::Wheel& wheel) noexcept {
    // s: the filter starts with the speed between two teeth and a twist that it guesses; the shaft has swung once or
    // more by then (at 2.8 Hz in the paper's car), and the speed is its own.
    constexpr double kSettled = 0.5;
    constexpr double kDoubt = 2.0;  // standard deviations: nearer to standstill, 95 % include turning back
    if (wheel.directed || faults_.reversal >= 0.0 || now_ < began_ + kSettled) return;
    const Expected velocity = expected(*filter_, belief(), position + 1);
    if (square(velocity.value) < square(kDoubt) * velocity.variance) faults_.reversal = now_;
  }

  const Belief& belief() const noexcept {
    if (!is_read_) read_ = filter_->belief(), is_read_ = true;
    return read_;
  }

  // A wheel whose teeth should have passed, but sent no pulse: it stands still or is broken, and either way the
  // prediction is wrong.
  bool is_silent(const Belief& b) const noexcept {
    constexpr double kTeeth = 5.0;  // more than a wheel has missing
    for (const int output : {P::motor_position, P::load_position}) {
      const auto index = static_cast<std::size_t>(output);
      const double pitch = spec_.wheels[index].pitch;
      if (pitch > 0.0 && std::abs(b.mean[output] - seen_[index]) > kTeeth * pitch) return true;
    }
    return false;
  }

  // Whether the mode can be told: it is likelier than the others together, and the twist is known to a part of the gap.
  bool mode_is_known(const Belief& b) const noexcept {
    constexpr double kLikely = 0.5;
    constexpr double kSharp = 0.25;  // two such standard deviations reach from the middle of the gap to a contact
    const P& drive = filter_->model();
    const double gap = row_of(P::gap_output, drive).dot(b.mean);
    const double spread = std::sqrt(variance_of(row_of(P::twist_output, drive), b));
    return probability_of_mode(*filter_, b) >= kLikely && spread < kSharp * gap && !is_silent(b);
  }

  std::vector<Diagnostic> impossible() const;

  // Where the mode is unknown, all of them are.
  void estimate_mode(int output, const Belief& b, double& value, double& std) const noexcept {
    if (!mode_is_known(b)) return;
    const P& drive = filter_->model();
    const double probability = probability_of_mode(*filter_, b);
    std = 0.0;
    if (output == mode_probability_output) {
      value = probability;
    } else if (output == mode_output) {
      value = side_of<double>(filter_->mode());
      // As of a number that is the mode, or else a neighbour.
      std = std::sqrt(probability * (1.0 - probability));
    } else if (drive.in_contact()) {
      value = 0.0;
    } else {
      const double rate = drive.guard_at(b.mean);
      Row way = Row::Zero();  // th_b to the limit that it goes to
      way[P::gap_position] = -1.0, way[rate > 0.0 ? P::upper_limit : P::lower_limit] = 1.0;
      value = way.dot(b.mean) / rate;
      const Row by_state = (way - value * drive.guard()) / rate;
      std = std::sqrt(variance_of(by_state, b));
    }
  }

  GapSpec spec_;
  std::vector<OutputInfo> outputs_;
  CommandDelay delay_;
  GapStart start_;
  std::optional<F> filter_{};
  double now_ = 0.0, began_ = 0.0, longest_step_ = 1e-3, gate_ = 0.0;
  double settled_ = 0.0;             // s: a filter with fixed gains has forgotten its last restart
  std::array<double, 4> slipped_{};  // teeth that a wheel's count is behind
  std::array<double, 4> seen_{};     // rad, where the wheel's last tooth stood
  ToothFaults faults_;
  mutable Belief read_;
  mutable bool is_read_ = false;
};

// No gear is so: counters that drift apart, by a wrong ratio or number of teeth, end in one.
template <class F>
std::vector<Diagnostic> GapEstimatorOf<F>::impossible() const {
  constexpr double kFarOff = 5.0;  // of what was known of the torque's gain
  const Belief& b = belief();
  const double gap = row_of(P::gap_output, filter_->model()).dot(b.mean);
  const double gain = spec_.gain * (1.0 + b.mean[P::gain_error]);
  const bool gain_is_off = spec_.gain_std > 0.0 && std::abs(gain - spec_.gain) > kFarOff * spec_.gain_std;
  if (gap > 0.0 && !gain_is_off) return {};
  return {{"model.misfit", Severity::error,
           fmt::format("{}, which cannot be: the counters of motor and load do not belong together. Check "
                       "transmission.ratio, the numbers of teeth, and the unit of the command.",
                       gap > 0.0 ? fmt::format("The motor would make {:.2g} times the torque that it is told", gain)
                                 : fmt::format("The gap would be {:.2g} rad", gap))}};
}

template <class F>
std::vector<Diagnostic> GapEstimatorOf<F>::remarks() const {
  std::vector<Diagnostic> remarks;
  if (!filter_)
    remarks.push_back({"start.missing", Severity::error,
                       "The filter never started: it needs two positions, or a velocity, of both motor and load."});
  for (Diagnostic& found : diagnose_teeth(faults_, outputs_, kLearns)) remarks.push_back(std::move(found));
  if (filter_)
    for (Diagnostic& found : impossible()) remarks.push_back(std::move(found));
  return remarks;
}

}  // namespace

std::unique_ptr<Estimator> make_gap_estimator(const GapSpec& spec) {
  if (spec.filter == GapSpec::Filter::cascade) {
    if (!GapCascade<double>(spec.drive, Belief{}, cascade_tuning(spec)).usable())
      throw Error(ExitCode::wrong_use,
                  "estimator.kind = \"cascade\": there are no stationary gains for this drive and its [noise]; use "
                  "\"direct\"");
    return std::make_unique<GapEstimatorOf<GapCascade<double>>>(spec);
  }
  if (spec.runs_several()) return std::make_unique<GapEstimatorOf<GapImm<double>>>(spec);
  return std::make_unique<GapEstimatorOf<GapFilter<double>>>(spec);
}

}  // namespace tauhat
